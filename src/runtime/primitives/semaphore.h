// POSIX semaphores (objects/semaphore.h). Answers are 0 or an errno value; the hooks turn them into
// -1 and errno. REQUIRES for all: InExecution().
#pragma once

#include <semaphore.h>

#include <cstdint>

#include "runtime/objects/object.h"

namespace heddle::runtime {

Object& FindSemaphore(sem_t* semaphore);

// Without a deadline (virtual nanoseconds) it waits for ever.
int SemWait(sem_t* semaphore, const uint64_t* deadline, uintptr_t pc);
int SemTryWait(sem_t* semaphore, uintptr_t pc);
int SemPost(sem_t* semaphore, uintptr_t pc);
int SemGetValue(sem_t* semaphore, int* value, uintptr_t pc);

// sem_init, published before (life.h), answered `status`; 0: a new semaphore at this address. Both
// are a misuse while somebody is blocked on it.
void SemInit(sem_t* semaphore, int status, uintptr_t pc);
int SemDestroy(sem_t* semaphore, uintptr_t pc);

// The One Page Model Checker's semaphores (include/heddle.h), which are up or down: the byte says
// which. To raise one that is up waits until it is lowered: it has a permit while it is down, and
// never more than one.
void SemRaise(unsigned char* up, uintptr_t pc);
void SemLower(unsigned char* up, uintptr_t pc);

}  // namespace heddle::runtime
