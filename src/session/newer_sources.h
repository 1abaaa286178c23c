// Was a source file changed after the program was built? Then the lines that a report shows are no
// longer those that run, and the schedule may be of a bug that is mended already. The answer comes
// from the file times and from the line tables of the program's debug information.
//
// Tested by tests/unit/session_newer_sources_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace heddle::session {

struct NewerSources {
  std::string newest;  // the one that was changed last
  size_t others = 0;   // that were changed after the program was built, too
};

// Looks at the sources and headers of the program's own units: nothing below /usr, nothing of its
// libraries. No value if none is newer than the file `program`, or if nothing is known of them.
std::optional<NewerSources> FindNewerSources(const std::string& program);

}  // namespace heddle::session
