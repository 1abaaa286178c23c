// POSIX semaphores. A post publishes what the thread knows, a wait that gets a permit learns it.
// Answers are 0 or an errno value; the hooks turn them into -1 and errno. REQUIRES for all:
// InExecution().
#pragma once

#include <semaphore.h>

#include <cstdint>

namespace heddle::runtime {

// Without a deadline (virtual nanoseconds) it waits for ever.
int SemWait(sem_t* semaphore, const uint64_t* deadline, uintptr_t pc);
int SemTryWait(sem_t* semaphore, uintptr_t pc);
int SemPost(sem_t* semaphore, uintptr_t pc);
int SemGetValue(sem_t* semaphore, int* value, uintptr_t pc);

// sem_init ran: a new semaphore at this address. Destroy: a misuse while somebody is blocked on it.
void SemInit(sem_t* semaphore, uintptr_t pc);
int SemDestroy(sem_t* semaphore, uintptr_t pc);

}  // namespace heddle::runtime
