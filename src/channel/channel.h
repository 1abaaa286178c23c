// The versioned contract between the program's process (writer of results) and the supervisor.
//
// One memfd, passed by descriptor number in HEDDLE_CHANNEL. Both map it shared:
//
//   0            Header                      settings, progress, summary, what is in flight
//   kNamesAt     ThreadName[]                creation path of every thread number, unless several
//   processes search together: then that is in a file of its own (SharedNames)
//   kPlanAt      uint32_t[]                  replay: the option at each choice point, in order
//   kReportAt    records (see RecordHead)    findings with their steps, modules, outcomes, notes
//   kArenaAt     heddle's heap               explorer state, traces; only the program's process
//   maps it, at kArenaAddress
//
// The supervisor maps [0, kArenaAt). When the program's process dies, the next one maps the same
// memfd and goes on: the explorer's State and the schedule in flight are in the arena.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "claim/incomplete.h"
#include "space/space.h"

namespace heddle::channel {

inline constexpr char kChannelVariable[] = "HEDDLE_CHANNEL";
// The supervisor sends this when one execution has had hang_ms; the runtime ends that execution
// as a hang. After a stop request it ends it as stopped. The last but one real-time signal
// (SIGRTMAX - 1): programs that use real-time signals start from SIGRTMIN.
inline constexpr int kHangSignal = 63;
inline constexpr uint32_t kMagic = 0x64646568;  // "hedd"
inline constexpr uint32_t kVersion = 30;

inline constexpr uint64_t kNamesAt = 64ull << 10;
inline constexpr uint64_t kPlanAt = 64ull << 20;
inline constexpr uint64_t kReportAt = 128ull << 20;
inline constexpr uint64_t kReportBytes = 896ull << 20;
inline constexpr uint64_t kArenaAt = 1ull << 30;
inline constexpr uint64_t kArenaBytes = 66ull << 30;
inline constexpr uint64_t kTotalBytes = kArenaAt + kArenaBytes;  // sparse
inline constexpr uint64_t kArenaAddress = 0x7a0000000000ull;
inline constexpr uint32_t kMaxNames = (kPlanAt - kNamesAt) / 8;

// A call of heddle::Check: a letter for what each call before it answered (the first letter of the
// verdict's name), '@', and the place of this one in the source, "cb@queue_test.cpp:40".
inline constexpr unsigned kMaxCheckCall = 1024;  // with the zero at its end

enum class Mode : uint32_t { kCheck, kReplay };
// The point in the space of searches: which, and what they are called, is in space/space.h.
using space::Order;
using space::Points;
using space::Reduction;
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
  uint64_t signals;           // replay: threads looked for these signals (runtime/visible.h)
  EndAt end_at;               // replay
  uint64_t expected;          // replay: identity of the bug that was recorded
  uint32_t places_bytes;      // replay: visible places behind the options, "module+0xOFFSET" each,
                              // zero-terminated
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
          settings.priorities, settings.depth,     settings.visited};
}

// What the user wants the search to look at first, as addresses of the program's file: code, where
// a function lies itself or was inlined to, or the bytes of a variable.
enum class FocusKind : uint64_t { kFunction, kInlined, kVariable };
struct FocusRange {
  uint64_t begin;
  uint64_t end;
  FocusKind kind;
};
inline constexpr uint32_t kMaxFocusRanges = 1000;

// Which of the searches of --order escalating ran the execution that showed it.
struct Finder {
  enum Kind : uint32_t { kTheSearch, kOneOfSeveral, kProbe };  // a probe of the estimate
  Kind kind;
  // Of several in turn, the one.
  Order order;
  Reduction reduction;
  space::Priorities priorities;
};

enum class Phase : uint32_t { kStarting, kSearching, kExplaining, kFinished };

// Why the search stopped.
enum class Stop : uint32_t {
  kNone,
  kExhausted,
  kBug,
  kExecutions,
  kTime,
  kInterrupted,
  kUncontrolled
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
};

