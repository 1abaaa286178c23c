#include "runtime/prim/code_flow.h"

#include "runtime/prim/copy.h"

namespace heddle::runtime {
namespace {

// Sets of opcodes of one map, a bit each.
struct OpcodeSet {
  uint64_t words[4] = {};

  constexpr OpcodeSet& Add(unsigned first, unsigned last) {
    for (unsigned opcode = first; opcode <= last; ++opcode)
      words[opcode / 64] |= uint64_t{1} << opcode % 64;
    return *this;
  }
  constexpr bool Has(uint8_t opcode) const { return (words[opcode / 64] >> opcode % 64 & 1) != 0; }
};

// With one byte. What 64-bit mode does not have is in none of them, and taken for unknown.
constexpr OpcodeSet OneByteModRm() {
  OpcodeSet set;
  for (unsigned row = 0; row < 0x40; row += 8) set.Add(row, row + 3);
  return set.Add(0x63, 0x63)
      .Add(0x69, 0x69)
      .Add(0x6b, 0x6b)
      .Add(0x80, 0x81)
      .Add(0x83, 0x8f)
      .Add(0xc0, 0xc1)
      .Add(0xc6, 0xc7)
      .Add(0xd0, 0xd3)
      .Add(0xd8, 0xdf)
      .Add(0xf6, 0xf7)
      .Add(0xfe, 0xff);
}
constexpr OpcodeSet OneByteImmediate8() {
  OpcodeSet set;
  for (unsigned row = 4; row < 0x40; row += 8) set.Add(row, row);
  return set.Add(0x6a, 0x6b)
      .Add(0x80, 0x80)
      .Add(0x83, 0x83)
      .Add(0xa8, 0xa8)
      .Add(0xb0, 0xb7)
      .Add(0xc0, 0xc1)
      .Add(0xc6, 0xc6)
      .Add(0xcd, 0xcd)
      .Add(0xe4, 0xe7);
}
// As long as the operand, but not longer than four bytes.
constexpr OpcodeSet OneByteImmediate() {
  OpcodeSet set;
  for (unsigned row = 5; row < 0x40; row += 8) set.Add(row, row);
  return set.Add(0x68, 0x69).Add(0x81, 0x81).Add(0xa9, 0xa9).Add(0xc7, 0xc7);
}
constexpr OpcodeSet OneByteAlone() {
  OpcodeSet set;
  return set.Add(0x50, 0x5f)
      .Add(0x6c, 0x6f)
      .Add(0x90, 0x99)
      .Add(0x9b, 0x9f)
      .Add(0xa4, 0xa7)
      .Add(0xaa, 0xaf)
      .Add(0xc9, 0xc9)
      .Add(0xcc, 0xcc)
      .Add(0xd7, 0xd7)
      .Add(0xec, 0xef)
      .Add(0xf5, 0xf5)
      .Add(0xf8, 0xfd);
}
// Behind 0f, and in the first map of VEX and EVEX.
constexpr OpcodeSet TwoByteAlone() {
  OpcodeSet set;
  return set.Add(0x05, 0x06)
      .Add(0x08, 0x09)
      .Add(0x30, 0x33)
      .Add(0x77, 0x77)
      .Add(0xa0, 0xa2)
      .Add(0xa8, 0xaa)
      .Add(0xc8, 0xcf);
}
constexpr OpcodeSet TwoByteImmediate8() {
  OpcodeSet set;
  return set.Add(0x70, 0x73)
      .Add(0xa4, 0xa4)
      .Add(0xac, 0xac)
      .Add(0xba, 0xba)
      .Add(0xc2, 0xc2)
      .Add(0xc4, 0xc6);
}

constexpr OpcodeSet kOneByteModRm = OneByteModRm();
constexpr OpcodeSet kOneByteImmediate8 = OneByteImmediate8();
constexpr OpcodeSet kOneByteImmediate = OneByteImmediate();
constexpr OpcodeSet kOneByteAlone = OneByteAlone();
constexpr OpcodeSet kTwoByteAlone = TwoByteAlone();
constexpr OpcodeSet kTwoByteImmediate8 = TwoByteImmediate8();

class FlowReader {
 public:
  explicit FlowReader(uintptr_t pc) : at_(pc) {}

  CodeFlow Run() {
    Prefixes();
    flow_.flow = Opcode();
    flow_.next = at_;
    if (leads_) flow_.target += at_;
    return flow_;
  }

 private:
  uint8_t Byte() { return LoadAt<uint8_t>(reinterpret_cast<const char*>(at_++)); }

