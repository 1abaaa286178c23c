// A thread of the program under test. All of them run on one kernel thread; each has a real stack
// and borrows the TLS block of a parked kernel thread, so errno, thread_local and glibc internals
// work.
#pragma once

#include <cstddef>
#include <cstdint>

#include "op/operation.h"
#include "runtime/objects/object.h"
#include "runtime/prim/page.h"
#include "trace/clock.h"

namespace heddle::runtime {

enum class FiberState : uint8_t {
  kUnused,     // not created in this execution
  kCreated,    // created, has not run yet: it runs eagerly to its first visible operation
  kPublished,  // stands before `pending`
  kRunning,    // executes program code
  kFinished,
};

inline constexpr uint32_t kMaxFibers = 1u << 20;  // address space only; not a limit anybody meets

inline constexpr uint64_t kNoLimit = ~uint64_t{0};

struct AwaitRound;
struct FrameMark;
struct HeapRounds;
struct LentObject;
struct OnceAttempt;
struct RunOut;
struct TimedRounds;
struct TlsDestructor {
  void (*function)(void*);
  void* argument;
  TlsDestructor* next;
};

// Why a blocked thread was let go.
// kInterrupted: its call ends with EINTR, after the handler of a signal (runtime.h, ReachInCall).
enum class Wake : uint8_t { kNone, kSignalled, kTimedOut, kInterrupted };

// A plain or atomic write: in the low bits its address, above that its size.
using RecentWrite = uint64_t;
inline constexpr uint32_t kRecentWrites = 64;
inline constexpr uint32_t kWriteAddressBits = 48;
static_assert(kWriteAddressBits >= kUserAddressBits);
inline constexpr size_t kLongestWrite = 256;  // bytes; longer ones are not looked at again

// What was written, and what was there at some time.
struct WrittenValue {
  RecentWrite write;
  uint64_t value;
};

// Looks for a thread's return to the same place in the same state (recurrence.h).
struct Recurrence {
  op::Kind kind = op::Kind::kHook;  // one place may be of two operations: the halves of an update
  uintptr_t anchor = 0;             // code address at which a return is looked for
  uintptr_t object = 0;   // what is accessed there: the same code at another address is no return
  uint64_t began = 0;     // Fiber::written when the anchor was chosen
  uint32_t visits = 0;    // of the anchor
  uint32_t taken_at = 0;  // the visit at which the state was taken
  uint32_t away = 0;      // events since the last visit
  uint32_t longest = 0;   // events after which another anchor is tried
  uintptr_t yield = 0;    // place of the last yield since the last visit
  // Others have changed what the loop reads: the next visit is compared anew.
  bool out_of_date = false;
  bool run_out = false;      // of the state that was met: the loop may end by itself (run_out.h)
  uint32_t idle_rounds = 0;  // visits in a row since which nobody has changed what the loop reads
  uint64_t state = 0;        // hash of registers and stack at an earlier visit; 0: none yet
  // The rest of the state is what the thread has written.
  uint64_t taken_written = 0;      // Fiber::written when the state was taken
  WrittenValue* values = nullptr;  // of the writes between the two, when the state was taken
  uint32_t value_count = 0;
};

// An object that a loop accesses, as of the loop's last access to it.
struct SpinAccess {
  Object* object;
  uint32_t version;
  uint32_t uses;
  bool written;  // the thread itself changes it on the way
};
inline constexpr uint32_t kSpinAccesses = 32;

inline constexpr uint32_t kPlacesOfRound = 8;

// What a thread has done since it last changed anything.
struct SpinWindow {
  uint64_t changes = 0;  // the count of changes when the window began
  uint32_t count = 0;    // of `accesses`; more than kSpinAccesses: too many to wait for
  uint32_t place_count = 0;
  Recurrence cycle;                // up to here asked by every event: one line of the cache
  SpinAccess* accesses = nullptr;  // since the state was taken; in bump memory
  uint64_t values_written = 0;     // hash of what the thread writes, at the last visit
  // Of the window `quiet` only: where in the code the events since the last visit were.
  uintptr_t places[kPlacesOfRound];
};

// The same for loops that take locks on the way: what it may not have changed is everything but
// locks.
struct PollWindow {
  uint64_t changes = 0;
  bool repeating = false;  // the state was met again
  // Locks taken since the window began, less those given back: now, and before the operation at the
  // anchor. It is one at which the thread holds as few as anywhere in the loop.
  int16_t held = 0;
  int16_t held_at_anchor = 0;
  Recurrence cycle;
  uint64_t progress = 0;  // of the other threads, when the state was taken or met again
};

// What every event reads or writes comes first, by lines of the cache: a thread that goes on finds
// most of them taken by the others.
struct alignas(64) Fiber {
  op::Operation pending;
  void* stack_pointer = nullptr;  // while it does not run
  uintptr_t thread_pointer = 0;
  op::ThreadId id = 0;
  FiberState state = FiberState::kUnused;
  bool timed = false;  // pending may also be let go by a timeout
  bool late = false;   // ... but only when nothing else can run (--timeouts last)
  bool local = false;  // pending is no scheduling point: it runs as soon as it is enabled

