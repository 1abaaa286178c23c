// Small programs on which the memory models are tested: threads of straight-line code on shared
// locations.
//
// An implicit main writes 0 to all locations, starts all threads at once, joins them, and reads the
// final values: its writes happen before everything, its reads after everything. They are no events
// of the program; location l is written by main first, by the event kInitial of l.
//
// Objects are mutexes, read-write locks and semaphores, all of them a level and what an operation,
// a use, makes of it: of a mutex 1 is locked, of a semaphore it is the permits, of a read-write
// lock the readers or kWriteLocked. A thread may be blocked for ever; then main's joins wait for
// ever as well.
//
// An instruction makes at most one event, which is called (thread, instruction): its place in the
// program's text, skipped ones counted. So both sides of a comparison call it the same. A failed
// compare-exchange is a load with the failure order.
//
// The same as text, of which litmus.csv is written: litmus_text.h.
#pragma once

#include <vector>

namespace heddle::litmus {

enum class Order { kPlain, kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst };

enum class Kind {
  kLoad,             // result = location
  kStore,            // location = value
  kExchange,         // result = location; location = value
  kFetchAdd,         // result = location; location += value
  kCompareExchange,  // result = location; if (result == expected) location = value. Strong.
  kFence,
  kUse,     // of the object `location`; result = whether it succeeded, if it only tries
  kSkipIf,  // if (condition == equals), the next `skip` instructions do nothing. Forward only,
            // within the thread.
};

// What a use needs of the level and makes of it. What tries does nothing where it does not succeed;
// others are blocked there.
enum class Use {
  kLock,         // 0: 1
  kTryLock,      // 0: 1
  kUnlock,       // any: 0
  kReadLock,     // not kWriteLocked: + 1
  kTryReadLock,  // not kWriteLocked: + 1
  kWriteLock,    // 0: kWriteLocked
  kRwUnlock,     // any: 0 if it is kWriteLocked or 0, else - 1
  kWait,         // positive: - 1
  kTryWait,      // positive: - 1
  kPost,         // any: + 1
};
constexpr int kWriteLocked = -1;

inline bool Tries(Use use) {
  return use == Use::kTryLock || use == Use::kTryReadLock || use == Use::kTryWait;
}

inline bool Succeeds(Use use, int level) {
  switch (use) {
    case Use::kLock:
    case Use::kTryLock:
    case Use::kWriteLock:
      return level == 0;
    case Use::kReadLock:
    case Use::kTryReadLock:
      return level != kWriteLocked;
    case Use::kWait:
    case Use::kTryWait:
      return level > 0;
    case Use::kUnlock:
    case Use::kRwUnlock:
    case Use::kPost:
      return true;
  }
  return true;
}

// REQUIRES: it succeeds.
inline int LevelAfter(Use use, int level) {
  switch (use) {
    case Use::kLock:
    case Use::kTryLock:
      return 1;
    case Use::kUnlock:
      return 0;
    case Use::kReadLock:
    case Use::kTryReadLock:
    case Use::kPost:
      return level + 1;
    case Use::kWriteLock:
      return kWriteLocked;
    case Use::kRwUnlock:
      return level > 0 ? level - 1 : 0;
    case Use::kWait:
    case Use::kTryWait:
      return level - 1;
  }
  return level;
}

// Registers are numbered across the program, and each is written and read by one thread. They begin
// as 0.
constexpr int kNoRegister = -1;

struct Operand {
  int reg = kNoRegister;  // adds its value, if there is one
  int constant = 0;
  bool operator==(const Operand&) const = default;
};

struct Instruction {
  Kind kind = Kind::kFence;
  Use use = Use::kLock;
  // Of the access or fence. Loads and stores alone may be plain. Of a compare-exchange: if it
  // succeeds. Of a use that succeeds: relaxed to acq_rel.
  Order order = Order::kRelaxed;
  Order failure = Order::kRelaxed;  // relaxed, acquire or seq_cst; of a use relaxed or acquire
  int location = 0;
  int result = kNoRegister;  // of all that read or try: a register
  Operand value;
  Operand expected;
  int condition = kNoRegister;
  int equals = 0;
  int skip = 0;
  bool operator==(const Instruction&) const = default;
};

using Thread = std::vector<Instruction>;

struct Program {
  int locations = 0;
  int registers = 0;
  std::vector<int> objects;             // the level of each at first
  std::vector<Thread> threads;          // 2 to 4
  std::vector<int> observed_locations;  // whose final values are part of the outcome
  bool operator==(const Program&) const = default;
};

// The values of all registers, then the final values of the observed locations; if there are
// objects, then their final levels and the number of threads that are blocked for ever.
using Outcome = std::vector<int>;

struct EventName {
  int thread = 0;
  int instruction = 0;
  auto operator<=>(const EventName&) const = default;
};
// Main's write to location l: (kInitial, l).
constexpr int kInitial = -1;

}  // namespace heddle::litmus
