// A thread in a loop begins to wait (spin.h, await.h), and what of others it waits for.
#pragma once

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// The rounds of a loop that waits are taken to change nothing, but call `function` (CallOfRound):
// the search is not complete.
void NoteCallOfRound(const char* function);

// The loop at `operation` never comes back to a state, so it cannot be told how many of its rounds
// matter: the search is not complete.
void NoteIdleRounds(const op::Operation& operation);

// The thread whose loop it is has just accessed the object again, and `changed` it or not. What
// others did since the last time stays visible as a difference.
inline void FollowOwnAccess(SpinAccess& access, bool changed) {
  const Object& object = *access.object;
  if (access.version == object.version - (changed ? 1 : 0)) access.version = object.version;
  if (access.uses == object.uses - 1) access.uses = object.uses;
  access.written |= changed;
}
// Have others changed the object since, or accessed it although the thread itself changes it?
inline bool OthersInterfered(const SpinAccess& access) {
  const Object& object = *access.object;
  return object.version != access.version || (access.written && object.uses != access.uses);
}

// The rounds of the loop change nothing, and are in few places.
inline bool ChangesNothing(const SpinWindow& window) {
  for (uint32_t i = 0; i < window.count; ++i)
    if (window.accesses[i].written) return false;
  return window.place_count <= kPlacesOfRound;
}

// A round that led back to its state has read an older write than the newest: there is something to
// look at, so the thread does not wait. The execution without the round is another one, which a
// search that proves runs instead; one that was drawn goes on, and so does its replay.
void PassStaleRound();

// `self` waits until somebody changes what `window` lists. `may_run_out`: the loop may end although
// nobody does.
void WaitInLoop(Fiber& self, SpinWindow& window, bool may_run_out);

// `self` waits until somebody changes `object`, the only one that its loop reads; `window` is where
// that is kept.
void WaitForChange(Fiber& self, SpinWindow& window, Object& object);

}  // namespace heddle::runtime
