// The functions that compilers and libc link into programs from static libraries of their own,
// those of their profilers and checkers among them.
// heddle knows these libraries as it knows the shared ones (inspect_module.h, LibraryName).
#pragma once

#include <string_view>
#include <vector>

#include "session/unseen_code.h"

namespace heddle::session {

// Is it from the objects that stand at the begin and the end of every program?
bool IsStartCode(std::string_view name);

// Removes the functions that one of the toolchain's static libraries on this machine has, with the
// same name and size.
void RemoveToolchainCode(std::vector<UnseenFunction>& functions);

}  // namespace heddle::session
