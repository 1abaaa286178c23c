// What the step loop knows of the threads: who may go on, and who ran last (scheduler.cpp says what
// the sets mean, and keeps them).
#pragma once

#include <cstdint>

#include "op/thread_set.h"
#include "runtime/fibers/fiber.h"
#include "runtime/fibers/table.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/tables.h"

namespace heddle::runtime {

using FiberSet = op::FixedThreadSet<kMaxFibers>;

struct Schedule {
  uint32_t running;  // thread that ran the last visible operation
  uint32_t open_count;
  uint32_t timed_count;
  uint32_t late_count;
  uint32_t spinning_count;
  uint32_t run_length;   // events that `running` has made in a row
  bool atomic_sections;  // some thread may be done or in an atomic section
  Fiber* ready_first;    // local steps, first come first served
  Fiber* ready_last;
};
extern Schedule g_schedule;

// A table of the execution (kThreadSetsTable): sets of threads, all of one width.
struct ThreadSets {
  FiberSet open;
  FiberSet timed;
  FiberSet late;
  FiberSet yielding;  // subset of open
  FiberSet avoided;   // scratch
};

}  // namespace heddle::runtime
