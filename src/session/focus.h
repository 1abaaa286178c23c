// Where --focus-function and --focus-variable point to: names as the programmer writes them, looked
// up in the program's debug information.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "channel/settings.h"

namespace heddle::session {

// The code of the functions, wherever they were inlined to, and the bytes of the variables.
//
// A function's name is its last part or more of it ("Push", "Queue::Push"), without parameters and
// template arguments; of all functions with that name. A variable is global or static, or a member
// of one ("queue.head").
//
// An error names what was not found, and the nearest names that there are.
// REQUIRES: `program` is an ELF file.
base::Result<std::vector<channel::FocusRange>> FindFocus(const std::string& program,
                                                         std::span<const std::string> functions,
                                                         std::span<const std::string> variables);

}  // namespace heddle::session
