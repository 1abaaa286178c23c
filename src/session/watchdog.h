// When has one execution taken too long? A pure function of what the supervisor sees and when, so
// that it is tested without waiting.
//
// What counts is what the program had of the machine: the processor time of its process, and the
// time in which it slept in a system call. A program that waits for a processor, on a loaded
// machine, does not come nearer to its limit. In the following, time is that.
//
// The heartbeat changes with every execution begun. When it stands still for `limit_ms` while an
// execution is in flight, the program is asked to end that execution (channel::kHangSignal), and
// asked again every kAgainMs, because an answer may be held up by a system call; when that does not
// help within kGraceMs (it has blocked the signal, or sits in an uninterruptible call), the process
// is killed and a new one goes on. The program gets `limit_ms` (at least kStartUpMs) to reach main
// as well: a constructor may hang.
#pragma once

#include <cstdint>

namespace heddle::session {

class Watchdog {
 public:
  enum class Action { kNone, kSignal, kKill };
  static constexpr uint64_t kAgainMs = 500;
  static constexpr uint64_t kGraceMs = 2000;
  static constexpr uint64_t kStartUpMs = 10000;
  // heddle's own work between executions (explaining, minimising) moves the heartbeat too; if it
  // stands still for this long something of ours is broken.
  static constexpr uint64_t kIdleMs = 300000;
  // Of the time between two looks that counts as slept: the supervisor may itself have waited for a
  // processor.
  static constexpr uint64_t kMostPerLookMs = 500;

  struct Sample {
    uint64_t heartbeat;
    bool started;  // phase is past kStarting
    bool in_flight;
    uint64_t cpu_ms;  // of the process that runs the program
    bool asleep;      // that process: not running, and not waiting for a processor
  };

  // limit_ms 0: never.
  explicit Watchdog(uint64_t limit_ms) : limit_ms_(limit_ms) {}

  // A new process begins at `now_ms`, or time was spent stopped.
  void Reset(uint64_t now_ms);
  // ENSURES: kSignal at most once per kAgainMs of a stall, kKill at most once per Reset.
  Action Look(const Sample& sample, uint64_t now_ms);

  // What the process had of the machine in the `passed_ms` between two looks.
  static uint64_t Had(const Sample& before, const Sample& now, uint64_t passed_ms);

 private:
  uint64_t Limit(const Sample& sample) const;

  uint64_t limit_ms_;
  Sample last_ = {};
  uint64_t looked_ms_ = 0;
  uint64_t had_ms_ = 0;       // since the heartbeat changed
  uint64_t next_ask_ms_ = 0;  // 0: not asked yet
  bool killed_ = false;
};

}  // namespace heddle::session
