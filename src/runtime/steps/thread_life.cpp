#include "runtime/steps/thread_life.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <initializer_list>

#include "base/check.h"
#include "runtime/fibers/invariants.h"
#include "runtime/fibers/kernel_threads.h"
#include "runtime/fibers/keys.h"
#include "runtime/fibers/outside.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/tables.h"
#include "runtime/prim/context.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/monotonic_clock.h"
#include "runtime/prim/real.h"
#include "runtime/restart.h"
#include "runtime/runtime.h"
#include "runtime/states/hook_state.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/frames.h"
#include "runtime/steps/program_end.h"
#include "runtime/steps/robust_mutexes.h"
#include "runtime/steps/scheduler.h"
#include "runtime/visible.h"

namespace heddle::runtime {
namespace {

// The thread that joined itself, and the C++ library was told so; plus 1, 0: none.
[[HEDDLE_OF_EXECUTION]] uint32_t joined_itself;

// Set before the execution begins.
constexpr uint64_t kWatched = 1;
[[HEDDLE_LASTS("until the execution is over, in which it is read")]] uint64_t first_thread_ns;

// A local step that is a step of its own if everything is.
void ReachAndCommit(const op::Operation& operation) {
  Reach(operation, nullptr);
  Commit(operation, nullptr, op::Access::kNone);
}

// Where it shows whether a thread has finished, one without operations must not do so within the
// step that creates it. A read of its end, which tells a state with this step from one without.
void StartAsStep(const Fiber& self) {
  const op::Operation start = {.kind = op::Kind::kThreadStart};
  Object& object = EndOf(self);
  Reach(start, &object);
  Commit(start, &object, op::Access::kRead);
}

// A thread that has not made its first operation yet, or is let go by another one's, runs on within
// that step (docs/decisions/0003). If it creates a thread there, that is a step of its own: else
// the new thread could go before it, which had to run for that and so was preempted, as if it had
// not. The access that the creation is then, for the reason that StartAsStep has one.
op::Access ReachCreate(const Fiber& parent, std::initializer_list<const void*> arguments,
                       uintptr_t pc) {
  const op::Operation create = {.kind = op::Kind::kThreadCreate, .pc = pc};
  const bool within_other = g_schedule.running != parent.id;
  if (!within_other && !g_state.every_point) return op::Access::kNone;
  for (const void* argument : arguments) HashCallArgument(argument);
  Reach(create, within_other ? &EndOf(parent) : nullptr);
  return within_other ? op::Access::kRead : op::Access::kNone;
}

// The process ends when its last thread has ended, so what that does at exit comes after all that
// the others did. (glibc counts them.)
static void AcquireFromEnded(Fiber& self) {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if (id != self.id) AcquireFrom(self, FiberAt(id).clock);
}

// The end of a thread is a step where something tells it apart (docs/decisions/0003); elsewhere it
// happens at once, and touches nothing.
void FinishThread(Fiber& self, void* result) {
  CheckInvariants();
  RunTlsDestructors(self);
  RunKeyDestructors();
  if (MayHaveKeyBlocks()) FreeKeyBlocks(self);
  self.result = result;
  if (g_state.signals) g_outside.end_signals();
  FinishLastStep();
  LeaveFrames(self);
  const op::Operation end = {.kind = op::Kind::kThreadExit};
  Object& object = EndOf(self);
  if (g_state.thread_ends) Reach(end, &object);
  Commit(end, &object, g_state.thread_ends ? op::Access::kWrite : op::Access::kNone);
  g_trace->pending[self.id] = {op::Kind::kThreadExit, 0, trace::kNoObject};
  if (--g_live_threads == 0) {  // the last thread; main left by pthread_exit
    AcquireFromEnded(self);
    exit(0);
  }
  self.state = FiberState::kFinished;
  constexpr op::Level kEnded = 1;
  object.level = kEnded;
  Changed(object);
  GiveUpRobust(self);
  if (self.joiner != op::kNoThread) Changed(FiberAt(self.joiner));
  // If nobody else is there, main goes on, and no step begins any more.
  if (g_state.asks_counters && g_schedule.open_count == 0) VisitCounters();
  LeaveForGood();
}

void RunThread(void* argument) {
  Fiber& self = *static_cast<Fiber*>(argument);
  if (g_state.kernel_threads) BeginOnOwnThread(self);
  self.state = FiberState::kRunning;
  if (g_state.thread_finishes)
    StartAsStep(self);
  else if (g_state.every_point)
    ReachAndCommit({.kind = op::Kind::kThreadStart});
  FinishThread(self, self.start(self.argument));
}

// std::thread::join of oneself throws, as the C++ standard says: its library looks at our answer.
bool IsCxxLibrary(uintptr_t pc) {
  const OutsideExecution outside;
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(pc), &info) != 0 && info.dli_sname != nullptr &&
         strncmp(info.dli_sname, "_ZNSt", 5) == 0;
}

constexpr char kDetached[] = "a detached thread may not have ended when the program does";

// `does`: "joins" or "detaches". REQUIRES: `target` was joined, is detached, or is being joined.
[[noreturn]] void EndNotJoinable(const Fiber& target, const char* does, uintptr_t pc) {
  const op::ThreadId self = Current().id;
  if (target.joined)
    EndByMisuse(0, pc,
                "%%T%u%% %s %%T%u%%, which was joined already: its pthread_t is no longer "
                "valid",
                self, does, target.id);
  if (target.detached)
    EndByMisuse(0, pc, "%%T%u%% %s %%T%u%%, which is detached", self, does, target.id);
  EndByMisuse(0, pc, "%%T%u%% %s %%T%u%% while %%T%u%% is joining it", self, does, target.id,
              target.joiner);
}

bool IsJoinable(const Fiber& target) {
  return !target.joined && !target.detached && target.joiner == op::kNoThread;
}

// The access to `target` of what joins or detaches it; `alone` if nobody else does.
op::Access HandlingAccess(op::Access alone) {
  return g_state.thread_joins ? op::Access::kWrite : alone;
}

// From here on `target` is not to be joined by anybody else.
void BeginToJoin(Fiber& self, Fiber& target, uintptr_t pc) {
  const op::Operation begin = {.kind = op::Kind::kThreadJoinBegin, .other = target.id, .pc = pc};
  Object* object = g_state.thread_joins ? &EndOf(target) : nullptr;
  if (object != nullptr) Reach(begin, object);
  if (!IsJoinable(target)) EndNotJoinable(target, "joins", pc);
  target.joiner = self.id;
  if (object != nullptr) Commit(begin, object, op::Access::kWrite);
}

// What waits for `target` learns all it did. It is gone for good: a second join is an error.
int TakeResult(Fiber& self, Fiber& target, void** result) {
  AcquireFrom(self, target.clock);
  if (self.now < target.now) self.now = target.now;
  target.joined = true;
  if (result != nullptr) *result = target.result;
  return 0;
}

// Whether the thread has ended shows: an operation like any other.
int JoinInTime(Fiber& self, Fiber& target, void** result, uint64_t deadline, uintptr_t pc) {
  const op::Operation operation = {
      .kind = op::Kind::kThreadTimedJoin, .other = target.id, .pc = pc};
  Object& object = EndOf(target);
  self.deadline = deadline;
  if (Reach(operation, &object, true) == Wake::kTimedOut) {
    target.joiner = op::kNoThread;
    Commit(operation, &object, HandlingAccess(op::Access::kRead), ETIMEDOUT, 1);
    return ETIMEDOUT;
  }
  Commit(operation, &object, HandlingAccess(op::Access::kRead));
  ++self.changes;
  return TakeResult(self, target, result);
}

}  // namespace

