// How the kernel's own threads wait for each other.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>

#include "runtime/prim/syscall.h"

namespace heddle::runtime {

// Until somebody calls WakeSleeper(word); at once if *word is not `value`. May also return for no
// reason.
inline void SleepWhile(const int* word, int value) {
  RawSyscall(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAIT_PRIVATE, value, 0);
}

inline void WakeSleeper(const int* word) {
  RawSyscall(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAKE_PRIVATE, 1);
}

// Lets others run that are ready to.
inline void YieldProcessor() { RawSyscall(SYS_sched_yield); }

}  // namespace heddle::runtime
