#include "runtime/objects/condition.h"

#include <errno.h>

#include "runtime/objects/mutex.h"
#include "runtime/objects/waiter_queue.h"

namespace heddle::runtime {

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

Answer Signal(ConditionState& condition, uint32_t index) {
  ++condition.signals;
  if (condition.waiters.count == 0) return {.access = op::Access::kRead};
  Waiter& taken = TakeAt(condition.waiters, index);
  return {.value = taken.thread, .extra = taken.path + 1, .woken = &taken};
}

Answer Broadcast(ConditionState& condition) {
  const WaiterQueue all = condition.waiters;
  ++condition.signals;
  if (all.count == 0) return {.access = op::Access::kRead};
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
