// The vocabulary: what a thread is about to do. A thread publishes an Operation before it asks to
// go on, so the scheduler always knows every thread's next operation.
#pragma once

#include <cstdint>

namespace heddle::op {

enum class Access : uint8_t { kNone, kRead, kShared, kWrite };
enum class Needs : uint8_t { kNothing, kFree, kNoWriter, kPositive, kExpected, kWoken, kOutside };

enum class Kind : uint8_t {
#define OP(name, text, access, needs, waits_for) k##name,
#include "op/op.def"
#undef OP
  kCount
};

struct KindInfo {
  const char* name;
  const char* text;
  Access access;
  Needs needs;
  const char* waits_for;
};

// The row of op.def for `kind`.
inline const KindInfo& Info(Kind kind) {
  static constexpr KindInfo kTable[] = {
#define OP(name, text, access, needs, waits_for) \
  {#name, text, Access::access, Needs::needs, waits_for},
#include "op/op.def"
#undef OP
  };
  return kTable[static_cast<unsigned>(kind)];
}

// False: an operation of `kind` is enabled wherever its thread stands before it.
inline bool MayWait(Kind kind) {
  static constexpr bool kTable[] = {
#define OP(name, text, access, needs, waits_for) (waits_for)[0] != '\0',
#include "op/op.def"
#undef OP
  };
  return kTable[static_cast<unsigned>(kind)];
}

// Bit of Event::detail and Pending::detail: the operation has a time limit, so it never blocks.
inline constexpr uint8_t kTimed = 0x80;
// Bit of Event::detail: a compare-exchange of a part of an object only, so the object's level does
// not tell whether it succeeds.
inline constexpr uint8_t kOfAPart = 0x40;

// Bit of Event::detail: a misuse. It leaves its object as it was, although its access is that of the
// operation where it is none.
inline constexpr uint8_t kNoEffect = 0x20;

// Threads are numbered in the order in which the search first met their creation path (parent, n-th
// child); the number is kept for the whole search, so it names the same thread in every execution.
using ThreadId = uint32_t;
inline constexpr ThreadId kNoThread = 0xffffffffu;

struct Operation {
  Kind kind = Kind::kHook;
  uint8_t size = 0;            // bytes accessed, for atomics and plain accesses
  uint8_t order = 0;           // C11 memory order (__ATOMIC_*), for atomics and fences
  uint8_t detail = 0;          // sub-kind, e.g. which fetch operation
  ThreadId other = kNoThread;  // the thread created or joined
  uintptr_t object =
      0;  // address of the object; the same address is the same object throughout a search
  uintptr_t object2 = 0;  // the mutex of a condition wait
  uint64_t operand = 0;   // value stored, added, waited for ...
  uintptr_t pc = 0;       // return address into the program, for reports
};

}  // namespace heddle::op
