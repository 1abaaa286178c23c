// The calls that send a signal to the program itself: raise, kill, pthread_kill.

#include <errno.h>

#include "runtime/fibers/pool.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/objects/without_memory.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/scheduler.h"
#include "runtime/steps/thread_life.h"
#include "runtime/visible.h"
#include "runtime/world/processes.h"
#include "runtime/world/signal_actions.h"
#include "runtime/world/signal_delivery.h"
#include "runtime/world/signals.h"

namespace heddle::runtime {
namespace {

constexpr int kFirstRealTime = 32;  // of the kernel

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
  return !blocked && IsIgnored(number) && !SomebodyAwaitsSignal(number);
}

// The running thread makes `number` pending in `set`, which `object` stands for. If it is pending
// already the two are one.
void MakePending(int number, SignalSet& set, Object& object) {
  if (number >= kFirstRealTime && (set & Bit(number)) != 0)
    Unsupported("a real-time signal that is sent while the same one is pending");
  set |= Bit(number);
  ReleaseInto(Current(), object.release);
}

// Beside other threads, who may look for it or wait for it.
void CommitSend(int number, Touches touches, uintptr_t pc) {
  touches.Add(ActionsObject(), 0, pc);
  CommitTouches(SignalOperation(op::Kind::kSignalSend, number, pc), touches, op::Access::kWrite,
                static_cast<uint64_t>(number));
}

void CommitSend(int number, Object& object, uintptr_t pc) {
  Touches touches;
  touches.Add(object, 0, pc);
  CommitSend(number, touches, pc);
}

// The running thread takes what it sends, and what else is pending, before the call comes back.
void SendToItself(int number, SignalSet& set, Object& object, uintptr_t pc) {
  MakePending(number, set, object);
  CommitSend(number, OwnSignals(pc), pc);
  TakePendingSignals(pc);
}

// Has the thread been joined? That is a step only if more threads than one ask or join.
bool IsGone(Fiber& target, uintptr_t pc) {
  NoteHandled(Current(), target);
  if (g_state.thread_joins) {
    const op::Operation operation = SignalOperation(op::Kind::kSignalSend, 0, pc);
    Reach(operation, &EndOf(target));
    Commit(operation, &EndOf(target), op::Access::kRead, target.joined);
  }
  return target.joined;
}

}  // namespace

int Raise(int number, uintptr_t pc) {
  if (number == 0) return 0;
  if (!IsSignal(number)) return EINVAL;
  ThreadWorld& world = RunningWorld();
  LeaveHandlers(world);
  if ((world.mask & Bit(number)) != 0) {
    world.pending_signals |= Bit(number);
  } else if (!g_state.several_threads || (Visible().signals & Bit(number)) == 0) {
    TakeSignal(number, pc);
  } else {  // another thread may have sent it, too
    Reach(SignalOperation(op::Kind::kSignalSend, number, pc), nullptr);
    SendToItself(number, world.pending_signals, SignalsObjectOf(Current()), pc);
  }
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
  const bool at_once = !blocked && !handled && !SomebodyAwaitsSignal(number);
  if (g_state.several_threads && !at_once) {
    RefuseWithStates("signals beside other threads");
    NeedSignal(number);
  }
  const bool another = AnotherThreadWouldTake(number);
  // Who sends it takes it before kill comes back, if nobody else can (POSIX).
  const bool takes = !blocked && !SomebodyAwaitsSignal(number) && (!another || at_once);
  Object& object = SignalsObject();
  if (takes && handled) {
    SendToItself(number, g_pending_in_process, object, pc);
    return 0;
  }
  if (takes || (another && ends && !SomebodyAwaitsSignal(number))) {
    CommitSend(number, object, pc);
    TakeSignal(number, pc);
    return 0;
  }
  if (IsDropped(number, !another)) {
    CommitSend(number, object, pc);
    return 0;
  }
  MakePending(number, g_pending_in_process, object);
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
  if (number != 0 && !IsSignal(number)) return EINVAL;
  if (target == &Current()) return Raise(number, pc);
  if (number == 0) return IsGone(*target, pc) ? ESRCH : 0;
  NoteHandled(Current(), *target);
  RefuseWithStates("signals beside other threads");
  NeedThreadEnds("a thread gets a signal only if it has not ended");
  NeedSignal(number);
  const op::Operation operation = SignalOperation(op::Kind::kSignalSend, number, pc);
  Reach(operation, nullptr);
  Commit(operation, &EndOf(*target), op::Access::kRead, target->state == FiberState::kFinished);
  if (target->state == FiberState::kFinished) return target->joined ? ESRCH : 0;  // as glibc does
  ThreadWorld& world = WorldOf(*target);
  const bool blocked = (world.mask & Bit(number)) != 0 || AwaitsSignal(*target, number);
  Object& object = SignalsObjectOf(*target);
  const bool pending = blocked || HasHandler(DispositionOf(number));
  if (pending) MakePending(number, world.pending_signals, object);
  CommitSend(number, object, pc);
  if (pending) {
    Changed(*target);
    LetSignalIn(*target);
  } else {
    TakeSignal(number, pc);
  }
  return 0;
}

}  // namespace heddle::runtime
