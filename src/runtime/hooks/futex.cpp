// syscall: system calls that programs and libraries make by number. Futexes are ours
// (primitives/futex.h); calls that have a function of their own take its way, so that they are
// under the same control; the rest goes to the kernel.

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/libc_answer.h"
#include "runtime/prim/page.h"
#include "runtime/prim/syscall.h"
#include "runtime/primitives/futex.h"
#include "runtime/runtime.h"
#include "runtime/world/processes.h"
#include "runtime/world/signals.h"
#include "runtime/world/virtual_time.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

constexpr int kArguments = 6;

template <typename T>
T* Pointer(long argument) {
  return reinterpret_cast<T*>(argument);
}

// FUTEX_WAIT measures from now, by the monotonic clock; FUTEX_WAIT_BITSET has a point in time on
// either clock.
uint64_t WaitDeadline(long operation, const timespec& time) {
  const bool relative = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT;
  if (relative) {
    constexpr uint64_t kSecond = 1'000'000'000;
    return Current().now + static_cast<uint64_t>(time.tv_sec) * kSecond +
           static_cast<uint64_t>(time.tv_nsec);
  }
  return DeadlineOf((operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                    time);
}

// futex(word, operation, value, time or second value, second word, third value)
long Futex(const long (&a)[kArguments], uintptr_t pc) {
  auto* word = Pointer<uint32_t>(a[0]);
  const auto value = static_cast<uint32_t>(a[2]);
  const auto value2 = static_cast<uint32_t>(a[3]);
  const auto value3 = static_cast<uint32_t>(a[5]);
  const long command = a[1] & FUTEX_CMD_MASK;
  switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      const uint32_t bits = command == FUTEX_WAIT ? FUTEX_BITSET_MATCH_ANY : value3;
      const auto* time = Pointer<const timespec>(a[3]);
      if (time == nullptr) return FutexWait(word, value, bits, nullptr, pc);
      if (!IsValidTime(*time) || time->tv_sec < 0) return -EINVAL;
      const uint64_t deadline = WaitDeadline(a[1], *time);
      return FutexWait(word, value, bits, &deadline, pc);
    }
    case FUTEX_WAKE:
      return FutexWake(word, value, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET:
      return FutexWake(word, value, value3, pc);
    case FUTEX_REQUEUE:
      return FutexRequeue(word, value, Pointer<uint32_t>(a[4]), value2, nullptr, pc);
    case FUTEX_CMP_REQUEUE:
      return FutexRequeue(word, value, Pointer<uint32_t>(a[4]), value2, &value3, pc);
    case FUTEX_WAKE_OP:
      Unsupported("the futex operation FUTEX_WAKE_OP");
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_UNLOCK_PI:
    case FUTEX_TRYLOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_CMP_REQUEUE_PI:
      Unsupported("a futex operation with priority inheritance (FUTEX_LOCK_PI and its family)");
    default:
      return -ENOSYS;
  }
}

// Only the record of the program's thread is changed. The kernel's mask stays as it is, because it
// is that of the one kernel thread, to which heddle's own signals must come.
long SignalMask(const long (&a)[kArguments], uintptr_t pc) {
  if (a[3] != sizeof(SignalSet)) return -EINVAL;
  sigset_t set, old;
  if (a[1] != 0) set = SigsetOf(*Pointer<const SignalSet>(a[1]));
  const int error = SetMask(static_cast<int>(a[0]), a[1] != 0 ? &set : nullptr, &old, pc);
  if (error == 0 && a[2] != 0) *Pointer<SignalSet>(a[2]) = SetOf(old);
  return -error;
}

// The kernel cannot write to pages that the snapshot protects, and says EFAULT: they are made
// writable, and it is asked once more. Which argument is a buffer is not known here; one behind
// which its length comes is the usual case.
long AskKernel(long number, const long (&a)[kArguments]) {
  const long result = RawSyscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result != -EFAULT) return result;
  constexpr long kMostBytes = 64l << 20;
  for (int i = 0; i < kArguments; ++i) {
    const long next = i + 1 < kArguments ? a[i + 1] : 0;
    MakeWritable(Pointer<const void>(a[i]),
                 static_cast<size_t>(next > 0 && next <= kMostBytes ? next : long{kPageBytes}));
  }
  return RawSyscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

}  // namespace

extern "C" HEDDLE_EXPORT long syscall(long number, ...) noexcept {
  // As many as the kernel may look at; those that the caller did not pass are whatever is there.
  long a[kArguments];
  va_list arguments;
  va_start(arguments, number);
  for (long& argument : a) argument = va_arg(arguments, long);
  va_end(arguments);

  if (!InExecution()) return LibcAnswer(RawSyscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
  switch (number) {
    case SYS_futex:
      return LibcAnswer(Futex(a, HEDDLE_CALLER));
    case SYS_rt_sigprocmask:
      return LibcAnswer(SignalMask(a, HEDDLE_CALLER));
    case SYS_gettid:
      return gettid();
    case SYS_getpid:
      return getpid();
    case SYS_getrandom:
      return getrandom(Pointer<void>(a[0]), static_cast<size_t>(a[1]), static_cast<unsigned>(a[2]));
    case SYS_sched_setattr:
    case SYS_sched_setscheduler:
    case SYS_sched_setparam:
    case SYS_sched_setaffinity:
      if (KernelNumber(static_cast<pid_t>(a[0])) == 0) return 0;  // as in hooks/scheduling.cpp
      return LibcAnswer(AskKernel(number, a));
    case SYS_sched_getattr:
    case SYS_sched_getscheduler:
    case SYS_sched_getparam:
    case SYS_sched_getaffinity:
      a[0] = KernelNumber(static_cast<pid_t>(a[0]));
      return LibcAnswer(AskKernel(number, a));
    case SYS_setpriority:
      return setpriority(static_cast<__priority_which_t>(a[0]), static_cast<id_t>(a[1]),
                         static_cast<int>(a[2]));
    case SYS_sched_yield:
      return sched_yield();
    case SYS_clock_gettime:
      return clock_gettime(static_cast<clockid_t>(a[0]), Pointer<timespec>(a[1]));
    case SYS_gettimeofday:
      return gettimeofday(Pointer<timeval>(a[0]), Pointer<void>(a[1]));
    case SYS_time:
      return time(Pointer<time_t>(a[0]));
    case SYS_nanosleep:
      return nanosleep(Pointer<const timespec>(a[0]), Pointer<timespec>(a[1]));
    case SYS_clock_nanosleep:  // the function answers the error itself
      return LibcAnswer(-clock_nanosleep(static_cast<clockid_t>(a[0]), static_cast<int>(a[1]),
                                         Pointer<const timespec>(a[2]), Pointer<timespec>(a[3])));
    case SYS_read:
      return read(static_cast<int>(a[0]), Pointer<void>(a[1]), static_cast<size_t>(a[2]));
    case SYS_write:
      return write(static_cast<int>(a[0]), Pointer<const void>(a[1]), static_cast<size_t>(a[2]));
    case SYS_close:
      return close(static_cast<int>(a[0]));
    case SYS_fork:
      return fork();
    case SYS_kill:
      return kill(static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
    case SYS_exit_group:
      _exit(static_cast<int>(a[0]));
    case SYS_exit:
      Unsupported("syscall(SYS_exit): a thread that ends itself without the C library");
    case SYS_clone:
    case SYS_clone3:
    case SYS_vfork:
      Unsupported("a thread or process made without the C library (clone, vfork by system call)");
    default:
      return LibcAnswer(AskKernel(number, a));
  }
}
