// What a program may tell heddle. Every function does nothing (and costs a test of a pointer) when
// the program runs without heddle: the functions behind them are weak symbols that only
// libheddle.so defines, so a program that uses this header links and runs everywhere, also when
// libheddle is not installed.
//
// C11 and C++11 and later; GCC and Clang.
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- what libheddle.so defines; use the functions below instead ----
#define HEDDLE_WEAK __attribute__((weak, visibility("default")))
extern HEDDLE_WEAK void heddle_outcome_(const char* label);
extern HEDDLE_WEAK unsigned heddle_choose_(unsigned options);
extern HEDDLE_WEAK void heddle_assume_(int condition);
extern HEDDLE_WEAK void heddle_hook_(void);
extern HEDDLE_WEAK void heddle_done_(void);
extern HEDDLE_WEAK void heddle_atomic_begin_(void);
extern HEDDLE_WEAK void heddle_atomic_end_(void);
extern HEDDLE_WEAK void heddle_invariant_(int (*holds)(void*), void* argument);
#undef HEDDLE_WEAK

// Labels this execution; the report counts the executions of every label. Printf-like; at most 255
// characters. The last call of an execution counts.
__attribute__((unused, format(printf, 1, 2))) static inline void heddle_outcome(const char* format,
                                                                                ...) {
  if (heddle_outcome_) {
    char label[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(label, sizeof label, format, arguments);
    va_end(arguments);
    heddle_outcome_(label);
  }
}

// One of 0 .. options-1; heddle explores all of them. Without heddle, 0.
// REQUIRES: options >= 1.
__attribute__((unused)) static inline unsigned heddle_choose(unsigned options) {
  return heddle_choose_ ? heddle_choose_(options) : 0;
}

// Drops this execution, as of no interest, unless the condition holds. Like the end of the program,
// to drop it is an operation of this thread: what other threads can do before it takes effect is
// explored first (but in an atomic section), and its bugs are found. Hidden is what this thread
// would have done after it, and what others could have done only after that. heddle counts such
// executions ("assumed_away"), and their outcomes do not count.
__attribute__((unused)) static inline void heddle_assume(int condition) {
  if (heddle_assume_) heddle_assume_(condition);
}

// A scheduling point.
__attribute__((unused)) static inline void heddle_hook(void) {
  if (heddle_hook_) heddle_hook_();
}

// From here on the calling thread is of no interest: this is its last scheduling point; others run
// when it waits, yields, has ended, or is about to end the program (exit, a failed assertion ...).
// Hidden is what others could have seen of it between two of its operations. A thread that had to
// wait is scheduled like any other when it may go on, and then goes on to its next wait.
__attribute__((unused)) static inline void heddle_done(void) {
  if (heddle_done_) heddle_done_();
}

// Between the two, other threads run only while the calling thread has to wait or yields. They
// nest. The begin is a scheduling point, what stands between them is not. A wait parts the section
// in two: when the thread may go on, others may run first. What ends the program in a section
// (heddle_assume, too) ends it at once: others never see a section half done.
__attribute__((unused)) static inline void heddle_atomic_begin(void) {
  if (heddle_atomic_begin_) heddle_atomic_begin_();
}
__attribute__((unused)) static inline void heddle_atomic_end(void) {
  if (heddle_atomic_end_) heddle_atomic_end_();
}

// Calls holds(argument) after every step of every thread, until the execution ends; 0 is a bug. A
// step goes from one scheduling point to the next of its thread; an atomic section is one step.
// REQUIRES: the function only reads, takes no lock, does not throw; what it reads outlives the
// threads.
__attribute__((unused)) static inline void heddle_invariant(int (*holds)(void*), void* argument) {
  if (heddle_invariant_) heddle_invariant_(holds, argument);
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // HEDDLE_H
