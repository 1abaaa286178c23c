// How far the search has come, for the supervisor to show, and what it came to in the end.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::channel {

enum class Phase : uint32_t { kStarting, kSearching, kExplaining, kFinished };

// Why the search stopped.
enum class Stop : uint32_t {
  kNone,
  kExhausted,
  kBug,
  kExecutions,
  kTime,
  kInterrupted,
  kUncontrolled,
  // Of results of several parts, never in the channel:
  kPieces,           // some are missing
  kNeedsMorePoints,  // more became visible in one of them
};

// The supervisor ends the search: why.
enum class StopRequest : uint32_t {
  kNone,
  kInterrupted,  // Ctrl-C, SIGTERM
  kTime,         // time_limit_ms is over
};

// How many executions a search takes, by probes (docs/algorithms/estimating.md).
struct Estimate {
  std::atomic<double> executions;  // 0: no idea
  std::atomic<double> low, high;   // a standard error below and above
};

struct Progress {
  std::atomic<uint64_t> executions;    // runs to an end
  std::atomic<uint64_t> redundant;     // runs cut short as redundant
  std::atomic<uint64_t> assumed_away;  // runs that heddle_assume dropped
  std::atomic<uint64_t> cut;           // of `executions`: ended by --max-events or --hang-after
  std::atomic<uint64_t> hooks;         // heddle_hook calls (explore/hook_count.h)
  std::atomic<uint64_t> events;
  std::atomic<uint64_t> findings;
  std::atomic<uint64_t> suppressed;
  Estimate estimate;  // of the whole search
  // When that is more than there is time for: the highest bound on preemptions that is not, and
  // what a search with it takes; -1: none.
  std::atomic<int64_t> advised_bound;
  Estimate advised;
  std::atomic<int64_t> bound;  // being explored; -1: none
  std::atomic<int64_t> completed_bound;
  // Changes with every execution begun, also while minimising and explaining.
  std::atomic<uint64_t> heartbeat;
  std::atomic<uint64_t> threads;  // most threads seen in one execution
  // Of a sample of the executions (search/execution_time.h): how many, the time that they took, and
  // of that putting memory back, and main before its first thread.
  std::atomic<uint64_t> timed;
  std::atomic<uint64_t> timed_ns;
  std::atomic<uint64_t> restoring_ns;
  std::atomic<uint64_t> before_threads_ns;
};

inline constexpr uint32_t kMaxCoverageBounds = 64;
inline constexpr uint32_t kMaxCoveragePoints = 976;

// After the first so many executions so many happens-before graphs were seen.
struct CoveragePoint {
  uint64_t executions;
  uint64_t graphs;
};

struct Summary {
  Stop stop;
  uint32_t complete;        // everything up to the bound asked for was explored
  uint32_t whole_space;     // ... and the bound left nothing out
  uint64_t happens_before;  // distinct terminal happens-before graphs
  uint64_t trace_sum;       // of their hashes, modulo 2^64
  // Cumulative: reachable with at most i preemptions and early timeouts.
  uint64_t by_preemptions[kMaxCoverageBounds];
  uint32_t by_preemptions_count;
  uint32_t coverage_overflow;  // stopped counting: more graphs than the table holds
  uint32_t over_executions_count;
  CoveragePoint over_executions[kMaxCoveragePoints];
  uint64_t peak_nodes;     // of the execution tree
  uint64_t steps_skipped;  // that lay before a checkpoint from which an execution went on
  // With --visited: states, bytes of their table, and how many were met first within each bound.
  uint64_t states;
  uint64_t state_bytes;
  uint64_t collisions;  // states with the hash of another one, with --exact
  uint64_t states_by_bound[kMaxCoverageBounds];
  uint32_t states_by_bound_count;
  uint64_t most_choices;        // of threads, in an execution, with --order pct, pos ...
  uint32_t weak_pairs_watched;  // every execution was looked at (docs/claims.md, weak memory)
  uint32_t beyond_c11;          // something was used of which C11 does not say what it orders
  uint32_t time_limits;         // some operation had one
  // Of what was visible: a schedule, or a piece of the search, has to be run with the same.
  uint32_t thread_ends;
  uint32_t thread_joins;
  uint32_t joint_cycles;
  uint32_t frame_ends;
  uint64_t signals;
  // Of a replay: how many choices were made; and the first of these that is of another kind than in
  // the schedule (kNotOfThread), or kNone.
  static constexpr uint64_t kNone = ~uint64_t{0};
  uint64_t choices_made;
  uint64_t other_kind;
};

}  // namespace heddle::channel
