#include "runtime/loops/recurrence.h"

#include <unwind.h>

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "channel/channel.h"
#include "runtime/control.h"
#include "runtime/fibers/asm_registers.h"
#include "runtime/fibers/pool.h"
#include "runtime/memory/program_heap.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/kept_registers.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"
#include "runtime/prim/readable.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

[[HEDDLE_OF_EXECUTION]] AsmRegisters g_asm_registers;

namespace {

using base::Fold;

struct StateHash {
  const Fiber* fiber;
  uintptr_t pc;
  uint64_t hash;
  size_t stack_bytes;  // that are part of it
  DeadMemory* dead;    // is filled, and left out like the registers; null: nothing is left out
};

// What of the state of a thread that will find these registers is dead.
uint16_t FindDeadParts(const StateHash& state, uintptr_t stack, uintptr_t frame) {
  const bool is_frame = frame - stack <= uint64_t{kLargestFrame};
  const DeadState& found =
      DeadAt(state.pc, is_frame ? static_cast<int64_t>(frame - stack) : kNoFrame);
  DeadMemory& dead = *state.dead;
  dead.calls = found.calls;
  dead.run_out = found.run_out;
  for (uint32_t i = 0; i < found.count; ++i) {
    const DeadRange& range = found.ranges[i];
    const uintptr_t begin = static_cast<uintptr_t>(range.begin) + (range.on_stack ? stack : 0);
    dead.ranges[dead.count++] = {begin, begin + range.size};
  }
  // What the loop waits for is read; and what a compare-exchange looks for, but its operation tells
  // that if it is not too long.
  const op::Operation& operation = state.fiber->pending;
  const bool tells =
      operation.kind != op::Kind::kAtomicCompareExchange || operation.size <= sizeof(op::Level);
  if (tells && !dead.Touches(operation.object, operation.size)) return found.registers;
  dead.count = 0;
  return 0;
}

// The word at `at` without its dead bytes.
uint64_t LiveWord(uintptr_t at, const DeadMemory& dead) {
  auto word = *reinterpret_cast<const uint64_t*>(at);
  if (!dead.Touches(at, sizeof word)) return word;
  for (uint32_t byte = 0; byte < sizeof word; ++byte)
    if (dead.Has(at + byte, 1)) word &= ~(uint64_t{0xff} << (8 * byte));
  return word;
}

// At the frame of the program that made the call: the registers it will find again when the call
// returns (everything else is dead by the calling convention), and its stack from there up.
_Unwind_Reason_Code HashFrame(_Unwind_Context* context, void* argument) {
  auto* state = static_cast<StateHash*>(argument);
  if (_Unwind_GetIP(context) != state->pc) return _URC_NO_REASON;
  uint64_t hash = state->pc;
  // Of an asm statement all registers are alive; they lie below its frame.
  const bool in_asm = g_asm_registers.thread == state->fiber->id && g_asm_registers.pc == state->pc;
  uint16_t dead = 0;
  if (state->dead != nullptr && !in_asm) {
    dead = FindDeadParts(*state, _Unwind_GetCFA(context),
                         _Unwind_GetGR(context, kKeptFramePointer.unwinder));
    // States of which other parts are left out are not compared.
    hash = Fold(hash, dead);
    hash = Fold(hash, state->fiber->pending.other);
    hash = Fold(hash, state->fiber->pending.operand);
    for (uint32_t i = 0; i < state->dead->count; ++i)
      hash = Fold(hash, state->dead->ranges[i].begin ^ state->dead->ranges[i].end << 20);
  }
  const bool has_dead_memory = state->dead != nullptr && state->dead->count != 0;
  for (const KeptRegister& kept : kKeptRegisters) {
    if ((dead >> kept.machine & 1) != 0) continue;
    const uint64_t value = _Unwind_GetGR(context, kept.unwinder);
    hash = Fold(hash, value);
  }
  const uintptr_t begin =
      in_asm ? reinterpret_cast<uintptr_t>(g_asm_registers.lowest) : _Unwind_GetCFA(context);
  const uintptr_t end =
      reinterpret_cast<uintptr_t>(state->fiber->stack_begin) + state->fiber->stack_size;
  hash = Fold(hash, begin);
  // A deeper stack is not worth the time: no wait, never a wrong one.
  constexpr uintptr_t kMost = 256 << 10;
  if (begin < end && end - begin < kMost) {
    for (uintptr_t at = RoundDown(begin, 8); at + 8 <= end; at += 8) {
      hash = Fold(hash, has_dead_memory ? LiveWord(at, *state->dead)
                                        : *reinterpret_cast<const uint64_t*>(at));
    }
    state->stack_bytes = end - RoundDown(begin, 8);
    state->hash = hash | 1;
  }
  return _URC_END_OF_STACK;
}

// In its callers: each frame in between costs the unwinder a twentieth of the time.
[[gnu::always_inline]] inline uint64_t HashState(const Fiber& self, DeadMemory* dead) {
  StateHash state{&self, self.pending.pc, 0, 0, dead};
  {
    const OutsideExecution outside;
    _Unwind_Backtrace(HashFrame, &state);
  }
  NeedClearStack(self, state.stack_bytes);
  const uint64_t lists = g_program_heap.ListsHashOf(self.id);
  return lists == 0 || state.hash == 0 ? state.hash : Fold(state.hash, lists) | 1;
}

uintptr_t AddressOf(RecentWrite write) { return write & ((uint64_t{1} << kWriteAddressBits) - 1); }
size_t SizeOf(RecentWrite write) { return write >> kWriteAddressBits; }

// Reads memory that may have been unmapped since it was written. A system call on the way of an
// event, but of a loop that has come round only.
class Reader {
 public:
  // The value at `write`, hashed if it is longer than a word. False: it cannot be read.
  bool Read(RecentWrite write, uint64_t& value) {
    const uintptr_t begin = AddressOf(write);
    const size_t size = SizeOf(write);
    if (!CanRead(write)) return false;
    const auto* bytes = reinterpret_cast<const char*>(begin);
    value = size;
    size_t at = 0;
    for (; at + 8 <= size; at += 8) value = Fold(value, LoadAt<uint64_t>(bytes + at));
    for (; at < size; ++at) value = Fold(value, LoadAt<uint8_t>(bytes + at));
    return true;
  }

