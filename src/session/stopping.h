// How a search is ended in time: a pure function of what the supervisor sees and when, so that it
// is tested without waiting.
//
// After a stop request (channel::StopRequest) the program's process has kPatienceMs to end the
// execution in flight by itself. Then it is asked to (channel::kHangSignal), again and again. When
// that has not helped after kExecutionMs (the program has blocked the signal, or sits in an
// uninterruptible call) the process that runs it is killed, and another one writes what the search
// has found out. Whatever the process does, after kAllMs it is killed for good, and what is in the
// channel by then is all there is. A search that is to be saved has kAllToSaveMs: it would be lost
// as a whole, and has to come to the end of a step to be one.
//
// Time is what the process had of the machine, as in watchdog.h, so that on a loaded machine
// nothing is lost; but no more than kMostMs of the wall's.
#pragma once

#include <cstdint>

#include "session/watchdog.h"

namespace heddle::session {

class Stopping {
 public:
  enum class Action { kNone, kSignal, kKillExecution, kKill };
  static constexpr uint64_t kPatienceMs = 50;
  static constexpr uint64_t kAgainMs = 50;
  static constexpr uint64_t kExecutionMs = 400;
  static constexpr uint64_t kAllMs = 800;
  static constexpr uint64_t kAllToSaveMs = 3000;
  static constexpr uint64_t kMostMs = 5000;

  // It was requested at `now_ms`; or it has been saved by then, and has the same time once more.
  void Begin(const Watchdog::Sight& sight, uint64_t now_ms, bool to_save = false);
  bool Begun() const { return begun_; }
  // ENSURES: kSignal at most once per kAgainMs, and not after the others; these at most once.
  Action Look(const Watchdog::Sight& sight, uint64_t now_ms);

 private:
  bool begun_ = false;
  uint64_t all_ms_ = kAllMs;
  bool killed_execution_ = false;
  bool killed_ = false;
  uint64_t begun_ms_ = 0;  // of the wall, as the next
  uint64_t looked_ms_ = 0;
  uint64_t had_ms_ = 0;
  uint64_t next_ask_ms_ = 0;
  Watchdog::Sight last_ = {};
};

}  // namespace heddle::session
