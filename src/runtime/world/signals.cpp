#include "runtime/world/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <utility>

#include "runtime/fibers/atoms.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/memory/rewind.h"
#include "runtime/objects/enabled.h"
#include "runtime/objects/without_memory.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/machine.h"
#include "runtime/prim/syscall.h"
#include "runtime/prim/trapped_call.h"
#include "runtime/runtime.h"
#include "runtime/steps/choice_point.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/frames.h"
#include "runtime/steps/program_end.h"
#include "runtime/steps/scheduler.h"
#include "runtime/steps/thread_life.h"
#include "runtime/visible.h"
#include "runtime/world/processes.h"
#include "runtime/world/signal_actions.h"
#include "runtime/world/termination.h"
#include "runtime/world/transfer.h"

namespace heddle::runtime {
namespace {

constexpr int kFirstRealTime = 32;  // of the kernel

[[HEDDLE_OF_EXECUTION]] SignalSet of_process;  // pending

void ChangeMask(ThreadWorld& world, SignalSet mask, uintptr_t pc);
void TakePending(uintptr_t pc);

// A handler that was left by a jump blocks nothing any more.
void LeaveHandlers(ThreadWorld& world) {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  for (; world.handlers != nullptr && world.handlers->stack < here;
       world.handlers = world.handlers->outer) {
    world.mask = world.handlers->mask;
    Current().in_handler = world.handlers->in_handler;
  }
}

void CallHandler(int number, const struct sigaction& action) {
  siginfo_t info = {};
  info.si_signo = number;
  info.si_code = SI_TKILL;
  if ((action.sa_flags & SA_SIGINFO) == 0) return action.sa_handler(number);
  ucontext_t context;
  getcontext(&context);
  action.sa_sigaction(number, &info, &context);
}

// `interrupts`: it comes from elsewhere, at some time.
void RunHandler(int number, bool interrupts, uintptr_t pc) {
  const struct sigaction action = DispositionOf(number);
  if ((action.sa_flags & SA_RESETHAND) != 0) ResetAction(number);
  ThreadWorld& world = RunningWorld();
  Fiber& self = Current();
  LeaveHandlers(world);
  auto* frame = static_cast<HandlerFrame*>(g_state.bump.Take(sizeof(HandlerFrame)));
  *frame = {world.handlers, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)), world.mask,
            self.in_handler};
  world.handlers = frame;
  SignalSet mask = world.mask | (SetOf(action.sa_mask) & ~(Bit(SIGKILL) | Bit(SIGSTOP)));
  if ((action.sa_flags & SA_NODEFER) == 0) mask |= Bit(number);
  if (interrupts)
    world.mask = mask;  // within the step that looked
  else
    ChangeMask(world, mask, pc);
  self.in_handler |= interrupts;
  CallHandler(number, action);
  world.handlers = frame->outer;
  self.in_handler = frame->in_handler;
  ChangeMask(world, frame->mask, pc);
  TakePending(pc);
}

// The running thread takes the signal.
void Take(int number, uintptr_t pc, bool interrupts = false) {
  const struct sigaction& action = DispositionOf(number);
  if (HasHandler(action)) return RunHandler(number, interrupts, pc);
  if (IsIgnored(number)) return;
  ReachProgramEnd(pc);
  if (number == SIGABRT) EndByAbort(pc);
  const char* name = sigabbrev_np(number);
  if (DefaultOf(number) == Default::kStop) Unsupported("a signal that stops the process");
  EndExecution(trace::EndKind::kCrash, number, 0, pc,
               "the program sends itself SIG%s (signal %d), and nothing handles it",
               name != nullptr ? name : "RT", number);
}

Object& SignalsObject() { return FindObject(kSignalsAddress, ObjectKind::kWord); }
Object& ObjectOf(const Fiber& fiber) {
  return FindObject(kFirstThreadAddress + fiber.id, ObjectKind::kWord);
}

SignalSet PendingFor(const ThreadWorld& world) { return world.pending_signals | of_process; }

// Takes `number` from what is pending, and learns what the sender knew.
void RemovePending(int number) {
  Fiber& self = Current();
  ThreadWorld& world = RunningWorld();
  if ((world.pending_signals & Bit(number)) != 0) {
    world.pending_signals &= ~Bit(number);
    AcquireFrom(self, ObjectOf(self).release);
    return;
  }
  of_process &= ~Bit(number);
  AcquireFrom(self, SignalsObject().release);
  for (uint32_t id = 0; id < g_used_fibers; ++id)
    if (g_fibers[id].signal_late && !SignalIsPending(g_fibers[id])) KeepSignalOut(g_fibers[id]);
  Changed(SignalsObject());
}