 private:
  bool CanRead(RecentWrite write) {
    return IsByteReadable(AddressOf(write)) && IsByteReadable(AddressOf(write) + SizeOf(write) - 1);
  }

  bool IsByteReadable(uintptr_t address) {
    const uintptr_t page = address & ~(kPageBytes - 1);
    if (page == readable_page_) return true;
    if (!IsReadable(page)) return false;
    readable_page_ = page;
    return true;
  }

  uintptr_t readable_page_ = 0;
};

}  // namespace

uint64_t LiveStateOf(const Fiber& self, DeadMemory& dead) {
  dead.count = 0;
  return HashState(self, &dead);
}

uint64_t StateOf(const Fiber& self) { return HashState(self, nullptr); }

void TakeValues(const Fiber& self, Recurrence& cycle) {
  cycle.taken_written = self.written;
  cycle.value_count = 0;
  const uint64_t count = std::min<uint64_t>(self.written - cycle.began, kRecentWrites);
  if (count == 0) return;
  if (cycle.values == nullptr) {
    cycle.values =
        static_cast<WrittenValue*>(g_state.bump.Take(kRecentWrites * sizeof(WrittenValue)));
  }
  Reader reader;
  for (uint64_t n = self.written - count; n != self.written; ++n) {
    const RecentWrite write = self.windows.recent[n % kRecentWrites];
    uint64_t value;
    if (write != 0 && reader.Read(write, value)) cycle.values[cycle.value_count++] = {write, value};
  }
}

