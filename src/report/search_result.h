// What a search found, in words: every address is a name, every pc a source line. Built from the
// channel by assemble.h, written and read by json.h, printed by text.h. It depends on no running
// process, so `heddle report FILE.json` prints the same text a month later.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "channel/progress.h"
#include "space/space.h"

namespace heddle::report {

enum class Verdict { kClean, kBug, kIncomplete, kUncontrolled };

struct Location {
  std::string file;  // absolute; empty: unknown
  uint32_t line = 0;
  std::string function;
  uint32_t column = 0;  // from 1, in bytes; 0: unknown
};

struct Frame {
  Location location;
  std::string module;
  bool library = false;   // not the program's own code: below /usr, or heddle's
  uint32_t declared = 0;  // the function's first line; 0: not known; not in files
  // Of a part of a function that the compiler has made one of its own (`f.part.0`), and which the
  // rest of the function calls; not in files.
  bool is_part = false;
  // It calls where it is declared: the rest of such a function, into which the part was inlined
  // again, if that is what it calls; not in files.
  bool is_rest = false;
};

// Which steps matter and why; the bits are channel::StepFlags.
struct Step {
  std::string thread;     // "main", "T1", "T1.2"
  std::string operation;  // name in op.def
  std::string text;       // "locks mutex account_lock", "loads head: Node#1"
  std::string object;     // "mutex account_lock", or empty
  std::string read;       // the value that an access read: "100", "Node#1"; empty: not known
  std::string written;    // what its bytes hold after it
  std::string expected;   // of a compare-exchange: what it looked for
  std::string remark;     // what is worth saying of it: "ABA: was Node#2 in between"; or empty
  std::string order;      // of an atomic access or fence: "relaxed", "acq_rel"; else empty
  std::string call;       // the function of libc that made the access ("memcpy"); not in files
  std::string owner;      // blocked: the thread that has what this one waits for, or empty
  std::string source;     // the source line at `location`, without indentation; empty: not readable
  Location location;      // the program's own line, innermost but for thin wrappers
  Location within;        // the wrapper's line, if it was made in one (wrappers.h)
  uint32_t flags = 0;
  uint64_t omitted_before = 0;  // steps left out between the one before and this one
  uint64_t moment = 0;          // channel::StepRecord; known after a replay only, not in files
  std::vector<Frame> stack;     // innermost first; only for steps that the report shows a stack of
};

// Step::remark of a blocked step whose thread is in a loop.
inline constexpr const char* kGoesRound = "goes round";

// Step::object of one that waits for what a promise or a task is to set.
inline constexpr const char* kFuture = "a future";

// Step::remark of an access that the free of its memory is not ordered with, and which came first
// in this schedule.
inline constexpr const char* kMayComeAfterFree = "may come after the free";
inline constexpr const char* kMayComeAfterEnd = "may come after the object is destroyed";
inline bool MayComeTooLate(const Step& step) {
  return step.remark == kMayComeAfterFree || step.remark == kMayComeAfterEnd;
}

// Flags of a step that only the report sets, behind channel::StepFlags: why the text may leave it
// out (aside.h).
inline constexpr uint32_t kAsideNoInfluence = 1u << 24;
inline constexpr uint32_t kAsideSharedPtr = 1u << 25;
inline constexpr uint32_t kAsideCallOnce = 1u << 26;
inline constexpr uint32_t kAsideFuture = 1u << 27;
inline constexpr uint32_t kAsideBookkeeping = kAsideSharedPtr | kAsideCallOnce | kAsideFuture;

// Of a livelock: a thread that goes round, and lines of its loop, at most four.
struct Loop {
  std::string thread;
  std::vector<Location> locations;
};

// A block of the program's heap that steps name; or an object that is called by a number, as it is
// no variable and in no block that is known.
struct Block {
  std::string name;       // "Node#1", "block#2", "M1"
  std::string noun = {};  // "mutex" of M1; empty: a block
  uint64_t bytes = 0;
  std::string thread;  // that allocated it; empty: not known
  Location location;   // where
  std::string source;
};

// An atomic access, a fence, or another step that the graph of a weak execution has.
struct GraphEvent {
  std::string thread;
  std::string text;   // "stores data: 1"
  std::string order;  // as Step::order
  Location location;
};

// That one comes before another: "po" program order, "rf" reads from, "mo" modification order, "fr"
// reads what the other overwrites, "sync" locks, creation and joining of threads.
struct GraphEdge {
  std::string relation;
  size_t from = 0, to = 0;  // indices of events
};

// What would forbid an execution, together: an order that stands at a place, or a fence before it.
struct OrderChange {
  std::string order;  // "release", "seq_cst"
  bool fence = false;
  Location location;
};

// What a search has come to in which such changes were made.
struct Confirmation {
  // "no-bug", "same-bug", "other-bug", or "not-known"
  std::string result;
  uint64_t executions = 0;
  std::string why = {};  // the bug in one line; or why it is not known
};

// Of an execution under tso or c11 (docs/algorithms/weak_memory.md).
struct WeakExecution {
  bool sequential = true;  // sequentially consistent: the bug needs no weak memory
  bool x86 = true;         // tso allows it
  // Unless it is sequential: those that matter, the edges rf and mo among them, and a shortest
  // cycle of edges.
  std::vector<GraphEvent> events;
  std::vector<GraphEdge> edges;
  std::vector<GraphEdge> cycle;
  std::vector<std::vector<OrderChange>> forbidden_by;  // each alone; the smallest first
  bool all_tried = true;                // nothing smaller, or, with none, nothing at all
  std::vector<Confirmation> confirmed;  // of each of forbidden_by; empty: nobody has looked
};

struct Finding {
  std::string kind;  // as in docs/json.md
  std::string identity;
  std::string message;
  std::string thread;
  uint32_t preemptions = 0;
  uint32_t early_timeouts = 0;
  bool fewer_may_do = false;  // both are upper limits: whether fewer suffice was not found out
  uint64_t execution = 0;
  std::string found_by;  // of several searches in turn: which; else empty
  int32_t status = 0;
  bool not_reproduced = false;
  // What the end of the search came before: "minimising", or even "recording"; or empty.
  std::string cut_short;
  // A library that was not rebuilt, takes part, and may order what looks unordered; or empty.
  std::string may_be_ordered_by;
  std::string output;    // what a test framework printed of a failed assertion, or the program last
  std::string schedule;  // path of the file; empty: could not be recorded
  std::string line;  // the same as a line (replay/schedule_line.h); empty: it is too long for one
  // Of a data race: pairs of instructions that race on the same variable in the same two lines,
  // this one's among them (merge_races.h), and the identities of the others. Likewise the stacks of
  // a leak.
  uint64_t races = 1;
  std::vector<std::string> also;
  size_t record = 0;  // which of Records::findings it is told of; not in files
  std::vector<Location> locations;
  std::vector<Step> steps;
  // Of a livelock. Unfair: only because of the schedule (docs/algorithms/spinning.md).
  std::vector<Loop> loops;
  bool fair = true;
  std::vector<Block> blocks;  // in the order in which the steps name them
  // Under tso or c11, unless there were too many events; one, or none.
  std::vector<WeakExecution> weak;
  // Of a race condition, which takes two schedules: the other one, with its steps, its cost, its
  // message and its file. Else empty.
  std::vector<Finding> other;
};

struct Label {
  uint64_t count = 0;
  uint32_t preemptions = 0;
  uint32_t early_timeouts = 0;
  bool weak_only = false;  // the search that went on under C11's memory model has met it first
};

struct Note {
  std::string kind;  // "incomplete": the search is no proof (docs/claims.md); "warning", "info"
  std::string text;
  std::string reason = {};  // of an incomplete one: claim::NameOf
  bool told = false;        // a line on stderr has said it when the search began; not in files
};

// Two atomic accesses to the same bytes, at least one a write and one not seq_cst, that nothing
// orders in C11's sense.
struct WeakPair {
  Step first, second;
};

// The search that goes on under C11's memory model where that allows more than the one before it
// has explored.
struct WeakSearch {
  bool sc_complete = false;  // the one before has explored every sequentially consistent execution
  bool complete = false;     // this one, every execution
  channel::Stop stop = channel::Stop::kNone;
  uint64_t executions = 0, assumed_away = 0, cut = 0, events = 0;
  double elapsed_s = 0;
};

struct WeakMemory {
  bool holds = false;           // what the search has shown holds under C11's memory model, too
  std::vector<WeakPair> pairs;  // the first ones met
  std::optional<WeakSearch> search;
};

// How many executions a search takes (docs/algorithms/estimating.md).
struct Estimate {
  double executions = 0;     // 0: no idea
  double low = 0, high = 0;  // a standard error below and above
};

// After the first so many executions so many happens-before graphs were seen.
struct CoveragePoint {
  uint64_t executions;
  uint64_t graphs;
};

// Where the time of executions went: of a sample of them, which has all that are slow.
struct TimeShares {
  uint64_t executions = 0;         // measured
  uint64_t ns = 0;                 // that they took
  uint64_t restoring_ns = 0;       // of that: putting memory back
  uint64_t before_threads_ns = 0;  // in main, before its first thread
};

struct SearchResult {
  std::string heddle_version;
  std::string program;
  std::vector<std::string> arguments;
  std::string test_case;  // of the program's test framework (--case); empty: the whole program
  bool instrumented = false;

