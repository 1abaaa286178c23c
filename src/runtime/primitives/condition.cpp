#include "runtime/primitives/condition.h"

#include <errno.h>

#include "runtime/control.h"
#include "runtime/fibers/perform.h"
#include "runtime/fibers/robust_mutexes.h"
#include "runtime/fibers/scheduler.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/objects/mutex.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/primitives/mutex.h"
#include "runtime/primitives/waiter_queue.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// A wait may always end for no reason. It is enough to let it end at once: that the thread then
// takes its time is a matter of scheduling. A thread does so at most once between two signals, or a
// waiting loop would never end.
bool WakesSpuriously(Fiber& self) {
  if (ChannelHeader().settings.spurious_wakeups == 0 || self.woke_spuriously) return false;
  self.woke_spuriously = ChooseOption(trace::ChoiceKind::kTimeout, 2) == 1;
  return self.woke_spuriously;
}

int Wait(pthread_cond_t* condition_memory, pthread_mutex_t* mutex_memory, const uint64_t* deadline,
         uintptr_t pc) {
  Object& condition = FindCondition(condition_memory);
  Object& mutex = FindMutex(mutex_memory);
  const op::Operation wait{.kind = op::Kind::kCondWait,
                           .object = AddressOf(condition_memory),
                           .object2 = AddressOf(mutex_memory),
                           .pc = pc};
  Reach(wait, &condition);
  Fiber& self = Current();
  RequireInitialised(condition, *condition_memory, "waits on", pc);
  if (mutex.mutex.owner != self.id) {
    if (mutex.mutex.type != PTHREAD_MUTEX_NORMAL || mutex.mutex.robust) {
      Commit(wait, &mutex, op::Access::kRead, EPERM);
      return EPERM;
    }
    EndByMisuse(
        wait.object, pc,
        "%%T%u%% waits on condition variable %%O%lx%% with mutex %%O%lx%%, which it has not locked",
        self.id, wait.object, wait.object2);
  }
  // The binding of the condition variable to one mutex ends with the last waiter. All in the queue
  // use the same one, or we would not be here.
  const Fiber* waiter = condition.condition.waiters.first;
  if (waiter != nullptr && waiter->pending.object != wait.object2)
    EndByMisuse(wait.object, pc,
                "%%T%u%% waits on condition variable %%O%lx%% with mutex %%O%lx%% while %%T%u%% "
                "waits on it with mutex %%O%lx%%",
                self.id, wait.object, wait.object2, waiter->id, waiter->pending.object);
  op::Operation reacquire{
      .kind = op::Kind::kCondReacquire, .object = wait.object2, .object2 = wait.object, .pc = pc};
  const bool spurious = WakesSpuriously(self);
  condition.level = condition.condition.waiters.count;
  Synchronise(self, mutex, GiveUpMutex(mutex.mutex));
  if (spurious)
    reacquire.detail = kStoppedWaiting;
  else
    Append(condition.condition.waiters, self);
  constexpr op::Level kHeld = 1;
  CommitWait(wait, condition, mutex, kHeld, spurious ? 1 : 0);
  Changed(mutex);

  if (deadline != nullptr) self.deadline = *deadline;
  const bool timed_out =
      Reach(reacquire, &mutex, deadline != nullptr && !spurious) == Wake::kTimedOut;
  if (timed_out) {
    condition.level = condition.condition.waiters.count;
    Remove(condition.condition.waiters, self);
    Commit(wait, &condition, op::Access::kWrite, ETIMEDOUT, 1);
    reacquire.detail = kStoppedWaiting;
    Reach(reacquire, &mutex);
  } else if (!spurious) {
    self.woke_spuriously = false;
  }
  if (mutex.mutex.owner == op::kNoThread)
    RequireInitialised(mutex, *mutex_memory, "wakes up and locks", pc);
  const Answer again = TakeMutexAgain(mutex.mutex, self.id);
  NoteTaken(mutex, again);
  TakeEffect(reacquire, mutex, again);
  return again.status != 0 ? again.status : timed_out ? ETIMEDOUT : 0;
}

