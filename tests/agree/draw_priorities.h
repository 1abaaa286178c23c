// One to four different priority functions in some order, by a seed.
#pragma once

#include <algorithm>

#include "base/hash.h"
#include "space/space.h"

namespace heddle::agree {

inline space::Priorities DrawPriorities(uint64_t seed) {
  uint64_t random = base::Mix(seed + 0x9e37);
  space::Priorities priorities;
  const uint32_t count = 1 + base::NextBelow(random, 4);
  while (priorities.count < count) {
    const auto drawn =
        static_cast<space::Priority>(base::NextBelow(random, space::Priorities::kMost));
    if (std::ranges::count(priorities.List(), drawn) != 0) continue;
    priorities.names[priorities.count++] = drawn;
  }
  return priorities;
}

}  // namespace heddle::agree
