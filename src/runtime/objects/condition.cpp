#include "runtime/objects/condition.h"

#include <errno.h>

#include "runtime/objects/mutex.h"
#include "runtime/objects/waiter_queue.h"

namespace heddle::runtime {
namespace {

Answer Lose(ConditionState& condition, op::ThreadId self) {
  ++condition.signals;
  ++condition.lost_signals;
  condition.lost_by = self;
  return {.access = op::Access::kRead};
}

}  // namespace

Answer CheckWait(const ConditionState& condition, const MutexState& mutex, const Waiter& waiter) {
  if (mutex.owner != waiter.thread)
    return Checks(mutex) ? Refused(EPERM) : Misused(Misuse::kMutexNotLockedByIt);
  // All in the queue use the same one, or we would not be here.
  const Waiter* other = condition.waiters.first;
  if (other != nullptr && other->with != waiter.with)
    return Misused(Misuse::kOtherMutex, other->thread);
  return {};
}

void BeginToWait(ConditionState& condition, Waiter& waiter) { Append(condition.waiters, waiter); }

void StopWaiting(ConditionState& condition, const Waiter& waiter) {
  Remove(condition.waiters, waiter);
}

Answer Signal(ConditionState& condition, op::ThreadId self, uint32_t index) {
  if (condition.waiters.count == 0) return Lose(condition, self);
  ++condition.signals;
  Waiter& taken = TakeAt(condition.waiters, index);
  return {.value = taken.thread, .extra = taken.path + 1, .woken = &taken};
}

Answer Broadcast(ConditionState& condition, op::ThreadId self) {
  const WaiterQueue all = condition.waiters;
  if (all.count == 0) return Lose(condition, self);
  ++condition.signals;
  condition.waiters = {};
  return {.value = all.count, .woken = all.first};
}

Answer InitialiseCondition(ConditionState& condition) {
  const Answer answer = DestroyCondition(condition);
  if (answer.misuse == Misuse::kNone) condition = {};
  return answer;
}

Answer DestroyCondition(const ConditionState& condition) {
  const Waiter* first = condition.waiters.first;
  return first == nullptr ? Answer{} : Misused(Misuse::kWaitedOn, first->thread);
}

}  // namespace heddle::runtime
