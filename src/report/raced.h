// What a data race is about beside its two accesses: the variable, by which the same races are
// found, and a library whose own atomics may order them.
#pragma once

#include <string>
#include <vector>

#include "report/finding_context.h"

namespace heddle::report {

// A mapped library that does not announce its accesses.
struct Library {
  std::string path;
  std::string name;     // "libtbb.so.12"
  bool called = false;  // code that announces its accesses takes functions from it
};

// What the accesses of a race touch, by names that are the same in other findings.
std::string Raced(const FindingContext& in);

// A library that was not rebuilt and that one of the racing accesses comes from, or one of their
// threads: its own atomics may order them. If there is none, all that the program calls: what it
// calls between the accesses (to lock and to unlock, perhaps) leaves no trace.
std::string LibraryInRace(const FindingContext& in, const std::vector<Library>& not_rebuilt);

}  // namespace heddle::report
