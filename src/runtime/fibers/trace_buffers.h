// Where the running execution is written down: in the shared arena, at fixed addresses, so that the
// schedule in flight survives the process.
#pragma once

#include <cstdint>

#include "runtime/objects/table.h"
#include "runtime/restart.h"
#include "trace/cost.h"
#include "trace/execution.h"

namespace heddle::runtime {

// What is zero when an execution begins, and how much of each buffer is in use.
struct TraceCounts {
  uint32_t event_count;
  uint32_t touch_count;
  uint32_t choice_count;
  uint32_t word_count;
  uint32_t step_count;
  uint32_t let_go_count;
  uint32_t created;
  uint32_t hooks;
  uint32_t stalled_count;
  uint32_t leak_count;
  uint32_t vain_steps;
  uint32_t switches;
  trace::Cost cost;  // of the choices so far
  uint64_t happens_before;
  uint64_t state;
  uint64_t steps_hash;
};

// Counts live beside the buffers: the next process reads them when this one died.
struct TraceBuffers : TraceCounts {
  uint32_t event_limit;  // visible operations before the execution counts as a hang
  trace::Ending ending;
  trace::Event* events;
  trace::Touch* touches;
  trace::Choice* choices;
  uint64_t* words;
  trace::Step* steps;  // as many as events, and one
  trace::LetGo* let_go;
  trace::Pending* pending;  // by thread
  uint32_t pending_count;  // of `pending`, written for this execution: whoever runs it knew so many
  trace::Stalled* stalled;
  trace::Leak* leaks;
  RestartFor restart_for;   // if the execution ended as kRestart
  uint32_t wanted_threads;  // with RestartFor::kThreads
  uint32_t opening;   // libraries were opened that are not reported (world/opened_libraries.h)
  char outcome[256];  // heddle_outcome()
  uint32_t touch_capacity;
  uint32_t choice_capacity;
  uint32_t word_capacity;
  uint32_t let_go_capacity;
  uint32_t stalled_capacity;
  uint32_t leak_capacity;
  // Names of the program's objects in the order of their numbers, so that a number means the same
  // object in the next process: here, or with what the processes of one search share
  // (channel::SharedNames).
  uint32_t object_count;
  ObjectName* objects;
  trace::AtomicAccess* atomics;  // by event, if g_state.tells_atomics
  uint32_t atomic_capacity;
};

// In the arena. Null before InitTraceBuffers.
extern TraceBuffers* g_trace;

// Address space of the arena that the buffers take, from kTraceOffset on.
inline constexpr uint64_t kTraceOffset = 32ull << 30;

void InitTraceBuffers(uint64_t max_events);

// So many numbers are in use. Of the execution in the buffers those are no threads that whoever
// runs or ran it did not know of; what it wrote of the others stays.
void TellOfThreads(uint32_t numbers);

// The message comes last. Of it only what is there: copying all of it, three times, took 2 % of a
// short execution.
void CopyEnding(const trace::Ending& from, trace::Ending& to);

// Numbers of threads in use, in any execution so far.
extern uint32_t g_fiber_count;

}  // namespace heddle::runtime
