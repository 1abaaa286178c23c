#include "runtime/prim/decode.h"

#include "runtime/prim/copy.h"

namespace heddle::runtime {
namespace {

constexpr uint16_t Bit(int reg) { return static_cast<uint16_t>(1u << reg); }

class Decoder {
 public:
  explicit Decoder(uintptr_t pc) : at_(pc) {}

  Instruction Run() {
    if (!Body()) return {};
    in_.next = at_;
    if (in_.memory.relative) in_.memory.displacement += static_cast<int64_t>(at_);
    const bool leads =
        in_.flow == Flow::kJump || in_.flow == Flow::kBranch || in_.flow == Flow::kCall;
    if (leads) in_.target += at_;
    in_.reads_flags |= in_.flow == Flow::kBranch;
    // What moves the stack to nobody knows where gives operands another meaning.
    if ((in_.changes & Bit(kStackPointer)) != 0) return {};
    return in_;
  }

 private:
  uint8_t Byte() { return LoadAt<uint8_t>(reinterpret_cast<const char*>(at_++)); }
  int64_t Signed8() { return static_cast<int8_t>(Byte()); }
  int64_t Signed32() {
    const auto value = LoadAt<int32_t>(reinterpret_cast<const char*>(at_));
    at_ += 4;
    return value;
  }

  void ReadsReg(int reg, unsigned size) { in_.reads |= Bit(OfByte(reg, size)); }
  // Writes of less than 32 bits leave the rest as it was: as good as read.
  void WritesReg(int reg, unsigned size) {
    const uint16_t bit = Bit(OfByte(reg, size));
    in_.changes |= bit;
    (size >= 4 ? in_.writes : in_.reads) |= bit;
  }
  // Without a REX prefix the byte registers 4 .. 7 are the second bytes of 0 .. 3.
  int OfByte(int reg, unsigned size) const {
    return size == 1 && !rex_ && reg >= 4 && reg < 8 ? reg - 4 : reg;
  }

  // The operand that a ModRM byte names; reg_ is the other one, or part of the opcode.
  void ModRm() {
    const uint8_t byte = Byte();
    const int mode = byte >> 6;
    reg_ = (byte >> 3 & 7) | (rex_r_ ? 8 : 0);
    const int low = byte & 7;
    is_memory_ = mode != 3;
    if (!is_memory_) {
      rm_ = low | (rex_b_ ? 8 : 0);
      return;
    }
    MemoryOperand& memory = in_.memory;
    if (low == 4) {
      const uint8_t sib = Byte();
      const int index = (sib >> 3 & 7) | (rex_x_ ? 8 : 0);
      const int base = sib & 7;
      if (index != kStackPointer) {
        memory.elsewhere = true;
        memory.index = index;
        in_.reads |= Bit(index);
      }
      if (base == 5 && mode == 0) {
        memory.elsewhere = true;
        Signed32();
        return;
      }
      memory.base = base | (rex_b_ ? 8 : 0);
    } else if (low == 5 && mode == 0) {
      memory.relative = true;
      memory.displacement = Signed32();
      return;
    } else {
      memory.base = low | (rex_b_ ? 8 : 0);
    }
    in_.reads |= Bit(memory.base);
    if (mode == 1) memory.displacement = Signed8();
    if (mode == 2) memory.displacement = Signed32();
  }

  void Rm(unsigned size, bool read, bool written) {
    if (is_memory_) {
      in_.memory.size = static_cast<uint8_t>(size);
      in_.memory.read = read;
      in_.memory.written = written;
      return;
    }
    if (read) ReadsReg(rm_, size);
    if (written) WritesReg(rm_, size);
  }

  void Immediate(unsigned size) { at_ += size == 8 ? 4 : size; }

  // Of which the machine pushes or pops eight bytes.
  void StackSlot(int64_t displacement, bool written) {
    in_.memory = {.base = kStackPointer,
                  .displacement = displacement,
                  .size = 8,
                  .read = !written,
                  .written = written};
    in_.stack_shift = written ? -8 : 8;
  }

  // add and sub of a number to the stack pointer. Returns true if it is one.
  bool MovesStack(uint8_t what, unsigned size, unsigned immediate) {
    constexpr uint8_t kAdd = 0, kSub = 5;
    if (is_memory_ || rm_ != kStackPointer || size != 8 || (what != kAdd && what != kSub))
      return false;
    const int64_t by = immediate == 1 ? Signed8() : Signed32();
    in_.stack_shift = what == kAdd ? by : -by;
    in_.flags = Flags::kWritten;
    return true;
  }

  // As the opcode, or its ModRM byte, numbers them.
  void NoteBitwise(int what) {
    constexpr int kOr = 1, kAnd = 4, kXor = 6;
    in_.picks_bits = what == kAnd;
    in_.mixes_bits = what == kOr || what == kXor;
  }

