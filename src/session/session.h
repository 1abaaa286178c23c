// A session is what one run of `heddle check` or `heddle replay` is: one channel, and the processes
// that fill it one after the other. The explorer lives in the program's process; the session starts
// that process, watches it, and outlives it. When the process dies under an execution, the next one
// finds in the channel which schedule killed it (Header::death_status, hang_kill) and goes on from
// there.
//
// No threads and no signal handlers: the signals that matter are blocked and waited for
// (sigtimedwait), so everything happens in one loop.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "session/channel_memory.h"
#include "session/saver.h"
#include "session/spawn.h"

namespace heddle::session {

struct SessionOptions {
  Launch launch;
  uint64_t hang_ms = 10000;  // 0: no watchdog
  // Called about ten times a second, and once at the end.
  std::function<void(const channel::Header&, double elapsed_s)> on_tick;
  // The program's process asks whether the last finding in the report is suppressed.
  std::function<bool(std::span<const std::byte> report)> is_suppressed;
  Saver* saver = nullptr;  // null: the search is not saved
};

enum class SessionEndKind {
  kFinished,    // the program's process says that it is done
  kSetUpError,  // the program cannot be brought under control; `message` says why
  kGaveUp,      // the process kept dying, or was killed; what was found so far stands
  kInternal,    // heddle's own part died or hung
  kKilled,      // it did not end when it was told to, or not at once; what was found so far stands
};

struct SessionEnd {
  SessionEndKind kind = SessionEndKind::kFinished;
  std::string message;  // one line, for every kind but kFinished
  double elapsed_s = 0;
  uint64_t peak_memory_bytes = 0;
};

// REQUIRES: memory's settings are filled in.
// ENSURES: no process of this session is left.
SessionEnd RunSession(const SessionOptions& options, ChannelMemory& memory);

}  // namespace heddle::session