// What of the channel a saved search consists of (docs/saved-search.md), besides what the
// supervisor knows itself: its header, the names and the report.
struct UsedMemory {
  uint64_t at;  // in the channel
  uint64_t bytes;
};
inline constexpr uint32_t kUsedParts = 3;

// Where the search came from.
enum class Origin : uint32_t {
  kNew,
  kResumed,  // the channel was filled from a saved search, and nobody has gone on with it yet
  kGoesOn,   // likewise, and somebody has
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
};

// Searching together (search/sharing.h). What one side sets for the other to see is atomic; the
// rest belongs to the side that has not set it.
struct Sharing {
  // The process parts with branches, and when it has nothing left it waits for more.
  uint32_t on;
  // It explores nothing but what it is brought.
  uint32_t waits_first;
  // It goes on with the memory of a search that stood still, of which it keeps nothing but what was
  // learnt of the program: names, what is visible, findings. Set back by the first process.
  uint32_t renews;
  // Of branches as bytes, each behind its length (search/sharing.h): at kBranchesOutAt those that
  // the process has parted with, at kBranchesInAt those that it is brought. As /proc/PID/fd/N.
  char path[64];
  // Of what the numbers of threads and objects mean, for all that search together (SharedNames);
  // empty: in the channel itself.
  char names_path[64];
  // Where the process writes the graphs that it has seen, at the end; empty: nowhere.
  char graphs_path[64];
  // Supervisor -> process: to part with so many, kAllBranches: as many as there are. The process
  // sets it back to 0 when `parted` of them, in `parted_bytes`, are in the file.
  std::atomic<uint32_t> wished;
  // Supervisor -> process: counted down before each execution; at 0 the process parts with all
  // branches, as if they were wished for. So a search is cut at the same place every time.
  std::atomic<uint32_t> wishes_in;
  uint32_t parted;
  uint64_t parted_bytes;
  // Supervisor -> process: so many are in the file, in `brought_bytes`. Set back to 0 when they are
  // taken.
  std::atomic<uint32_t> brought;
  uint64_t brought_bytes;
  // The process has nothing left, and waits until it is brought some, or told to finish.
  std::atomic<uint32_t> idle;
  std::atomic<uint32_t> finish;
  std::atomic<uint32_t> waiting;  // branches that it has taken and not begun
  // Supervisor -> process: bounds are explored in turn by all together, so the process does not go
  // on to the next one by itself. It may do so each time that `raises` has grown; `raised` says
  // that it has. While it is idle: is there more with the next bound (`awaits`), the present one,
  // and whether something was left out within those so far (`leaves_out`).
  std::atomic<uint32_t> in_step;
  std::atomic<uint32_t> raises;
  std::atomic<uint32_t> raised;
  std::atomic<uint32_t> awaits;
  std::atomic<uint32_t> leaves_out;
  std::atomic<int64_t> bound;
  // Supervisor -> process: somebody has left something out within the bounds so far.
  std::atomic<uint32_t> unsure;
  // More became visible: what others explore is of no use any more. It waits until it is alone
  // (`alone` is as large), and then begins again from the beginning.
  std::atomic<uint32_t> grown;
  std::atomic<uint32_t> alone;
  // One of its searches, which it has not shared, has shown that there is nothing else
  // (--order escalating).
  uint32_t proves_all;
  uint32_t shared;  // it has parted with branches, or has taken some
  // An execution wrote to a file: two processes might meet there.
  uint32_t writes_files;
};
inline constexpr uint32_t kAllBranches = 0xffffffffu;
inline constexpr uint64_t kBranchesOutAt = 0;
inline constexpr uint64_t kBranchesInAt = 1ull << 40;

// One graph (Sharing::graphs_path): its hash, and the least preemptions and early timeouts seen.
struct GraphRecord {
  uint64_t hash;
  uint64_t least;
};

