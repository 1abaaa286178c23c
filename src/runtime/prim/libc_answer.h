// The kernel's answer as libc gives it on.
#pragma once

#include <errno.h>

#include "runtime/prim/syscall.h"

namespace heddle::runtime {

// -1, with errno set, if the call failed.
inline long LibcAnswer(long answer) {
  if (!Failed(answer)) return answer;
  errno = static_cast<int>(-answer);
  return -1;
}

}  // namespace heddle::runtime
