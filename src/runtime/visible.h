// What is visible beyond the operations that always are: a set that only grows.
//
// The search begins without them. An execution that meets something which tells them apart (a
// thread that is joined only if it has ended, say) makes them visible: it ends as kNeedsMorePoints,
// and the search begins again. Nothing is missed by beginning without: up to the first operation
// that tells them apart, every execution with them visible behaves like one without, and that was
// explored. At the fixpoint the guarantee is that of a search in which they were visible from the
// start.
//
// Findings are minimised and explained with the set under which they were found: growth is only
// wished for, and comes into force when the search begins again. A schedule file says what was
// visible; while one is replayed the set does not grow.
#pragma once

#include <cstdint>

namespace heddle::runtime {

struct VisibleSet {
  // The end of a thread is a scheduling point, a step of its own (docs/decisions/0003).
  bool thread_ends = false;
  // So are joining and detaching; then the end of a thread is visible, too.
  bool thread_joins = false;
  // What several threads release at one place is kept apart (trace/release_sequence.h).
  bool shares_apart = false;
  // Loops of several threads that repeat themselves together are recognised
  // (loops/joint_cycle.h).
  bool joint_cycles = false;
  // That a function returns is an event of the step in which it does (steps/frames.h).
  bool frame_ends = false;
  // Threads that do not block one of these signals (bit n-1 is signal n) look for it before each of
  // their operations (world/signals.h).
  uint64_t signals = 0;
  // The program reads a clock: times are part of its state (states/state_digest.h).
  bool state_has_clock = false;
  // Plain accesses that race, and coming to a wait: places.h has them.
};

// In force. Hot code reads the copies in g_state (TakeUpVisible).
const VisibleSet& Visible();

// At take-over: as the schedule to be replayed says, or as the process before this one left it.
void InitVisible();

// Before an execution: copies what hot code asks for into g_state.
void TakeUpVisible();

// Makes the end of threads visible; `why` is a literal for the report, "a thread is joined only if
// it has ended". Does not return, unless they are visible already or a schedule is being replayed.
void NeedThreadEnds(const char* why);

// Likewise with what joins or detaches a thread.
void NeedThreadJoins(const char* why);

// Makes the return of frames an event, likewise.
void NeedFrameEnds(const char* why);

// Threads look for signal `number` from here on, likewise.
void NeedSignal(int number);

// A relaxed store continues the release sequences of its own thread only, and what each thread
// released there was not kept apart. REQUIRES: that is not in force.
[[noreturn]] void NeedSharesApart();

// Threads go round together in loops, and that is not recognised. REQUIRES: that is not in force.
[[noreturn]] void NeedJointCycles();

// Of a search that goes by the program's states: the program reads a clock. Does not return, unless
// that is in force.
void NeedTimes();

// Accesses that overlap without being equal were met, so that atoms should be cut
// (fibers/atoms.h). Returns; the execution will end as kNeedsMorePoints. False: the search began
// again for that often enough, or a schedule is being replayed.
bool WantFinerAtoms();

// A loop waits for an object, additions to which were taken to commute (primitives/atomic.h): the
// execution will end as kNeedsMorePoints, and from the next search on they are ordered. Which
// object it is says ObjectName::awaited. Not while a schedule is replayed.
void WantOrderedAdds();

// Something was wished for that is not in force yet.
bool VisibleGrew();

// The execution that is about to end belongs to the search, which is to begin again.
bool EndsAsGrown();

// Puts what was wished for in force.
void GrowVisible();

}  // namespace heddle::runtime