  // add, or, and, sub, xor, cmp by their number in the opcode; adc and sbb read flags, but no more.
  bool Arithmetic(uint8_t opcode) {
    constexpr uint8_t kXor = 6, kCompare = 7;
    const uint8_t what = opcode >> 3;
    const unsigned size = (opcode & 1) != 0 ? Size() : 1;
    in_.flags = Flags::kWritten;
    NoteBitwise(what);
    if ((opcode & 7) >= 4) {
      ReadsReg(0, size);
      if (what != kCompare) WritesReg(0, size);
      Immediate(size);
      return true;
    }
    ModRm();
    if (what == kXor && !is_memory_ && rm_ == reg_ && size >= 4) {
      WritesReg(rm_, size);
      return true;
    }
    const bool to_reg = (opcode & 2) != 0;
    ReadsReg(reg_, size);
    Rm(size, true, what != kCompare && !to_reg);
    if (what != kCompare && to_reg) WritesReg(reg_, size);
    return true;
  }

  bool TwoBytes() {
    const uint8_t opcode = Byte();
    if (opcode >= 0x80 && opcode <= 0x8f) {
      in_.flow = Flow::kBranch;
      in_.target = static_cast<uintptr_t>(Signed32());
      return !operand16_;
    }
    if (opcode >= 0x90 && opcode <= 0x9f) {  // setcc
      in_.reads_flags = true;
      ModRm();
      Rm(1, false, true);
      return true;
    }
    if (opcode >= 0x40 && opcode <= 0x4f) {  // cmovcc: writes what it read, or what was there
      in_.reads_flags = true;
      ModRm();
      Rm(Size(), true, false);
      ReadsReg(reg_, Size());
      WritesReg(reg_, Size());
      return true;
    }
    switch (opcode) {
      case 0x0b:  // ud2
        in_.flow = Flow::kEnd;
        return true;
      case 0xaf:  // imul
        ModRm();
        Rm(Size(), true, false);
        ReadsReg(reg_, Size());
        WritesReg(reg_, Size());
        in_.flags = Flags::kWritten;
        return true;
      case 0x1f:  // nop
        ModRm();
        in_.memory = {};
        in_.reads = 0;
        return true;
      case 0xb6:
      case 0xb7:
      case 0xbe:
      case 0xbf: {  // movzx, movsx
        ModRm();
        Rm((opcode & 1) != 0 ? 2 : 1, true, false);
        WritesReg(reg_, Size());
        return true;
      }
      default:
        return false;
    }
  }

  bool Body() {
    uint8_t opcode = Byte();
    bool segment = false;
    for (;; opcode = Byte()) {
      if (opcode == 0x66)
        operand16_ = true;
      else if (opcode == 0x2e)  // of no effect but on branches
        segment = true;
      else
        break;
    }
    if (opcode == 0xf3) {
      in_.flow = Flow::kNext;
      opcode = Byte();
      if (opcode == 0x90) return true;  // pause
      if (opcode == 0xc3) {             // ret
        in_.flow = Flow::kReturn;
        return true;
      }
      return opcode == 0x0f && Byte() == 0x1e && Byte() == 0xfa;  // endbr64
    }
    if (opcode >= 0x40 && opcode <= 0x4f) {
      rex_ = true;
      rex_w_ = (opcode & 8) != 0;
      rex_r_ = (opcode & 4) != 0;
      rex_x_ = (opcode & 2) != 0;
      rex_b_ = (opcode & 1) != 0;
      opcode = Byte();
    }
    in_.flow = Flow::kNext;
    if (segment && opcode != 0x0f && opcode != 0x90) return false;
    if (opcode < 0x40 && (opcode & 7) < 6) {
      const uint8_t what = opcode >> 3;
      return what != 2 && what != 3 && Arithmetic(opcode);
    }
    if (opcode >= 0x50 && opcode <= 0x5f) {  // push, pop
      const int reg = (opcode & 7) | (rex_b_ ? 8 : 0);
      const bool push = opcode < 0x58;
      if (operand16_ || (reg == kStackPointer && !push)) return false;
      StackSlot(push ? -8 : 0, push);
      if (push)
        ReadsReg(reg, 8);
      else
        WritesReg(reg, 8);
      return true;
    }
    if (opcode >= 0x70 && opcode <= 0x7f) {
      in_.flow = Flow::kBranch;
      in_.target = static_cast<uintptr_t>(Signed8());
      return !operand16_;
    }
    if (opcode >= 0xb0 && opcode <= 0xb7) {  // mov of an immediate byte
      WritesReg((opcode & 7) | (rex_b_ ? 8 : 0), 1);
      ++at_;
      return true;
    }
    if (opcode >= 0xb8 && opcode <= 0xbf) {  // mov of an immediate
      WritesReg((opcode & 7) | (rex_b_ ? 8 : 0), Size());
      at_ += Size();
      return true;
    }
    return opcode == 0x0f ? TwoBytes() : OneByte(opcode);
  }

