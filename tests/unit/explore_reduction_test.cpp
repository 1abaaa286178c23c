// The reductions on programs whose numbers of traces are known.
#include <gtest/gtest.h>

#include <string>

#include "explore/compose/registry.h"
#include "target/fake_target.h"

namespace heddle::explore {
namespace {

using target::Assign;
using target::FakeProgram;
using target::FakeTarget;
using target::FetchAdd;
using target::Instruction;
using target::Load;
using target::Lock;
using target::Store;
using target::Unlock;

FakeProgram Same(uint32_t threads, const std::vector<Instruction>& code) {
  FakeProgram program;
  program.variables = {0, 0};
  program.mutexes = 2;
  program.threads.assign(threads, code);
  return program;
}

FakeProgram Different(std::vector<std::vector<Instruction>> threads) {
  FakeProgram program = Same(0, {});
  program.threads = std::move(threads);
  return program;
}

struct Searched {
  uint64_t executions = 0;  // to an end
  uint64_t cut = 0;
};

Searched Search(const std::string& reduction, const FakeProgram& program) {
  FakeTarget target(program);
  const auto entry = Find({.reduction = *space::ReductionOf(reduction)});
  void* state = entry->make_state();
  const auto explorer = entry->Attach(state, 1, nullptr);
  Searched run;
  while (const auto plan = explorer->NextPlan()) {
    const trace::Execution& execution = target.Run(*plan);
    const bool cut = execution.ending.kind == trace::EndKind::kRedundant;
    ++(cut ? run.cut : run.executions);
    explorer->Learn(execution);
  }
  EXPECT_TRUE(explorer->Complete());
  entry->free_state(state);
  return run;
}

// Mazurkiewicz traces under sequential consistency.
TEST(Reductions, RunEveryTraceOfKnownPrograms) {
  const std::vector<Instruction> increment = {Load(0, 0), Store(0, 0, 1)};
  const std::vector<Instruction> guarded = {Lock(0), Load(0, 0), Store(0, 0, 1), Unlock(0)};
  const struct {
    const char* name;
    FakeProgram program;
    uint64_t traces;
  } cases[] = {
      {"one fetch_add each, of 4", Same(4, {FetchAdd(0, 1)}), 24},
      {"load and store, of 2", Same(2, increment), 4},
      {"load and store, of 3", Same(3, increment), 36},
      {"load and store, of 4", Same(4, increment), 576},
      {"under a lock, of 4", Same(4, guarded), 24},
      {"store buffering", Different({{Assign(0, 1), Load(1, 0)}, {Assign(1, 1), Load(0, 0)}}), 3},
      {"readers", Different({{Assign(0, 1)}, {Load(0, 0)}, {Load(0, 0)}, {Load(0, 0)}}), 8},
      {"locks in different orders",
       Different(
           {{Lock(0), Lock(1), Unlock(1), Unlock(0)}, {Lock(1), Lock(0), Unlock(0), Unlock(1)}}),
       3},
      {"nothing in common", Different({{FetchAdd(0, 1)}, {FetchAdd(1, 1)}}), 1},
  };
  for (const auto& c : cases) {
    for (const char* reduction : {"sleep-sets", "dpor", "source", "optimal"}) {
      const Searched run = Search(reduction, c.program);
      EXPECT_EQ(run.executions, c.traces) << c.name << ", " << reduction;
      EXPECT_TRUE(run.cut == 0 || std::string(reduction) != "optimal") << c.name;
    }
  }
}

using Threads = std::vector<op::ThreadId>;

// What a search with `optimal` runs, execution by execution.
struct Walked {
  std::vector<Threads> scripts;
  std::vector<Threads> orders;  // of the threads' steps
  std::vector<trace::EndKind> endings;
  std::vector<uint64_t> peak_nodes;
};

Walked WalkOptimal(const FakeProgram& program) {
  FakeTarget target(program);
  const auto entry = Find({.reduction = *space::ReductionOf("optimal")});
  void* state = entry->make_state();
  const auto explorer = entry->Attach(state, 1, nullptr);
  Walked walked;
  while (const auto plan = explorer->NextPlan()) {
    walked.scripts.emplace_back(plan->script.begin(), plan->script.end());
    EXPECT_TRUE(plan->sleepers.empty());  // R6: at a leaf everything is awake
    const trace::Execution& execution = target.Run(*plan);
    Threads order;
    for (const trace::Step& step : execution.steps) {
      if (step.thread != op::kNoThread) order.push_back(step.thread);
    }
    walked.orders.push_back(order);
    walked.endings.push_back(execution.ending.kind);
    explorer->Learn(execution);
    walked.peak_nodes.push_back(explorer->PeakNodes());
  }
  EXPECT_TRUE(explorer->Complete());
  EXPECT_EQ(explorer->RanAgain(), 0u);
  entry->free_state(state);
  return walked;
}

// The first example of docs/algorithms/dpor.md. Races: x of step 1 of T0 with step 2 of T1, y of
// step 2 of T0 with step 3 of T1; both orders of each are possible, so there are 4 traces.
TEST(Reductions, FollowTheFirstExampleOfDporMd) {
  FakeProgram program =
      Different({{Assign(0, 1), Load(1, 0)}, {Assign(2, 1), Load(0, 0), Assign(1, 1)}});
  program.variables = {0, 0, 0};
  const Walked walked = WalkOptimal(program);
  EXPECT_EQ(walked.scripts, (std::vector<Threads>{{}, {0, 1, 1, 1}, {1, 1}, {1, 1, 0, 0}}));
  EXPECT_EQ(
      walked.orders,
      (std::vector<Threads>{{0, 0, 1, 1, 1}, {0, 1, 1, 1, 0}, {1, 1, 1, 0, 0}, {1, 1, 0, 0, 1}}));
  EXPECT_EQ(walked.peak_nodes, (std::vector<uint64_t>{5, 5, 5, 5}));
  EXPECT_EQ(Search("none", program).executions, 10u);  // 5 choose 2
}

// The second: two locks in opposite orders. Only the deadlock shows that they could have been taken
// one after the other in the order that is left.
TEST(Reductions, FollowTheSecondExampleOfDporMd) {
  const FakeProgram program = Different(
      {{Lock(0), Lock(1), Unlock(1), Unlock(0)}, {Lock(1), Lock(0), Unlock(0), Unlock(1)}});
  const Walked walked = WalkOptimal(program);
  EXPECT_EQ(walked.scripts, (std::vector<Threads>{{}, {0, 1}, {1, 1}}));
  EXPECT_EQ(walked.orders,
            (std::vector<Threads>{{0, 0, 0, 0, 1, 1, 1, 1}, {0, 1}, {1, 1, 1, 1, 0, 0, 0, 0}}));
  using enum trace::EndKind;
  EXPECT_EQ(walked.endings, (std::vector<trace::EndKind>{kExit, kDeadlock, kExit}));
  EXPECT_EQ(Search("none", program).executions, 6u);
}

}  // namespace
}  // namespace heddle::explore
