// What is to be said of how a program was built, before it is explored or replayed: lines on
// stderr.
#pragma once

#include <string>

#include "session/inspect_elf.h"

namespace heddle::cli {

// If a source is newer than the program: the lines of a report would not be those that run.
// `advice` ends it.
void WarnOfNewerSources(const std::string& program, const char* advice);

// That, and if it has units whose assert() does nothing.
void WarnOfBuild(const session::ProgramFile& program);

}  // namespace heddle::cli