  Verdict verdict = Verdict::kIncomplete;
  bool complete = false;
  bool whole_space = false;  // complete, and the bound left nothing out
  bool time_limits = false;  // some operation had one
  std::string guarantee;
  channel::Stop stop = channel::Stop::kNone;  // kNone: its process kept dying

  WeakMemory weak_memory;
  uint64_t suppressed = 0;    // findings that --suppressions or the program itself leaves out
  bool races_checked = true;  // --no-races was not given

  std::string preset;    // empty: none
  std::string priority;  // of --order best-first; else empty
  std::string order, reduction, visited, rewind, points, timeouts, release_sequences, memory_model;
  std::optional<space::Bound> bound;
  uint32_t depth = 0;            // of --order pct; 0 with another one
  int64_t completed_bound = -1;  // -1: none
  uint64_t seed = 0;

  uint64_t executions = 0, redundant = 0, assumed_away = 0, cut = 0, hooks = 0, events = 0,
           threads = 0, restarts = 0;
  double elapsed_s = 0;
  TimeShares time;
  uint64_t peak_memory_bytes = 0;
  uint64_t peak_nodes = 0;     // of the execution tree
  uint64_t steps_skipped = 0;  // that lay before a checkpoint from which an execution went on
  uint64_t most_choices = 0;   // of threads, in one execution; of orders that draw schedules
  // With --visited: states, the bytes of their table, and how many were met first within each
  // bound.
  uint64_t states = 0;
  uint64_t state_bytes = 0;
  bool exact = false;
  uint64_t collisions = 0;
  std::vector<uint64_t> states_by_bound;
  uint64_t happens_before = 0;
  // Of the hashes of all graphs, modulo 2^64; nothing: more graphs than could be kept.
  std::optional<uint64_t> trace_sum;
  std::vector<uint64_t> by_preemptions;
  std::vector<CoveragePoint> over_executions;
  // Of each job, if several have searched at the same time: how many of the executions it ran.
  std::vector<uint64_t> jobs;
  bool all_graphs = false;  // every graph that the program has was counted

  // The file by which the search can be gone on with; empty: there is none, or nothing is left.
  std::string saved;
  uint64_t saved_executions = 0;  // as it was after so many
  Estimate estimate;              // of the whole search
  // Where there was no time for that many: the highest bound on preemptions for which there is, and
  // what a search with it takes; -1: none.
  int64_t advised_bound = -1;
  Estimate advised;

  std::map<std::string, Label> outcomes;
  std::vector<Note> notes;
  std::vector<Finding> findings;
};

}  // namespace heddle::report
