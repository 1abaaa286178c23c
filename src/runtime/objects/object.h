// Synchronisation objects of the program under test, as pure state machines beside the program's
// own memory.
//
// An object is named by its address and what it is used as. Its record lives in a table that
// persists over executions; the first touch in an execution resets it (Object::serial), so a rewind
// costs nothing here.
#pragma once

#include <cstdint>

#include "op/dependence.h"
#include "trace/clock.h"
#include "trace/release_sequence.h"

namespace heddle::runtime {

struct Fiber;
struct Making;

enum class ObjectKind : uint8_t {
  kFree,
  kWord,   // memory: an atom (atoms.h), or what annotations keep at an address
  kFutex,  // the queue at a futex word, apart from the word (primitives/futex.cpp)
  kMutex,
  kCondition,
  kRwLock,
  kSemaphore,
  kBarrier,
  kSpinLock,
  kStream,  // a FILE: its lock is a recursive mutex
  kOnce,
  kException,
  kThread,
  kStack,   // memory of a stack that others use (steps/frames.h)
  kProgram  // there is one
};

// Is its state a MutexState?
inline bool IsMutexLike(ObjectKind kind) {
  return kind == ObjectKind::kMutex || kind == ObjectKind::kSpinLock || kind == ObjectKind::kStream;
}
struct MutexState {
  op::ThreadId owner;  // kNoThread: free
  uint32_t count;      // recursion depth
  uint8_t type;        // PTHREAD_MUTEX_NORMAL, _RECURSIVE, _ERRORCHECK
  bool robust;
  bool owner_died;  // the next lock gets EOWNERDEAD
  bool unrecoverable;
  op::ThreadId ousted;  // held it when it was initialised anew; kNoThread: nobody did
};
// A thread as it waits in the queue of a condition variable or futex.
struct Waiter {
  Waiter* next = nullptr;
  op::ThreadId thread = op::kNoThread;
  uint32_t bits = 0;   // of a futex: which wakes are for it
  uintptr_t with = 0;  // of a condition variable: the mutex that it gave up
  uint64_t path = 0;   // of the thread (Fiber::path)
};
// Threads in the order in which they began to wait; at a futex, of their paths (waiter_queue.h).
struct WaiterQueue {
  Waiter* first;
  Waiter* last;
  uint32_t count;
};
struct ConditionState {
  WaiterQueue waiters;  // not signalled yet
  uint32_t signals;     // sent, broadcast or not
};
// op::Operation::detail of a CondReacquire that waits for the mutex only.
inline constexpr uint8_t kStoppedWaiting = 1;

// How often a thread has locked for reading; in bump memory.
struct ReadHold {
  op::ThreadId thread;
  uint32_t count;
  ReadHold* next;
};
struct RwLockState {
  op::ThreadId writer;
  uint32_t readers;  // sum of the counts in `holds`
  ReadHold* holds;
};
struct SemaphoreState {
  uint64_t value;
  bool of_byte;  // heddle_up, heddle_down: the memory is no sem_t, but a byte of the program's
};
struct BarrierState {
  uint32_t needed;
  uint32_t arrived;
  uint32_t round;
};
struct OnceState {
  uint8_t phase;  // 0 not begun, 1 running, 2 done
  bool always;    // done since before the execution
  op::ThreadId runner;
};
struct FutexState {
  WaiterQueue sleepers;  // threads in a futex wait on it
};

// Dependence (defines Mazurkiewicz traces): the accesses to an object since the last that does not
// commute with them.
struct AccessGroup {
  op::Access access = op::Access::kNone;  // what they are
  uint64_t hash = 0;                      // the sum of theirs
  uint64_t before = 0;                    // hash of what came before
  // Virtual time along the same order: the latest of their events, and of those before.
  uint64_t time = 0;
  uint64_t before_time = 0;
};

// Two cache lines for what every object has; a word of memory has no more than these.
struct alignas(64) Object {
  uintptr_t address = 0;
  uint64_t serial = 0;  // execution in which the fields below were last reset
  ObjectKind kind = ObjectKind::kFree;
  uint8_t atom_bytes = 0;            // as in its name (table.h)
  bool forgotten = false;            // its memory is another block's (ForgetObjects)
  uint32_t number = 0;               // within the search, in order of first encounter
  Fiber* pending_threads = nullptr;  // whose next operation is on this object and can be disabled
  uint32_t version = 0;              // number of write events in this execution
  uint32_t uses = 0;                 // number of events
  uint32_t spinners = 0;             // threads in whose spin loops it is (spin.h)
  op::Level level = 0;               // what enables and disables others, as of the last Changed()
  // Synchronisation (what the language guarantees): what an acquire learns.
  trace::Clock release;
  AccessGroup group;
  union {
    MutexState mutex;
    ConditionState condition;
    RwLockState rwlock;
    SemaphoreState semaphore;
    BarrierState barrier;
    OnceState once;
    FutexState futex;
    trace::Heads heads;  // kWord: whose release operations `release` is made of
  };
  // Read-write lock: what readers gave up since the last writer; readers do not learn from one
  // another. Word, in a group of additions: `release` before them (primitives/atomic.h).
  trace::Clock reader_release;
  // Who made or destroyed it while threads that came would have had to wait, and when (life.h).
  trace::Clock made_to_wait;
  // Its life as calls make and end it (life.h).
  Making* making = nullptr;    // the last _init call
  uintptr_t destroyed_at = 0;  // the last _destroy call
  op::ThreadId destroyed_by = op::kNoThread;
  Object() : condition{} {}  // the largest member: all zero
};

}  // namespace heddle::runtime
