// Signals. One line a symbol; world/signals.h has what they do.

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/steps/scheduler.h"
#include "runtime/world/processes.h"
#include "runtime/world/signals.h"
#include "runtime/world/virtual_time.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

int Answer(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// SIGKILL to the program's own group ends the program. The group has heddle's processes in it, too.
bool MeansThisProcess(pid_t process, int number) {
  const bool own_group = process == 0 || process == -getpgrp();
  return IsThisProcess(process) || (own_group && number == SIGKILL);
}

// Answers an errno value.
int ChangeMask(int how, const sigset_t* set, sigset_t* old, uintptr_t pc) {
  SeeRead(set, pc);
  const int error = SetMask(how, set, old, pc);
  if (error == 0) SeeWrite(old, pc);
  return error;
}

// sigtimedwait and its kin.
int WaitAndTell(const sigset_t* set, siginfo_t* info, const timespec* limit, uintptr_t pc) {
  uint64_t deadline = 0;
  SeeRead(set, pc);
  if (limit != nullptr) {
    SeeRead(limit, pc);
    if (!IsValidTime(*limit)) return Answer(EINVAL);
    deadline = Current().now + NanosecondsOf(*limit);
  }
  const int number =
      WaitForSignal(SetOf(*set), limit != nullptr ? &deadline : nullptr, Interrupts::kAlways, pc);
  if (number < 0) return Answer(EINTR);
  if (number == 0) return Answer(EAGAIN);
  if (info != nullptr) {
    SeeWrite(info, pc);
    *info = {};
    info->si_signo = number;
    info->si_code = SI_USER;
    info->si_pid = ProcessNumber();
  }
  return number;
}

}  // namespace

extern "C" {

HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action,
                            struct sigaction* old) noexcept {
  if (!InExecution()) return Real<&sigaction>("sigaction")(number, action, old);
  SeeRead(action, HEDDLE_ACCESS_CALLER);
  const int answer = SetAction(number, action, old, HEDDLE_CALLER);
  if (answer == 0) SeeWrite(old, HEDDLE_ACCESS_CALLER);
  return answer;
}

HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (!InExecution()) return Real<&pthread_sigmask>("pthread_sigmask")(how, set, old);
  return ChangeMask(how, set, old, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (!InExecution()) return Real<&sigprocmask>("sigprocmask")(how, set, old);
  return Answer(ChangeMask(how, set, old, HEDDLE_CALLER));
}

HEDDLE_EXPORT int sigaltstack(const stack_t* stack, stack_t* old) noexcept {
  if (!InExecution()) return Real<&sigaltstack>("sigaltstack")(stack, old);
  SeeRead(stack, HEDDLE_ACCESS_CALLER);
  const int answer = SetAlternateStack(stack, old);
  if (answer == 0) SeeWrite(old, HEDDLE_ACCESS_CALLER);
  return answer;
}

HEDDLE_EXPORT int sigpending(sigset_t* set) noexcept {
  if (!InExecution()) return Real<&sigpending>("sigpending")(set);
  const sigset_t pending = SigsetOf(PendingSignals(HEDDLE_CALLER));
  SeeWrite(set, HEDDLE_ACCESS_CALLER);
  *set = pending;
  return 0;
}

HEDDLE_EXPORT int raise(int number) noexcept {
  if (!InExecution()) return Real<&raise>("raise")(number);
  return Answer(Raise(number, HEDDLE_CALLER));
}

HEDDLE_EXPORT int kill(pid_t process, int number) noexcept {
  if (!InExecution() || !MeansThisProcess(process, number))
    return Real<&kill>("kill")(process, number);
  return Answer(SendToProcess(number, HEDDLE_CALLER));
}

HEDDLE_EXPORT int killpg(pid_t group, int number) noexcept {
  if (!InExecution() || !MeansThisProcess(-group, number))
    return Real<&killpg>("killpg")(group, number);
  return Answer(SendToProcess(number, HEDDLE_CALLER));
}

HEDDLE_EXPORT int pthread_kill(pthread_t thread, int number) noexcept {
  if (!InExecution()) return Real<&pthread_kill>("pthread_kill")(thread, number);
  return SendToThread(thread, number, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sigqueue(pid_t process, int number, const sigval value) noexcept {
  if (!InExecution() || !IsThisProcess(process))
    return Real<&sigqueue>("sigqueue")(process, number, value);
  Unsupported("sigqueue to itself");
}

HEDDLE_EXPORT int pthread_sigqueue(pthread_t thread, int number, const sigval value) noexcept {
  if (!InExecution()) return Real<&pthread_sigqueue>("pthread_sigqueue")(thread, number, value);
  Unsupported("pthread_sigqueue");
}

HEDDLE_EXPORT int sigwait(const sigset_t* set, int* number) {
  if (!InExecution()) return Real<&sigwait>("sigwait")(set, number);
  SeeRead(set, HEDDLE_ACCESS_CALLER);
  const int got = WaitForSignal(SetOf(*set), nullptr, Interrupts::kNever, HEDDLE_CALLER);
  SeeWrite(number, HEDDLE_ACCESS_CALLER);
  *number = got;
  return 0;
}

HEDDLE_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  if (!InExecution()) return Real<&sigwaitinfo>("sigwaitinfo")(set, info);
  return WaitAndTell(set, info, nullptr, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* limit) {
  if (!InExecution()) return Real<&sigtimedwait>("sigtimedwait")(set, info, limit);
  return WaitAndTell(set, info, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sigsuspend(const sigset_t* set) {
  if (!InExecution()) return Real<&sigsuspend>("sigsuspend")(set);
  SeeRead(set, HEDDLE_ACCESS_CALLER);
  Suspend(SetOf(*set), HEDDLE_CALLER);
  return Answer(EINTR);
}

HEDDLE_EXPORT int pause() {
  if (!InExecution()) return Real<&pause>("pause")();
  Suspend(RunningWorld().mask, HEDDLE_CALLER);
  return Answer(EINTR);
}

// ---- timers that send signals ----

HEDDLE_EXPORT unsigned alarm(unsigned length) noexcept {
  if (!InExecution()) return Real<&alarm>("alarm")(length);
  // Nearly always a watchdog for the program's own hangs, which heddle finds by itself.
  if (length != 0) NoteIncomplete(Incomplete::kAlarm);
  return 0;
}

HEDDLE_EXPORT int setitimer(__itimer_which_t which, const itimerval* value,
                            itimerval* old) noexcept {
  if (!InExecution()) return Real<&setitimer>("setitimer")(which, value, old);
  Unsupported("setitimer");
}

HEDDLE_EXPORT useconds_t ualarm(useconds_t length, useconds_t interval) noexcept {
  if (!InExecution()) return Real<&ualarm>("ualarm")(length, interval);
  Unsupported("ualarm");
}

HEDDLE_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  if (!InExecution()) return Real<&timer_create>("timer_create")(clock, event, timer);
  Unsupported("timer_create");
}

HEDDLE_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  if (!InExecution()) return Real<&timerfd_create>("timerfd_create")(clock, flags);
  Unsupported("timerfd_create");
}

HEDDLE_EXPORT int signalfd(int descriptor, const sigset_t* set, int flags) noexcept {
  if (!InExecution()) return Real<&signalfd>("signalfd")(descriptor, set, flags);
  Unsupported("signalfd");
}

}  // extern "C"
