// Which loop of a function, if any, a thread has to leave to make progress, read off the machine's
// code: the outermost loop around a call that can be left.
//
//   for (;;) {                             // cannot be left: to come round here is progress
//     flag[0] = 1; turn = 1;
//     while (flag[1] && turn == 1) {}      // can be left: to stay in here is none
//     flag[0] = 0;
//   }
//
// A loop is a strongly connected part of the function's code, and, of one that cannot be left, what
// stays strongly connected without the places by which it is entered (as in B. Steensgaard,
// "Sequentializing program dependence graphs for irreducible programs", 1993). Loops that share
// their entry are told apart by the jumps that lead back to it: one lies in the other if its code
// does, else they are one with several ways round.
//
// It can be left if a return can be reached from it, or code that is not understood. Not by what
// ends the program, as a failed assertion does, and not by an exception.
#pragma once

#include <cstdint>

namespace heddle::runtime {

enum class LoopKind : uint8_t { kNone, kEndless, kCanBeLeft, kUnknown };

struct LoopOfCall {
  LoopKind kind = LoopKind::kUnknown;
  uintptr_t at = 0;  // of one that can be left: its entry, or the jump back to it
};

// Of the call in the function that begins at `function` which returns to `return_address`.
// kEndless: it is in loops, and none can be left. `does_not_return` tells of the target of a call.
LoopOfCall FindLoopToLeave(uintptr_t function, uintptr_t return_address,
                           bool (*does_not_return)(uintptr_t target));

// The same in the program's code, kept. Of other code nothing is known, so it is taken to have no
// loops. Not on the way of an event.
const LoopOfCall& LoopToLeave(uintptr_t function, uintptr_t return_address);

}  // namespace heddle::runtime
