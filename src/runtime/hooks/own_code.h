// For functions of libc that heddle itself calls, too: which calls are its own.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
[[noreturn]] void __chk_fail(void);

// The module we are part of; defined by the linker.
extern __attribute__((visibility("hidden"))) const char __ehdr_start[];
extern __attribute__((visibility("hidden"))) const char _end[];
}

namespace heddle::runtime {

inline bool IsOurs(uintptr_t pc) {
  return pc - reinterpret_cast<uintptr_t>(__ehdr_start) <
         static_cast<uintptr_t>(_end - __ehdr_start);
}

// The fortified forms know how much room there is.
inline void CheckRoom(size_t size, size_t room) {
  if (size > room) __chk_fail();
}

}  // namespace heddle::runtime
