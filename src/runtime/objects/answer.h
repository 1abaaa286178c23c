// What an operation turned out to do: what the state machine of its object answers. The machine has
// changed the object's state, and nothing else; steps/perform.h does the rest.
#pragma once

#include <cstdint>

#include "op/operation.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

// What the thread learns of what others released.
enum class Acquires : uint8_t {
  kNothing,
  kReleased,    // Object::release
  kReadersToo,  // that, and Object::reader_release, which is forgotten
};

// Where what the thread knows is published.
enum class Releases : uint8_t {
  kNothing,
  kInto,      // joins Object::release
  kAs,        // replaces Object::release
  kAsReader,  // joins Object::reader_release
};

// A use that is undefined: the program ends by it, and nothing has changed. The comment is what the
// message says after "T unlocks mutex M".
enum class Misuse : uint8_t {
  kNone,
  kNotLocked,         // , which is not locked
  kNotLockedByIt,     // , which it has not locked
  kLockedBy,          // , which `other` has locked
  kInitialisedSince,  // , which was initialised at ... while T had locked it
  kLocked,            //  while it is locked
  kWaitedAt,          //  while others wait at it
  kWaitedOn,          //  while `other` waits on it
  // Of a wait for a condition variable:
  kMutexNotLockedByIt,  //  with a mutex, which it has not locked
  kOtherMutex,          //  with a mutex while `other` waits on it with another
};

struct Answer {
  op::Access access = op::Access::kWrite;  // a read has changed nothing
  Acquires acquires = Acquires::kNothing;
  Releases releases = Releases::kNothing;
  Misuse misuse = Misuse::kNone;
  bool opens = false;                  // a barrier: all who wait at it are let go
  int status = 0;                      // for who called
  op::ThreadId other = op::kNoThread;  // of a misuse
  uint64_t value = 0;                  // of the event
  uint64_t extra = 0;                  // what else tells the event apart: which waiter was woken
  Waiter* woken = nullptr;             // let go, taken out of their queue: a list
};

// The operation could not be done, which is an event, too.
inline Answer Refused(int status) {
  return {.access = op::Access::kRead, .status = status, .value = static_cast<uint64_t>(status)};
}

inline Answer Misused(Misuse misuse, op::ThreadId other = op::kNoThread) {
  return {.misuse = misuse, .other = other};
}

}  // namespace heddle::runtime