// The signal has found `waiter`: from here on no time limit can take it away again, and if it never
// gets the mutex, it was the mutex that it waited for (explore/por/ends.h).
void LetGo(Fiber& waiter) {
  waiter.timed = false;
  g_trace->pending[waiter.id].detail = kStoppedWaiting;
  WakeWithHash(waiter, Wake::kSignalled, LastEventHash());
}

// Whoever waits would never be let go.
void RequireNobodyWaits(const Object& condition, const char* does, uintptr_t pc) {
  const WaiterQueue& waiters = condition.condition.waiters;
  if (waiters.count != 0)
    EndByMisuse(condition.address, pc,
                "%%T%u%% %s condition variable %%O%lx%% while %%T%u%% waits on it", Current().id,
                does, condition.address, waiters.first->id);
}

// Nobody waits: the signal has no effect, and commutes with others like it.
void Lose(const op::Operation& operation, Object& condition) {
  ++condition.condition.lost_signals;
  condition.condition.lost_by = Current().id;
  condition.level = 0;
  Commit(operation, &condition, op::Access::kRead);
}

}  // namespace

Object& FindCondition(pthread_cond_t* condition) {
  return FindObject(AddressOf(condition), ObjectKind::kCondition);
}

int CondWait(pthread_cond_t* condition, pthread_mutex_t* mutex, uintptr_t pc) {
  return Wait(condition, mutex, nullptr, pc);
}

int CondTimedWait(pthread_cond_t* condition, pthread_mutex_t* mutex, uint64_t deadline,
                  uintptr_t pc) {
  return Wait(condition, mutex, &deadline, pc);
}

int CondSignal(pthread_cond_t* condition_memory, uintptr_t pc) {
  Object& condition = FindCondition(condition_memory);
  const op::Operation operation{
      .kind = op::Kind::kCondSignal, .object = AddressOf(condition_memory), .pc = pc};
  Reach(operation, &condition);
  RequireInitialised(condition, *condition_memory, "signals", pc);
  WaiterQueue& waiters = condition.condition.waiters;
  if (waiters.count == 0) {
    Lose(operation, condition);
    return 0;
  }
  condition.level = waiters.count;
  Fiber& woken = TakeAt(waiters, ChooseOption(trace::ChoiceKind::kWaiter, waiters.count));
  Commit(operation, &condition, op::Access::kWrite, woken.id, woken.id + 1);
  LetGo(woken);
  return 0;
}

int CondBroadcast(pthread_cond_t* condition_memory, uintptr_t pc) {
  Object& condition = FindCondition(condition_memory);
  const op::Operation operation{
      .kind = op::Kind::kCondBroadcast, .object = AddressOf(condition_memory), .pc = pc};
  Reach(operation, &condition);
  RequireInitialised(condition, *condition_memory, "broadcasts", pc);
  WaiterQueue& waiters = condition.condition.waiters;
  if (waiters.count == 0) {
    Lose(operation, condition);
    return 0;
  }
  condition.level = waiters.count;
  Commit(operation, &condition, op::Access::kWrite, waiters.count);
  while (waiters.count != 0) LetGo(TakeAfter(waiters, nullptr));
  return 0;
}

clockid_t CondClock(const pthread_cond_t& condition) {
  return WaitsByMonotonicClock(condition) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

void CondInit(pthread_cond_t* condition, int status, uintptr_t pc) {
  Object& object = FindCondition(condition);
  object.level = object.condition.waiters.count;
  if (!CommitInitialise(object, status, pc)) return;
  RequireNobodyWaits(object, "initialises", pc);
  object.condition = {};
}

int CondDestroy(pthread_cond_t* condition, uintptr_t pc) {
  Object& object = FindCondition(condition);
  ReachDestroy(object, pc);
  RequireNobodyWaits(object, "destroys", pc);
  RequireInitialised(object, *condition, "destroys", pc);
  NoteDestroyed(object, *condition, pc);
  return 0;
}

}  // namespace heddle::runtime
