#include "runtime/world/signal_delivery.h"

#include <string.h>
#include <ucontext.h>

#include "runtime/fibers/pool.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/memory/rewind.h"
#include "runtime/objects/without_memory.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/machine.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/program_end.h"
#include "runtime/steps/scheduler.h"
#include "runtime/visible.h"
#include "runtime/world/signal_actions.h"
#include "runtime/world/termination.h"

namespace heddle::runtime {

[[HEDDLE_OF_EXECUTION]] SignalSet g_pending_in_process;

namespace {

void CallHandler(int number, const struct sigaction& action) {
  siginfo_t info = {};
  info.si_signo = number;
  info.si_code = SI_TKILL;
  if ((action.sa_flags & SA_SIGINFO) == 0) return action.sa_handler(number);
  ucontext_t context;
  getcontext(&context);
  action.sa_sigaction(number, &info, &context);
}

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
    ChangeSignalMask(world, mask, pc);
  self.in_handler |= interrupts;
  CallHandler(number, action);
  world.handlers = frame->outer;
  self.in_handler = frame->in_handler;
  ChangeSignalMask(world, frame->mask, pc);
  TakePendingSignals(pc);
}

}  // namespace

void LeaveHandlers(ThreadWorld& world) {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  for (; world.handlers != nullptr && world.handlers->stack < here;
       world.handlers = world.handlers->outer) {
    world.mask = world.handlers->mask;
    Current().in_handler = world.handlers->in_handler;
  }
}

void TakeSignal(int number, uintptr_t pc, bool interrupts) {
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
Object& SignalsObjectOf(const Fiber& fiber) {
  return FindObject(kFirstThreadAddress + fiber.id, ObjectKind::kWord);
}

SignalSet PendingSignalsFor(const ThreadWorld& world) {
  return world.pending_signals | g_pending_in_process;
}

void RemovePendingSignal(int number) {
  Fiber& self = Current();
  ThreadWorld& world = RunningWorld();
  if ((world.pending_signals & Bit(number)) != 0) {
    world.pending_signals &= ~Bit(number);
    AcquireFrom(self, SignalsObjectOf(self).release);
    return;
  }
  g_pending_in_process &= ~Bit(number);
  AcquireFrom(self, SignalsObject().release);
  for (uint32_t id = 0; id < g_used_fibers; ++id)
    if (g_fibers[id].signal_late && !SignalIsPending(g_fibers[id])) KeepSignalOut(g_fibers[id]);
  Changed(SignalsObject());
}

void TakePendingSignals(uintptr_t pc) {
  const ThreadWorld& world = RunningWorld();
  for (SignalSet ready; (ready = PendingSignalsFor(world) & ~world.mask) != 0;) {
    const int number = __builtin_ctzll(ready) + 1;
    RemovePendingSignal(number);
    TakeSignal(number, pc);
  }
}

op::Operation SignalOperation(op::Kind kind, int number, uintptr_t pc) {
  return {
      .kind = kind, .object = kSignalsAddress, .operand = static_cast<uint64_t>(number), .pc = pc};
}

bool SignalIsPending(const Fiber& fiber) {
  const ThreadWorld& world = WorldOf(fiber);
  return (PendingSignalsFor(world) & ~world.mask) != 0;
}

bool AwaitsSignal(const Fiber& fiber, int number) {
  return fiber.state == FiberState::kPublished && fiber.pending.kind == op::Kind::kSignalWait &&
         (WorldOf(fiber).awaited & Bit(number)) != 0;
}

bool SomebodyAwaitsSignal(int number) {
  for (uint32_t id = 0; id < g_used_fibers; ++id)
    if (AwaitsSignal(g_fibers[id], number)) return true;
  return false;
}

Touches OwnSignals(uintptr_t pc) {
  Touches touches;
  touches.Add(SignalsObjectOf(Current()), 0, pc);
  touches.Add(SignalsObject(), 0, pc);
  return touches;
}

void ChangeSignalMask(ThreadWorld& world, SignalSet mask, uintptr_t pc) {
  const SignalSet matter = (world.mask ^ mask) | ~mask;
  if (!g_state.several_threads || (matter & Visible().signals) == 0) {
    world.mask = mask;
    return;
  }
  const op::Operation operation = SignalOperation(op::Kind::kSignalMask, 0, pc);
  Reach(operation, nullptr);
  const bool takes = (PendingSignalsFor(world) & ~mask) != 0;
  const bool changes = world.mask != mask;
  world.mask = mask;
  Touches touches = OwnSignals(pc);
  if (takes) touches.Add(ActionsObject(), 0, pc);
  CommitTouches(operation, touches, takes || changes ? op::Access::kWrite : op::Access::kRead);
}

void DeliverFromOutside(siginfo_t& info, ucontext_t& context) {
  const int number = info.si_signo;
  ThreadWorld& world = RunningWorld();
  if (SomebodyAwaitsSignal(number) || (world.mask & Bit(number)) != 0) {
    g_pending_in_process |= Bit(number);
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
