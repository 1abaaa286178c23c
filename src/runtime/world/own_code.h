// Whose code is at an address: libheddle's own, the system's, or the program's? Calls and faults of
// the program are told from ours by it.
#pragma once

#include <cstdint>

#include "runtime/prim/own_module.h"

namespace heddle::runtime {

// In a library of the system.
bool IsSystemCode(uintptr_t pc);

}  // namespace heddle::runtime
