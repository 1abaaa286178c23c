#include "runtime/primitives/uninitialised.h"

#include "runtime/prim/value_use.h"
#include "runtime/steps/object_use.h"

namespace heddle::runtime {
namespace {

using Word = uint32_t;
constexpr Word kUnwritten = Word{0x01010101} * kFreshPattern;

}  // namespace

bool IsUnwritten(uintptr_t address, size_t size) {
  if (!IsInProgramHeap(address)) return false;
  const uintptr_t end = address + size;
  for (uintptr_t at = address & -sizeof(Word); at < end; at += sizeof(Word))
    if (*reinterpret_cast<const Word*>(at) != kUnwritten) return false;
  return true;
}

void RequireWritten(uintptr_t address, size_t size, uintptr_t pc) {
  if (Current().ignore_depth != 0 || !IsUnwritten(address, size) ||
      !UsesReadValue(pc, address, size))
    return;
  EndUninitialisedRead({.kind = op::Kind::kPlainRead, .object = address, .pc = pc});
}

}  // namespace heddle::runtime
