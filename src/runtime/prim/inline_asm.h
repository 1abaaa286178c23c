// The call that heddle-cc puts before an instruction of an asm statement (assembly/rewrite.h), at
// the level of the machine: an asm statement does not know that anything is called, so the call
// keeps every register and flag. It saves all of them on the caller's stack, where the runtime can
// read them, too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// What lies on the caller's stack during the call, from lower addresses up.
struct AsmFrame {
  uint64_t registers[16];  // as the machine numbers them; [4] is no stack pointer, and [7] (rdi) is
                           // the effective address
  uint64_t flags;
  uint64_t return_address;
  uint64_t code;       // op::AsmAccess
  uint64_t immediate;  // its operand, if op::kAsmImmediate
  uint64_t rdi;

  uintptr_t EffectiveAddress() const { return registers[kRdi]; }

  // A general register as it was before the call.
  uint64_t Register(unsigned number) const {
    if (number == kRdi) return rdi;
    if (number == kRsp) return reinterpret_cast<uintptr_t>(&rdi + 1);
    return registers[number];
  }

  // What instructions use without naming it (SDM, volume 2). cmpxchg compares with one register;
  // cmpxchg8b and cmpxchg16b compare with two, and store two.
  uint64_t Expected() const { return Register(kRax); }
  uint64_t ExpectedHigh() const { return Register(kRdx); }
  uint64_t DesiredLow() const { return Register(kRbx); }
  uint64_t DesiredHigh() const { return Register(kRcx); }
  // Of movs, stos and lods; the direction flag turns them round.
  uint64_t StringCount() const { return Register(kRcx); }
  uint64_t StringSource() const { return Register(kRsi); }
  uint64_t StringDestination() const { return rdi; }
  bool StringsGoDown() const { return (flags & kDirectionFlag) != 0; }

  static constexpr unsigned kRax = 0, kRcx = 1, kRdx = 2, kRbx = 3, kRsp = 4, kRsi = 6, kRdi = 7;
  static constexpr uint64_t kDirectionFlag = 1u << 10;
};

// Finds out which vector registers there are. REQUIRES: called before the first execution; until
// then only those are kept that heddle's own code can change.
void InitInlineAsm();

}  // namespace heddle::runtime