// Names of the threads and objects of the program in the order of their numbers, for all processes
// that search together. A number that one of them gives is known to all. And of a search that keeps
// a table of states, that (explore/hb/shared_states.h).
//
//   0                       SharedNames
//   kSharedThreadsAt        ThreadName[]
//   kSharedObjectsAt        runtime::ObjectName[]
//   kSharedStatesAt         explore::SharedStates
struct SharedNames {
  std::atomic<uint32_t> threads;
  uint32_t objects;              // changed by atomic operations only
  std::atomic<uint32_t> holder;  // process that is about to give a number; 0: none
};
inline constexpr uint64_t kSharedThreadsAt = kNamesAt;
inline constexpr uint64_t kSharedObjectsAt = kPlanAt;
inline constexpr uint64_t kSharedObjectsBytes = 1ull << 30;
inline constexpr uint64_t kSharedStatesAt = kSharedObjectsAt + kSharedObjectsBytes;
inline constexpr uint64_t kSharedStatesBytes = 4ull << 30;
inline constexpr uint64_t kSharedNamesBytes = kSharedStatesAt + kSharedStatesBytes;  // sparse

struct Header {
  uint32_t magic;
  uint32_t version;
  Settings settings;
  std::atomic<uint32_t> phase;  // Phase
  // Supervisor -> program: end the search now (StopRequest). Never taken back. Polled also by what
  // computes for long between two executions (explore/stop_token.h).
  std::atomic<uint32_t> stop_request;
  std::atomic<uint32_t> early_look;  // what the next kHangSignal asks for (session/watchdog.h)
  Progress progress;
  Summary summary;
  std::atomic<uint64_t> report_bytes;  // valid bytes at kReportAt
  std::atomic<uint64_t> report_lost;   // records that did not fit any more
  std::atomic<uint32_t> name_count;    // valid entries at kNamesAt, if they are there
  // The program's process counts `question` up and waits until `answer` is the same; the supervisor
  // has looked at the last finding of purpose kQuestion by then.
  std::atomic<uint32_t> question;
  std::atomic<uint32_t> answer;
  uint32_t answer_suppressed;
  // What is in flight; for the next process when this one dies.
  std::atomic<uint32_t> in_flight;  // an execution is running
  std::atomic<uint32_t> runner;     // in this process; 0: in the one that searches
  int32_t death_status;             // supervisor -> next process: wait status of the one that died
  uint32_t restarts;                // how many processes came before this one
  uint32_t hang_kill;               // supervisor -> next process: it was killed because it hung
  uint32_t stop_kill;   // supervisor -> next process: ... because it did not answer a stop request
  char spill_path[64];  // an unlinked file of the supervisor's for what the search cannot keep in
                        // memory, as /proc/PID/fd/N; empty: none
  Finder finder;        // of what is being explained
  // Of the priority functions method and var (settings.priorities).
  uint32_t focus_count;
  FocusRange focus[kMaxFocusRanges];
  // Saving the search. The program's process stands still between two executions when the
  // supervisor wishes it, and at the end of the search if that is to be saved: it fills in what
  // follows, counts `at_rest` up and waits until `go_on` is the same.
  std::atomic<uint32_t> save_wished;
  std::atomic<uint32_t> save_at_end;
  std::atomic<uint32_t> at_rest;
  std::atomic<uint32_t> go_on;
  Stop rests_at;  // the end of the search; kNone: it goes on
  UsedMemory used[kUsedParts];
  Origin origin;
  Sharing sharing;
  uint64_t graphs;  // so many GraphRecord are in Sharing::graphs_path
  // Where the program is, as a hash: an object's address is its name. Filled in by the first
  // process, or by a supervisor that knows where it was; then it has to be the same.
  uint64_t layout;
  // Why this program cannot be brought under control; phase stays kStarting.
  char set_up_error[512];
};

static_assert(sizeof(Header) <= kNamesAt);

// A thread is named by its creation path. Number 0 is main: {kNoParent, 0}.
struct ThreadName {
  uint32_t parent;
  uint32_t child;  // n-th thread this parent created, from 1
};

// ---- records at kReportAt, each 8-byte aligned ----

