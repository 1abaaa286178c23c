// A computation that is told to stop leaves its work unfinished: the search has then shown nothing
// more than before.
#include "explore/stop_token.h"

#include <gtest/gtest.h>

#include <atomic>

#include "explore/compose/minimise.h"
#include "explore/compose/registry.h"
#include "explore/hb/linearise.h"
#include "explore/main_loop.h"
#include "target/fake_target.h"

namespace heddle::explore {
namespace {

using target::FakeProgram;
using target::FakeTarget;
using target::Load;
using target::Store;

FakeProgram LostUpdates() {
  FakeProgram program;
  program.variables = {0};
  program.threads.assign(3, {Load(0, 0), Store(0, 0, 1)});
  return program;
}

// Requests a stop in the middle of its nth execution.
class TimeIsUp final : public target::Target, public Budget {
 public:
  explicit TimeIsUp(uint32_t executions) : left_(executions) {}

  const trace::Execution& Run(const plan::Plan& plan) override {
    if (--left_ == 0) request.store(1);
    return target_.Run(plan);
  }
  bool Left() override { return request.load() == 0; }
  bool StopRequested() const override { return request.load() != 0; }

  std::atomic<uint32_t> request = 0;

 private:
  FakeTarget target_{LostUpdates()};
  uint32_t left_;
};

constexpr space::Reduction kThatStop[] = {
    space::Reduction::kSleepSets, space::Reduction::kDpor,          space::Reduction::kSource,
    space::Reduction::kOptimal,   space::Reduction::kHappensBefore, space::Reduction::kBounded};

Entry EntryOf(space::Reduction reduction) {
  space::Point point;
  point.reduction = reduction;
  const bool iterates = reduction >= space::Reduction::kHappensBefore;
  if (iterates) point.order = space::Order::kContextBounded;
  return *Find(point);
}

// At whatever execution the time is up, the search ends as one that is not complete, and no bound
// is completed that was not before.
TEST(StopToken, NothingIsProvedAfterAStop) {
  for (const space::Reduction reduction : kThatStop) {
    const Entry entry = EntryOf(reduction);
    for (uint32_t executions = 1; executions <= 30; ++executions) {
      SCOPED_TRACE(std::string(space::NameOf(reduction)) + ", " + std::to_string(executions));
      TimeIsUp time(executions);
      void* state = entry.make_state();
      const auto explorer = entry.Attach(state, 1, nullptr, StopToken(time.request));
      int64_t completed = -1;
      while (time.Left()) {
        completed = explorer->CompletedBound();
        ExecutionBudget one(1);
        ASSERT_EQ(RunSearch(*explorer, time, {}, one), SearchEnd::kBudget);
      }
      EXPECT_LE(explorer->CompletedBound(), std::max(completed, explorer->CurrentBound() - 1));
      EXPECT_FALSE(explorer->Complete());
      EXPECT_EQ(RunSearch(*explorer, time, {}, time), SearchEnd::kBudget);
      entry.free_state(state);
    }
  }
}

// A search that finds nothing more to run because it was told to stop has not finished, and does
// not go on with the next bound.
TEST(StopToken, TheBoundIsNotRaisedAfterAStop) {
  for (const space::Reduction reduction :
       {space::Reduction::kHappensBefore, space::Reduction::kBounded}) {
    const Entry entry = EntryOf(reduction);
    std::atomic<uint32_t> request = 0;
    FakeTarget target(LostUpdates());
    void* state = entry.make_state();
    const auto explorer = entry.Attach(state, 1, nullptr, StopToken(request));
    const auto plan = explorer->NextPlan();
    ASSERT_TRUE(plan.has_value());
    explorer->Learn(target.Run(*plan));
    const int64_t bound = explorer->CurrentBound();
    request.store(1);
    if (reduction == space::Reduction::kHappensBefore) {
      EXPECT_FALSE(explorer->NextPlan().has_value());
    }
    EXPECT_EQ(explorer->CurrentBound(), bound);
    EXPECT_LT(explorer->CompletedBound(), bound);
    EXPECT_FALSE(explorer->Complete());
    entry.free_state(state);
  }
}

class Always final : public SameFinding {
 public:
  bool Holds(const trace::Execution&) override { return true; }
};

TEST(StopToken, MinimisingEnds) {
  FakeTarget target(LostUpdates());
  const plan::Deviation switches[] = {{0, 1}, {1, 2}, {2, 0}};
  plan::Plan found;
  found.deviations = switches;
  std::atomic<uint32_t> request = 0;
  Minimise::State state;
  Always same;
  const trace::Execution& failing = target.Run(found);
  EXPECT_FALSE(failing.choices.empty());
  Minimise::Start(&state, failing, 0, 1000, StopToken(request));
  Minimise minimise(&state, same, StopToken(request));
  EXPECT_TRUE(minimise.NextPlan().has_value());
  request.store(1);
  EXPECT_FALSE(minimise.NextPlan().has_value());
  EXPECT_FALSE(Linearise(target.Run(found), 5, 1000, StopToken(request)).has_value());
}

}  // namespace
}  // namespace heddle::explore
