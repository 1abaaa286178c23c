#include "runtime/states/frame_snapshot.h"

#include <unwind.h>

#include "runtime/fibers/asm_registers.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/table.h"
#include "runtime/loops/loop_progress.h"
#include "runtime/memory/execution_state.h"
#include "runtime/prim/context.h"
#include "runtime/prim/kept_registers.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

FrameSnapshot frame_snapshots[kFrameSnapshots];
// Whoever asked another thread to look.
[[HEDDLE_LASTS("set only while it looks")]] Fiber* asks;

struct Search {
  const Fiber& fiber;
  FrameSnapshot& found;
};

_Unwind_Reason_Code LookAtFrame(_Unwind_Context* context, void* argument) {
  auto& [fiber, found] = *static_cast<Search*>(argument);
  if (_Unwind_GetIP(context) != fiber.pending.pc) return _URC_NO_REASON;
  // Of an asm statement all registers are alive; they lie below its frame.
  const bool in_asm = g_asm_registers.thread == fiber.id && g_asm_registers.pc == fiber.pending.pc;
  uint64_t* value = found.registers;
  for (const KeptRegister& kept : kKeptRegisters) *value++ = _Unwind_GetGR(context, kept.unwinder);
  found.stack =
      in_asm ? reinterpret_cast<uintptr_t>(g_asm_registers.lowest) : _Unwind_GetCFA(context);
  found.stack = RoundDown(found.stack, 8);
  // On another stack than its own, as of a coroutine: not known.
  const auto begin = reinterpret_cast<uintptr_t>(fiber.stack_begin);
  found.known = found.stack - begin <= fiber.stack_size;
  return _URC_END_OF_STACK;
}

// Where the thread's function has returned, there is nothing left of it.
bool HasLeft(const Fiber& fiber) { return fiber.pending.kind == op::Kind::kThreadExit; }

}  // namespace

FrameSnapshot& FrameSnapshotOf(const Fiber& fiber) { return frame_snapshots[fiber.id]; }

void FindStanding(const Fiber& self) {
  if (self.id >= kFrameSnapshots) return;
  FrameSnapshot& found = frame_snapshots[self.id];
  found.execution = g_execution;
  found.known = false;
  const auto end = reinterpret_cast<uintptr_t>(self.stack_begin) + self.stack_size;
  if (HasLeft(self)) {
    found = {g_execution, true, {}, end, kUnknownLoop};
    return;
  }
  Search search{self, found};
  {
    const OutsideExecution outside;
    _Unwind_Backtrace(LookAtFrame, &search);
  }
  found.loop = LoopOf(self);
  if (found.known) NeedClearStack(self, end - found.stack);
}

void FindAllStandings(Fiber& self) {
  for (op::ThreadId id = 0; id < g_used_fibers && id < kFrameSnapshots; ++id) {
    Fiber& fiber = g_fibers[id];
    const FrameSnapshot& snapshot = frame_snapshots[id];
    if (fiber.state != FiberState::kPublished) continue;
    if (snapshot.known && snapshot.execution == g_execution) continue;
    if (&fiber == &self) {
      FindStanding(self);
    } else if (!g_state.kernel_threads) {
      asks = &self;
      g_state.current = &fiber;
      heddle_switch_context(&self.stack_pointer, fiber.stack_pointer, fiber.thread_pointer);
    }
  }
}

// As deep as unwinding and DigestState go.
[[gnu::noinline]] void ClearDeadStack() {
  volatile uint64_t below[768];
  for (volatile uint64_t& word : below) word = 0;
}

void LookIfAsked(Fiber& self) {
  while (__builtin_expect(asks != nullptr, 0)) {
    Fiber& back = *asks;
    asks = nullptr;
    FindStanding(self);
    g_state.current = &back;
    heddle_switch_context(&self.stack_pointer, back.stack_pointer, back.thread_pointer);
  }
}

}  // namespace heddle::runtime
