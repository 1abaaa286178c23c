// BF(rand): in a random order, but each once (GAMBIT, section 4.2).
#include "explore/best/priority.h"

#include "base/hash.h"

namespace heddle::explore {

uint32_t Rand(const BacktrackingPoint& point) {
  return static_cast<uint32_t>(base::Mix(point.name ^ base::Mix(point.seed)) >> 48);
}

}  // namespace heddle::explore
