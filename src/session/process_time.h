// What time it is, and what a process has had of the machine.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace heddle::session {

// Of the monotonic clock.
uint64_t NowMs();

// Processor time of all its threads, in milliseconds; 0 when there is no such process.
uint64_t ProcessorMs(pid_t process);

// Its first thread is blocked in the kernel: neither running, nor waiting for a processor, nor
// stopped.
bool IsAsleep(pid_t process);

}  // namespace heddle::session