enum class RecordKind : uint32_t {
  kModule = 1,  // ModuleRecord + path
  kFinding,     // FindingRecord + message; followed by its steps, then kFindingEnd
  kStep,        // StepRecord
  kSchedule,    // ScheduleRecord + uint32_t options[]
  kFindingEnd,  // no body
  kOutcome,     // OutcomeRecord + label
  kPlace,       // PlaceRecord + name of a module
  kBlock,       // BlockRecord, between a finding and its end
  kNote,        // NoteRecord + text: something the user should know, e.g. why this is no proof
  kOutput,      // RecordHead + text, between a finding and its end: what the program printed last
};

struct RecordHead {
  RecordKind kind;
  uint32_t bytes;  // of the whole record, head and padding included
};

struct ModuleRecord {
  RecordHead head;
  uint64_t bias;        // load bias: address in file = address - bias
  uint64_t begin, end;  // mapped range
  uint32_t opened;      // by the program, while it ran
  uint32_t padding;
  // char path[], zero-terminated
};

enum class BugKind : uint32_t {
  kDataRace,
  kDeadlock,
  kLivelock,
  kAssertion,
  kAbort,
  kCrash,
  kUncaughtException,
  kExitStatus,
  kMisuse,
  kUseAfterFree,
  kDoubleFree,
  kLeak,
  kInvariant,
  kHang,
  kRaceCondition,
  kUseAfterReturn,
  kInvalidFree,
  kHeapBufferOverflow,
  kHeapBufferUnderflow,
  kAllocDeallocMismatch,
  kUninitialisedRead,
  kUseAfterDestroy,
};

inline constexpr unsigned kMaxFrames = 24;

// What a finding is told for.
enum class Purpose : uint32_t {
  kBug,
  kQuestion,   // is it suppressed? The supervisor answers (Header::question)
  kWeakPair,   // two atomic accesses that weak memory may show in another order: its two steps only
  kOther,      // of the bug told before by the same number: the other schedule that it takes
  kWithdrawn,  // the bug told before by the same number is none to report: known, or suppressed
};

// A bug is told as soon as it is noticed, and told again by the same number as more is known of it.
// What the record lacks in case that none follows, because time was up.
enum class Missing : uint32_t {
  kNothing,
  kMinimising,  // the schedule is the one by which it was found
  kRecording,   // and nothing but that, and the message, is known: no steps
};

struct FindingRecord {
  RecordHead head;
  BugKind kind;
  uint32_t thread;
  uint32_t preemptions;
  uint32_t early_timeouts;
  int32_t status;      // signal number, exit status
  uint64_t identity;   // stable: kind and code locations, independent of addresses
  uint64_t execution;  // number of the execution that first showed it, from 1
  uint64_t address;    // of the raced location, the faulting access ...
  uint32_t size;       // bytes at `address`
  Purpose purpose;
  uint32_t not_reproduced;  // the explaining run did not show it again: uncontrolled nondeterminism
  uint32_t fewer_may_do;    // it is not known that preemptions and early timeouts are the fewest
  Finder found_by;
  uint32_t number;  // of the bug, in the order in which they were noticed, from 1; 0: none
  Missing missing;
  // char message[], zero-terminated: one sentence, with %T<n>% for a thread, %O<hex>% for an
  // object, %S<mangled>% for a symbol and %L<hex>% for the place of a return address, which the
  // supervisor replaces by names
};

enum StepFlags : uint32_t {
  kStepPreempts = 1,    // the thread that ran before was preempted here
  kStepRaceFirst = 2,   // first of the conflicting accesses
  kStepRaceSecond = 4,  // second of the conflicting accesses
  kStepBlocked = 8,     // not executed: what the thread was waiting for at the end
  kStepEnding = 16,     // the operation that ended the execution
  kStepFailed = 32,     // a try that failed
  kStepTimedOut = 64,
  kStepLeft = 128,   // not executed: where the thread stood when the program ended
  kStepMade = 256,   // not a step: where the object was made that the finding is about
  kStepEarly = 512,  // its time limit passed while another thread could run
  // Set by the report: the finding's last reads read what this one wrote.
  kStepReadFrom = 1024,
};

