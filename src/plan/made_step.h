// What a step was, that led from one state of the program to another, as far as it matters to
// whether a cycle of states is a livelock (runtime/loops/cycle.h), and to making it again.
#pragma once

#include <cstdint>
#include <span>

#include "op/operation.h"

namespace heddle::plan {

// One of its events: what it found in an object.
struct Met {
  uint32_t object = 0;  // number within the search
  op::Level level = 0;  // before the event
  op::ThreadId thread = 0;
  uint8_t facts = 0;

  static constexpr uint8_t kListed = 1;    // one of several objects
  static constexpr uint8_t kLocks = 2;     // only takes or gives back a lock
  static constexpr uint8_t kTries = 4;     // takes one, or fails to
  static constexpr uint8_t kWaits = 8;     // takes one, as soon as it is free
  static constexpr uint8_t kFails = 16;    // an attempt in vain
  static constexpr uint8_t kNothing = 32;  // accesses nothing

  friend bool operator==(const Met&, const Met&) = default;
};

// An option that a thread took other than to go on.
struct Taken {
  op::ThreadId thread = 0;
  uint32_t option = 0;

  friend bool operator==(const Taken&, const Taken&) = default;
};

struct MadeStep {
  static constexpr uint32_t kEndlessLoop = 0;  // in loops that the code cannot leave, in no other
  static constexpr uint32_t kUnknownLoop = 1;  // its code does not tell
  static constexpr uint32_t kNotLookedAt = 2;

  // All steps of the execution so far, of main alone: what leads to the first state.
  bool is_start = false;
  bool changed = false;  // its thread has changed something visible
  bool yields = false;   // it let others go first
  op::ThreadId thread = 0;
  uint32_t loop = 0;     // that its thread was in before it, as a hash, or one of those above
  uint64_t enabled = 0;  // threads that could go on before it, as bits
  uint64_t stand = 0;    // those that had not ended, and did not wait for another one to
  std::span<const Met> met;
  std::span<const Taken> taken;
};

}  // namespace heddle::plan