  // Those of one byte whose code holds no register, condition or kind of arithmetic.
  bool OneByte(uint8_t opcode) {
    switch (opcode) {
      case 0x63:  // movsxd
        ModRm();
        Rm(4, true, false);
        WritesReg(reg_, Size());
        return true;
      case 0x80:
      case 0x81:
      case 0x83: {
        const unsigned size = opcode == 0x80 ? 1 : Size();
        ModRm();
        const int what = reg_ & 7;
        if (MovesStack(static_cast<uint8_t>(what), size, opcode == 0x81 ? 4 : 1)) return true;
        in_.flags = Flags::kWritten;
        NoteBitwise(what);
        Rm(size, true, what != 7);
        Immediate(opcode == 0x81 ? size : 1);
        return what != 2 && what != 3;
      }
      case 0x84:
      case 0x85:
      case 0x88:
      case 0x89:
      case 0x8a:
      case 0x8b: {
        const unsigned size = (opcode & 1) != 0 ? Size() : 1;
        if (opcode <= 0x85) in_.flags = Flags::kWritten;
        ModRm();
        if (opcode >= 0x8a) {
          Rm(size, true, false);
          WritesReg(reg_, size);
        } else {
          ReadsReg(reg_, size);
          Rm(size, opcode <= 0x85, opcode >= 0x88);
        }
        return true;
      }
      case 0x8d:  // lea
        ModRm();
        if (is_memory_ && reg_ == kStackPointer && in_.memory.base == kStackPointer &&
            !in_.memory.elsewhere && Size() == 8) {
          in_.stack_shift = in_.memory.displacement;
          in_.memory = {};
          return true;
        }
        in_.memory = {};
        WritesReg(reg_, Size());
        return is_memory_;
      case 0x90:
        return !rex_b_;
      case 0x98:  // cltq
        ReadsReg(0, Size());
        WritesReg(0, Size());
        return true;
      case 0x99:  // cltd
        ReadsReg(0, Size());
        WritesReg(2, Size());
        return true;
      case 0xa8:
      case 0xa9:
        in_.flags = Flags::kWritten;
        ReadsReg(0, 4);
        Immediate(opcode == 0xa8 ? 1 : Size());
        return true;
      case 0x6a:  // push of a number
      case 0x68:
        Immediate(opcode == 0x6a ? 1 : 4);
        StackSlot(-8, true);
        return !operand16_;
      case 0xc0:
      case 0xc1:
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3: {  // shifts and rotations: by 0 they leave the flags as they were
        const unsigned size = (opcode & 1) != 0 ? Size() : 1;
        ModRm();
        Rm(size, true, true);
        if (opcode <= 0xc1) Immediate(1);
        if (opcode >= 0xd2) ReadsReg(1, 1);
        in_.flags = Flags::kChanged;
        in_.picks_bits = true;
        const int what = reg_ & 7;
        return what != 2 && what != 3;  // rcl, rcr
      }
      case 0xc3:
        in_.flow = Flow::kReturn;
        return true;
      case 0xc9:  // leave
        in_.memory = {.base = kFramePointer, .size = 8, .read = true};
        ReadsReg(kFramePointer, 8);
        WritesReg(kFramePointer, 8);
        in_.leaves_frame = true;
        return !operand16_;
      case 0xf4:  // hlt
        in_.flow = Flow::kEnd;
        return true;
      case 0xfe:
      case 0xff: {  // inc, dec; calls and jumps to where a register says are not known
        const unsigned size = (opcode & 1) != 0 ? Size() : 1;
        ModRm();
        Rm(size, true, true);
        in_.flags = Flags::kChanged;
        return (reg_ & 7) <= 1;
      }
      case 0xc6:
      case 0xc7: {
        const unsigned size = opcode == 0xc6 ? 1 : Size();
        ModRm();
        Rm(size, false, true);
        Immediate(size);
        return (reg_ & 7) == 0;
      }
      case 0xe8:
        in_.flow = Flow::kCall;
        in_.target = static_cast<uintptr_t>(Signed32());
        return !operand16_;
      case 0xe9:
      case 0xeb:
        in_.flow = Flow::kJump;
        in_.target = static_cast<uintptr_t>(opcode == 0xe9 ? Signed32() : Signed8());
        return !operand16_;
      case 0xf6:
      case 0xf7:
        return OneOperand(opcode == 0xf6 ? 1 : Size());
      default:
        return false;
    }
  }

  // Test of an immediate, not, neg, mul, imul, div, idiv.
  bool OneOperand(unsigned size) {
    ModRm();
    const int what = reg_ & 7;
    Rm(size, true, what == 2 || what == 3);
    if (what == 0) Immediate(size);
    if (what != 2) in_.flags = Flags::kWritten;
    in_.picks_bits = what == 2;
    if (what < 4) return what != 1;
    // Factors and products, dividends and quotients: rax and rdx; of bytes ax.
    ReadsReg(0, size);
    WritesReg(0, size == 1 ? 2 : size);
    if (size == 1) return true;
    if (what >= 6) ReadsReg(2, size);
    WritesReg(2, size);
    return true;
  }

  unsigned Size() const { return rex_w_ ? 8 : operand16_ ? 2 : 4; }

  uintptr_t at_;
  Instruction in_;
  bool operand16_ = false;
  bool rex_ = false, rex_w_ = false, rex_r_ = false, rex_x_ = false, rex_b_ = false;
  int reg_ = 0, rm_ = 0;
  bool is_memory_ = false;
};

}  // namespace

Instruction Decode(uintptr_t pc) { return Decoder(pc).Run(); }

}  // namespace heddle::runtime