// What else a StepRecord says of its step.
enum StepFacts : uint32_t {
  kFactRead = 1,      // `value` was read
  kFactWritten = 2,   // `written` is what the bytes hold after it
  kFactExpected = 4,  // a compare-exchange: `expected` is what it looked for
  kFactPoint = 8,     // a plain access that is a scheduling point
  kFactFrees = 16,    // a plain access: the free of the block
  // Of a blocked step: its thread goes round a loop. `value`, `written` and `expected` are further
  // places of it, or 0.
  kFactLoop = 32,
  kFactUnfair = 64,     // and keeps out others that could go on
  kFactTogether = 128,  // and does not wait there, but goes round with others
  kFactDestroys = 256,  // with kFactFrees: the end of a static object
};

// The moments of an execution that is recorded: 1, 2, ... for each event and each plain access.
inline constexpr uint64_t kNotMade = ~uint64_t{0};

struct StepRecord {
  RecordHead head;
  uint64_t number;  // of the steps of the execution that were recorded, from 1
  uint32_t thread;
  uint8_t op_kind;  // op::Kind
  uint8_t size;
  uint8_t order;
  uint8_t detail;
  uint32_t flags;   // StepFlags
  uint32_t other;   // thread created or joined, mutex owner when blocked; 0xffffffff: none
  uint64_t object;  // address
  uint64_t object2;
  uint64_t value;  // what it read, or its result (facts); of more than 8 bytes nothing is told
  uint64_t written;
  uint64_t expected;
  uint32_t facts;   // StepFacts
  uint32_t frames;  // valid entries of pc, innermost first; return addresses (but [0] of a crash is
                    // exact)
  uint32_t exact;   // pc[0] is the faulting instruction itself
  uint32_t padding;
  uint64_t moment;  // when it was made; the same in every replay (kNotMade: it was not)
  uint64_t hook;    // where in heddle pc[0] called it; 0: not known
  // Of a marked step: the function that pc[0] called, as libheddle's symbol; empty: not known.
  char call[32];
  uint64_t pc[kMaxFrames];
  // The stack pointer of each frame while the one within it ran: frame i lies from sp[i] to
  // sp[i + 1].
  uint64_t sp[kMaxFrames];
};

// A block of the program's heap that a step of the finding touches. Where one lies that was freed
// before, the later one has the greater number.
struct BlockRecord {
  RecordHead head;
  uint64_t number;  // of the last step recorded before it was allocated
  uint64_t address;
  uint64_t bytes;   // as asked for
  uint32_t thread;  // that allocated it; 0xffffffff: not known (before main)
  uint32_t frames;  // of the allocation, as in StepRecord
  uint64_t pc[kMaxFrames];
};

struct ScheduleRecord {
  RecordHead head;
  uint32_t count;  // options
  uint32_t preemptions;
  uint64_t steps_hash;
  uint32_t thread_count;  // names 0 .. thread_count-1 at kNamesAt are used
  uint32_t thread_ends;   // the end of a thread was a choice point
  uint32_t places;        // so many places, the first of all, were scheduling points
  uint32_t thread_joins;  // what joins or detaches a thread was a choice point
  uint32_t joint_cycles;  // loops of several threads were recognised
  uint32_t frame_ends;    // the return of a frame was an event
  uint64_t signals;       // threads looked for these signals
  EndAt end_at;
  // uint32_t options[count]: the option taken at each choice point
};

// Code whose plain accesses became scheduling points, because they race.
struct PlaceRecord {
  RecordHead head;
  uint64_t offset;  // return address of the access, in its module
  // char module[], zero-terminated: file name; empty for the program itself
};

struct OutcomeRecord {
  RecordHead head;
  uint64_t count;
  uint32_t preemptions;  // of the execution with the fewest of both
  uint32_t early_timeouts;
  // char label[], zero-terminated
};

enum class NoteKind : uint32_t {
  kIncomplete,  // the search is no proof (docs/claims.md)
  kWarning,
  kInfo,
};

struct NoteRecord {
  RecordHead head;
  NoteKind kind;
  claim::Incomplete reason;  // of kIncomplete
  // char text[], zero-terminated: one line
};

}  // namespace heddle::channel
