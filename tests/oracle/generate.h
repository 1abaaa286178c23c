// Random small programs for the oracle. The seed says everything. A program draws from two or three
// themes, so that what belongs together meets.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "program.h"

namespace heddle::oracle {

enum class Theme : uint8_t {
  kMixedAtomics,  // a word, its bytes and halves, two words, odd addresses
  kMutex,
  kCondition,
  kTwoMutexes,  // waits on one condition variable with two mutexes, at the same time or not
  kSemaphore,
  kBarrier,
  kRwLock,
  kOnce,
  kRobust,
  kLife,     // init and destroy beside use
  kJoins,    // tryjoin, timed joins, detached threads
  kChoice,   // heddle_choose, and what differs by it
  kDone,     // heddle_done, atomic sections, with waits
  kVerdict,  // asserts and assumes
  kEnds,     // exit and its kin while others run
  kPlain,    // plain accesses, racy or not
  kCount
};

const char* NameOf(Theme theme);

// Themes in which heddle's answers are known to be wrong. Whoever mends one takes it off this list.
inline constexpr std::array<Theme, 0> kStillWrong = {};

struct Generated {
  Program program;
  uint32_t themes = 0;  // bits
  bool Has(Theme theme) const { return (themes >> static_cast<unsigned>(theme) & 1) != 0; }
};

// `only`: bits of the themes to draw from.
Generated Generate(uint64_t seed, uint32_t only);

}  // namespace heddle::oracle
