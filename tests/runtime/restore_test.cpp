// Going back in the middle of an execution: the real runtime without its hooks. What a hook would
// call the program here calls itself; its memory, a few variables and its stacks, is saved by the
// test, and everything of heddle's by SaveExecution.
//
// The proof that nothing was forgotten: what follows after going back under any plan is, to the
// last event and race, what the execution does that is run from the beginning under the same plan.

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstring>
#include <tuple>
#include <vector>

#include "channel/records.h"
#include "check/data_race.h"
#include "plan/plan.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/switch.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/trace_view.h"
#include "runtime/memory/execution_state.h"
#include "runtime/prim/context.h"
#include "runtime/primitives/atomic.h"
#include "runtime/primitives/mutex.h"
#include "runtime/primitives/plain.h"
#include "runtime/runtime.h"
#include "runtime/steps/thread_life.h"
#include "runtime/world/random.h"
#include "small_program.h"

namespace heddle::runtime {

namespace {

// ---- the program ----

struct Memory {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  uint32_t counter = 0;
  uint32_t flag = 0;
  uint32_t racy = 0;
};
Memory memory;
// Where the first thread is saved: place n of turn t is number 2 * t + n; -1: nowhere.
int save_at = -1;

void SaveHere();

uintptr_t Here(int place) { return reinterpret_cast<uintptr_t>(&memory) + place; }

void Write(uint32_t& variable, uint32_t value, int place) {
  Plain(&variable, sizeof variable, true, Here(place));
  variable = value;
}

constexpr int kTurns = 4;

void* Work(void* first) {
  for (int turn = 0; turn < kTurns; ++turn) {
    MutexLock(&memory.mutex, Here(1));
    if (first != nullptr && save_at == 2 * turn) SaveHere();  // the others wait for the mutex
    Write(memory.counter, memory.counter + 1, 2);
    MutexUnlock(&memory.mutex, Here(3));
    if (first != nullptr && save_at == 2 * turn + 1) SaveHere();  // others could go on
    const uint32_t before = AtomicFetch(Fetch::kAdd, &memory.flag, 1u, __ATOMIC_RELAXED, Here(4));
    if (before % 2 == 0) Write(memory.racy, static_cast<uint32_t>(NextRandom64()), 5);
  }
  return nullptr;
}

void Main(void*) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    CreateThread(&threads[i], nullptr, Work, i == 0 ? &memory : nullptr, Here(6));
  for (pthread_t thread : threads) JoinThread(thread, nullptr, nullptr, Here(7));
  EndExecution(trace::EndKind::kExit, static_cast<int>(memory.counter), 0, 0, "%u", memory.racy);
}

// ---- running it ----

// All that tells one execution from another.
struct Signature {
  uint64_t happens_before = 0;
  uint64_t steps = 0;
  std::string message;
  std::vector<std::tuple<uint32_t, op::Kind, uint32_t, uint64_t>> events = {};
  std::vector<std::tuple<uintptr_t, uint32_t, uint32_t, uint32_t, uint32_t>> races = {};
  std::vector<uint32_t> choices = {};
  std::vector<std::tuple<op::ThreadId, uint8_t, uint64_t, uint64_t>> recorded = {};
  uint32_t preemptions = 0;
  bool operator==(const Signature&) const = default;
};

Signature SignatureOfTrace() {
  const trace::Execution execution = ViewOfTrace(g_fiber_count);
  Signature all = {.happens_before = execution.happens_before,
                   .steps = execution.steps_hash,
                   .message = execution.ending.message,
                   .preemptions = execution.preemptions};
  for (const trace::Event& event : execution.events)
    all.events.emplace_back(event.thread, event.kind, event.object, event.value);
  for (const trace::Race& race : execution.races)
    all.races.emplace_back(race.address, race.first_thread, race.first_tick, race.second_thread,
                           race.second_tick);
  for (const trace::Choice& choice : execution.choices) all.choices.push_back(choice.chosen);
  for (const channel::StepRecord& step : execution.recorded)
    all.recorded.emplace_back(step.thread, step.op_kind, step.object, step.value);
  return all;
}

Signature RunFromStart(const plan::Plan& plan) {
  memory = Memory();
  RunOnce(Main, plan);
  return SignatureOfTrace();
}

// ---- saving it and going back ----

struct Stack {
  char* at;
  std::vector<char> bytes;
};
struct Saved {
  std::vector<char> heddles;
  Memory memory;
  std::vector<Stack> stacks;
  uint32_t choices;
} saved;

char saved_bytes[8 << 20];
alignas(16) char helpers_stack[1 << 20];
void* helpers_place;

// Not on a stack that is being saved.
void SaveAndReturn(void*) {
  Fiber& self = Current();
  saved.memory = memory;
  saved.choices = g_trace->choice_count;
  saved.stacks.clear();
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = FiberAt(id);
    if (fiber.state == FiberState::kFinished) continue;
    char* const top = static_cast<char*>(fiber.stack_pointer);
    saved.stacks.push_back({top, {top, fiber.stack_begin + fiber.stack_size}});
  }
  base::SavedBytes heddles(saved_bytes);
  SaveExecution(heddles);
  saved.heddles.assign(heddles.Bytes().begin(), heddles.Bytes().end());
  heddle_switch_context(&helpers_place, self.stack_pointer, self.thread_pointer);
  abort();
}

