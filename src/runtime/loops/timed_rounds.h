// Loops with time limits: while (!stop) { lock(m); wait_for(c, m, 50ms); unlock(m); }
//
// A round from the moment when the time limit passes to the thread's return to that wait may leave
// everything as it was, its locks included. Such a round is *in vain*, and an execution without it
// is one with the same outcome. So after one the thread's limit does not pass again until somebody
// has changed what the thread would find in its next round. If nobody is left who could, that is a
// livelock. (docs/algorithms/spinning.md, "Loops with time limits".)
//
// In vain is a round
//   1. that leads back to the same wait, with the same registers, stack and written memory
//      (recurrence.h), and as many locks taken as given back;
//   2. that changed nothing else that lasts, read no clock, allocated nothing that it kept;
//   3. of which nobody noticed anything: nobody failed to get a lock that it held, got one that it
//      had given back until later in the round, read or wrote what it wrote, or signalled a
//      condition variable that it had left;
//   4. in which the thread found nothing new: nobody has written to memory that it read, nor given
//      back a lock that it took after having done something that the thread does not know of. What
//      a thread does in rounds that lead back to the same state, and write nothing, is nothing,
//      as long as they go as the one before.
//
// A loop that leads back to no state waits so after --idle-rounds rounds that are in vain but for
// that, while others can go on, and the search is not complete (spin.h).
//
// Cost: none until a time limit has passed in an execution. From then on plain accesses take the
// slow way (kWatchRounds), because 3. and 4. ask for those of the round.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/fibers/fiber.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

// `self` made the event of `operation`, which changed something or not. REQUIRES:
// self.loops.timed_rounds != nullptr.
void NoteInTimedRound(Fiber& self, const op::Operation& operation, bool changed, uint64_t value);
// It accessed `object`; likewise.
void NoteTouchInTimedRound(Fiber& self, const op::Operation& operation, Object& object,
                           bool changed);

// A plain access is about to be made by `self`. REQUIRES: g_state.places & kWatchRounds.
void WatchPlainOfRounds(const Fiber& self, uintptr_t address, size_t size, bool write);

// An access by `self`, plain or not: of it alone others may know. REQUIRES: as above.
void TellRoundsOfAccess(const Fiber& self, uintptr_t address, size_t size, bool write);

// `self` has taken a lock, or found it taken, and goes on without it: it noticed whose round it was
// that gave it back for a moment, or took it.
void NoteLockAsked(const Fiber& self, const Object& lock, bool taken);

// `self` is back before its pending operation, which has a time limit. True: after a round in vain,
// so its time does not pass before it is let go by LetTimePass.
bool ReturnsInVain(Fiber& self);

// Its time has passed: a round begins.
void BeginTimedRound(Fiber& self);

// It goes on otherwise.
void EndTimedWait(Fiber& self);

// The running thread accessed `object`, which a waiting thread's round did, too: perhaps it finds
// something new now.
void TellTimedRounds(Object& object, bool changed);

// What code that was not rebuilt has changed is not seen. So where nobody else could go on, each
// thread that waits so may try once more. False: they have.
bool LetTimedRoundsTry();

// The same where others go round in `state` for ever.
bool LetTimedRoundsTry(uint64_t state);

// `self` stands before its pending operation. Does it make a round because of LetTimedRoundsTry,
// and has it let others go on that could not before? They go first. As bits. REQUIRES:
// self.loops.timed_rounds != nullptr.
uint64_t LetInByRound(Fiber& self);

// The program reads a clock: what it finds depends on how many rounds were made before.
void NoteClockBesideRounds();

// Of several time limits the earliest passes: which one that is depends on them, too.
void NoteEarliestBesideRounds();

// `self` catches an exception: what code runs then is not known (calls_of_round.h).
void NoteCatchInRound(const Fiber& self);

// How many threads wait so.
uint32_t TimedRoundsInVain();

}  // namespace heddle::runtime
