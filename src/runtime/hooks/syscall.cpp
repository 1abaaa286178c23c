// syscall: system calls that programs and libraries make by number. Futexes are ours
// (primitives/futex.h); calls that have a function of their own take its way, so that they are
// under the same control; the rest goes to the kernel.

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <type_traits>
#include <utility>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/libc_answer.h"
#include "runtime/prim/syscall.h"
#include "runtime/primitives/futex.h"
#include "runtime/runtime.h"
#include "runtime/world/processes.h"
#include "runtime/world/signals.h"
#include "runtime/world/unseen_calls.h"
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
      SeeRead(time, pc);
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

template <typename T>
T From(long argument) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(argument);
  else
    return static_cast<T>(argument);
}

template <typename R, typename... A, size_t... I>
long CallWith(R (*function)(A...), const long (&a)[kArguments], std::index_sequence<I...>) {
  if constexpr (std::is_pointer_v<R>)
    return reinterpret_cast<long>(function(From<A>(a[I])...));
  else
    return static_cast<long>(function(From<A>(a[I])...));
}

// Calls `function`, which takes what the system call of its name takes.
template <typename R, typename... A>
long Call(R (*function)(A...), const long (&a)[kArguments]) {
  return CallWith(function, a, std::index_sequence_for<A...>());
}

// Those of threads: their numbers are not the kernel's. What it is to change of a thread is
// granted, as in hooks/scheduling.cpp.
long AskOfThread(long number, long (&a)[kArguments], bool sets, uintptr_t pc) {
  const pid_t thread = KernelNumber(static_cast<pid_t>(a[0]));
  if (sets && thread == 0) return 0;
  a[0] = thread;
  if (sets) return RawSyscall(number, a[0], a[1], a[2], a[3]);
  return MakeUnseenCall(number, a, "syscall", pc);
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
    case SYS_clock_nanosleep:  // the function answers the error itself
      return LibcAnswer(-Call(clock_nanosleep, a));
    case SYS_fcntl:
      return fcntl(static_cast<int>(a[0]), static_cast<int>(a[1]), a[2]);
    case SYS_open:
      return open(Pointer<const char>(a[0]), static_cast<int>(a[1]), a[2]);
    case SYS_openat:
      return openat(static_cast<int>(a[0]), Pointer<const char>(a[1]), static_cast<int>(a[2]),
                    a[3]);
    case SYS_eventfd:
      return eventfd(static_cast<unsigned>(a[0]), 0);
    case SYS_mremap:
      return reinterpret_cast<long>(mremap(Pointer<void>(a[0]), static_cast<size_t>(a[1]),
                                           static_cast<size_t>(a[2]), static_cast<int>(a[3]),
                                           Pointer<void>(a[4])));
    case SYS_sched_setattr:
    case SYS_sched_setscheduler:
    case SYS_sched_setparam:
    case SYS_sched_setaffinity:
      return LibcAnswer(AskOfThread(number, a, true, HEDDLE_CALLER));
    case SYS_sched_getattr:
    case SYS_sched_getscheduler:
    case SYS_sched_getparam:
    case SYS_sched_getaffinity:
    case SYS_sched_rr_get_interval:
      return LibcAnswer(AskOfThread(number, a, false, HEDDLE_CALLER));
    case SYS_exit_group:
      _exit(static_cast<int>(a[0]));
    case SYS_exit:
      Unsupported("syscall(SYS_exit): a thread that ends itself without the C library");
    case SYS_clone:
    case SYS_clone3:
    case SYS_vfork:
      Unsupported("a thread or process made without the C library (clone, vfork by system call)");
    case SYS_timerfd_create:
    case SYS_signalfd:
    case SYS_signalfd4:
    case SYS_setitimer:
    case SYS_timer_create:
      Unsupported("a timer, or signals by a descriptor, made without the C library");

#define HEDDLE_SAME(name) HEDDLE_CALL(name, name)
#define HEDDLE_CALL(system_call, function) \
  case SYS_##system_call:                  \
    return Call(function, a)

      HEDDLE_SAME(gettid);
      HEDDLE_SAME(getpid);
      HEDDLE_SAME(getppid);
      HEDDLE_SAME(getrandom);
      HEDDLE_SAME(sched_yield);
      HEDDLE_SAME(setpriority);
      HEDDLE_SAME(fork);
      HEDDLE_SAME(kill);
      HEDDLE_SAME(pause);
      HEDDLE_SAME(alarm);

      HEDDLE_SAME(clock_gettime);
      HEDDLE_SAME(gettimeofday);
      HEDDLE_SAME(time);
      HEDDLE_SAME(nanosleep);

      HEDDLE_SAME(mmap);
      HEDDLE_SAME(munmap);
      HEDDLE_SAME(mprotect);
      HEDDLE_SAME(madvise);

      HEDDLE_SAME(creat);
      HEDDLE_SAME(close);
      HEDDLE_SAME(close_range);
      HEDDLE_SAME(read);
      HEDDLE_SAME(write);
      HEDDLE_SAME(readv);
      HEDDLE_SAME(writev);
      HEDDLE_CALL(pread64, pread);
      HEDDLE_CALL(pwrite64, pwrite);
      HEDDLE_SAME(dup);
      HEDDLE_SAME(dup2);
      HEDDLE_SAME(dup3);
      HEDDLE_SAME(pipe);
      HEDDLE_SAME(pipe2);
      HEDDLE_CALL(eventfd2, eventfd);
      HEDDLE_SAME(memfd_create);
      HEDDLE_SAME(epoll_create);
      HEDDLE_SAME(epoll_create1);
      HEDDLE_SAME(epoll_wait);
      HEDDLE_SAME(poll);
      HEDDLE_SAME(inotify_init);
      HEDDLE_SAME(inotify_init1);
      HEDDLE_SAME(chdir);
      HEDDLE_SAME(fchdir);
      HEDDLE_SAME(umask);

      HEDDLE_SAME(socket);
      HEDDLE_SAME(socketpair);
      HEDDLE_SAME(connect);
      HEDDLE_SAME(accept);
      HEDDLE_SAME(accept4);
      HEDDLE_SAME(sendto);
      HEDDLE_SAME(sendmsg);
      HEDDLE_SAME(recvfrom);
      HEDDLE_SAME(recvmsg);
      HEDDLE_SAME(shutdown);
#undef HEDDLE_SAME
#undef HEDDLE_CALL

    default:
      return LibcAnswer(MakeUnseenCall(number, a, "syscall", HEDDLE_CALLER));
  }
}
