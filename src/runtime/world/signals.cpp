#include "runtime/world/signals.h"

#include <errno.h>
#include <string.h>

#include <utility>

#include "runtime/fibers/atoms.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/schedule.h"
#include "runtime/objects/enabled.h"
#include "runtime/steps/choice_point.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/frames.h"
#include "runtime/steps/scheduler.h"
#include "runtime/visible.h"
#include "runtime/world/signal_actions.h"
#include "runtime/world/signal_delivery.h"
#include "runtime/world/transfer.h"

namespace heddle::runtime {
namespace {

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

}  // namespace

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
  ChangeSignalMask(world, after, pc);
  TakePendingSignals(pc);
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

SignalSet PendingSignals(uintptr_t pc) {
  if (!g_state.signals || !g_state.several_threads) return PendingSignalsFor(RunningWorld());
  const op::Operation operation = SignalOperation(op::Kind::kSignalLook, 0, pc);
  Reach(operation, nullptr);
  CommitTouches(operation, OwnSignals(pc), op::Access::kRead);
  return PendingSignalsFor(RunningWorld());
}

bool SignalHasCome(const Fiber& fiber) {
  const ThreadWorld& world = WorldOf(fiber);
  return (PendingSignalsFor(world) & world.awaited) != 0;
}

bool LooksForSignals(const Fiber& fiber) { return (Visible().signals & ~WorldOf(fiber).mask) != 0; }

bool LookForSignals(const op::Operation& next, Object* object, Interrupts interrupts, bool waits) {
  ThreadWorld& world = RunningWorld();
  for (;; waits = false) {
    LeaveHandlers(world);
    const op::Operation look = SignalOperation(op::Kind::kSignalLook, 0, next.pc);
    const bool late = waits || Reach(look, nullptr) == Wake::kTimedOut;
    const SignalSet ready = PendingSignalsFor(world) & ~world.mask;
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
    if (option.number != 0) RemovePendingSignal(option.number);
    CommitTouches(look, touches, op::Access::kWrite, static_cast<uint64_t>(option.number),
                  choice + 1, option.number != 0 ? Effect::kChanges : Effect::kLeavesAsItWas);
    if (option.number == 0) return false;
    TakeSignal(option.number, next.pc, true);
    if (option.in_call) return true;
    if (waits) return false;
  }
}

void AddSignals(base::WideHash& hash) {
  hash.Put(g_pending_in_process);
  AddSignalActions(hash);
}

void EndSignals() {
  ThreadWorld& world = RunningWorld();
  LeaveHandlers(world);
  ChangeSignalMask(world, ~SignalSet{0}, 0);
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
  Touches touches = OwnSignals(pc);
  touches.Add(ActionsObject(), 0, pc);  // sigsuspend and pause do next what the action says
  if (wake == Wake::kTimedOut) {
    CommitTouches(operation, touches, op::Access::kRead, 0, 1);
    return 0;
  }
  const int number = __builtin_ctzll(PendingSignalsFor(world) & set) + 1;
  RemovePendingSignal(number);
  CommitTouches(operation, touches, op::Access::kWrite, static_cast<uint64_t>(number));
  return number;
}

void Suspend(SignalSet mask, uintptr_t pc) {
  for (;;) {
    const int number = WaitForSignal(~mask, nullptr, Interrupts::kNever, pc);
    const bool handled = HasHandler(DispositionOf(number));
    TakeSignal(number, pc);
    if (handled) return;
  }
}

}  // namespace heddle::runtime