  bool yielding = false;  // leaving it is no preemption, and others go first
  bool done = false;      // heddle_done: none of its operations is a scheduling point any more
  uint8_t stays = 0;      // times in a row that it went on at a yield (plan::kFreeStays)
  uint8_t round = 0;      // op::kRevisited, of pending
  Wake wake = Wake::kNone;
  bool spinning = false;  // waits: for a change of what `spins_in` lists, or, if it polls, for any
  bool joint = false;  // it waits until those have gone on that its loop kept out (joint_cycle.h)
  bool repeats_reads = false;  // it makes rounds whose reads are no events any more (spin.h)
  uint32_t tick = 0;           // own component of `clock`
  uint32_t events = 0;         // visible operations so far
  uint64_t path = 0;           // hash of its creation path: its name in every search
  // The thread asked not to have its plain accesses checked (annotations).
  uint32_t ignore_depth = 0;
  // The same of leaks (world/leaks.h): in so many sections, and which blocks, as a sum of hashes.
  uint32_t leaks_disabled = 0;
  uint64_t leaks_ignored = 0;
  uint32_t wakes = 0;              // how often another thread's step has let it go
  bool signal_late = false;        // late for a signal only: it has no time limit (world/signals.h)
  bool in_handler = false;         // of a signal that interrupted it
  bool was_woken = false;          // has waited to be woken since it last looked for signals
  uint8_t may_fail = 0;            // of its next allocations, if none has (world/allocate.h)
  uint32_t atomic_depth = 0;       // heddle_atomic_begin without its end
  bool may_run_out = false;        // its time limit is that of its loop (run_out.h)
  bool waits_after_round = false;  // for others, after a round in vain (timed_rounds.h)
  RunOut* run_out = nullptr;       // its loop may end by itself (run_out.h); in bump memory
  AwaitRound* await = nullptr;     // in a loop that waits for one object (await.h); in bump memory
  SpinWindow* restoring = nullptr;      // since it last changed anything but memory; in bump memory
  HeapRounds* heap_rounds = nullptr;    // it has freed memory (heap_rounds.h); in bump memory
  TimedRounds* timed_rounds = nullptr;  // a time limit of it has passed; in bump memory
  uint64_t now = 0;        // virtual time, nanoseconds since the start of the execution
  uint64_t wake_hash = 0;  // dependence: event that let it go

  trace::Clock clock;
  // A hash of the arguments of its call that `pending` does not tell (HashCallArgument).
  uint64_t call_arguments = 0;
  // What it was let go to access, until that is committed: whose use a misuse is (EndByMisuse).
  Object* attempted = nullptr;
  // What spin.h and what polls count.
  uint64_t written = 0;          // writes to memory, plain or atomic, but to its own stack
  uint64_t changes = 0;          // of its world: all but plain writes
  uint64_t memory_changes = 0;   // those by atomic writes: the next round may take them back
  uint64_t lock_operations = 0;  // those that only take or give back a lock
  uint64_t semaphore_changes = 0;
  uint64_t own_progress = 0;  // this thread's part of the progress that pollers wait for
  uintptr_t frame = 0;        // where its stack ended at its last operation (frames.h); 0: unknown

  alignas(64) Object* pending_object = nullptr;
  Fiber* next_pending = nullptr;  // in pending_object->pending_threads
  Fiber* next_ready = nullptr;    // in the scheduler's queue of local steps
  Waiter waiter;                  // in a condition variable's or futex's queue
  struct {
    uint32_t event;   // of the execution
    uint32_t own;     // how many this thread had made with it
    size_t size = 0;  // 0: there was none
  } half = {};        // the last plain write that may be half of a copy (primitives/two_halves.h)
  uint32_t checked_tick = 0;     // while recording: `tick` when the last atomic access was checked
  uint32_t planned_options = 0;  // how far the plan's options are read (plan_follower.h)
  uint32_t hooks = 0;            // calls of heddle_hook
  uint32_t events_at_hook = 0;   // `events` at the last of them
  bool woke_spuriously = false;  // its last condition wait ended for no reason (condition.cpp)
  SpinWindow* spins_in = nullptr;  // waits for a change of what the window lists
  bool polling = false;
  // --- fences ---
  trace::Clock acquire_at_fence;  // learnt by relaxed loads, becomes effective at an acquire fence
  trace::Clock release_fence;     // what relaxed stores after a release fence publish
  // --- life ---
  uint32_t parent = 0;
  uint32_t children = 0;  // created so far
  void* (*start)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  bool detached = false;
  bool joined = false;
  uint32_t joiner = op::kNoThread;
  uint32_t handled_by = op::kNoThread;  // who first joined, tried to join or detached it
  TlsDestructor* tls_destructors = nullptr;
  OnceAttempt* once_attempt = nullptr;  // innermost pthread_once routine it is in
  void* cleanup = nullptr;              // glibc cleanup buffers (pthread_cleanup_push)
  char* stack_begin = nullptr;
  size_t stack_size = 0;
  // --- what lies on its stack (frames.h), in bump memory ---
  uintptr_t highest_frame = 0;  // of all since there was a second thread
  bool frame_told = false;      // a hook has told `frame`
  FrameMark* frames = nullptr;  // these, newest first
  LentObject* lent = nullptr;   // objects that others have used
  // --- what the user named (focus.h) ---
  uintptr_t focus_frame = 0;  // of the outermost such function that it is in; 0: none
  uint8_t focus = 0;          // of `pending`
  // --- virtual time, nanoseconds since the start of the execution ---
  uint32_t clock_reads = 0;
  uint64_t deadline = 0;
  // Of a limit that the C++ library computes from a length of time (virtual_time.h).
  uint64_t limit_from = kNoLimit;  // `now` when it did; kNoLimit: it did not since
  uint64_t limit = 0;              // the reading of the clock at which the last limit passes
  bool limit_passed = false;
  // --- what a thread that has ended needs no more (SaveFibers) ---
  alignas(64) SpinWindow quiet;  // since it last changed anything
  alignas(64) PollWindow poll;
  // The last of `written`: number n is at n % kRecentWrites. Not cleared when a thread begins.
  RecentWrite recent[kRecentWrites];
};

}  // namespace heddle::runtime
