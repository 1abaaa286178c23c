// What the supervisor asks the program's process for: which search, or which schedule, under which
// rules. It does not change while the channel is in use.
#pragma once

#include <cstdint>
#include <string_view>

#include "space/space.h"

namespace heddle::channel {

// A call of heddle::Check: a letter for what each call before it answered (the first letter of the
// verdict's name), '@', and the place of this one in the source, "cb@queue_test.cpp:40".
inline constexpr unsigned kMaxCheckCall = 1024;  // with the zero at its end

enum class Mode : uint32_t { kCheck, kReplay };
// The point in the space of searches: which, and what they are called, is in space/space.h.
using space::Order;
using space::Points;
using space::Reduction;
using space::MemoryModel;
using space::Visited;
// How to get back to an earlier state (search/program_target.h). The other two run a prefix that is
// known once.
enum class Rewind : uint32_t { kMemory, kFork, kCheckpoint, kForkCheckpoint };
inline const char* RewindName(Rewind rewind) {
  switch (rewind) {
    case Rewind::kMemory:
      return "memory";
    case Rewind::kFork:
      return "fork";
    case Rewind::kCheckpoint:
      return "checkpoint";
    case Rewind::kForkCheckpoint:
      return "fork-checkpoint";
  }
  return "unknown";
}
inline Rewind RewindOf(std::string_view name) {
  return name == "fork"              ? Rewind::kFork
         : name == "checkpoint"      ? Rewind::kCheckpoint
         : name == "fork-checkpoint" ? Rewind::kForkCheckpoint
                                     : Rewind::kMemory;
}
inline bool RewindsByFork(Rewind rewind) {
  return rewind == Rewind::kFork || rewind == Rewind::kForkCheckpoint;
}
inline bool HasCheckpoints(Rewind rewind) {
  return rewind == Rewind::kCheckpoint || rewind == Rewind::kForkCheckpoint;
}
// When a time limit may pass: whenever its thread waits, or only when nothing else can run.
enum class Timeouts : uint32_t { kAny, kLast };

// Whose rule decides whether a relaxed store continues its own thread's release sequences: that of
// the unit's language, C11's, or C++20's.
enum class ReleaseSequences : uint32_t { kAuto, kC11, kCxx20 };
// Likewise.
inline const char* ReleaseSequencesName(ReleaseSequences rule) {
  switch (rule) {
    case ReleaseSequences::kAuto:
      return "auto";
    case ReleaseSequences::kC11:
      return "c11";
    case ReleaseSequences::kCxx20:
      return "c++20";
  }
  return "unknown";
}
inline ReleaseSequences ReleaseSequencesOf(std::string_view name) {
  return name == "c11"     ? ReleaseSequences::kC11
         : name == "c++20" ? ReleaseSequences::kCxx20
                           : ReleaseSequences::kAuto;
}

// Of one of the two schedules of a race condition: the moment at which it ends (plan::EndAt), and
// which of the two it is.
struct EndAt {
  uint32_t moment;
  uint32_t is_other;

  bool operator==(const EndAt&) const = default;
};

struct Settings {
  Mode mode;
  Order order;
  Reduction reduction;
  Rewind rewind;
  Points points;
  Timeouts timeouts;
  uint64_t seed;
  space::Bound bound;
  space::Priorities priorities;  // of best-first
  uint64_t memory_limit;         // bytes (explore::Options); 0: the default
  uint32_t depth;                // of --order pct; 0 with another one
  Visited visited;
  MemoryModel memory_model;
  uint32_t keep_going;      // do not stop at the first bug
  uint64_t max_executions;  // 0: no limit
  uint64_t time_limit_ms;   // 0: no limit; wall clock
  uint64_t max_events;      // visible operations after which an execution is cut
  uint64_t hang_ms;         // processor time, or time asleep, after which an execution is cut;
                            // enforced by the supervisor
  uint32_t idle_rounds;  // of a loop that is in no state twice, before it is made to wait (spin.h)
  uint32_t verify;       // run every schedule twice and compare
  uint32_t minimise;     // minimise findings
  uint32_t spurious_wakeups;  // explore them
  uint32_t end_at_cycle;      // threads that wait for each other are a deadlock, whatever others do
  uint32_t report_races;      // 0: do not look for data races
  uint32_t exact;             // --visited states: states are compared, not only their hashes
  uint32_t strict;            // what the program leaves behind at its end is a bug
  uint32_t plan_length;       // replay: number of options at kPlanAt
  uint32_t name_count;        // replay: number of names at kNamesAt
  uint32_t show_output;    // somebody reads what the program prints: stdio is flushed when it exits
  uint32_t thread_ends;    // replay: the end of a thread is a choice point
  uint32_t thread_joins;   // replay: so is what joins or detaches a thread
  uint32_t joint_cycles;   // replay: loops of several threads were recognised
  uint32_t frame_ends;     // replay: the return of a frame was an event
  uint32_t leaks;          // look for blocks that nothing points to at the end (--leaks)
  uint32_t uninitialised;  // reads of bytes of the heap that nobody has written are bugs
  uint32_t fail_allocations;  // so many of each thread's may fail (runtime/world/allocate.h)
  uint32_t reuse_now;         // malloc hands out what was freed (runtime/memory/arena.h)
  // The program maps or unmaps memory, so memory_ends (runtime/runtime.h); a process of the search
  // has found out.
  uint32_t maps_memory;
  uint64_t signals;           // replay: threads looked for these signals (runtime/visible.h)
  EndAt end_at;               // replay
  uint64_t expected;          // replay: identity of the bug that was recorded
  uint32_t places_bytes;      // replay: visible places behind the options, "module+0xOFFSET" each,
                              // zero-terminated
  // Overrides at kOrdersAt (orders.h); and the program's atomics are told (AtomicRecord).
  uint32_t order_overrides;
  uint32_t tell_orders;
  uint32_t suppressions;     // the supervisor is to be asked about every finding (Header::question)
  uint32_t volatile_atomic;  // volatile accesses are relaxed atomics
  ReleaseSequences release_sequences;
  // Replay: under a debugger, or as if. One execution, each thread of the program on a kernel
  // thread of its own; every process that opens the channel begins anew.
  uint32_t debugger;
  // Where heddle takes over: empty at main, else at a call of heddle::Check.
  char at_check[kMaxCheckCall];
  // The program is a test program that breaks at a failing assertion, for a debugger (docs/cli.md):
  // it is told that one is there, and a breakpoint instruction is a failed assertion.
  uint32_t test_breaks;

  bool operator==(const Settings&) const = default;
};

// The search that they ask for.
inline space::Point PointOf(const Settings& settings) {
  return {settings.order,      settings.reduction, settings.bound,  settings.points,
          settings.priorities, settings.depth,     settings.visited, settings.memory_model};
}

// Which of the searches of --order escalating ran the execution that showed it.
struct Finder {
  enum Kind : uint32_t { kTheSearch, kOneOfSeveral, kProbe };  // a probe of the estimate
  Kind kind;
  // Of several in turn, the one.
  Order order;
  Reduction reduction;
  space::Priorities priorities;
};

// What the user wants the search to look at first, as addresses of the program's file: code, where
// a function lies itself or was inlined to, or the bytes of a variable.
enum class FocusKind : uint64_t { kFunction, kInlined, kVariable };
struct FocusRange {
  uint64_t begin;
  uint64_t end;
  FocusKind kind;
};
inline constexpr uint32_t kMaxFocusRanges = 1000;

}  // namespace heddle::channel
