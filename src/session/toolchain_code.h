// The functions that compilers and libc link into programs from static libraries of their own,
// those of their profilers and checkers among them.
// heddle knows these libraries as it knows the shared ones (inspect_module.h, LibraryName).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "session/code_gaps.h"
#include "session/unseen_code.h"

namespace heddle::session {

// Is it from the objects that stand at the begin and the end of every program?
bool IsStartCode(std::string_view name);

// Where in the code at `address` that is which GCC's crtbegin.o puts into every program, whose
// functions have no sizes: compared with those on this machine, byte by byte. Nothing: not there.
std::optional<CodeRange> FindStartCode(uint64_t address, std::span<const unsigned char> code);

// Removes the functions that one of the toolchain's static libraries on this machine has, with the
// same name and size.
void RemoveToolchainCode(std::vector<UnseenFunction>& functions);

// Removes those of test frameworks that the system, or an administrator, has installed as static
// libraries. Answers which libraries had any: "libgtest.a".
std::vector<std::string> RemoveTestFrameworks(std::vector<UnseenFunction>& functions);

}  // namespace heddle::session
