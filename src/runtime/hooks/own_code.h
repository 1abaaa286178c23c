// For functions of libc that heddle itself calls, too: which calls are its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/prim/own_module.h"

extern "C" {
[[noreturn]] void __chk_fail(void);
}

namespace heddle::runtime {

inline bool IsOurs(uintptr_t pc) { return IsOwnCode(pc); }

// The fortified forms know how much room there is.
inline void CheckRoom(size_t size, size_t room) {
  if (size > room) __chk_fail();
}

}  // namespace heddle::runtime
