// The kernel's clock that only goes on, whatever the program believes of time.
#pragma once

#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

#include "runtime/prim/syscall.h"

namespace heddle::runtime {

inline uint64_t MonotonicNs() {
  timespec now = {};
  RawSyscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&now));
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace heddle::runtime
