// A part of an execution that leads from a state of the program back to it, and so can be repeated
// for ever: who is kept out of it, and whether that is a livelock. docs/algorithms/spinning.md,
// Joint cycles, has the definitions.
#pragma once

#include <cstdint>

#include "op/operation.h"
#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// Sets of threads are bits. It ends with the present event and step.
struct Cycle {
  uint64_t enabled;  // at some moment of it
  uint64_t ran;
  uint64_t changed;
  uint32_t first_event;
  uint32_t first_step;
};

// Where the thread of each of the last steps stood: of step n at index n % kept.
struct StepLog {
  const uintptr_t* at;    // before which operation
  const uint32_t* loops;  // in which loop (loop_progress.h)
  uint64_t kept;
  const uint32_t* now_in;  // in which loop each thread stands now; null: nobody polls
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
// Does every thread make progress in it (loop_progress.h)? Not known: where one stood was not
// looked at, or the cycle is longer than the log.
enum class CycleProgress : uint8_t { kNo, kYes, kNotKnown };
CycleProgress AllMakeProgress(const Cycle& cycle, const StepLog& log);
// It polls (spin.h), in `loop`: does it make progress?
bool PollsInEndlessLoop(const Fiber& fiber, uint32_t loop);
// Those that have not ended, and do not wait for another one to.
uint64_t ThreadsThatStand();
// Did a thread that goes round yield or sleep in the cycle? Then it gives way where priorities
// count.
bool GivesWay(const Cycle& cycle);

}  // namespace heddle::runtime
