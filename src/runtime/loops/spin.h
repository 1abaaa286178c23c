// Spin loops. A thread that came back to the same place in the same state (recurrence.h), and in
// between met only memory that nobody else has changed, is in a loop that can do nothing but repeat
// until somebody does. So it waits for that (await semantics): the loop's executions are finite,
// and nothing is lost, because the repetition is proved, not guessed. If nobody can, it is a
// livelock. The argument is in docs/algorithms/spinning.md.
//
// The loop may write what it likes, if at the end of a round all of it has the value of the round
// before: a cache that gets the same value again, x = 1; x = 0. Others may see such a write while
// it lasts. So for what the loop writes by visible operations, reads of others count like writes:
// there must have been none during the last round, and the first one ends the wait.
//
// A loop that polls under a lock (`while (!queue.TryPop(item))`) is recognised in the same way.
// Which plain memory it reads, and who may write that, is not known, so it waits until any other
// thread makes a step that is not a round of a loop which repeats itself, too. Then it yields:
// others go first.
// When nobody else can go on, it may go round some more times (memory of uninstrumented code may
// count them) before that is called a livelock.
//
// A loop that counts while it spins comes back to the same state if nothing depends on the counter
// but when the rounds run out (loops/code/round_counters.h): then the thread waits, and there are
// two ways out (run_out.h). Otherwise each number of rounds is another state, and is explored, up
// to
// --idle-rounds of them in which nothing that the loop reads has changed. Then the thread waits all
// the same, and the search is not complete.
#pragma once

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// `self` stands before `operation`: decides whether it spins or polls there, and then makes it
// wait. The answer: it should yield.
bool CheckSpinning(Fiber& self, const op::Operation& operation);

// The event limit is reached by `self`, at `pc`: a hang if nobody else can go on and it spins, else
// the execution is cut.
[[noreturn]] void EndAtEventLimit(const Fiber& self, uintptr_t pc);

// `self` made an event that leaves everything as it was: a read of `object`, or none (a yield).
void NoteSpinRead(Fiber& self, Object* object, const op::Operation& operation);

// `self` changed `object`, which is memory.
void NoteSpinWrite(Fiber& self, Object& object, const op::Operation& operation);

// The event for which one of the two was called accessed `object`, too.
void NoteFurtherSpinAccess(Fiber& self, Object& object, const op::Operation& operation,
                           bool changed);

// `self` took or gave back a lock.
void NoteLocking(Fiber& self, const op::Operation& operation);

// A thread made an event: lets those go that wait for that.
void NoteProgress(Fiber& self, op::Kind kind, op::Access access);

// Lets all pollers go round once more. False: there are none, or they did so often enough.
bool LetPollersTry();

// Somebody used `object`, which is in spin loops: wakes those who wait for that.
void WakeSpinners(Object& object, bool changed);

// The time of `self`, which waits, is up: its operation has a time limit, or its loop counts.
void WaitTimedOut(Fiber& self);

}  // namespace heddle::runtime
