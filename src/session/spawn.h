// Starting a process of the program under test, with libheddle loaded into it and the channel
// inherited.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::session {

struct Launch {
  std::string program;                 // path to execute
  std::vector<std::string> arguments;  // argv, [0] included
  std::string library;                 // libheddle.so; empty: load nothing (tests)
  bool show_output = false;            // else stdout and stderr go to /dev/null
  // Replay: stdin is ours and the program stays in our process group, so that a terminal talks to
  // it. A search: stdin is /dev/null and the program gets a group of its own, so that Ctrl-C
  // reaches only us.
  bool foreground = false;
  // Of a search that is gone on with: those that it was begun in. None: ours.
  std::optional<std::vector<std::string>> environment;
  std::string directory;
};

// libheddle.so beside this executable, or where an installation puts it.
base::Result<std::string> FindRuntimeLibrary();

// The caller's environment.
std::vector<std::string> OwnEnvironment();

// What LD_PRELOAD must be for `library`: it is put before what the caller's environment already
// preloads.
std::string PreloadValue(const std::string& library);

// Starts the program; it inherits `channel` under the same number and begins with `mask` as its
// signal mask. ENSURES: the answer is the id of a child that is executing the program; it dies when
// we do.
base::Result<pid_t> Spawn(const Launch& launch, int channel, const sigset_t& mask);

}  // namespace heddle::session