void TakePending(uintptr_t pc) {
  const ThreadWorld& world = RunningWorld();
  for (SignalSet ready; (ready = PendingFor(world) & ~world.mask) != 0;) {
    const int number = __builtin_ctzll(ready) + 1;
    RemovePending(number);
    Take(number, pc);
  }
}

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

// Nothing comes of it if it is sent to who does not block it.
bool IsDropped(int number, bool blocked) {
  return !blocked && IsIgnored(number) && !SomebodyAwaits(number);
}

// The running thread makes `number` pending in `set`, which `object` stands for.
void MakePending(int number, SignalSet& set, Object& object) {
  if (number >= kFirstRealTime && (set & Bit(number)) != 0)
    Unsupported("a real-time signal that is sent while the same one is pending");
  set |= Bit(number);
  ReleaseInto(Current(), object.release);
}

// Beside other threads, who may look for it or wait for it.
void CommitSend(int number, Object& object, uintptr_t pc) {
  Touches touches;
  touches.Add(object, 0, pc);
  touches.Add(ActionsObject(), 0, pc);
  CommitTouches(SignalOperation(op::Kind::kSignalSend, number, pc), touches, op::Access::kWrite,
                static_cast<uint64_t>(number));
}

Touches OwnSignals(uintptr_t pc) {
  Touches touches;
  touches.Add(ObjectOf(Current()), 0, pc);
  touches.Add(SignalsObject(), 0, pc);
  return touches;
}

bool Interrupted(int number, Interrupts interrupts) {
  const struct sigaction& action = DispositionOf(number);
  if (!HasHandler(action) || interrupts == Interrupts::kNever) return false;
  return interrupts == Interrupts::kAlways || (action.sa_flags & SA_RESTART) == 0;
}

bool AnyInterrupts(SignalSet ready, Interrupts interrupts) {
  for (; ready != 0; ready &= ready - 1)
    if (Interrupted(__builtin_ctzll(ready) + 1, interrupts)) return true;
  return false;
}

// Would the call that `next` belongs to wait now?
bool WouldWait(const op::Operation& next, const Object* object) {
  using op::Kind;
  if (next.kind == Kind::kSleep) return next.operand != 0;
  if (next.kind == Kind::kSignalWait) return !SignalHasCome(Current());
  if (next.kind == Kind::kFutexWait)
    return *reinterpret_cast<const volatile uint32_t*>(next.object) == next.operand;
  if (next.kind == Kind::kTransfer || next.kind == Kind::kDescriptorWait) {
    const auto& readiness = *reinterpret_cast<const Readiness*>(next.operand);
    return !readiness.is_ready(readiness);
  }
  return !IsEnabled(next, object, Current().id, [] { return false; });
}

// What a thread may do that finds signals pending.
struct Option {
  int number;    // of the signal that it takes; 0: none yet
  bool in_call;  // and the call ends with EINTR
};
constexpr uint32_t kMostOptions = 2 * kSignals;

// `waits`: it is in the call, and nothing but a signal lets it go on.
uint32_t OptionsFor(SignalSet ready, Interrupts interrupts, bool would_wait, bool waits,
                    bool may_go_on, Option (&options)[kMostOptions]) {
  uint32_t count = 0;
  for (; ready != 0; ready &= ready - 1) {
    const int number = __builtin_ctzll(ready) + 1;
    const bool ends_call = (would_wait || waits) && Interrupted(number, interrupts);
    if (!waits || !ends_call) options[count++] = {number, false};
    if (ends_call) options[count++] = {number, true};
  }
  if (may_go_on) options[count++] = {0, false};
  return count;
}

bool Has(const Touches& touches, const Object& object) {
  for (uint32_t i = 0; i < touches.Count(); ++i)
    if (&touches.ObjectOf(i) == &object) return true;
  return false;
}