namespace {

bool IsPowerOfTwo(uint32_t n) { return (n & (n - 1)) == 0; }

Visit Take(const Fiber& self, Recurrence& cycle, uint64_t state) {
  cycle.state = state;
  cycle.taken_at = cycle.visits;
  cycle.stale_at = self.stale_reads;
  cycle.out_of_date = false;
  TakeValues(self, cycle);
  return Visit::kTaken;
}

// Of the thread at its anchor. What of it is dead says whether its rounds can run out.
uint64_t LiveState(const Fiber& self, Recurrence& cycle) {
  DeadMemory dead;
  const uint64_t state = HashState(self, &dead);
  cycle.run_out = dead.run_out;
  return state;
}

Visit Meet(const Fiber& self, Recurrence& cycle) {
  cycle.out_of_date = false;
  cycle.taken_at = cycle.visits;  // worth looking every time
  cycle.met_stale = self.stale_reads != cycle.stale_at;
  cycle.stale_at = self.stale_reads;
  cycle.taken_written = self.written;
  return Visit::kMet;
}

}  // namespace

void BeginRecurrence(Recurrence& cycle, const Fiber& self, const op::Operation& operation,
                     uint32_t longest) {
  cycle = {.began = self.written, .longest = longest, .values = cycle.values};
  SetAnchor(cycle, operation);
}

Visit VisitAnchor(const Fiber& self, Recurrence& cycle, bool idle, bool live) {
  cycle.away = 0;
  cycle.yield = 0;
  ++cycle.visits;
  const bool take = !idle || cycle.out_of_date || IsPowerOfTwo(cycle.visits);
  if (!take && cycle.visits - cycle.taken_at > kPatience) return Visit::kOther;
  const bool restored = cycle.state != 0 && IsRestored(self, cycle);
  if (!take && !restored) return Visit::kOther;
  const uint64_t state = live ? LiveState(self, cycle) : StateOf(self);
  if (restored && state == cycle.state) return Meet(self, cycle);
  return take ? Take(self, cycle, state) : Visit::kOther;
}

Visit VisitBusyAnchor(const Fiber& self, Recurrence& cycle, bool idle, bool live) {
  cycle.away = 0;
  cycle.yield = 0;
  if (++cycle.visits == 1) return Visit::kOther;
  const bool take = IsPowerOfTwo(cycle.visits);
  if (!take && cycle.visits - cycle.taken_at > kPatience) return Visit::kOther;
  if (cycle.taken_at == 0 || !idle || !IsRestored(self, cycle))
    return take ? Take(self, cycle, 0) : Visit::kOther;
  const uint64_t state = live ? LiveState(self, cycle) : StateOf(self);
  if (state != 0 && state == cycle.state) return Meet(self, cycle);
  return take || cycle.state == 0 ? Take(self, cycle, state) : Visit::kOther;
}

bool IdleForLong(Recurrence& cycle, bool idle, uint32_t times) {
  // The first visit ends a round of which nothing was noted.
  cycle.idle_rounds = idle && cycle.visits > 1 ? cycle.idle_rounds + 1 : 0;
  return cycle.idle_rounds / times > ChannelHeader().settings.idle_rounds;
}

bool IsRestored(const Fiber& self, const Recurrence& cycle, const DeadMemory& dead) {
  const uint64_t count = self.written - cycle.taken_written;
  if (count > kRecentWrites) return false;
  Reader reader;
  uint32_t at = 0;  // a round writes in the same order as the one before
  for (uint64_t n = cycle.taken_written; n != self.written; ++n) {
    const RecentWrite write = self.windows.recent[n % kRecentWrites];
    if (dead.Has(AddressOf(write), SizeOf(write))) continue;
    uint32_t looked_at = 0;
    while (looked_at < cycle.value_count && cycle.values[at].write != write) {
      at = at + 1 == cycle.value_count ? 0 : at + 1;
      ++looked_at;
    }
    uint64_t value;
    if (looked_at == cycle.value_count || !reader.Read(write, value) ||
        value != cycle.values[at].value) {
      return false;
    }
  }
  return true;
}

}  // namespace heddle::runtime
