// What is to be said of how a program was built, before it is explored or replayed.
#pragma once

#include <string>

namespace heddle::cli {

// One line on stderr if a source is newer than the program: the lines of a report would not be
// those that run.
void WarnOfNewerSources(const std::string& program);

// Likewise if it has units whose assert() does nothing.
void WarnOfAssertsOff(const std::string& program);

}  // namespace heddle::cli
