// Condition variables: who waits, and who is let go. The mutexes that go with them are objects of
// their own; here is with which of them a thread may wait.
#pragma once

#include "runtime/objects/answer.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

// May the thread wait with the mutex at waiter.with, whose state is `mutex`? The status is 0 or an
// errno value. The binding of the condition variable to one mutex ends with the last waiter.
Answer CheckWait(const ConditionState& condition, const MutexState& mutex, const Waiter& waiter);
// It joins the queue, or leaves it because its time has passed.
void BeginToWait(ConditionState& condition, Waiter& waiter);
void StopWaiting(ConditionState& condition, const Waiter& waiter);

// Lets the waiter number `index` go. If there is none, the signal has no effect, and commutes with
// others like it.
Answer Signal(ConditionState& condition, uint32_t index);
// Lets all of them go.
Answer Broadcast(ConditionState& condition);

// Both are a misuse while somebody waits, who would never be let go.
Answer InitialiseCondition(ConditionState& condition);
Answer DestroyCondition(const ConditionState& condition);

}  // namespace heddle::runtime
