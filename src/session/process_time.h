// What a process has had of the machine, as the watchdog wants to know it.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace heddle::session {

// Processor time of all its threads, in milliseconds; 0 when there is no such process.
uint64_t ProcessorMs(pid_t process);

// Its first thread is blocked in the kernel: neither running, nor waiting for a processor, nor
// stopped.
bool IsAsleep(pid_t process);

}  // namespace heddle::session