void NoteHandled(const Fiber& self, Fiber& target) {
  if (target.handled_by == op::kNoThread) target.handled_by = self.id;
  if (target.handled_by == self.id) return;
  NeedThreadJoins("two threads join or detach the same thread");
}

Object& EndOf(const Fiber& fiber) { return FindObject(fiber.id + 1, ObjectKind::kThread); }

void WatchFirstThread() { first_thread_ns = kWatched; }
uint64_t FirstThreadNs() { return first_thread_ns == kWatched ? 0 : first_thread_ns; }

Fiber& BeginMain(void (*entry)(void*)) {
  Fiber& main = BeginFiber(0, op::kNoThread);
  LendStorage(main);
  ProvideStack(main, DefaultStackSize(), nullptr);
  main.tick = 1;
  main.clock.Set(0, 1, g_state.bump);
  main.stack_pointer = PrepareStack(main.stack_begin + main.stack_size, entry, nullptr);
  g_live_threads = 1;
  return main;
}

int CreateThread(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                 void* argument, uintptr_t pc) {
  Fiber& parent = Current();
  NoteFrame(parent, pc);
  const op::Access access =
      ReachCreate(parent, {handle, attributes, reinterpret_cast<const void*>(start), argument}, pc);
  size_t stack_size = DefaultStackSize();
  void* stack = nullptr;
  int detach_state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) {
    pthread_attr_getdetachstate(attributes, &detach_state);
    size_t size = 0;
    // glibc keeps the end of the stack and answers end - size, so no stack at all shows as one that
    // ends at 0.
    if (pthread_attr_getstack(attributes, &stack, &size) != 0 ||
        reinterpret_cast<uintptr_t>(stack) + size == 0)
      stack = nullptr;
    if (stack != nullptr)
      stack_size = size;
    else if (pthread_attr_getstacksize(attributes, &size) == 0 && size != 0)
      stack_size = size;
  }
  const uint32_t number = NumberOfChild(parent.id, parent.children + 1);
  if (number >= PoolSize())
    RestartWithThreads(number + 1);  // never returns: the execution runs again
  ++parent.children;
  Fiber& child = BeginFiber(number, parent.id);
  LendStorage(child);
  ProvideStack(child, stack_size, static_cast<char*>(stack));
  child.start = start;
  child.argument = argument;
  child.detached = detach_state == PTHREAD_CREATE_DETACHED;
  if (child.detached) NeedThreadEnds(kDetached);
  child.now = parent.now;
  child.tick = 1;
  child.clock.Assign(parent.clock, g_state.bump);
  child.clock.Set(number, 1, g_state.bump);
  child.stack_pointer = PrepareStack(child.stack_begin + child.stack_size, RunThread, &child);
  BeginTick(parent);
  ++g_live_threads;
  if (__builtin_expect(first_thread_ns == kWatched, 0)) first_thread_ns = MonotonicNs();
  g_state.several_threads = true;
  ++parent.changes;
  *handle = child.thread_pointer;
  const op::Operation create = {.kind = op::Kind::kThreadCreate,
                                .other = number,
                                .object2 = reinterpret_cast<uintptr_t>(child.start),
                                .pc = pc};
  Commit(create, access == op::Access::kNone ? nullptr : &EndOf(parent), access);
  MakeReady(child);
  return 0;
}

