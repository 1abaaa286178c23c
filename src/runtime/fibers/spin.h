// Spin loops. A thread that came back to the same code with the same registers and the same stack,
// and in between changed nothing and read only locations that are still as they were, is in a loop
// that can do nothing but repeat until somebody writes one of them. So it waits for that write
// (await semantics): the loop's executions are finite, and nothing is lost, because the repetition
// is proved, not guessed. If nobody can write, it is a livelock.
//
// A loop that polls under a lock (`while (!queue.TryPop(item))`) is recognised in the same way.
// Which plain memory it reads, and who may write that, is not known, so it waits until any other
// thread makes any step that is not a repetition of its own; and then it yields: others go first.
// When nobody else can go on, it may go round some more times (memory of uninstrumented code may
// count them) before that is called a livelock.
//
// A loop that counts while it spins never comes back to the same state. After some rounds in which
// nothing that it reads has changed it yields, which costs nothing but the turn.
//
// Where does a loop come back to? At first the place of the first read after a change; when that is
// not met again for a while, the place of a later one, and the while doubles (Brent's cycle
// detection). A place is code and what it reads: a walk over an array returns nowhere, and the
// unwinding that it saves took half the time of a lock-free queue. Cost: three comparisons per
// event. Registers and stack are hashed only at the anchor: often at first, then ever more seldom.
#pragma once

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// `self` stands before `operation`: decides whether it spins or polls there, and then makes it
// wait. The answer: it should yield.
bool CheckSpinning(Fiber& self, const op::Operation& operation);

// `self` made an event that leaves everything as it was: a read of `object`, or none (a yield).
void NoteSpinRead(Fiber& self, Object* object, const op::Operation& operation);

// `self` took or gave back a lock.
void NoteLocking(Fiber& self, const op::Operation& operation);

// Takes or gives back a lock, and changes nothing else.
inline bool IsLocking(op::Kind kind) {
  return (kind >= op::Kind::kMutexLock && kind <= op::Kind::kMutexUnlock) ||
         (kind >= op::Kind::kRwReadLock && kind <= op::Kind::kRwUnlock) ||
         (kind >= op::Kind::kSpinLock && kind <= op::Kind::kSpinUnlock);
}

// A thread made an event: lets those go that wait for that.
void NoteProgress(Fiber& self, op::Kind kind, op::Access access);

// Lets all pollers go round once more. False: there are none, or they did so often enough.
bool LetPollersTry();

// `object`, which spinners wait for, was written.
void WakeSpinners(Object& object);

// Forgets the last execution.
void ResetSpinning();

}  // namespace heddle::runtime
