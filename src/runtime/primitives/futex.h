// Futexes, as far as programs and C++ libraries use them: wait, wake, requeue, with bit sets and
// time limits.
//
// A wait compares the word and joins its queue (objects/futex.h) in one visible operation; it goes
// on, as a local step, when it is woken, or when its time has passed. A futex orders
// whom it wakes after the waker in the dependence relation, but synchronises nothing: in the
// language's eyes the atomic accesses to the word do that.
//
// Answers are the kernel's: the result, or -errno. REQUIRES for all: InExecution().
#pragma once

#include <cstdint>

namespace heddle::runtime {

long FutexWait(uint32_t* word, uint32_t expected, uint32_t bits, const uint64_t* deadline,
               uintptr_t pc);
long FutexWake(uint32_t* word, uint32_t most, uint32_t bits, uintptr_t pc);
// Wakes at most `wake`, and moves at most `move` of the others to the queue of `target`. With
// `expected`, only if the word has that value.
long FutexRequeue(uint32_t* word, uint32_t wake, uint32_t* target, uint32_t move,
                  const uint32_t* expected, uintptr_t pc);

}  // namespace heddle::runtime
