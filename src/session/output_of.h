// What a program prints when it runs by itself, not under control: to ask a test program which
// cases it has.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "session/spawn.h"

namespace heddle::session {

struct ProgramOutput {
  std::string text;  // its standard output
  int status = 0;    // its exit status
};

// Runs the program of `launch` with no input and its errors discarded. An error, in one line that
// begins with "it", if it does not end within `limit_ms`, is killed by a signal, or prints more
// than any list. ENSURES: no process of its group is left.
base::Result<ProgramOutput> OutputOf(const Launch& launch, uint64_t limit_ms);

}  // namespace heddle::session
