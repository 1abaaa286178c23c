// How a search is ended in time: a pure function of what the supervisor sees and when, so that it
// is tested without waiting.
//
// After a stop request (channel::StopRequest) the program's process has kPatienceMs to end the
// execution in flight by itself. Then it is asked to (channel::kHangSignal), again and again. When
// that has not helped after kExecutionMs (the program has blocked the signal, or sits in an
// uninterruptible call) the process that runs it is killed, and another one writes what the search
// has found out. Whatever the process does, after kAllMs it is killed for good, and what is in the
// channel by then is all there is: bugs are written there when they are noticed, counts with every
// execution.
//
// A search that is to be saved cannot go on from an execution that was ended on its way, so that
// has kPatienceToSaveMs.
//
// Time is the wall's, because that is what the user waits by. (watchdog.h measures what the process
// had of the machine: how loaded that is must not decide whether a program hangs. Here it decides
// only how much is told of a search that is over.)
#pragma once

#include <cstdint>

namespace heddle::session {

class Stopping {
 public:
  enum class Action { kNone, kSignal, kKillExecution, kKill };
  static constexpr uint64_t kPatienceMs = 50;
  static constexpr uint64_t kPatienceToSaveMs = 200;
  static constexpr uint64_t kAgainMs = 50;
  static constexpr uint64_t kExecutionMs = 300;
  static constexpr uint64_t kAllMs = 600;

  explicit Stopping(uint64_t all_ms = kAllMs) : all_ms_(all_ms) {}

  // It was requested at `now_ms`; or it has been saved by then, and has the same time once more.
  void Begin(uint64_t now_ms, bool to_save = false);
  bool Begun() const { return begun_; }
  // `in_flight`: an execution is.
  // ENSURES: kSignal at most once per kAgainMs, and not after the others; these at most once.
  Action Look(bool in_flight, uint64_t now_ms);

 private:
  uint64_t all_ms_;
  bool begun_ = false;
  bool killed_execution_ = false;
  bool killed_ = false;
  uint64_t begun_ms_ = 0;
  uint64_t next_ask_ms_ = 0;  // since then
};

}  // namespace heddle::session
