// Memory of several searches that make one.
#pragma once

#include <cstdint>

namespace heddle::explore {

struct SharedMemory {
  void* at = nullptr;  // zero at first; null: there is none
  uint64_t bytes = 0;
};

}  // namespace heddle::explore
