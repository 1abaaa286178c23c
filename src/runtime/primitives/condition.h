// Condition variables. A wait is two visible operations:
//   CondWait       gives the mutex up and joins the queue, in one step
//   CondReacquire  on the mutex; enabled once the thread was let go and the mutex is free
// and a third between them when the time limit passes: the thread leaves the queue, and a signal
// that comes later goes to somebody else. A signal that found the thread in the queue stays with
// it, whatever the time. Which of several waiters a signal lets go is a choice. With the option to
// explore them, whether a wait ends at once for no reason is one, too.
//
// Signals synchronise nothing by themselves (the mutex does): a program that relies on more is
// reported as racing. Answers are what POSIX gives (0 or an errno value). REQUIRES for all:
// InExecution().
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/objects/object.h"

namespace heddle::runtime {

Object& FindCondition(pthread_cond_t* condition);

int CondWait(pthread_cond_t* condition, pthread_mutex_t* mutex, uintptr_t pc);
// `deadline` in virtual nanoseconds.
int CondTimedWait(pthread_cond_t* condition, pthread_mutex_t* mutex, uint64_t deadline,
                  uintptr_t pc);
int CondSignal(pthread_cond_t* condition, uintptr_t pc);
int CondBroadcast(pthread_cond_t* condition, uintptr_t pc);

// The clock that pthread_cond_timedwait measures by.
clockid_t CondClock(const pthread_cond_t& condition);

// pthread_cond_init, published before (life.h), answered `status`; 0: a new one at this address.
// Both are a misuse while somebody waits.
void CondInit(pthread_cond_t* condition, int status, uintptr_t pc);
int CondDestroy(pthread_cond_t* condition, uintptr_t pc);

}  // namespace heddle::runtime
