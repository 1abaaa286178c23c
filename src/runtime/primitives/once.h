// One-time initialisation: pthread_once (and through it std::call_once and C11 call_once), and the
// guards of function-local statics (objects/once.h). Beginning is a visible operation, and so is
// the end.
//
// The program's memory says whether it is done: compiled code looks there, and a flag in reused
// memory is a new flag. The record says who is at it. REQUIRES for all: InExecution().
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/objects/object.h"

namespace heddle::runtime {

// Runs `init` unless it was done. An exception that leaves it, or pthread_exit, means that it was
// not.
int Once(pthread_once_t* control, void (*init)(), uintptr_t pc);

// The record of the initialisation at `address`; `done` is what memory says.
Object& FindOnce(uintptr_t address, bool done);
// Waits until nobody runs it. The answer: the caller must run it and call OnceFinish.
bool OnceBegin(Object& once, uintptr_t pc);
// Scheduling point of OnceFinish; between the two the caller writes the outcome into memory.
void OnceReachEnd(Object& once, uintptr_t pc);
// `flag`: the byte by which compiled code sees that it is done, or null; readers of it synchronise.
void OnceFinish(Object& once, const uint8_t* flag, bool done, uintptr_t pc);

}  // namespace heddle::runtime
