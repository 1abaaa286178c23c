#include "runtime/prim/value_use.h"

#include "runtime/prim/decode.h"
#include "runtime/prim/linkage.h"

namespace heddle::runtime {
namespace {

constexpr int kMostInstructions = 100;
constexpr int kMostPlaces = 8;

constexpr uint16_t Bit(int reg) { return static_cast<uint16_t>(1u << reg); }
// As the machine numbers them: rdi, rsi, rdx, rcx, r8, r9.
constexpr uint16_t kArguments = Bit(7) | Bit(6) | Bit(2) | Bit(1) | Bit(8) | Bit(9);
// rbx, rsp, rbp, r12 to r15.
constexpr uint16_t kKeptByCalls = Bit(3) | Bit(4) | Bit(5) | 0xf000;

// What the frame pointer points to may be anything, where it is a register like the others; in
// front of it lie variables.
bool IsOnFrame(const MemoryOperand& memory) {
  return !memory.relative && !memory.elsewhere &&
         (memory.base == kStackPointer ||
          (memory.base == kFramePointer && memory.displacement < 0));
}

// Where the value is: in these registers, and at these places of the frame.
class Holders {
 public:
  bool Empty() const { return registers_ == 0 && count_ == 0 && !in_flags; }
  uint16_t Registers() const { return registers_; }
  bool Holds(int reg) const { return reg != kNoRegister && (registers_ & Bit(reg)) != 0; }
  void KeepRegisters(uint16_t mask) { registers_ &= mask; }
  void SetRegisters(uint16_t mask) { registers_ |= mask; }
  bool Has(const MemoryOperand& memory) const {
    for (int i = 0; i < count_; ++i)
      if (Overlap(places_[i], memory)) return true;
    return false;
  }
  void Set(const MemoryOperand& memory) {
    if (count_ < kMostPlaces) places_[count_++] = memory;
  }
  void Clear(const MemoryOperand& memory) {
    for (int i = count_; i-- > 0;)
      if (Overlap(places_[i], memory)) places_[i] = places_[--count_];
  }
  void ClearPlaces() { count_ = 0; }
  // Where the other register says, which may be the same places.
  void ClearPlacesOfOtherThan(int base) {
    for (int i = count_; i-- > 0;)
      if (places_[i].base != base) places_[i] = places_[--count_];
  }
  // Do the flags tell of the value?
  bool in_flags = false;

 private:
  static bool Overlap(const MemoryOperand& a, const MemoryOperand& b) {
    return a.base == b.base && a.displacement < b.displacement + b.size &&
           b.displacement < a.displacement + a.size;
  }

  uint16_t registers_ = 0;
  int count_ = 0;
  MemoryOperand places_[kMostPlaces];
};

enum class Use : uint8_t { kNone, kUsed, kNotKnown };

// The effect of an instruction that is no call on who holds the value.
Use Follow(const Instruction& in, Holders& holders) {
  if (in.reads_flags && holders.in_flags) return Use::kUsed;
  if (in.flow != Flow::kNext || in.stack_shift != 0 || in.leaves_frame) return Use::kNotKnown;
  const MemoryOperand& memory = in.memory;
  const bool accesses = memory.read || memory.written;
  const bool on_frame = accesses && IsOnFrame(memory);
  const bool from_register = (in.reads & holders.Registers()) != 0;
  const bool from_place = on_frame && memory.read && holders.Has(memory);
  const bool from = from_register || from_place;
  if (accesses && (holders.Holds(memory.base) || holders.Holds(memory.index))) return Use::kUsed;
  if (from && in.flags != Flags::kKept && !in.picks_bits && !in.mixes_bits) return Use::kUsed;
  if (in.flags != Flags::kKept) holders.in_flags = from;
  // What is moved holds the value, too; what else is written does no more. A conditional move may
  // leave what was there.
  const bool holds = from && !in.mixes_bits && !in.reads_flags;
  holders.KeepRegisters(static_cast<uint16_t>(~in.changes));
  if (memory.written && on_frame) {
    holders.Clear(memory);
    holders.ClearPlacesOfOtherThan(memory.base);
    if (holds) holders.Set(memory);
  } else if (memory.written && !memory.relative) {
    holders.ClearPlaces();
  }
  if ((in.changes & Bit(kFramePointer)) != 0) holders.ClearPlacesOfOtherThan(kStackPointer);
  if (holds) holders.SetRegisters(in.writes);
  return Use::kNone;
}

bool IsPlainStep(const Instruction& in) {
  return in.flow == Flow::kNext && in.stack_shift == 0 && !in.leaves_frame;
}

bool IsSamePlace(const MemoryOperand& a, const MemoryOperand& b) {
  return a.relative == b.relative && !a.elsewhere && !b.elsewhere && a.base == b.base &&
         a.displacement == b.displacement;
}

// A call that heddle-cc puts behind those of hooks, where a file has asm statements.
bool ClearsRegisters(const Instruction& in) {
  return in.flow == Flow::kCall && NameOfCallee(in.target).starts_with("heddle_clear_");
}

// The instruction that makes the read that was announced, from `pc` on; null: there is none, or
// several might. Not every read is announced: of addresses and numbers in tables, and what is
// written next. The compiler may make it first.
Instruction FindRead(uintptr_t pc, uintptr_t address, size_t size) {
  Instruction found;
  for (int i = 0; i < kMostInstructions; ++i) {
    const uintptr_t at = pc;
    const Instruction in = Decode(at);
    pc = in.next;
    if (i == 0 && ClearsRegisters(in)) continue;  // heddle-cc has put it behind the announcement
    if (BehindOwnCall(at) != 0 || !IsPlainStep(in)) break;
    const MemoryOperand& memory = in.memory;
    if (!memory.read || IsOnFrame(memory) || memory.size > size) continue;
    if (memory.relative && static_cast<uintptr_t>(memory.displacement) - address >= size) continue;
    if (found.next != 0 && !IsSamePlace(memory, found.memory)) return {};
    if (found.next == 0) found = in;
  }
  return found;
}

}  // namespace

bool UsesReadValue(uintptr_t pc, uintptr_t address, size_t size) {
  const Instruction read = FindRead(pc, address, size);
  if (read.next == 0) return false;
  if (read.flags != Flags::kKept && !read.picks_bits && !read.mixes_bits) return true;
  Holders holders;
  holders.in_flags = read.flags != Flags::kKept;
  if (!read.reads_flags && !read.mixes_bits) holders.SetRegisters(read.changes);
  pc = read.next;
  for (int i = 0; i < kMostInstructions; ++i) {
    if (holders.Empty()) return false;
    const Instruction in = Decode(pc);
    const uintptr_t behind = BehindOwnCall(pc);
    if (behind == 0 && in.flow != Flow::kCall) {
      const Use use = Follow(in, holders);
      if (use != Use::kNone) return use == Use::kUsed;
      pc = in.next;
      continue;
    }
    if (behind == 0 && (holders.Registers() & kArguments) != 0) return false;
    // What is called may write where the frame's variables are.
    if (behind == 0 && !IsAnnouncement(NameOfCallee(in.target)) && !ClearsRegisters(in))
      holders.ClearPlaces();
    holders.KeepRegisters(kKeptByCalls);
    holders.in_flags = false;
    pc = behind != 0 ? behind : in.next;
  }
  return false;
}

}  // namespace heddle::runtime
