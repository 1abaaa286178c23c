// Futexes: the threads that sleep at a word of memory. What the word holds is not kept here.
//
// A wake of fewer threads than sleep chooses among them: which ones; they do not go on in any
// order, so a set is one option. Statuses are the kernel's: the result, or -errno.
#pragma once

#include "runtime/objects/answer.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

// The word does not hold what the call expects there; `shown` is what the event tells of it.
Answer FoundOtherWord(uint32_t shown);
// It does, which is `found`: the thread sleeps.
Answer WaitOnFutex(FutexState& futex, Waiter& waiter, uint32_t found);
// Its time has passed.
void StopSleeping(FutexState& futex, const Waiter& waiter);

// Which of 0 .. options-1?
using Chooser = uint32_t (*)(uint32_t options);

// Wakes at most `most` of those that sleep with one of `bits`.
Answer WakeFutex(FutexState& futex, uint32_t most, uint32_t bits, Chooser choose);
// Wakes at most `wake`, and takes at most `move` of the others out, which sleep at another word
// then.
Answer RequeueFutex(FutexState& futex, uint32_t wake, uint32_t move, Chooser choose,
                    WaiterQueue& moved);
void MoveTo(FutexState& futex, WaiterQueue& moved);

}  // namespace heddle::runtime
