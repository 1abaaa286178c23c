#include "runtime/world/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "runtime/fibers/frames.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/program_end.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/thread_life.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/machine.h"
#include "runtime/prim/real.h"
#include "runtime/prim/signal_mask.h"
#include "runtime/prim/syscall.h"
#include "runtime/prim/trapped_call.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"
#include "runtime/world/faults.h"
#include "runtime/world/termination.h"

namespace heddle::runtime {
namespace {

constexpr int kSignals = 65;              // numbers are 1 .. 64
constexpr uintptr_t kSignalsAddress = 1;  // names the object on which sending and waiting meet

// What the kernel has now, to be undone after the execution (RewindSignals).
struct sigaction dispositions[kSignals];
struct sigaction initial[kSignals];
[[HEDDLE_LASTS("what is to be undone")]] SignalSet changed;  // where the two differ

[[HEDDLE_OF_EXECUTION]] SignalSet of_process;  // pending

constexpr SignalSet Bit(int number) { return SignalSet{1} << (number - 1); }
bool IsSignal(int number) { return number > 0 && number < kSignals; }

bool HasHandler(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

enum class Default { kIgnore, kStop, kEnd };
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

void CallHandler(int number, struct sigaction action) {
  siginfo_t info = {};
  info.si_signo = number;
  info.si_code = SI_TKILL;
  if ((action.sa_flags & SA_RESETHAND) != 0) dispositions[number].sa_handler = SIG_DFL;
  if ((action.sa_flags & SA_SIGINFO) == 0) return action.sa_handler(number);
  ucontext_t context;
  getcontext(&context);
  action.sa_sigaction(number, &info, &context);
}

// The running thread takes the signal.
void Take(int number, uintptr_t pc) {
  const struct sigaction& action = dispositions[number];
  if (HasHandler(action)) return CallHandler(number, action);
  if (IsIgnored(number)) return;
  ReachProgramEnd(pc);
  if (number == SIGABRT) EndByAbort(pc);
  const char* name = sigabbrev_np(number);
  if (DefaultOf(number) == Default::kStop) Unsupported("a signal that stops the process");
  EndExecution(trace::EndKind::kCrash, number, 0, pc,
               "the program sends itself SIG%s (signal %d), and nothing handles it",
               name != nullptr ? name : "RT", number);
}

void TakePending(uintptr_t pc) {
  ThreadWorld& world = RunningWorld();
  for (SignalSet ready; (ready = (world.pending_signals | of_process) & ~world.mask) != 0;) {
    const int number = __builtin_ctzll(ready) + 1;
    world.pending_signals &= ~Bit(number);
    of_process &= ~Bit(number);
    Take(number, pc);
  }
}

Object& SignalsObject() { return FindObject(kSignalsAddress, ObjectKind::kWord); }

op::Operation SignalOperation(op::Kind kind, int number, uintptr_t pc) {
  return {
      .kind = kind, .object = kSignalsAddress, .operand = static_cast<uint64_t>(number), .pc = pc};
}

bool Awaits(const Fiber& fiber, int number) {
  return fiber.state == FiberState::kPublished && fiber.pending.kind == op::Kind::kSignalWait &&
         (WorldOf(fiber).awaited & Bit(number)) != 0;
}

bool SomebodyAwaits(int number) {
  for (uint32_t id = 0; id < g_used_fibers; ++id)
    if (Awaits(g_fibers[id], number)) return true;
  return false;
}

bool AnotherThreadWouldTake(int number) {
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    const bool lives = fiber.state != FiberState::kUnused && fiber.state != FiberState::kFinished;
    if (lives && &fiber != &Current() && (WorldOf(fiber).mask & Bit(number)) == 0) return true;
  }
  return false;
}

// The running thread makes `number` pending in `set`: an event that whoever waits for signals
// depends on.
void CommitSend(int number, SignalSet& set, uintptr_t pc) {
  Object& object = SignalsObject();
  set |= Bit(number);
  ReleaseInto(Current(), object.release);
  Commit(SignalOperation(op::Kind::kSignalSend, number, pc), &object, op::Access::kWrite,
         static_cast<uint64_t>(number));
  Changed(object);
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

void AddSignals(base::WideHash& hash) {
  hash.Put(of_process);
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

const struct sigaction& DispositionOf(int number) { return dispositions[number]; }

int SetAction(int number, const struct sigaction* action, struct sigaction* old) {
  const bool fixed = number == SIGKILL || number == SIGSTOP;
  if (!IsSignal(number) || (fixed && action != nullptr)) {
    errno = EINVAL;
    return -1;
  }
  const struct sigaction before = dispositions[number];
  if (action != nullptr) {
    dispositions[number] = *action;
    changed |= Bit(number);
    if (!IsOwnSignal(number)) InstallForOutside(number);
  }
  if (old != nullptr) *old = before;
  return 0;
}

int SetMask(int how, const sigset_t* set, sigset_t* old, uintptr_t pc) {
  ThreadWorld& world = RunningWorld();
  const SignalSet before = world.mask;
  if (set != nullptr) {
    const SignalSet bits = SetOf(*set) & ~(Bit(SIGKILL) | Bit(SIGSTOP));
    if (how == SIG_BLOCK)
      world.mask |= bits;
    else if (how == SIG_UNBLOCK)
      world.mask &= ~bits;
    else if (how == SIG_SETMASK)
      world.mask = bits;
    else
      return EINVAL;
  }
  if (old != nullptr) *old = SigsetOf(before);
  if (world.mask != before) TakePending(pc);
  return 0;
}

int SetAlternateStack(const stack_t* stack, stack_t* old) {
  ThreadWorld& world = RunningWorld();
  const stack_t before = world.alternate;
  if (stack != nullptr) {
    if ((stack->ss_flags & SS_DISABLE) == 0 && stack->ss_size < 2048) {  // the kernel's MINSIGSTKSZ
      errno = ENOMEM;
      return -1;
    }
    world.alternate = *stack;
    NoteStackMemory(stack->ss_sp);
  }
  if (old != nullptr) *old = before;
  return 0;
}

int Raise(int number, uintptr_t pc) {
  if (number == 0) return 0;
  if (!IsSignal(number)) return EINVAL;
  ThreadWorld& world = RunningWorld();
  if ((world.mask & Bit(number)) != 0)
    world.pending_signals |= Bit(number);
  else
    Take(number, pc);
  return 0;
}

int SendToProcess(int number, uintptr_t pc) {
  if (number == 0) return 0;
  if (!IsSignal(number)) return EINVAL;
  Reach(SignalOperation(op::Kind::kSignalSend, number, pc), nullptr);
  const bool blocked = (RunningWorld().mask & Bit(number)) != 0;
  if (SomebodyAwaits(number)) {
    CommitSend(number, of_process, pc);
  } else if (!blocked) {
    if (HasHandler(dispositions[number]) && AnotherThreadWouldTake(number))
      NoteIncomplete(Incomplete::kSharedSignal);
    Commit(SignalOperation(op::Kind::kSignalSend, number, pc), &SignalsObject(),
           op::Access::kWrite);
    Take(number, pc);
  } else if (!AnotherThreadWouldTake(number)) {
    CommitSend(number, of_process, pc);
  } else if (!IsIgnored(number)) {
    if (HasHandler(dispositions[number]))
      Unsupported("a signal whose handler interrupts another thread");
    Take(number, pc);
  }
  return 0;
}

int SendToThread(pthread_t thread, int number, uintptr_t pc) {
  Fiber* target = FiberOfHandle(thread);
  if (target == nullptr || target->joined) return ESRCH;
  if (number == 0) return 0;
  if (!IsSignal(number)) return EINVAL;
  if (target == &Current()) return Raise(number, pc);
  NeedThreadEnds("a thread gets a signal only if it has not ended");
  const op::Operation operation = SignalOperation(op::Kind::kSignalSend, number, pc);
  Reach(operation, nullptr);
  Commit(operation, &EndOf(*target), op::Access::kRead, target->state == FiberState::kFinished);
  if (target->state == FiberState::kFinished) return 0;  // glibc's answer until it is joined
  ThreadWorld& world = WorldOf(*target);
  if (Awaits(*target, number) || (world.mask & Bit(number)) != 0) {
    CommitSend(number, world.pending_signals, pc);
  } else if (!IsIgnored(number)) {
    if (HasHandler(dispositions[number]))
      Unsupported("pthread_kill of a thread that does not wait for the signal");
    Take(number, pc);
  }
  return 0;
}

SignalSet PendingSignals() { return RunningWorld().pending_signals | of_process; }

bool SignalHasCome(const Fiber& fiber) {
  const ThreadWorld& world = WorldOf(fiber);
  return ((world.pending_signals | of_process) & world.awaited) != 0;
}

int WaitForSignal(SignalSet set, const uint64_t* deadline, uintptr_t pc) {
  ThreadWorld& world = RunningWorld();
  Object& object = SignalsObject();
  const op::Operation operation = SignalOperation(op::Kind::kSignalWait, 0, pc);
  world.awaited = set;
  if (deadline != nullptr) Current().deadline = *deadline;
  const Wake wake = Reach(operation, &object, deadline != nullptr);
  world.awaited = 0;
  if (wake == Wake::kTimedOut) {
    Commit(operation, &object, op::Access::kRead, 0, 1);
    return 0;
  }
  const SignalSet ready = (world.pending_signals | of_process) & set;
  const int number = __builtin_ctzll(ready) + 1;
  SignalSet& from = (world.pending_signals & Bit(number)) != 0 ? world.pending_signals : of_process;
  from &= ~Bit(number);
  AcquireFrom(Current(), object.release);
  Commit(operation, &object, op::Access::kWrite, static_cast<uint64_t>(number));
  Changed(object);
  return number;
}

void Suspend(SignalSet mask, uintptr_t pc) {
  for (;;) {
    const int number = WaitForSignal(~mask, nullptr, pc);
    const bool handled = HasHandler(dispositions[number]);
    Take(number, pc);
    if (handled) return;
  }
}

void DeliverFromOutside(siginfo_t& info, ucontext_t& context) {
  const int number = info.si_signo;
  ThreadWorld& world = RunningWorld();
  if (SomebodyAwaits(number) || (world.mask & Bit(number)) != 0) {
    of_process |= Bit(number);
    Changed(SignalsObject());
    return;
  }
  const struct sigaction action = dispositions[number];
  if (!HasHandler(action)) return;
  if ((action.sa_flags & SA_RESETHAND) != 0) dispositions[number].sa_handler = SIG_DFL;
  const bool elsewhere =
      (action.sa_flags & SA_ONSTACK) != 0 && (world.alternate.ss_flags & SS_DISABLE) == 0;
  const uintptr_t stack =
      elsewhere ? reinterpret_cast<uintptr_t>(world.alternate.ss_sp) + world.alternate.ss_size : 0;
  EnterHandler(context, info, action, stack);
}

void HandSignalsBack() {
  for (int number = 1; number < kSignals; ++number) {
    const bool ours = IsOwnSignal(number) || HasHandler(dispositions[number]);
    if (ours) Real<&sigaction>("sigaction")(number, &dispositions[number], nullptr);
  }
  SetKernelSignalMask(RunningWorld().mask);
}

}  // namespace heddle::runtime
