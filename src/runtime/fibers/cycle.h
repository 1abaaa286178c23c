// A part of an execution that leads from a state of the program back to it, and so can be repeated
// for ever: who is kept out of it, and whether that is a livelock. docs/algorithms/spinning.md,
// Joint cycles, has the definitions.
#pragma once

#include <cstdint>

#include "op/operation.h"

namespace heddle::runtime {

// Sets of threads are bits. It ends with the present event and step.
struct Cycle {
  uint64_t enabled;  // at some moment of it
  uint64_t ran;
  uint64_t changed;
  uint32_t first_event;
  uint32_t first_step;
};

inline uint64_t BitOf(op::ThreadId id) { return uint64_t{1} << id; }

// Threads that are kept out, and could go on now.
uint64_t KeptOutNow(const Cycle& cycle, uint64_t enabled_now);
// Does it keep out nobody? A thread that only waits in the cycle is taken as one at an operation
// that blocks: it is kept out if it could have found something else.
bool IsFair(const Cycle& cycle);
// Does a thread only take several locks together as std::lock does: where it fails to get one, it
// gives back what it has, and then waits for that one until it is free? Such a back-off is meant to
// end, and does so unless the steps of all stay in time for ever; so a cycle that needs it to fail
// each time is none that would be repeated for ever.
bool IsPoliteBackOff(const Cycle& cycle);
// Did a thread that goes round yield or sleep in the cycle? Then it gives way where priorities
// count.
bool GivesWay(const Cycle& cycle);

}  // namespace heddle::runtime