bool HasJoinedItself() { return joined_itself == Current().id + 1; }

int JoinThread(pthread_t handle, void** result, const uint64_t* deadline, uintptr_t pc) {
  Fiber& self = Current();
  Fiber* target = FiberOfHandle(handle);
  if (target == nullptr) return ESRCH;
  if (target == &self) {
    if (IsCxxLibrary(pc)) {
      joined_itself = self.id + 1;
      return EDEADLK;
    }
    EndByMisuse(0, pc, "%%T%u%% joins itself", self.id);
  }
  if (deadline != nullptr) NeedThreadEnds("a thread is joined with a time limit");
  NoteHandled(self, *target);
  HashCallArgument(result);
  BeginToJoin(self, *target, pc);
  HashCallArgument(result);
  if (deadline != nullptr) return JoinInTime(self, *target, result, *deadline, pc);
  const op::Operation operation = {.kind = op::Kind::kThreadJoin, .other = target->id, .pc = pc};
  // In a section, what comes after the join is part of the step only if the thread has ended.
  const bool inside = self.done || self.atomic_depth != 0;
  if (inside) NeedThreadEnds("a thread is joined in an atomic section, or after heddle_done");
  // Where it shows whether this thread has finished, it must not do so within another one's step.
  if (g_state.thread_joins || inside || g_state.thread_finishes) {
    Object& object = EndOf(*target);
    Reach(operation, &object);
    Commit(operation, &object,
           HandlingAccess(g_state.thread_finishes ? op::Access::kWrite : op::Access::kRead));
  } else {
    ReachLocal(operation, nullptr);
    Commit(operation, nullptr, op::Access::kNone);
  }
  ++self.changes;
  return TakeResult(self, *target, result);
}

int TryJoinThread(pthread_t handle, void** result, uintptr_t pc) {
  Fiber* target = FiberOfHandle(handle);
  if (target == nullptr) return ESRCH;
  NeedThreadEnds("a thread is joined only if it has ended (pthread_tryjoin_np)");
  NoteHandled(Current(), *target);
  HashCallArgument(result);
  const op::Operation operation = {.kind = op::Kind::kThreadTryJoin, .other = target->id, .pc = pc};
  Object& object = EndOf(*target);
  Reach(operation, &object);
  if (!IsJoinable(*target)) EndNotJoinable(*target, "joins", pc);
  const bool finished = target->state == FiberState::kFinished;
  Commit(operation, &object, HandlingAccess(op::Access::kRead), finished ? 0 : EBUSY);
  return finished ? TakeResult(Current(), *target, result) : EBUSY;
}

int DetachThread(pthread_t handle, uintptr_t pc) {
  Fiber* target = FiberOfHandle(handle);
  if (target == nullptr) return ESRCH;
  NoteHandled(Current(), *target);
  NoteFrame(Current(), pc);
  const op::Operation operation = {.kind = op::Kind::kThreadDetach, .other = target->id, .pc = pc};
  Object* object = g_state.thread_joins ? &EndOf(*target) : nullptr;
  const bool visible = object != nullptr || g_state.every_point;
  if (visible) Reach(operation, object);
  if (target->joined || target->detached) EndNotJoinable(*target, "detaches", pc);
  NeedThreadEnds(kDetached);
  target->detached = true;
  if (visible) Commit(operation, object, HandlingAccess(op::Access::kNone));
  return 0;
}

void RunTlsDestructors(Fiber& self) {
  while (TlsDestructor* destructor = self.tls_destructors) {
    self.tls_destructors = destructor->next;
    destructor->function(destructor->argument);
  }
}

void AddTlsDestructor(Fiber& self, void (*function)(void*), void* argument) {
  auto* destructor = static_cast<TlsDestructor*>(g_state.bump.Take(sizeof(TlsDestructor)));
  *destructor = {function, argument, self.tls_destructors};
  self.tls_destructors = destructor;
}

void FinishRunningThread(void* result) {
  FinishThread(Current(), result);
  __builtin_unreachable();
}

}  // namespace heddle::runtime
