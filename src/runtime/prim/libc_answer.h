// The kernel's answer as libc gives it on.
#pragma once

#include <errno.h>

namespace heddle::runtime {

// -1, with errno set, if the call failed.
inline long LibcAnswer(long answer) {
  if (answer >= 0 || answer < -4095) return answer;
  errno = static_cast<int>(-answer);
  return -1;
}

}  // namespace heddle::runtime
