// What the program's process reports, at kReportAt: records one behind the other, each 8-byte
// aligned. Those that are whole are counted by Header::report_bytes, so a process that dies takes
// none of them with it.
#pragma once

#include <cstdint>

#include "channel/settings.h"
#include "claim/incomplete.h"

namespace heddle::channel {

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
  kGraph,       // WeakGraphRecord + GraphEvent[] + uint16_t known[], between a finding and its end
  kAtomic,      // AtomicRecord
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
  // object, %S<mangled>% for a symbol, %L<hex>% for the place of a return address and %N<hex>% for
  // that of the step with this number, which the supervisor replaces by names
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
  // Likewise: a read of what the failed assertion compares.
  kStepCompared = 2048,
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
  // A plain read that has no influence on other threads, of those that its thread made last: an
  // assertion may have failed for it.
  kFactInCase = 512,
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
  uint32_t event;   // number of its last event in the finding's graph, from 1; 0: it has none
  uint64_t moment;  // when it was made; the same in every replay (kNotMade: it was not)
  uint64_t hook;    // where in heddle pc[0] called it; 0: not known
  // Of a marked step: the function that pc[0] called, as libheddle's symbol; empty: not known.
  char call[32];
  uint64_t pc[kMaxFrames];
  // The stack pointer of each frame while the one within it ran: frame i lies from sp[i] to
  // sp[i + 1].
  uint64_t sp[kMaxFrames];
};

// Of an execution under tso or c11: its events, each after those that it reads from. A copy of
// model::ExecutionGraph, as numbers.
struct WeakGraphRecord {
  RecordHead head;
  uint32_t threads;
  uint32_t count;  // of events; 0: there were too many
  space::MemoryModel model;
  uint32_t padding;
};

enum GraphEventFlags : uint8_t {
  kGraphOfUpdate = 1,      // half of a read-modify-write that wrote
  kGraphContinues = 2,     // model::Label::continues_own_sequences
  kGraphFailedUpdate = 4,  // a load that is all of a read-modify-write
};

struct GraphEvent {
  uint8_t kind;   // model::EventKind
  uint8_t order;  // model::Order
  uint8_t flags;  // GraphEventFlags
  uint8_t padding;
  uint16_t thread;
  uint16_t other;      // thread created or joined
  uint32_t location;   // of an access: a number
  uint32_t position;   // of a store: in modification order, from 1
  int32_t reads_from;  // of a load: an event, or of the location's first write ~location
  uint32_t known;      // 0, or more: of each thread so many events happen before it, for reasons
                       // that others do not have; they begin at this number, from 1, of known[]
};

// A block of the program's heap that a step of the finding touches. Where one lies that was freed
// before, the later one has the greater number.
struct BlockRecord {
  RecordHead head;
  uint64_t number;  // of the last step recorded before it was allocated
  uint64_t address;
  uint64_t bytes;   // as asked for
  uint32_t thread;  // that allocated it; before main it is main
  uint32_t frames;  // of the allocation, as in StepRecord
  uint64_t pc[kMaxFrames];
};

// Beside an option of a schedule: it is none of a choice of threads.
inline constexpr uint32_t kNotOfThread = 1u << 30;

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
  // uint32_t options[count]: the option taken at each choice point, perhaps with kNotOfThread
};

// Code whose plain accesses became scheduling points, because they race.
struct PlaceRecord {
  RecordHead head;
  uint64_t offset;  // return address of the access, in its module
  // char module[], zero-terminated: file name; empty for the program itself
};

// An atomic operation or a fence that the program makes, with the orders that it says
// (OrderOverride). Told once in each process.
struct AtomicRecord {
  RecordHead head;
  uint8_t op_kind;
  uint8_t order, failure;
  uint8_t asked;    // an OrderOverride says how it runs
  uint32_t places;  // so many of pc tell it apart; 0: there are too many operations to be told
  uint32_t frames;  // valid entries of pc: return addresses, innermost first
  uint32_t padding2;
  uint64_t pc[kMaxFrames];
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
