#include "runtime/primitives/condition.h"

#include <errno.h>

#include "runtime/control.h"
#include "runtime/fibers/schedule.h"
#include "runtime/objects/condition.h"
#include "runtime/objects/mutex.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/primitives/mutex.h"
#include "runtime/steps/choice_point.h"
#include "runtime/steps/perform.h"
#include "runtime/steps/program_end.h"
#include "runtime/steps/robust_mutexes.h"

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

// Not by Perform: two objects change in one step, and what comes after the wait is an operation on
// the second.
int Wait(pthread_cond_t* condition_memory, pthread_mutex_t* mutex_memory, const uint64_t* deadline,
         uintptr_t pc) {
  Object& condition = FindCondition(condition_memory);
  Object& mutex = FindMutex(mutex_memory);
  const op::Operation wait{.kind = op::Kind::kCondWait,
                           .object = AddressOf(condition_memory),
                           .object2 = AddressOf(mutex_memory),
                           .pc = pc};
  HashCallArgument(deadline != nullptr);
  Reach(wait, &condition);
  BeginUse(wait, condition);
  BeginUse(wait, mutex);
  Fiber& self = Current();
  RequireInitialised(condition, *condition_memory, "waits on", pc);
  self.waiter = {.thread = self.id, .with = wait.object2, .path = self.path};
  const Answer answer = CheckWait(condition.condition, mutex.mutex, self.waiter);
  if (answer.misuse != Misuse::kNone) EndByMisuse(wait, condition, answer);
  if (answer.status != 0) {
    Commit(wait, &mutex, answer.access, answer.value);
    EndUse(mutex, pc);
    return answer.status;
  }
  op::Operation reacquire{
      .kind = op::Kind::kCondReacquire, .object = wait.object2, .object2 = wait.object, .pc = pc};
  const bool spurious = WakesSpuriously(self);
  condition.level = condition.condition.waiters.count;
  Synchronise(self, mutex, GiveUpMutex(mutex.mutex));
  if (spurious)
    reacquire.detail = kStoppedWaiting;
  else
    BeginToWait(condition.condition, self.waiter);
  constexpr op::Level kHeld = 1;
  CommitWait(wait, condition, mutex, kHeld, spurious ? 1 : 0);
  Changed(mutex);
  EndUse(condition, pc);
  EndUse(mutex, pc);

  if (deadline != nullptr) self.deadline = *deadline;
  if (deadline != nullptr && !spurious && !LimitComesLate(self)) reacquire.detail = op::kWaitEnds;
  const bool timed_out =
      Reach(reacquire, &mutex, deadline != nullptr && !spurious) == Wake::kTimedOut;
  if (timed_out) {
    condition.level = condition.condition.waiters.count;
    StopWaiting(condition.condition, self.waiter);
    Commit(wait, &condition, op::Access::kWrite, ETIMEDOUT, 1);
    reacquire.detail = kStoppedWaiting;
    HashCallArgument(ETIMEDOUT);
    Reach(reacquire, &mutex);
  } else if (!spurious) {
    self.woke_spuriously = false;
  }
  BeginUse(reacquire, mutex);
  if (mutex.mutex.owner == op::kNoThread)
    RequireInitialised(mutex, *mutex_memory, "wakes up and locks", pc);
  const Answer again = TakeMutexAgain(mutex.mutex, self.id);
  NoteTaken(mutex, again);
  TakeEffect(reacquire, mutex, again);
  return again.status != 0 ? again.status : timed_out ? ETIMEDOUT : 0;
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
  const auto signal = [&] {
    RequireInitialised(condition, *condition_memory, "signals", pc);
    const WaiterQueue& waiters = condition.condition.waiters;
    condition.level = waiters.count;
    const uint32_t index =
        waiters.count == 0 ? 0 : ChooseOption(trace::ChoiceKind::kWaiter, waiters.count);
    return Signal(condition.condition, index);
  };
  return Perform(operation, condition, signal).status;
}

int CondBroadcast(pthread_cond_t* condition_memory, uintptr_t pc) {
  Object& condition = FindCondition(condition_memory);
  const op::Operation operation{
      .kind = op::Kind::kCondBroadcast, .object = AddressOf(condition_memory), .pc = pc};
  const auto broadcast = [&] {
    RequireInitialised(condition, *condition_memory, "broadcasts", pc);
    condition.level = condition.condition.waiters.count;
    return Broadcast(condition.condition);
  };
  return Perform(operation, condition, broadcast).status;
}

clockid_t CondClock(const pthread_cond_t& condition) {
  return WaitsByMonotonicClock(condition) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

void CondInit(pthread_cond_t* condition, int status, uintptr_t pc) {
  Object& object = FindCondition(condition);
  object.level = object.condition.waiters.count;
  FinishInitialise(object, status, pc, [&] { return InitialiseCondition(object.condition); });
}

int CondDestroy(pthread_cond_t* condition, uintptr_t pc) {
  Object& object = FindCondition(condition);
  return PerformDestroy(object, *condition, pc, [&] { return DestroyCondition(object.condition); });
}

}  // namespace heddle::runtime
