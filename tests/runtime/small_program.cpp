#include "small_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "channel/channel.h"
#include "runtime/control.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/switch.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/trace_view.h"
#include "runtime/loops/await.h"
#include "runtime/loops/joint_cycle.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/own_heap.h"
#include "runtime/objects/table.h"
#include "runtime/primitives/atomic.h"
#include "runtime/primitives/mutex.h"
#include "runtime/roots.h"
#include "runtime/runtime.h"
#include "runtime/start.h"
#include "runtime/steps/choice_point.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/scheduler.h"
#include "runtime/steps/thread_life.h"
#include "runtime/visible.h"
#include "runtime/world/prepare.h"
#include "session/channel_memory.h"

namespace heddle::runtime {

// hooks/start.cpp has these.
ProgramStart g_program;
bool ThreadsBeforeMain() { return false; }

namespace {

constexpr uint32_t kMostThreads = 8;
constexpr uint64_t kMostEvents = 20'000;  // then the execution is a hang

const std::vector<Body>* bodies;

void* RunBody(void* body) {
  (*static_cast<const Body*>(body))();
  return nullptr;
}

void RunMain(void*) {
  pthread_t threads[kMostThreads];
  uint32_t count = 0;
  for (const Body& body : *bodies) {
    CreateThread(&threads[count++], nullptr, RunBody, const_cast<Body*>(&body), HEDDLE_CALLER);
  }
  for (uint32_t i = 0; i < count; ++i) JoinThread(threads[i], nullptr, nullptr, HEDDLE_CALLER);
  EndExecution(trace::EndKind::kExit, 0, 0, 0, "%s", "");
}

void Prepare() {
  auto memory = session::ChannelMemory::Create();
  ASSERT_TRUE(memory.Ok());
  channel::Header& header = memory->Header();
  header.settings.max_events = kMostEvents;
  header.settings.report_races = 1;
  header.phase.store(static_cast<uint32_t>(channel::Phase::kSearching));
  OpenChannelAt(dup(memory->Descriptor()));
  ASSERT_TRUE(g_state.controlled);
  PrepareRuntime();
}

void ReachAndCommit(op::Kind kind, uintptr_t pc) {
  const op::Operation operation = {.kind = kind, .pc = pc};
  Reach(operation, nullptr);
  Commit(operation, nullptr, op::Access::kNone);
}

std::string Joined(const op::ThreadSet& threads) {
  std::string text;
  threads.ForEach([&](op::ThreadId id) { text += (text.empty() ? "" : ",") + std::to_string(id); });
  return text;
}

class Prepared final : public testing::Environment {
  void SetUp() override { Prepare(); }
};
[[maybe_unused]] const auto* const prepared = testing::AddGlobalTestEnvironment(new Prepared);

}  // namespace

bool g_timeouts_last;

// As FiberTarget::RunOnce (search/fiber_target.h).
void BeginExecution(const plan::Plan& plan) {
  RenewStacks();
  ResetExecution();
  g_state.recording = plan.record;
  g_state.timeouts_last = g_timeouts_last;
  TakeUpVisible();
  BeginJointCycles(Visible().joint_cycles);
  FollowPlan(plan);
}

const trace::Execution& RunOnce(void (*main)(void*), const plan::Plan& plan) {
  static trace::Execution execution;
  BeginExecution(plan);
  RunFibers(BeginMain(main));
  ViewTrace(g_fiber_count, execution);
  return execution;
}

const trace::Execution& RunOnce(const std::vector<Body>& threads, const plan::Plan& plan) {
  bodies = &threads;
  return RunOnce(RunMain, plan);
}

void BeginSearch() {
  // What a process before this one would have left.
  for (const RootNumber root : {kVisibleRoot, kPlacesRoot, kAwaitsRoot})
    g_own_heap.Root(root) = nullptr;
  InitVisible();
  InitAwaits();
  InitJointCycles();
  TakeUpVisible();
  BeginJointCycles(Visible().joint_cycles);
}

[[gnu::noinline]] uint32_t Load(const uint32_t& object) {
  return AtomicLoad(&object, __ATOMIC_SEQ_CST, HEDDLE_CALLER);
}
[[gnu::noinline]] void Store(uint32_t& object, uint32_t value) {
  AtomicStore(&object, value, __ATOMIC_SEQ_CST, HEDDLE_CALLER);
}
[[gnu::noinline]] uint32_t Exchange(uint32_t& object, uint32_t value) {
  return AtomicExchange(&object, value, __ATOMIC_SEQ_CST, HEDDLE_CALLER);
}
[[gnu::noinline]] void Lock(pthread_mutex_t& mutex) { MutexLock(&mutex, HEDDLE_CALLER); }
[[gnu::noinline]] bool LockWithin(pthread_mutex_t& mutex, uint64_t nanoseconds) {
  return MutexTimedLock(&mutex, Current().now + nanoseconds, HEDDLE_CALLER) == 0;
}
[[gnu::noinline]] void Unlock(pthread_mutex_t& mutex) { MutexUnlock(&mutex, HEDDLE_CALLER); }
[[gnu::noinline]] void Hook() { ReachAndCommit(op::Kind::kHook, HEDDLE_CALLER); }

[[gnu::noinline]] void Yield() {
  Current().yielding = true;
  const op::Operation operation = {.kind = op::Kind::kYield, .pc = HEDDLE_CALLER};
  Reach(operation, nullptr);
  Current().yielding = false;
  Commit(operation, nullptr, op::Access::kNone);
}

[[gnu::noinline]] uint32_t Choose(uint32_t options) {
  const op::Operation operation = {.kind = op::Kind::kChoose, .pc = HEDDLE_CALLER};
  Reach(operation, nullptr);
  const uint32_t chosen = ChooseOption(trace::ChoiceKind::kValue, options);
  Commit(operation, nullptr, op::Access::kNone, chosen, chosen + 1);
  return chosen;
}

[[gnu::noinline]] void BeginSection() {
  const op::Operation operation = {.kind = op::Kind::kAtomicBegin, .pc = HEDDLE_CALLER};
  Reach(operation, nullptr);
  Current().atomic_depth = 1;
  RespectAtomicSections();
  Commit(operation, nullptr, op::Access::kNone);
}

[[gnu::noinline]] void EndSection() {
  Current().atomic_depth = 0;
  Commit({.kind = op::Kind::kAtomicEnd, .pc = HEDDLE_CALLER}, nullptr, op::Access::kNone);
}

uint64_t Now() { return Current().now; }

uint32_t NumberOf(const uint32_t& object) {
  return SearchObject(reinterpret_cast<uintptr_t>(&object), ObjectKind::kWord)->number;
}
uint32_t NumberOf(const pthread_mutex_t& mutex) {
  return SearchObject(reinterpret_cast<uintptr_t>(&mutex), ObjectKind::kMutex)->number;
}

std::string StepsOf(const trace::Execution& execution) {
  std::string text;
  for (size_t step = 1; step < execution.steps.size(); ++step) {
    const trace::Step& at = execution.steps[step];
    const auto choices = execution.ChoicesOf(step);
    const bool chosen = !choices.empty() && choices[0].kind == trace::ChoiceKind::kThread;
    const std::string thread = std::to_string(at.thread);
    text += text.empty() ? "" : " ";
    if (!chosen)
      text += "(" + thread + ")";
    else
      text += thread + (choices[0].chosen == choices[0].fallback ? "" : "*");
  }
  return text;
}

std::string OptionsOf(const trace::Execution& execution, size_t choice) {
  const trace::Choice& at = execution.choices[choice];
  if (at.kind != trace::ChoiceKind::kThread) return "of " + std::to_string(at.option_count);
  const std::string early = Joined(execution.EarlyTimeouts(at));
  return Joined(execution.Open(at)) + (early.empty() ? "" : " early " + early);
}

}  // namespace heddle::runtime
