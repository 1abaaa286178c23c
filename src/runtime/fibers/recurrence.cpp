#include "runtime/fibers/recurrence.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unwind.h>

#include <algorithm>

#include "runtime/fibers/asm_registers.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

AsmRegisters g_asm_registers;

namespace {

uint64_t Fold(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

struct StateHash {
  const Fiber* fiber;
  uintptr_t pc;
  uint64_t hash;
  Frame* frame;  // is filled, too; null: not wanted
};

void Add(Frame& frame, uint64_t word) {
  if (frame.count < kFrameWords) frame.words[frame.count] = word;
  ++frame.count;
}

// At the frame of the program that made the call: the registers it will find again when the call
// returns (everything else is dead by the calling convention), and its stack from there up.
_Unwind_Reason_Code HashFrame(_Unwind_Context* context, void* argument) {
  auto* state = static_cast<StateHash*>(argument);
  if (_Unwind_GetIP(context) != state->pc) return _URC_NO_REASON;
  constexpr int kCalleeSaved[] = {3, 6, 12, 13, 14, 15};  // rbx rbp r12-r15 as DWARF numbers them
  uint64_t hash = state->pc;
  Frame* frame = state->frame;
  for (int number : kCalleeSaved) {
    hash = Fold(hash, _Unwind_GetGR(context, number));
    if (frame != nullptr) Add(*frame, _Unwind_GetGR(context, number));
  }
  // Of an asm statement all registers are alive; they lie below its frame.
  const bool in_asm = g_asm_registers.thread == state->fiber->id && g_asm_registers.pc == state->pc;
  const uintptr_t begin =
      in_asm ? reinterpret_cast<uintptr_t>(g_asm_registers.lowest) : _Unwind_GetCFA(context);
  const uintptr_t end =
      reinterpret_cast<uintptr_t>(state->fiber->stack_begin) + state->fiber->stack_size;
  hash = Fold(hash, begin);
  constexpr uintptr_t kMost =
      256 << 10;  // a deeper stack is not worth the time: no wait, never a wrong one
  if (begin < end && end - begin < kMost) {
    for (uintptr_t at = begin & ~uintptr_t{7}; at + 8 <= end; at += 8) {
      hash = Fold(hash, *reinterpret_cast<const uint64_t*>(at));
      if (frame != nullptr) Add(*frame, *reinterpret_cast<const uint64_t*>(at));
    }
    state->hash = hash | 1;
  }
  return _URC_END_OF_STACK;
}

bool stacks_are_compared;

uint64_t HashState(const Fiber& self, Frame* frame) {
  const OutsideExecution outside;
  stacks_are_compared = true;
  StateHash state{&self, self.pending.pc, 0, frame};
  _Unwind_Backtrace(HashFrame, &state);
  if (frame != nullptr && (state.hash == 0 || frame->count > kFrameWords)) frame->count = 0;
  return state.hash;
}

// Reads memory that may have been unmapped since it was written. A system call on the way of an
// event, but of a loop that has come round only: rt_sigprocmask looks at its first argument after
// it has copied the second.
class Reader {
 public:
  // The value at `write`, hashed if it is longer than a word. False: it cannot be read.
  bool Read(RecentWrite write, uint64_t& value) {
    const uintptr_t begin = write & ((uint64_t{1} << kAddressBits) - 1);
    const size_t size = write >> kAddressBits;
    if (!IsReadable(begin) || !IsReadable(begin + size - 1)) return false;
    const auto* bytes = reinterpret_cast<const char*>(begin);
    value = size;
    size_t at = 0;
    for (; at + 8 <= size; at += 8) value = Fold(value, LoadAt<uint64_t>(bytes + at));
    for (; at < size; ++at) value = Fold(value, LoadAt<uint8_t>(bytes + at));
    return true;
  }

 private:
  bool IsReadable(uintptr_t address) {
    constexpr uintptr_t kPageBytes = 4096;
    const uintptr_t page = address & ~(kPageBytes - 1);
    if (page == readable_page_) return true;
    constexpr long kNoSuchRequest = -1;
    constexpr long kSignalSetBytes = 8;
    const long answer =
        RawSyscall(SYS_rt_sigprocmask, kNoSuchRequest, static_cast<long>(page), 0, kSignalSetBytes);
    if (answer != -EINVAL) return false;
    readable_page_ = page;
    return true;
  }

  uintptr_t readable_page_ = 0;
};

}  // namespace

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
    const RecentWrite write = self.recent[n % kRecentWrites];
    uint64_t value;
    if (write != 0 && reader.Read(write, value)) cycle.values[cycle.value_count++] = {write, value};
  }
}

namespace {

bool IsPowerOfTwo(uint32_t n) { return (n & (n - 1)) == 0; }

Visit Take(const Fiber& self, Recurrence& cycle, uint64_t state) {
  cycle.state = state;
  cycle.taken_at = cycle.visits;
  cycle.out_of_date = false;
  TakeValues(self, cycle);
  return Visit::kTaken;
}

Visit Meet(const Fiber& self, Recurrence& cycle) {
  cycle.out_of_date = false;
  cycle.taken_at = cycle.visits;  // worth looking every time
  cycle.taken_written = self.written;
  return Visit::kMet;
}

}  // namespace

void BeginRecurrence(Recurrence& cycle, const Fiber& self, const op::Operation& operation,
                     uint32_t longest) {
  cycle = {.anchor = operation.pc,
           .object = operation.object,
           .longest = longest,
           .began = self.written,
           .values = cycle.values};
}

Visit VisitAnchor(const Fiber& self, Recurrence& cycle, bool idle, Frame* frame) {
  cycle.away = 0;
  ++cycle.visits;
  const bool take = !idle || cycle.out_of_date || IsPowerOfTwo(cycle.visits);
  if (!take && cycle.visits - cycle.taken_at > kPatience) return Visit::kOther;
  const bool restored = cycle.state != 0 && IsRestored(self, cycle);
  if (!take && !restored) return Visit::kOther;
  const bool first = cycle.visits == 1;
  const uint64_t state = HashState(self, restored || first ? frame : nullptr);
  if (restored && state == cycle.state) return Meet(self, cycle);
  return take ? Take(self, cycle, state) : Visit::kOther;
}

Visit VisitBusyAnchor(const Fiber& self, Recurrence& cycle, bool idle) {
  cycle.away = 0;
  if (++cycle.visits == 1) return Visit::kOther;
  const bool take = IsPowerOfTwo(cycle.visits);
  if (!take && cycle.visits - cycle.taken_at > kPatience) return Visit::kOther;
  if (cycle.taken_at == 0 || !idle || !IsRestored(self, cycle))
    return take ? Take(self, cycle, 0) : Visit::kOther;
  const uint64_t state = HashState(self, nullptr);
  if (state != 0 && state == cycle.state) return Meet(self, cycle);
  return take || cycle.state == 0 ? Take(self, cycle, state) : Visit::kOther;
}

bool StacksAreCompared() { return stacks_are_compared; }

void CopyFrame(Frame& to, const Frame& from) {
  to.count = from.count;
  std::copy_n(from.words, from.count, to.words);
}

bool IsRestored(const Fiber& self, const Recurrence& cycle) {
  const uint64_t count = self.written - cycle.taken_written;
  if (count > kRecentWrites) return false;
  Reader reader;
  uint32_t at = 0;  // a round writes in the same order as the one before
  for (uint64_t n = cycle.taken_written; n != self.written; ++n) {
    const RecentWrite write = self.recent[n % kRecentWrites];
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
