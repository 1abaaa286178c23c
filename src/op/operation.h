// The vocabulary: what a thread is about to do. A thread publishes an Operation before it asks to
// go on, so the scheduler always knows every thread's next operation.
#pragma once

#include <cstdint>

namespace heddle::op {

enum class Access : uint8_t { kNone, kRead, kShared, kWrite };
enum class Needs : uint8_t { kNothing, kFree, kNoWriter, kPositive, kExpected, kWoken, kOutside };

enum class Family : uint8_t {
#define FAMILY(name, noun, letter) k##name,
#include "op/family.def"
#undef FAMILY
};

struct FamilyInfo {
  const char* noun;
  char letter;
};

// The row of family.def for `family`.
inline const FamilyInfo& Info(Family family) {
  static constexpr FamilyInfo kTable[] = {
#define FAMILY(name, noun, letter) {noun, letter},
#include "op/family.def"
#undef FAMILY
  };
  return kTable[static_cast<unsigned>(family)];
}

// A set of them.
using Traits = uint8_t;
inline constexpr Traits kNoTraits = 0;
inline constexpr Traits kBlocks = 1;
inline constexpr Traits kTries = 2;
inline constexpr Traits kPairs = 4;
inline constexpr Traits kLocks = 8;
inline constexpr Traits kYields = 16;
inline constexpr Traits kHasValue = 32;
inline constexpr Traits kJoins = 64;

enum class Kind : uint8_t {
#define OP(name, text, family, access, needs, traits) k##name,
#include "op/op.def"
#undef OP
  kCount
};

struct KindInfo {
  const char* name;
  const char* text;
  Family family;
  Access access;
  Needs needs;
  Traits traits;
};

// The row of op.def for `kind`.
inline const KindInfo& Info(Kind kind) {
  static constexpr KindInfo kTable[] = {
#define OP(name, text, family, access, needs, traits) \
  {#name, text, Family::k##family, Access::access, Needs::needs, traits},
#include "op/op.def"
#undef OP
  };
  return kTable[static_cast<unsigned>(kind)];
}

inline Family FamilyOf(Kind kind) {
  static constexpr Family kTable[] = {
#define OP(name, text, family, access, needs, traits) Family::k##family,
#include "op/op.def"
#undef OP
  };
  return kTable[static_cast<unsigned>(kind)];
}

// Does one of `traits` hold of `kind`?
inline bool Has(Kind kind, Traits traits) {
  static constexpr Traits kTable[] = {
  // asked on the way of every event
#define OP(name, text, family, access, needs, traits) traits,
#include "op/op.def"
#undef OP
  };
  return (kTable[static_cast<unsigned>(kind)] & traits) != 0;
}

// False: an operation of `kind` is enabled wherever its thread stands before it.
inline bool MayWait(Kind kind) { return Has(kind, kBlocks); }

inline bool IsPlain(Kind kind) { return FamilyOf(kind) == Family::kPlain; }
// REQUIRES: Has(kind, kLocks).
inline bool GivesBack(Kind kind) { return Info(kind).needs == Needs::kNothing; }
inline bool IsFrame(Kind kind) { return kind == Kind::kFrameEnd || kind == Kind::kFrameBegin; }
inline bool IsAtomic(Kind kind) { return FamilyOf(kind) == Family::kAtomic; }

// Bit of Event::detail and Pending::detail: the operation has a time limit, so it never blocks.
inline constexpr uint8_t kTimed = 0x80;
// Bit of Event::detail: a compare-exchange of a part of an object only, so the object's level does
// not tell whether it succeeds.
inline constexpr uint8_t kOfAPart = 0x40;

// Bit of Event::detail: a misuse, whose access is that of the operation where it is none; or an
// atomic write of the value that was there. It leaves its object as it was.
inline constexpr uint8_t kNoEffect = 0x20;
// Bit of Event::detail and Pending::detail, of a kCondReacquire: while nobody has signalled, the
// wait may end because its time is over.
inline constexpr uint8_t kWaitEnds = 0x08;
// Bit of Event::detail and Pending::detail, of an operation that need not wait: its thread has been
// here before, and has changed nothing since. It may be in a loop that waits
// (runtime/loops/spin.h).
inline constexpr uint8_t kRevisited = 0x08;
// Bit of Event::detail: what it accesses is listed (trace::Execution::AccessesOf).
inline constexpr uint8_t kListed = 0x10;

// What a kAtomicFetch does: Operation::detail.
enum class Fetch : uint8_t { kAdd, kSub, kAnd, kOr, kXor, kNand };

// Threads are numbered in the order in which the search first met their creation path (parent, n-th
// child); the number is kept for the whole search, so it names the same thread in every execution.
using ThreadId = uint32_t;
inline constexpr ThreadId kNoThread = 0xffffffffu;

// What enables and disables operations on an object, as one number.
//   mutex, spin lock, once   1 while held or running, else 0
//   read-write lock          number of readers; kWriterHolds
//   semaphore                permits
//   condition variable       threads that wait
//   thread                   1 once it has ended, else 0
//   memory (atomics)         the value, folded to 32 bits: decides compare-exchanges
// Other objects: 0.
using Level = uint32_t;
inline constexpr Level kWriterHolds = 0xffffffffu;

struct Operation {
  Kind kind = Kind::kHook;
  uint8_t size = 0;            // bytes accessed, for atomics and plain accesses
  uint8_t order = 0;           // C11 memory order (__ATOMIC_*), for atomics and fences
  uint8_t detail = 0;          // sub-kind, e.g. which fetch operation
  ThreadId other = kNoThread;  // the thread created or joined
  // Address of the object; the same address is the same object throughout a search.
  uintptr_t object = 0;
  uintptr_t object2 = 0;  // the mutex of a condition wait
  uint64_t operand = 0;   // value stored, added, waited for ...
  uintptr_t pc = 0;       // return address into the program, for reports
};

}  // namespace heddle::op
