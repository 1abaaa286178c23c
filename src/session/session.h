// A session is what one run of `heddle check` or `heddle replay` is: one channel, and the processes
// that fill it one after the other. The explorer lives in the program's process; the session starts
// that process, watches it, and outlives it. When the process dies under an execution, the next one
// finds in the channel which schedule killed it (Header::death_status, hang_kill) and goes on from
// there.
//
// No threads and no signal handlers: the signals that matter are blocked and waited for
// (sigtimedwait), so everything happens in one loop: that of RunSession, or of several sessions
// that search together (pool.h).
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "session/channel_memory.h"
#include "session/saver.h"
#include "session/spawn.h"
#include "session/stopping.h"
#include "session/watchdog.h"

namespace heddle::session {

struct SessionOptions {
  Launch launch;
  uint64_t hang_ms = 10000;             // 0: no watchdog
  uint64_t stop_ms = Stopping::kAllMs;  // until a process that does not end is killed for good
  // Called about ten times a second, and once at the end.
  std::function<void(const channel::Header&, double elapsed_s)> on_tick;
  // The program's process asks whether the last finding in the report is suppressed.
  std::function<bool(std::span<const std::byte> report)> is_suppressed;
  Saver* saver = nullptr;  // null: the search is not saved
  // How long what follows the end of the search will take: it ends so much before its time is up.
  std::function<uint64_t()> end_takes_ms;
  // One of several sessions: a process that is killed from outside ends it (kKilledOutside),
  // because what the search has left may be lost with it.
  bool ends_when_killed = false;
  // Called every few milliseconds while there is one: what the supervisor has to say to a search
  // that it brings branches, or takes some from.
  std::function<void(channel::Header&)> on_look;
};

enum class SessionEndKind {
  kFinished,    // the program's process says that it is done
  kSetUpError,  // the program cannot be brought under control; `message` says why
  kGaveUp,      // the process kept dying, or was killed; what was found so far stands
  kInternal,    // heddle's own part died or hung
  kKilled,      // it did not end when it was told to, or not at once; what was found so far stands
  kKilledOutside,  // somebody else killed it (SessionOptions::ends_when_killed)
};

struct SessionEnd {
  SessionEndKind kind = SessionEndKind::kFinished;
  std::string message;  // one line, for every kind but kFinished
  double elapsed_s = 0;
  uint64_t peak_memory_bytes = 0;
};

// Blocks the signals that a loop of sessions waits for; the destructor puts everything back.
class WaitedSignals {
 public:
  WaitedSignals();
  WaitedSignals(const WaitedSignals&) = delete;
  WaitedSignals& operator=(const WaitedSignals&) = delete;
  ~WaitedSignals();
  // The next signal, or 0 after `ms`.
  int Wait(uint64_t ms);
  const sigset_t& OldMask() const { return old_mask_; }

 private:
  sigset_t set_;
  sigset_t old_mask_;
  struct sigaction old_child_;
};

// One session, a look at a time.
class Session {
 public:
  // All live longer. REQUIRES: memory's settings are filled in.
  Session(const SessionOptions& options, ChannelMemory& memory, const WaitedSignals& signals);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { Abandon(); }

  // Once.
  void Begin();
  // What the program's process wants, and what has become of it.
  void Look();
  // A signal that came meanwhile; 0: none.
  void Handle(int signal);
  // The whole of us is stopped, and goes on.
  void Pause() { Signal(SIGSTOP); }
  void Resume();
  // The search is to end.
  void RequestStop(channel::StopRequest why);
  // Kills the process; nobody wants to know what it would have said.
  void Abandon();

  uint64_t WaitMs() const;  // how long nobody needs to look
  bool IsOver() const { return end_.has_value(); }
  // REQUIRES: IsOver.
  const SessionEnd& End() const { return *end_; }
  pid_t Child() const { return child_; }
  uint64_t PeakMemoryBytes() const { return peak_memory_bytes_; }

 private:
  void Start();
  void Finish(SessionEnd end);
  void Answer();
  void Save();
  double ElapsedS(uint64_t now_ms) const;
  std::optional<int> Reap();
  void Signal(int number);
  void Interrupt();
  bool IsStarting() const;
  void KillForGood(const char* why);
  void Suspend();
  pid_t Runner() const;
  Watchdog::Sample See() const;
  void Watch(uint64_t now_ms);
  uint64_t TimeLimitMs() const;
  void WatchTime(uint64_t now_ms);
  void Stop(bool in_flight, uint64_t now_ms);
  void KillExecution();
  void Tick(uint64_t now_ms);
  std::optional<SessionEnd> After(int status);
  SessionEnd DiedOutsideExecution(channel::Phase phase, int status, bool hung);

  const SessionOptions& options_;
  ChannelMemory& memory_;
  channel::Header& header_;
  const WaitedSignals& signals_;
  Watchdog watchdog_;
  Stopping stopping_;
  std::optional<SessionEnd> end_;
  pid_t child_ = -1;
  uint64_t begun_ms_ = 0;
  uint64_t last_tick_ms_ = 0;
  uint64_t peak_memory_bytes_ = 0;
  uint64_t executions_at_death_ = ~0ull;
  uint32_t restarts_in_place_ = 0;
  uint64_t searching_since_ms_ = 0;  // 0: not yet
  bool hang_killed_ = false;
  bool stop_killed_ = false;
  uint64_t interrupted_ms_ = 0;  // for the first time; 0: not yet
  bool rested_ = false;          // it stood still, to be saved
  std::string killed_for_;       // for good: why; empty: it was not
  // Of the execution in which the process before died: header_.in_flight is still about that.
  uint64_t inherited_heartbeat_ = ~uint64_t{0};
};

// REQUIRES: memory's settings are filled in.
// ENSURES: no process of this session is left.
SessionEnd RunSession(const SessionOptions& options, ChannelMemory& memory);

}  // namespace heddle::session
