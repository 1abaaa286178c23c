// What one instruction of an asm statement does to memory. The compilers hand asm statements on
// unread, so heddle-cc puts a call before every instruction of one that touches memory
// (assembly/rewrite.h); the call carries one of these, packed into the operand of a push, and the
// runtime (runtime/hooks/inline_asm.cpp) makes events of it.
#pragma once

#include <cstdint>

namespace heddle::op {

enum class AsmKind : uint8_t {
  // One access. Aligned and of at most 8 bytes it is one access of the machine, too.
  kLoad,
  kStore,
  // Accesses that the machine may tear, or that other processors come between.
  kPlainRead,
  kPlainWrite,
  kPlainUpdate,
  // With a lock prefix, or as if: indivisible, and a full barrier.
  kFence,
  kCompareExchange,
  kExchange,
  kUpdate,
  // String instructions: rdi, rsi and, with a rep prefix, rcx say what they touch.
  kCopyString,
  kFillString,
  kReadString,
  // lfence, sfence: a store may still take effect after later loads.
  kWeakFence,
};

// What a kUpdate computes of the old value and its operand: tells whether it changes anything.
enum class AsmFunction : uint8_t {
  kUnknown,
  kAdd,
  kSubtract,
  kAnd,
  kOr,
  kXor,
  kSet,
  kReset,
  kFlip
};

// Where the operand is: in the general register of this number (as the machine numbers them), or:
inline constexpr unsigned kAsmImmediate = 16;
inline constexpr unsigned kAsmNoOperand = 17;

struct AsmAccess {
  AsmKind kind = AsmKind::kPlainRead;
  AsmFunction function = AsmFunction::kUnknown;
  uint16_t size = 0;  // bytes; below 1024
  uint8_t operand = kAsmNoOperand;
  bool thread_local_base = false;  // the address is relative to %fs
  bool repeated = false;           // rep
  bool bit_string = false;         // the operand is a bit's number, which moves the address
};

// A non-negative 32-bit number, as `push $number` takes it.
constexpr uint32_t Pack(const AsmAccess& access) {
  return static_cast<uint32_t>(access.kind) | static_cast<uint32_t>(access.function) << 4 |
         uint32_t{access.size} << 8 | uint32_t{access.operand} << 18 |
         uint32_t{access.thread_local_base} << 23 | uint32_t{access.repeated} << 24 |
         uint32_t{access.bit_string} << 25;
}

constexpr AsmAccess UnpackAsmAccess(uint32_t packed) {
  AsmAccess access;
  access.kind = static_cast<AsmKind>(packed & 15);
  access.function = static_cast<AsmFunction>(packed >> 4 & 15);
  access.size = packed >> 8 & 1023;
  access.operand = packed >> 18 & 31;
  access.thread_local_base = (packed >> 23 & 1) != 0;
  access.repeated = (packed >> 24 & 1) != 0;
  access.bit_string = (packed >> 25 & 1) != 0;
  return access;
}

// The ELF notes in section .note.heddle, owner "heddle". Descriptor: one line of text. The second
// one is written by include/heddle/assert.h.
inline constexpr char kNoteSection[] = ".note.heddle";
inline constexpr char kNoteOwner[] = "heddle";
inline constexpr uint32_t kNoteUnseenAssembly = 1;  // "file:line: what, and why it is not seen"
inline constexpr uint32_t kNoteAssertsOff = 2;      // the unit whose assert() does nothing

}  // namespace heddle::op
