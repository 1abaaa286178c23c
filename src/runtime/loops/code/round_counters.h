// Counters of a loop that waits: registers and stack slots that its rounds change, and on which
// nothing depends but themselves, and when the rounds run out.
//
//   for (int i = 0; i < 16; ++i) {        // i: rounds are one state but for i, and i is dead where
//     if (flag.load()) return true;       // the loop is left, in whichever way
//     if (i < 12) pause(); else yield();
//   }
//   return false;                         // the rounds run out: `runs_out`
//
// Two states of the thread that differ in its counters only are then one state: each can do what
// the other can, except that they have more or fewer rounds left until these run out. For that, a
// round that looks again at what it found at last does as well as any other one, so to make all
// that are left at once loses nothing. docs/algorithms/spinning.md has the argument.
//
// Read off the machine's code of the function that the loop is in, as an analysis of information
// flow: the counters are tainted at the return of the operation at which the loop waits (the
// anchor), taint spreads by data and by branches, and must reach nothing that anybody could notice.
//   C1  at most one branch that depends on a counter leaves the loop (the rounds run out);
//   C2  after a branch that depends on a counter, the round only goes back to the anchor, or leaves
//       by that one branch: whatever else leaves the loop was decided before, by what was found;
//   C3  before the branch of C1 a round has done nothing that others see, and if there is one, all
//       that a round writes are counters;
//   C4  outside of the loop nothing reads a counter before it is overwritten, no branch depends on
//       it, and it is not returned.
// What is not understood (an instruction, memory that a pointer names) counts as reading
// everything. So counters may be missed, and then every number of rounds is another state.
#pragma once

#include <cstdint>

#include "runtime/loops/code/stack_range.h"

namespace heddle::runtime {

inline constexpr uint32_t kMostCounterRanges = 8;

struct RoundCounters {
  uint16_t registers = 0;  // bit n: the register with the machine's number n
  uint32_t count = 0;
  StackRange ranges[kMostCounterRanges] = {};
  bool run_out = false;  // a branch that depends on a counter leaves the loop
};

// What a call in the loop does, as far as the analysis asks.
enum class Callee : uint8_t {
  kYields,     // lets others go first, and does nothing else
  kAnnounces,  // tells heddle of a plain access, or of a function
  kReads,      // reads memory, and answers with what follows from that and its arguments
  kEnds,       // does not return
  kOther,      // an operation that others see, or code that is not looked at
};

// Of the loop that comes back to the call that returns to `pc`; `frame`: the frame pointer relative
// to the stack pointer after the return, kNoFrame if it is none. `landing_pad`: LandingPadOf. Not
// safe for several threads.
RoundCounters FindCounters(uintptr_t pc, int64_t frame, Callee (*callee)(uintptr_t target),
                           bool (*landing_pad)(uintptr_t return_address, uintptr_t& pad));

}  // namespace heddle::runtime
