#include "runtime/world/signal_actions.h"

#include <errno.h>
#include <string.h>

#include "runtime/objects/without_memory.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/real.h"
#include "runtime/prim/signal_mask.h"
#include "runtime/prim/trapped_call.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/scheduler.h"
#include "runtime/world/faults.h"

namespace heddle::runtime {
namespace {

// What the kernel has now, to be undone after the execution (RewindSignals).
struct sigaction dispositions[kSignals];
struct sigaction initial[kSignals];
[[HEDDLE_LASTS("what is to be undone")]] SignalSet changed;  // where the two differ

// What the kernel does at a signal that comes from outside.
void InstallForOutside(int number) {
  struct sigaction action = dispositions[number];
  if (HasHandler(action)) {
    action.sa_sigaction = OnOutsideSignal;
    sigemptyset(&action.sa_mask);
    action.sa_flags &= SA_NOCLDSTOP | SA_NOCLDWAIT | SA_RESTART;
    action.sa_flags |= SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  }
  SetKernelAction(number, action);
}

}  // namespace

SignalSet SetOf(const sigset_t& set) {
  SignalSet bits;
  memcpy(&bits, &set, sizeof bits);
  return bits;
}

sigset_t SigsetOf(SignalSet bits) {
  sigset_t set;
  sigemptyset(&set);
  memcpy(&set, &bits, sizeof bits);
  return set;
}

Default DefaultOf(int number) {
  switch (number) {
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case SIGCONT:
      return Default::kIgnore;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
      return Default::kStop;
    default:
      return Default::kEnd;
  }
}

bool IsIgnored(int number) {
  const struct sigaction& action = dispositions[number];
  return action.sa_handler == SIG_IGN ||
         (action.sa_handler == SIG_DFL && DefaultOf(number) == Default::kIgnore);
}

Object& ActionsObject() { return FindObject(kSignalActionsAddress, ObjectKind::kWord); }

const struct sigaction& DispositionOf(int number) { return dispositions[number]; }

void ResetAction(int number) { dispositions[number].sa_handler = SIG_DFL; }

void InitSignals() {
  InitThreadWorlds(KernelSignalMask());
  // Fiber masks are ours; the kernel thread blocks nothing, so that what we need always comes
  // through.
  SetKernelSignalMask(0);
  for (int number = 1; number < kSignals; ++number) {
    if (Real<&sigaction>("sigaction")(number, nullptr, &initial[number]) != 0) initial[number] = {};
    dispositions[number] = initial[number];
    if (!IsOwnSignal(number) && HasHandler(initial[number])) InstallForOutside(number);
  }
}

void RewindSignals() {
  for (; changed != 0; changed &= changed - 1) {
    const int number = __builtin_ctzll(changed) + 1;
    dispositions[number] = initial[number];
    if (!IsOwnSignal(number)) InstallForOutside(number);
  }
}

bool SignalsAreAsAtBegin() { return changed == 0; }

void AddSignalActions(base::WideHash& hash) {
  for (int number = 1; number < kSignals; ++number) {
    const struct sigaction& now = dispositions[number];
    const bool same = now.sa_handler == initial[number].sa_handler &&
                      now.sa_flags == initial[number].sa_flags &&
                      SetOf(now.sa_mask) == SetOf(initial[number].sa_mask);
    if ((changed & Bit(number)) == 0 || same) continue;
    hash.Put(static_cast<uint64_t>(number));
    hash.Put(reinterpret_cast<uintptr_t>(now.sa_handler));
    hash.Put(static_cast<uint64_t>(now.sa_flags));
    hash.Put(SetOf(now.sa_mask));
  }
}

int SetAction(int number, const struct sigaction* action, struct sigaction* old, uintptr_t pc) {
  const bool fixed = number == SIGKILL || number == SIGSTOP;
  if (!IsSignal(number) || (fixed && action != nullptr)) {
    errno = EINVAL;
    return -1;
  }
  const bool is_step = InExecution() && g_state.several_threads;
  const op::Operation operation = {
      .kind = op::Kind::kSignalAction, .object = kSignalActionsAddress, .pc = pc};
  if (is_step) Reach(operation, nullptr);
  const struct sigaction before = dispositions[number];
  if (action != nullptr) {
    dispositions[number] = *action;
    changed |= Bit(number);
    if (!IsOwnSignal(number)) InstallForOutside(number);
  }
  if (is_step)
    Commit(operation, &ActionsObject(), action != nullptr ? op::Access::kWrite : op::Access::kRead,
           static_cast<uint64_t>(number));
  if (old != nullptr) *old = before;
  return 0;
}

void HandSignalsBack() {
  for (int number = 1; number < kSignals; ++number) {
    const bool ours = IsOwnSignal(number) || HasHandler(dispositions[number]);
    if (ours) Real<&sigaction>("sigaction")(number, &dispositions[number], nullptr);
  }
  SetKernelSignalMask(RunningWorld().mask);
}

}  // namespace heddle::runtime
