// Which signals the kernel keeps back from the thread that runs: bit n - 1 is signal n.
#pragma once

#include <signal.h>
#include <sys/syscall.h>

#include <cstdint>

#include "runtime/prim/syscall.h"

namespace heddle::runtime {

// The kernel's set of signals is the beginning of glibc's.
inline uint64_t KernelSignalMaskOf(const sigset_t& set) {
  return *reinterpret_cast<const uint64_t*>(&set);
}

inline uint64_t KernelSignalMask() {
  uint64_t mask = 0;
  RawSyscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&mask), sizeof mask);
  return mask;
}

inline void SetKernelSignalMask(uint64_t mask) {
  RawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&mask), 0, sizeof mask);
}

}  // namespace heddle::runtime