  void Prefixes() {
    for (;; ++at_) {
      const auto byte = LoadAt<uint8_t>(reinterpret_cast<const char*>(at_));
      const bool segment = byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e ||
                           byte == 0x64 || byte == 0x65;
      if (byte == 0x66)
        operand16_ = true;
      else if (byte == 0x67)
        address32_ = true;
      else if (!segment && byte != 0xf0 && byte != 0xf2 && byte != 0xf3)
        break;
    }
    const auto byte = LoadAt<uint8_t>(reinterpret_cast<const char*>(at_));
    if ((byte & 0xf0) != 0x40) return;
    wide_ = (byte & 8) != 0;
    ++at_;
  }

  // Returns the middle field, which is the register or part of the opcode.
  int ModRm() {
    const uint8_t byte = Byte();
    const int mode = byte >> 6;
    const int low = byte & 7;
    int base = low;
    if (mode != 3 && low == 4) base = Byte() & 7;
    if (mode == 1) at_ += 1;
    if (mode == 2 || (mode == 0 && base == 5)) at_ += 4;
    return byte >> 3 & 7;
  }

  Flow Leads(Flow flow, unsigned bytes) {
    const auto* place = reinterpret_cast<const char*>(at_);
    const int64_t by = bytes == 1 ? int64_t{LoadAt<int8_t>(place)} : LoadAt<int32_t>(place);
    flow_.target = static_cast<uintptr_t>(by);
    leads_ = true;
    at_ += bytes;
    return flow;
  }

  unsigned ImmediateBytes() const { return operand16_ && !wide_ ? 2 : 4; }

  Flow Opcode() {
    const uint8_t opcode = Byte();
    switch (opcode) {
      case 0x0f:
        return TwoBytes(Byte());
      case 0x62:
        return Vex(Byte() & 7, 2);
      case 0xc4:
        return Vex(Byte() & 0x1f, 1);
      case 0xc5:
        return Vex(1, 1);
      case 0xc2:
        at_ += 2;
        return Flow::kReturn;
      case 0xc3:
        return Flow::kReturn;
      case 0xc8:  // enter
        at_ += 3;
        return Flow::kNext;
      case 0xe8:
        return Leads(Flow::kCall, 4);
      case 0xe9:
        return Leads(Flow::kJump, 4);
      case 0xeb:
        return Leads(Flow::kJump, 1);
      case 0xf4:
        return Flow::kEnd;
      default:
        break;
    }
    if ((opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0) return Leads(Flow::kBranch, 1);
    if ((opcode & 0xfc) == 0xa0) {  // a whole address
      at_ += address32_ ? 4 : 8;
      return Flow::kNext;
    }
    if ((opcode & 0xf8) == 0xb8) {
      at_ += wide_ ? 8 : ImmediateBytes();
      return Flow::kNext;
    }
    if (!kOneByteModRm.Has(opcode) && !kOneByteImmediate8.Has(opcode) &&
        !kOneByteImmediate.Has(opcode) && !kOneByteAlone.Has(opcode))
      return Flow::kUnknown;
    const int what = kOneByteModRm.Has(opcode) ? ModRm() : 0;
    if (kOneByteImmediate8.Has(opcode)) at_ += 1;
    if (kOneByteImmediate.Has(opcode)) at_ += ImmediateBytes();
    if (opcode == 0xf6 && what < 2) at_ += 1;
    if (opcode == 0xf7 && what < 2) at_ += ImmediateBytes();
    if (opcode != 0xff) return Flow::kNext;
    if (what == 2 || what == 3) return Flow::kCall;
    return what == 4 || what == 5 ? Flow::kUnknown : Flow::kNext;
  }

  Flow TwoBytes(uint8_t opcode) {
    if ((opcode & 0xf0) == 0x80) return Leads(Flow::kBranch, 4);
    if (opcode == 0x38 || opcode == 0x3a) return Map(opcode == 0x38 ? 2 : 3, Byte());
    if (opcode == 0x0b || opcode == 0xb9 || opcode == 0xff) return Flow::kEnd;  // ud2, ud1, ud0
    return Map(1, opcode);
  }

  Flow Vex(unsigned map, unsigned more) {
    at_ += more;
    return map >= 1 && map <= 6 ? Map(map, Byte()) : Flow::kUnknown;
  }

  // 1: 0f; 2: 0f 38; 3: 0f 3a; those beyond have no immediate.
  Flow Map(unsigned map, uint8_t opcode) {
    if (map == 1 && kTwoByteAlone.Has(opcode)) return Flow::kNext;
    ModRm();
    if (map == 3 || (map == 1 && kTwoByteImmediate8.Has(opcode))) at_ += 1;
    return Flow::kNext;
  }

  uintptr_t at_;
  CodeFlow flow_;
  bool operand16_ = false, address32_ = false, wide_ = false;
  bool leads_ = false;
};

}  // namespace

CodeFlow FlowAt(uintptr_t pc) { return FlowReader(pc).Run(); }

}  // namespace heddle::runtime
