// The source files that a program was built from, as its debug information names them: of its own
// units, and nothing below /usr.
#pragma once

#include <libelf.h>

#include <string>
#include <vector>

namespace heddle::session {

struct SourceUnit {
  std::string name;                // the file that was compiled
  std::vector<std::string> files;  // that its line table names: itself and headers with code
};

// Empty without debug information.
std::vector<SourceUnit> OwnSources(Elf* elf);

}  // namespace heddle::session
