// The state of a program of the oracle between two of its steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "machine.h"

namespace heddle::oracle {

__extension__ typedef unsigned __int128 Wide;

constexpr uint8_t kNone = kNobody;

enum class Life : uint8_t { kUsable, kRaw, kDestroyed };

enum class Status : uint8_t {
  kAbsent,
  kReady,      // before its next instruction
  kWaiting,    // in the queue of condition variable `at`, for mutex `with`
  kSignalled,  // not yet with its mutex
  kTimedOut,   // the same
  kAtBarrier,
  kOnceRoutine,  // before the routine's step
  kOnceEnd,      // after it
  kMisused,      // stands before the end of the program by its misuse
  kEnded,
};

struct Clock {
  uint8_t of[kMostThreads];
};

inline void JoinClock(Clock& into, const Clock& other) {
  for (unsigned t = 0; t < kMostThreads; ++t) into.of[t] = std::max(into.of[t], other.of[t]);
}

struct Thread {
  uint64_t registers[kRegisters];
  uint8_t pc;
  Status status;
  uint8_t at, with;
  uint8_t timed;
  uint8_t joined_by;
  uint8_t detached;
  uint8_t done;
  uint8_t depth;  // of atomic sections
  Clock clock;
};

struct Mutex {
  Life life;
  uint8_t owner, owner_died, unrecoverable;
  Clock release;
};

struct Semaphore {
  Life life;
  uint8_t value;
  Clock release;
};

struct Barrier {
  Life life;
  uint8_t needed, arrived;
  Clock release;
};

struct RwLock {
  Life life;
  uint8_t writer;
  uint8_t reads[kMostThreads];
  Clock release, reader_release;
};

struct Once {
  uint8_t phase, runner;  // 0, 1 running, 2 done
  Clock release;
};

struct PlainByte {
  uint8_t writer, written;  // by whom, and its clock
  Clock read;
};

// No pointer, and no padding that is not zero: compared as bytes.
struct State {
  Thread threads[kMostThreads];
  Mutex mutexes[kMutexes];
  Life conditions[kConditions];
  Semaphore semaphores[kSemaphores];
  Barrier barriers[kBarriers];
  RwLock rwlocks[kRwLocks];
  Once onces[kOnces];
  uint8_t atomics[kAtomicBytes];
  uint8_t plain[kPlainBytes];
  Clock atomic_release[kAtomicBytes];
  PlainByte plain_bytes[kPlainBytes];
  uint8_t last;  // who went last: goes on if it may not be interrupted
};
static_assert(std::is_trivially_copyable_v<State>);

}  // namespace heddle::oracle
