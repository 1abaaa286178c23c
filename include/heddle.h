// What a program may tell heddle. Every function but heddle_up and heddle_down does nothing (and
// costs a test of a pointer) when the program runs without heddle: the functions behind them are
// weak symbols that only libheddle.so defines, so a program that uses this header links and runs
// everywhere, also when libheddle is not installed.
//
// Another language calls the same functions, by the same names, in libheddle-calls.so: a foreign
// function interface cannot call what a header has inline (docs/languages.md).
//
// C11 and C++11 and later; GCC and Clang.
#ifndef HEDDLE_H
#define HEDDLE_H

#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
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
extern HEDDLE_WEAK void heddle_shared_(const void* begin, size_t bytes);
extern HEDDLE_WEAK void heddle_up_(unsigned char* semaphore);
extern HEDDLE_WEAK void heddle_down_(unsigned char* semaphore);
extern HEDDLE_WEAK void heddle_atomic_begin_(void);
extern HEDDLE_WEAK void heddle_atomic_end_(void);
extern HEDDLE_WEAK void heddle_invariant_(int (*holds)(void*), void* argument);
#undef HEDDLE_WEAK

// How they are defined: inline, or (src/calls) as symbols.
#ifndef HEDDLE_FUNCTION
#define HEDDLE_FUNCTION __attribute__((unused)) static inline
#endif

// Labels this execution; the report counts the executions of every label. Printf-like; at most 255
// characters. The last call of an execution counts.
__attribute__((format(printf, 1, 2))) HEDDLE_FUNCTION void heddle_outcome(const char* format, ...) {
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
HEDDLE_FUNCTION unsigned heddle_choose(unsigned options) {
  return heddle_choose_ ? heddle_choose_(options) : 0;
}

// Drops this execution, as of no interest, unless the condition holds. Like the end of the program,
// to drop it is an operation of this thread: what other threads can do before it takes effect is
// explored first (but in an atomic section), and its bugs are found. Hidden is what this thread
// would have done after it, and what others could have done only after that. heddle counts such
// executions ("assumed_away"), and their outcomes do not count.
HEDDLE_FUNCTION void heddle_assume(int condition) {
  if (heddle_assume_) heddle_assume_(condition);
}

// A scheduling point. With --points hooks the only kind there is, but for waits: what a thread does
// from one of these calls to the next is a statement, and is done at one go. --preset one-page
// counts the calls of every thread (docs/algorithms/one_page.md). Wants to stand before every
// statement; more calls cost time, and change nothing else.
HEDDLE_FUNCTION void heddle_hook(void) {
  if (heddle_hook_) heddle_hook_();
}

// To be called after the last statement of a thread. From here on the thread is of no interest:
// this is its last scheduling point; others run when it waits, yields, has ended, or is about to
// end the program (exit, a failed assertion ...). Hidden is what others could have seen of it
// between two of its operations. A thread that had to wait is scheduled like any other when it may
// go on, and then goes on to its next wait.
HEDDLE_FUNCTION void heddle_done(void) {
  if (heddle_done_) heddle_done_();
}

// For --preset one-page: these bytes are shared by the threads, and decide, with the number of
// heddle_hook calls of every thread, what the program does from here on. Several ranges may be
// named, at most 64 in an execution. If none is, all memory of the program counts.
// REQUIRES: they can be read until the execution ends.
HEDDLE_FUNCTION void heddle_shared(const void* begin, size_t bytes) {
  if (heddle_shared_) heddle_shared_(begin, bytes);
}

// Semaphores for programs that have no others: the One Page Model Checker's, by number. They begin
// down. To raise one that is up waits until another thread lowers it; to lower one that is down
// does nothing. So up() takes a lock, and down() gives it back, or wakes somebody up who went to
// sleep by a second up(). A thread that waits for ever is a deadlock.
//
// Without heddle they work, too, for threads of the kernel that share this memory: a wait yields
// the processor, again and again.
// REQUIRES: semaphore < HEDDLE_SEMAPHORES.
#define HEDDLE_SEMAPHORES 256
__attribute__((weak, visibility("default"))) unsigned char heddle_semaphores_[HEDDLE_SEMAPHORES];

HEDDLE_FUNCTION void heddle_up(unsigned semaphore) {
  if (semaphore >= HEDDLE_SEMAPHORES) __builtin_trap();
  unsigned char* const up = &heddle_semaphores_[semaphore];
  if (heddle_up_) {
    heddle_up_(up);
    return;
  }
  while (__atomic_exchange_n(up, 1, __ATOMIC_ACQUIRE) != 0) sched_yield();
}
HEDDLE_FUNCTION void heddle_down(unsigned semaphore) {
  if (semaphore >= HEDDLE_SEMAPHORES) __builtin_trap();
  unsigned char* const up = &heddle_semaphores_[semaphore];
  if (heddle_down_)
    heddle_down_(up);
  else
    __atomic_store_n(up, 0, __ATOMIC_RELEASE);
}

// Between the two, other threads run only while the calling thread has to wait or yields. They
// nest. The begin is a scheduling point, what stands between them is not. A wait parts the section
// in two: when the thread may go on, others may run first. What ends the program in a section
// (heddle_assume, too) ends it at once: others never see a section half done.
HEDDLE_FUNCTION void heddle_atomic_begin(void) {
  if (heddle_atomic_begin_) heddle_atomic_begin_();
}
HEDDLE_FUNCTION void heddle_atomic_end(void) {
  if (heddle_atomic_end_) heddle_atomic_end_();
}

// Calls holds(argument) after every step of every thread, until the execution ends; 0 is a bug. A
// step goes from one scheduling point to the next of its thread; an atomic section is one step.
// REQUIRES: the function only reads, takes no lock, does not throw; what it reads outlives the
// threads.
HEDDLE_FUNCTION void heddle_invariant(int (*holds)(void*), void* argument) {
  if (heddle_invariant_) heddle_invariant_(holds, argument);
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // HEDDLE_H
