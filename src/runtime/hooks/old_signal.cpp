// The ways to handle signals that are older than sigaction, as programs call them that ask for ISO
// C or X/Open only. Those that install a handler do so by sigaction, whose hook does what is to be
// done.

#include <errno.h>
#include <signal.h>

#include "runtime/export.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/signals.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

sighandler_t Install(int number, sighandler_t handler, int flags) {
  struct sigaction action = {};
  struct sigaction old;
  action.sa_handler = handler;
  action.sa_flags = flags;
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

// Adds the signal to those that the thread blocks, or takes it away. `blocked`: it was one.
int ChangeMask(int how, int number, bool* blocked, uintptr_t pc) {
  sigset_t set, old;
  sigemptyset(&set);
  if (sigaddset(&set, number) != 0) return -1;
  const int error = InExecution() ? SetMask(how, &set, &old, pc)
                                  : Real<&pthread_sigmask>("pthread_sigmask")(how, &set, &old);
  if (error != 0) {
    errno = error;
    return -1;
  }
  if (blocked != nullptr) *blocked = sigismember(&old, number) != 0;
  return 0;
}

}  // namespace

extern "C" {

HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  return Install(number, handler, SA_RESTART);
}

sighandler_t bsd_signal(int number, sighandler_t handler) noexcept;
HEDDLE_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  return signal(number, handler);
}

HEDDLE_EXPORT sighandler_t ssignal(int number, sighandler_t handler) noexcept {
  return signal(number, handler);
}

HEDDLE_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  return Install(number, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}

// What the headers make of signal() for X/Open.
HEDDLE_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  return sysv_signal(number, handler);
}

int __sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept;
HEDDLE_EXPORT int __sigaction(int number, const struct sigaction* action,
                              struct sigaction* old) noexcept {
  return sigaction(number, action, old);
}

HEDDLE_EXPORT int siginterrupt(int number, int interrupts) noexcept {
  struct sigaction action;
  if (sigaction(number, nullptr, &action) != 0) return -1;
  action.sa_flags = interrupts != 0 ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  return sigaction(number, &action, nullptr);
}

HEDDLE_EXPORT int sighold(int number) noexcept {
  return ChangeMask(SIG_BLOCK, number, nullptr, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sigrelse(int number) noexcept {
  return ChangeMask(SIG_UNBLOCK, number, nullptr, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sigignore(int number) noexcept {
  return Install(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

HEDDLE_EXPORT sighandler_t sigset(int number, sighandler_t handler) noexcept {
  struct sigaction old;
  if (sigaction(number, nullptr, &old) != 0) return SIG_ERR;
  const bool holds = handler == SIG_HOLD;
  if (!holds && Install(number, handler, 0) == SIG_ERR) return SIG_ERR;
  bool blocked;
  if (ChangeMask(holds ? SIG_BLOCK : SIG_UNBLOCK, number, &blocked, HEDDLE_CALLER) != 0)
    return SIG_ERR;
  return blocked ? SIG_HOLD : old.sa_handler;
}

HEDDLE_EXPORT int gsignal(int number) noexcept { return raise(number); }

// sigpause(number); BSD's, of a mask, is no longer in the headers.
int __xpg_sigpause(int number);
HEDDLE_EXPORT int __xpg_sigpause(int number) {
  sigset_t set;
  sigprocmask(SIG_BLOCK, nullptr, &set);
  return sigdelset(&set, number) == 0 ? sigsuspend(&set) : -1;
}
HEDDLE_EXPORT int __sigpause(int value, int is_number) {
  if (!InExecution()) return Real<&__sigpause>("__sigpause")(value, is_number);
  if (is_number == 0) Unsupported("sigpause of a mask");
  return __xpg_sigpause(value);
}

}  // extern "C"
