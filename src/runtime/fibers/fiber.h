// A thread of the program under test. All of them run on one kernel thread; each has a real stack
// and borrows the TLS block of a parked kernel thread, so errno, thread_local and glibc internals
// work.
#pragma once

#include <cstddef>
#include <cstdint>

#include "op/operation.h"
#include "runtime/fibers/loop_windows.h"
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

struct FrameMark;
struct LentObject;
struct OnceAttempt;
struct TlsDestructor {
  void (*function)(void*);
  void* argument;
  TlsDestructor* next;
};

// Why a blocked thread was let go.
// kInterrupted: its call ends with EINTR, after the handler of a signal (runtime.h, ReachInCall).
enum class Wake : uint8_t { kNone, kSignalled, kTimedOut, kInterrupted };

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
  LoopsOfThread loops;
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
  uint32_t stale_reads = 0;  // of older writes than the newest (weak/weak_memory.h)
  uint64_t deadline = 0;
  // Of a limit that the C++ library computes from a length of time (virtual_time.h).
  uint64_t limit_from = kNoLimit;  // `now` when it did; kNoLimit: it did not since
  uint64_t limit = 0;              // the reading of the clock at which the last limit passes
  bool limit_passed = false;
  // --- what a thread that has ended needs no more (SaveFibers) ---
  alignas(64) LoopWindows windows;
};

}  // namespace heddle::runtime
