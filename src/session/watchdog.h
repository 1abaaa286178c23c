// When has one execution taken too long? A pure function of what the supervisor sees and when, so
// that it is tested without waiting.
//
// The heartbeat changes with every execution begun. When it stands still for `limit_ms` while an
// execution is in flight, the program is asked to end that execution (channel::kHangSignal); when
// that does not help within kGraceMs (it has blocked the signal, or sits in an uninterruptible
// call), the process is killed and a new one goes on. The program gets `limit_ms` (at least
// kStartUpMs) to reach main as well: a constructor may hang.
#pragma once

#include <cstdint>

namespace heddle::session {

class Watchdog {
 public:
  enum class Action { kNone, kSignal, kKill };
  static constexpr uint64_t kGraceMs = 2000;
  static constexpr uint64_t kStartUpMs = 10000;
  // heddle's own work between executions (explaining, minimising) moves the heartbeat too; if it
  // stands still for this long something of ours is broken.
  static constexpr uint64_t kIdleMs = 300000;

  struct Sight {
    uint64_t heartbeat;
    bool started;  // phase is past kStarting
    bool in_flight;
  };

  // limit_ms 0: never.
  explicit Watchdog(uint64_t limit_ms) : limit_ms_(limit_ms) {}

  // A new process begins at `now_ms`, or time was spent stopped.
  void Reset(uint64_t now_ms);
  // ENSURES: kSignal once per stall, kKill at most once per Reset.
  Action Look(const Sight& sight, uint64_t now_ms);

 private:
  uint64_t Limit(const Sight& sight) const;

  uint64_t limit_ms_;
  Sight last_ = {};
  uint64_t since_ms_ = 0;
  bool signalled_ = false;
  bool killed_ = false;
};

}  // namespace heddle::session
