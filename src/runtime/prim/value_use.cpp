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

bool IsOnFrame(const MemoryOperand& memory) {
  return !memory.relative && !memory.elsewhere &&
         (memory.base == kStackPointer || memory.base == kFramePointer);
}

// Where the value is: in these registers, and at these places of the frame.
class Holders {
 public:
  bool Empty() const { return registers_ == 0 && count_ == 0; }
  uint16_t Registers() const { return registers_; }
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
  if (in.flow != Flow::kNext || in.stack_shift != 0 || in.leaves_frame) return Use::kNotKnown;
  const MemoryOperand& memory = in.memory;
  const bool accesses = memory.read || memory.written;
  const bool on_frame = accesses && IsOnFrame(memory);
  const bool from_register = (in.reads & holders.Registers()) != 0;
  const bool from_place = on_frame && memory.read && holders.Has(memory);
  if (accesses && memory.base != kNoRegister && (holders.Registers() & Bit(memory.base)) != 0)
    return Use::kUsed;
  if ((from_register || from_place) && in.flags != Flags::kKept) return Use::kUsed;
  // What is moved holds the value, too; what else is written does no more.
  holders.KeepRegisters(static_cast<uint16_t>(~in.changes));
  if (on_frame && memory.written) holders.Clear(memory);
  if (from_register && memory.written && on_frame) holders.Set(memory);
  if (from_register || from_place) holders.SetRegisters(in.writes);
  return Use::kNone;
}

}  // namespace

bool UsesReadValue(uintptr_t pc) {
  Holders holders;
  bool read = false;
  for (int i = 0; i < kMostInstructions; ++i) {
    const Instruction in = Decode(pc);
    if (const uintptr_t behind = BehindOwnCall(pc); behind != 0 || in.flow == Flow::kCall) {
      const bool passes = behind == 0 && (holders.Registers() & kArguments) != 0;
      if (!read || passes) return false;
      holders.KeepRegisters(kKeptByCalls);
      pc = behind != 0 ? behind : in.next;
    } else if (!read) {
      // The access that was announced is the first that is not to the frame.
      if (in.flow != Flow::kNext || in.stack_shift != 0 || in.leaves_frame) return false;
      pc = in.next;
      if (!in.memory.read || IsOnFrame(in.memory)) continue;
      if (in.flags != Flags::kKept) return true;
      read = true;
      holders.SetRegisters(in.writes);
    } else {
      const Use use = Follow(in, holders);
      if (use != Use::kNone) return use == Use::kUsed;
      pc = in.next;
    }
    if (read && holders.Empty()) return false;
  }
  return false;
}

}  // namespace heddle::runtime
