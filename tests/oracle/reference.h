// What a program of the oracle may do, by definition: every instruction of every kind is one atomic
// step (the end of a thread, its creation, init, destroy and plain accesses included; a call that
// waits has one more step for each time it goes on), and all interleavings are walked through, each
// state once. There is no idea of dependence here, of what is visible, or of which steps need no
// choice, and no code of heddle's.
//
// What is undefined, or a mistake by POSIX, and how it ends (docs/checks.md): a misuse, like any
// other end of the program, is a step before which others may go on. It is tried at a step before
// that.
//   any use, or the destruction, of an object that is raw or was destroyed
//   unlocking a normal mutex that the thread does not hold; destroying one that is locked
//   unlocking a read-write lock that the thread does not hold; destroying one that is held
//   a condition wait with a mutex that the thread does not hold, or another one than those who wait
//   use; waking up to a mutex that was destroyed
//   destroying or initialising a condition variable or barrier that threads wait at, a semaphore
//   that a thread stands before and cannot take; initialising a mutex or read-write lock that a
//   thread stands before and cannot take, or a locked mutex that a condition wait gave up
//   joining or detaching a thread that was joined or is detached
// Initialising an object that is in use otherwise makes it as new: who held it does not any more.
//
// An end of the program while threads wait for each other in a circle is a deadlock
// (docs/checks.md). What differs from an execution without heddle, by definition
// (include/heddle.h): a thread that is done, or in an atomic section, goes on while it can; others
// go on only when it cannot, or, outside a section, when it is about to
// end the program. When it had to wait, it is a
// thread like any other until it goes on.
//
// A data race is two conflicting plain accesses that happens-before does not order in some
// interleaving: vector clocks are part of the state.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "program.h"

namespace heddle::oracle {

struct Behaviour {
  std::set<std::string> outcomes;  // labels
  std::set<std::string> bugs;      // kinds; "misuse of" what, "assertion of" which thread
  // Right, too, but need not be found: the end of the program while others could have gone on into
  // a circle, which is a deadlock.
  std::set<std::string> possible_outcomes;
  std::set<std::string> possible_bugs;
  uint64_t states = 0;
  bool race = false;
};

// Nothing if there are more than `most_states`.
std::optional<Behaviour> AllBehaviour(const Program& program, uint64_t most_states);

}  // namespace heddle::oracle
