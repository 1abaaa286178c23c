// What a mapped file says of itself, program or library: whether heddle-cc made it, what in its
// asm statements is not seen, and where its asserts are gone.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::session {

struct ModuleFacts {
  bool rebuilt = false;  // it announces its accesses to memory
  // "file.c:12: instruction: why": parts of asm statements that heddle-cc could not follow.
  std::vector<std::string> unseen_assembly;
  // Units that were compiled with NDEBUG and include <assert.h> (asserts_off.h).
  std::vector<std::string> asserts_off;
  std::vector<std::string> imports;  // names that it takes from other modules
  std::set<std::string> functions;   // that it offers to others; empty if it need not be rebuilt
};

// Nothing: there is no such file, or it is no ELF file (the kernel's vdso).
std::optional<ModuleFacts> InspectModule(const std::string& path);

// The name of a library for a report. Empty for those that need not be rebuilt
// (op/known_libraries.h).
std::string LibraryName(const std::string& path);

}  // namespace heddle::session