// The thread blocks other signals from here on: an operation, if somebody may send one of these to
// it, or to the process, at any time.
void ChangeMask(ThreadWorld& world, SignalSet mask, uintptr_t pc) {
  const bool is_step = g_state.several_threads && ((world.mask ^ mask) & Visible().signals) != 0;
  if (!is_step) {
    world.mask = mask;
    return;
  }
  const op::Operation operation = SignalOperation(op::Kind::kSignalMask, 0, pc);
  Reach(operation, nullptr);
  world.mask = mask;
  CommitTouches(operation, OwnSignals(pc), op::Access::kWrite);
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

int SetMask(int how, const sigset_t* set, sigset_t* old, uintptr_t pc) {
  ThreadWorld& world = RunningWorld();
  LeaveHandlers(world);
  const SignalSet before = world.mask;
  SignalSet after = before;
  if (set != nullptr) {
    const SignalSet bits = SetOf(*set) & ~(Bit(SIGKILL) | Bit(SIGSTOP));
    if (how == SIG_BLOCK)
      after |= bits;
    else if (how == SIG_UNBLOCK)
      after &= ~bits;
    else if (how == SIG_SETMASK)
      after = bits;
    else
      return EINVAL;
  }
  if (old != nullptr) *old = SigsetOf(before);
  if (after == before) return 0;
  ChangeMask(world, after, pc);
  TakePending(pc);
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
  LeaveHandlers(world);
  if ((world.mask & Bit(number)) != 0)
    world.pending_signals |= Bit(number);
  else
    Take(number, pc);
  return 0;
}

int SendToProcess(int number, uintptr_t pc) {
  if (number == 0) return 0;
  if (!IsSignal(number)) return EINVAL;
  LeaveHandlers(RunningWorld());
  Reach(SignalOperation(op::Kind::kSignalSend, number, pc), nullptr);
  const bool blocked = (RunningWorld().mask & Bit(number)) != 0;
  const bool handled = HasHandler(DispositionOf(number));
  const bool ends = !handled && !IsIgnored(number);
  const bool at_once = !blocked && !handled && !SomebodyAwaits(number);
  if (g_state.several_threads && !at_once) {
    RefuseWithStates("signals beside other threads");
    NeedSignal(number);
  }
  const bool another = AnotherThreadWouldTake(number);
  // Who sends it takes it before kill comes back, if nobody else can (POSIX).
  const bool takes = !blocked && !SomebodyAwaits(number) && (!another || at_once);
  Object& object = SignalsObject();
  if (takes || (another && ends && !SomebodyAwaits(number))) {
    CommitSend(number, object, pc);
    Take(number, pc);
    return 0;
  }
  if (IsDropped(number, !another)) {
    CommitSend(number, object, pc);
    return 0;
  }
  MakePending(number, of_process, object);
  CommitSend(number, object, pc);
  Changed(object);
  for (uint32_t id = 0; id < g_used_fibers; ++id)
    if (&g_fibers[id] != &Current() && g_fibers[id].state == FiberState::kPublished &&
        LooksForSignals(g_fibers[id]))
      LetSignalIn(g_fibers[id]);
  if (!blocked && g_state.signals) LookForSignals({.pc = pc}, nullptr, Interrupts::kNever, false);
  return 0;
}

int SendToThread(pthread_t thread, int number, uintptr_t pc) {
  Fiber* target = FiberOfHandle(thread);
  if (target == nullptr) return ESRCH;
  if (number == 0) return target->joined ? ESRCH : 0;
  if (!IsSignal(number)) return EINVAL;
  if (target == &Current()) return Raise(number, pc);
  RefuseWithStates("signals beside other threads");
  NeedThreadEnds("a thread gets a signal only if it has not ended");
  NeedSignal(number);
  const op::Operation operation = SignalOperation(op::Kind::kSignalSend, number, pc);
  Reach(operation, nullptr);
  Commit(operation, &EndOf(*target), op::Access::kRead, target->state == FiberState::kFinished);
  if (target->state == FiberState::kFinished) return target->joined ? ESRCH : 0;  // as glibc does
  ThreadWorld& world = WorldOf(*target);
  const bool blocked = (world.mask & Bit(number)) != 0 || Awaits(*target, number);
  Object& object = ObjectOf(*target);
  const bool pending = blocked || HasHandler(DispositionOf(number));
  if (pending) MakePending(number, world.pending_signals, object);
  CommitSend(number, object, pc);
  if (pending) {
    Changed(*target);
    LetSignalIn(*target);
  } else {
    Take(number, pc);
  }
  return 0;
}

SignalSet PendingSignals(uintptr_t pc) {
  if (!g_state.signals || !g_state.several_threads) return PendingFor(RunningWorld());
  const op::Operation operation = SignalOperation(op::Kind::kSignalLook, 0, pc);
  Reach(operation, nullptr);
  CommitTouches(operation, OwnSignals(pc), op::Access::kRead);
  return PendingFor(RunningWorld());
}

bool SignalHasCome(const Fiber& fiber) {
  const ThreadWorld& world = WorldOf(fiber);
  return (PendingFor(world) & world.awaited) != 0;
}

bool LooksForSignals(const Fiber& fiber) { return (Visible().signals & ~WorldOf(fiber).mask) != 0; }

bool SignalIsPending(const Fiber& fiber) {
  const ThreadWorld& world = WorldOf(fiber);
  return (PendingFor(world) & ~world.mask) != 0;
}

bool LookForSignals(const op::Operation& next, Object* object, Interrupts interrupts, bool waits) {
  ThreadWorld& world = RunningWorld();
  for (;; waits = false) {
    LeaveHandlers(world);
    const op::Operation look = SignalOperation(op::Kind::kSignalLook, 0, next.pc);
    const bool late = waits || Reach(look, nullptr) == Wake::kTimedOut;
    const SignalSet ready = PendingFor(world) & ~world.mask;
    Touches touches = OwnSignals(next.pc);
    const bool was_woken = std::exchange(Current().was_woken, false);
    if (ready == 0) {
      CommitTouches(look, touches, op::Access::kRead);
      return false;
    }
    if (was_woken) NoteIncomplete(Incomplete::kHandlerInWait);
    touches.Add(ActionsObject(), 0, next.pc);
    // Whether the call would wait is read, too.
    const bool asks = !waits && AnyInterrupts(ready, interrupts);
    if (asks && object != nullptr && !Has(touches, *object))
      touches.Add(*object, object->level, next.pc);
    if (asks && next.kind == op::Kind::kFutexWait)
      touches.Add(next.object, sizeof(uint32_t), next.pc);
    const bool would_wait = asks && WouldWait(next, object);
    Option options[kMostOptions];
    const uint32_t count = OptionsFor(ready, interrupts, would_wait, waits, !late, options);
    const uint32_t choice = ChooseOption(trace::ChoiceKind::kValue, count);
    const Option& option = options[choice];
    if (option.number != 0) RemovePending(option.number);
    CommitTouches(look, touches, op::Access::kWrite, static_cast<uint64_t>(option.number),
                  choice + 1, option.number != 0 ? Effect::kChanges : Effect::kLeavesAsItWas);
    if (option.number == 0) return false;
    Take(option.number, next.pc, true);
    if (option.in_call) return true;
    if (waits) return false;
  }
}

void AddSignals(base::WideHash& hash) {
  hash.Put(of_process);
  AddSignalActions(hash);
}

void EndSignals() {
  ThreadWorld& world = RunningWorld();
  LeaveHandlers(world);
  ChangeMask(world, ~SignalSet{0}, 0);
}

int WaitForSignal(SignalSet set, const uint64_t* deadline, Interrupts interrupts, uintptr_t pc) {
  ThreadWorld& world = RunningWorld();
  Object& object = SignalsObject();
  const op::Operation operation = SignalOperation(op::Kind::kSignalWait, 0, pc);
  world.awaited = set;
  if (deadline != nullptr) Current().deadline = *deadline;
  const Wake wake = ReachInCall(operation, &object, deadline != nullptr, interrupts);
  world.awaited = 0;
  if (wake == Wake::kInterrupted) return -1;
  const Touches touches = OwnSignals(pc);
  if (wake == Wake::kTimedOut) {
    CommitTouches(operation, touches, op::Access::kRead, 0, 1);
    return 0;
  }
  const int number = __builtin_ctzll(PendingFor(world) & set) + 1;
  RemovePending(number);
  CommitTouches(operation, touches, op::Access::kWrite, static_cast<uint64_t>(number));
  return number;
}

void Suspend(SignalSet mask, uintptr_t pc) {
  for (;;) {
    const int number = WaitForSignal(~mask, nullptr, Interrupts::kNever, pc);
    const bool handled = HasHandler(DispositionOf(number));
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
  const struct sigaction action = DispositionOf(number);
  if (!HasHandler(action)) return;
  if ((action.sa_flags & SA_RESETHAND) != 0) ResetAction(number);
  const bool elsewhere =
      (action.sa_flags & SA_ONSTACK) != 0 && (world.alternate.ss_flags & SS_DISABLE) == 0;
  const uintptr_t stack =
      elsewhere ? reinterpret_cast<uintptr_t>(world.alternate.ss_sp) + world.alternate.ss_size : 0;
  EnterHandler(context, info, action, stack);
}

}  // namespace heddle::runtime
