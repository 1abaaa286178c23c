// A thread arrives before its next operation, and goes on with it later. Who wants to hear of that
// is a struct with some of these functions, in the list of steps/scheduler.cpp:
//
//   Arrives  it has come: does it wait there, do others go first?
//   Stands   it is in its set (schedule.h), and waits for its turn
//   GoesOn   it was let go; in reverse order
//
// They are inlined: the list costs nothing.
#pragma once

#include "op/operation.h"
#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

struct Arrival {
  Fiber& self;
  const op::Operation& operation;
  const bool timed;  // it has a time limit
  const bool local;
  const bool spins;       // threads in loops wait; not where the search goes by states
  bool in_vain = false;   // its time does not pass (loops/timed_rounds.h)
  bool runs_out = false;  // it is part of rounds that run out (loops/run_out.h)
  bool awaits = false;    // it is at a place where loops wait (loops/await.h)
  bool yields = false;    // others go first
};

}  // namespace heddle::runtime
