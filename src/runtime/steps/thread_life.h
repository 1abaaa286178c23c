// The life of a thread: creation, its end with destructors, joining, leaving by pthread_exit.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/fibers/fiber.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

// When the running execution made its first thread, by the kernel's clock; 0: it has not, or
// WatchFirstThread was not called before it.
uint64_t FirstThreadNs();
void WatchFirstThread();

// Makes main ready to run `entry` on its stack.
Fiber& BeginMain(void (*entry)(void*));

// pthread_create: 0 or an errno value.
int CreateThread(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                 void* argument, uintptr_t pc);

// Waits for `handle` to finish. A thread that cannot be joined (joined already, being joined,
// detached, the caller itself) is a misuse that ends the execution, as POSIX leaves undefined what
// happens. With a deadline (virtual nanoseconds) ETIMEDOUT is possible.
int JoinThread(pthread_t handle, void** result, const uint64_t* deadline, uintptr_t pc);
// Has the running thread tried to join itself, by the C++ library, which throws then?
bool HasJoinedItself();
int TryJoinThread(pthread_t handle, void** result, uintptr_t pc);
int DetachThread(pthread_t handle, uintptr_t pc);

// pthread_exit: unwinds the stack (destructors and cleanup handlers run) and ends the thread.
[[noreturn]] void ExitThread(void* result);

// Ends the running thread where it stands, without unwinding: destructors of thread_local objects
// and keys run.
[[noreturn]] void FinishRunningThread(void* result);

// thread_local destructors, newest first, those registered meanwhile included.
void RunTlsDestructors(Fiber& self);
void AddTlsDestructor(Fiber& self, void (*function)(void*), void* argument);

// What the end of a thread writes, and to ask for it reads.
Object& EndOf(const Fiber& fiber);

// That `self` joins, tries to join or detaches `target`, or asks whether it was joined, shows where
// another thread does so, too: one of them may be an error, or not, by the order.
void NoteHandled(const Fiber& self, Fiber& target);

}  // namespace heddle::runtime
