// Recording for the report. A finding is explained by running its plan once more with plan.record:
// then everything that a thread does is logged with its call stack. Slow on purpose, so that the
// search itself stays bare. Only called while g_state.recording.
#pragma once

#include <cstdint>
#include <vector>

#include "channel/records.h"
#include "op/operation.h"
#include "trace/ending.h"

namespace heddle::runtime {

// A visible operation took effect (called by Commit).
void RecordStep(const op::Operation& operation, op::Access access, uint64_t value);

// The compare-exchange that the running thread makes next looks for this value.
void RecordExpected(uint64_t value);

// The last step is a write that the running thread makes only now, by an instruction of its own.
void RecordWriteFollows();

// The running thread is about to make a plain access, in its current tick. False: it is none of
// those that are watched.
bool RecordAccess(uintptr_t address, uint32_t size, bool write, uintptr_t pc);

// The last step is the free of a block, or the end of a static object: recorded as a write to all
// of it.
void RecordStepFrees(bool destroys);
void RecordFree(uintptr_t address, uint32_t size, uintptr_t pc, bool destroys);

// The running thread was given a block of the heap.
void RecordBlock(uintptr_t address, size_t bytes);

// The running thread stands before `operation` now. RecordStanding adds the step of a thread that
// stands there at the end, kStepBlocked or kStepLeft, with the stack taken then. `other`:
// StepRecord.
void RecordPending(const op::Operation& operation);
void RecordStanding(op::ThreadId thread, channel::StepFlags flag, uintptr_t object,
                    op::ThreadId other);

// The running stack, from the frame with the return address `pc` on, called what the executions run
// in place of main: the stacks of main's thread go on with it. REQUIRES: before the first
// execution.
void RememberCallers(uintptr_t pc);

// From here to the end of the execution, which is near, a step has its innermost frame only: the
// thread goes on in single steps. Takes effect also while a stack is being taken.
void RecordWithoutStacks();

// The block that was given last at this address, of those that are kept; or null.
const channel::BlockRecord* RecordedBlock(uintptr_t address);

// The execution ends where the running thread stands. With its stack in any case.
void RecordEnding(const trace::Ending& ending);

// Once, before the first execution.
void InitRecording();

// Which plain accesses are worth recording: those that touch these bytes (none at first). Kept over
// executions.
void WatchAccesses(uintptr_t address, uint64_t size);
inline void WatchAllAccesses() { WatchAccesses(0, ~uint64_t{0}); }

// How many plain accesses the last recorded execution made, watched or not. Also of one that ran in
// a forked process.
uint64_t AccessesSeen();

// Steps in order, watched plain accesses among them. Of a very long execution the beginning and the
// end.
std::vector<channel::StepRecord>& RecordedSteps();

// The step recorded last is of a thread that goes round a loop with these further places; 0: none.
// `facts` of channel::StepRecord say more of it.
void RecordLoop(uint32_t facts, const uintptr_t (&places)[3]);

// For each step, the thread's tick (trace/clock.h) when it was made: identifies the accesses of a
// race.
std::vector<uint32_t>& RecordedTicks();

// The blocks that were allocated, in order; only the first of very many.
std::vector<channel::BlockRecord>& RecordedBlocks();

}  // namespace heddle::runtime
