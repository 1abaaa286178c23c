// Whether memory can be read, without reading it.
#pragma once

#include <errno.h>
#include <sys/syscall.h>

#include <cstdint>

#include "runtime/prim/syscall.h"

namespace heddle::runtime {

// Of the byte at `address`, if it is aligned to 8. rt_sigprocmask looks at its first argument after
// it has copied the second, and changes nothing if that one makes no sense.
inline bool IsReadable(uintptr_t address) {
  constexpr long kNoSuchRequest = -1;
  constexpr long kSignalSetBytes = 8;
  return RawSyscall(SYS_rt_sigprocmask, kNoSuchRequest, static_cast<long>(address), 0,
                    kSignalSetBytes) == -EINVAL;
}

}  // namespace heddle::runtime
