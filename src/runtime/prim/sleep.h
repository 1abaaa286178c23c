// How the kernel's own threads wait for each other.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

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

// The same for threads of several processes, in memory that they share. Also returns after `limit`
// nanoseconds, if it is not negative.
inline void SleepAnywhereWhile(const int* word, int value, long limit) {
  const timespec time = {limit / 1'000'000'000, limit % 1'000'000'000};
  RawSyscall(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAIT, value,
             limit < 0 ? 0 : reinterpret_cast<long>(&time));
}

inline void WakeSleepersAnywhere(const int* word) {
  RawSyscall(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAKE, 0x7fffffff);
}

// Lets others run that are ready to.
inline void YieldProcessor() { RawSyscall(SYS_sched_yield); }

}  // namespace heddle::runtime
