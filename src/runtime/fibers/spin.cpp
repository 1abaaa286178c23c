#include "runtime/fibers/spin.h"

#include <unwind.h>

#include "runtime/fibers/scheduler.h"
#include "runtime/fibers/table.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

uint64_t Fold(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

struct StateHash {
  const Fiber* fiber;
  uintptr_t pc;
  uint64_t hash;
};

// At the frame of the program that made the call: the registers it will find again when the call returns (everything
// else is dead by the calling convention), and its stack from there up.
_Unwind_Reason_Code HashFrame(_Unwind_Context* context, void* argument) {
  auto* state = static_cast<StateHash*>(argument);
  if (_Unwind_GetIP(context) != state->pc) return _URC_NO_REASON;
  constexpr int kCalleeSaved[] = {3, 6, 12, 13, 14, 15};  // rbx rbp r12-r15 as DWARF numbers them
  uint64_t hash = state->pc;
  for (int number : kCalleeSaved) hash = Fold(hash, _Unwind_GetGR(context, number));
  const uintptr_t begin = _Unwind_GetCFA(context);
  const uintptr_t end = reinterpret_cast<uintptr_t>(state->fiber->stack_begin) + state->fiber->stack_size;
  hash = Fold(hash, begin);
  constexpr uintptr_t kMost = 256 << 10;  // a deeper stack is not worth the time: no wait, never a wrong one
  if (begin < end && end - begin < kMost) {
    for (uintptr_t at = begin & ~uintptr_t{7}; at + 8 <= end; at += 8)
      hash = Fold(hash, *reinterpret_cast<const uint64_t*>(at));
    state->hash = hash | 1;
  }
  return _URC_END_OF_STACK;
}

uint64_t HashState(const Fiber& self) {
  const OutsideExecution outside;
  StateHash state{&self, self.pending.pc, 0};
  _Unwind_Backtrace(HashFrame, &state);
  return state.hash;
}

}  // namespace

void BlockIfSpinning(Fiber& self) {
  SpinWindow& spin = self.spin;
  if (self.local || spin.count > kSpinReads) return;
  const uint64_t state = HashState(self);
  bool unchanged = state != 0 && state == spin.state;
  for (uint32_t i = 0; i < spin.count && unchanged; ++i) unchanged = spin.reads[i]->version == spin.versions[i];
  if (!unchanged) {
    spin.state = state;
    spin.count = 0;
    return;
  }
  self.spinning = true;
  for (uint32_t i = 0; i < spin.count; ++i) ++spin.reads[i]->spinners;
  SetSpinning(self, true);
}

void WakeSpinners(Object& object) {
  for (uint32_t id = 0; id < g_used_fibers && object.spinners != 0; ++id) {
    Fiber& fiber = g_fibers[id];
    if (fiber.state != FiberState::kPublished || !fiber.spinning) continue;
    bool waits = false;
    for (uint32_t i = 0; i < fiber.spin.count; ++i) waits |= fiber.spin.reads[i] == &object;
    if (!waits) continue;
    for (uint32_t i = 0; i < fiber.spin.count; ++i) --fiber.spin.reads[i]->spinners;
    fiber.spinning = false;
    fiber.spin.count = 0;
    SetSpinning(fiber, false);
  }
}

}  // namespace heddle::runtime
