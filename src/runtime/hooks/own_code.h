// For functions of libc that heddle itself calls, too: which calls are its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/prim/own_module.h"
#include "runtime/runtime.h"

extern "C" {
[[noreturn]] void __chk_fail(void);
}

namespace heddle::runtime {

// Is the call that returns to `pc` one of the program's, in an execution?
inline bool IsSeen(uintptr_t pc) { return InExecution() && !IsOwnCode(pc); }

// The fortified forms know how much room there is.
inline void CheckRoom(size_t size, size_t room) {
  if (size > room) __chk_fail();
}

}  // namespace heddle::runtime