void SaveHere() {
  Fiber& self = Current();
  void* helper = PrepareStack(helpers_stack + sizeof helpers_stack, SaveAndReturn, nullptr);
  heddle_switch_context(&self.stack_pointer, helper, self.thread_pointer);
}

// Goes back, and on under `plan`, of which only what comes later counts; null: under that which it
// followed.
Signature GoOn(const plan::Plan* plan) {
  base::SavedBytesReader reader(saved.heddles);
  RestoreExecution(reader);
  memory = saved.memory;
  for (const Stack& stack : saved.stacks) memcpy(stack.at, stack.bytes.data(), stack.bytes.size());
  if (plan != nullptr) FollowPlan(*plan);
  RunFibers(Current());
  return SignatureOfTrace();
}

class RestoreTest : public testing::TestWithParam<int> {
 protected:
  void TearDown() override { save_at = -1; }

  // Runs it from the beginning, and saves it on the way.
  Signature RunAndSave(const plan::Plan& plan) {
    save_at = GetParam();
    const Signature whole = RunFromStart(plan);
    save_at = -1;
    return whole;
  }
};

TEST_P(RestoreTest, GoesOnTheSameWayAgainAndAgain) {
  // Asleep from the second step on: the second thread, until somebody accesses what nobody does.
  constexpr uint32_t kNever = plan::Sleeper::kAnyObject - 1;
  const op::ThreadId script[] = {1, 1};
  const plan::Sleeper sleeper = {.thread = 2, .access = op::Access::kWrite, .object = kNever};
  const plan::Plan plans[] = {{},
                              {.deviations = {}, .record = true},
                              {.deviations = {}, .tail = plan::Tail::kRandom, .seed = 1},
                              {.deviations = {}, .tail = plan::Tail::kRandom, .seed = 2},
                              {.deviations = {}, .script = script, .sleepers = {&sleeper, 1}}};
  for (const plan::Plan& plan : plans) {
    const Signature whole = RunAndSave(plan);
    ASSERT_FALSE(whole.events.empty());
    EXPECT_EQ(whole.recorded.empty(), !plan.record);
    for (int i = 0; i < 3; ++i) {
      // Of which nothing may stay.
      const plan::Plan another = {.deviations = {}, .tail = plan::Tail::kRandom, .seed = 3};
      GoOn(&another);
      EXPECT_EQ(GoOn(nullptr), whole);
    }
  }
}

TEST_P(RestoreTest, GoesOnUnderAnyPlanAsFromTheBeginning) {
  const Signature whole = RunAndSave({});
  ASSERT_LT(saved.choices, whole.choices.size());
  std::vector<plan::Deviation> deviations;
  for (uint32_t choice = saved.choices; choice < whole.choices.size(); ++choice)
    for (op::ThreadId thread = 1; thread <= 2; ++thread) deviations.push_back({choice, thread});
  const auto plan_of = [](const plan::Deviation& deviation) {
    return plan::Plan{.deviations = {&deviation, 1}, .lenient = true};
  };
  std::vector<Signature> fresh;
  for (const plan::Deviation& deviation : deviations)
    fresh.push_back(RunFromStart(plan_of(deviation)));
  RunAndSave({});  // to go back on the way of what ran last
  unsigned others = 0, with_races = 0;
  for (size_t i = 0; i < deviations.size(); ++i) {
    const plan::Plan plan = plan_of(deviations[i]);
    const Signature after = GoOn(&plan);
    EXPECT_EQ(after, fresh[i]) << "choice " << deviations[i].choice << ", thread "
                               << deviations[i].option;
    EXPECT_EQ(GoOn(&plan), fresh[i]);
    others += after != whole;
    with_races += !after.races.empty();
  }
  EXPECT_GT(others, 2u);
  EXPECT_GT(with_races, 0u);
}

INSTANTIATE_TEST_SUITE_P(Places, RestoreTest, testing::Range(0, 6));

TEST(ResetTest, NothingStaysOfAnExecution) {
  const Signature first = RunFromStart({});
  const plan::Deviation deviation = {1, 2};
  const Signature other = RunFromStart({.deviations = {&deviation, 1}, .lenient = true});
  EXPECT_NE(other, first);
  EXPECT_EQ(RunFromStart({}), first);
}

}  // namespace
}  // namespace heddle::runtime
