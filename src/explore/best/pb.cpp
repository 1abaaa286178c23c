// BF(pb): fewer preemptions first (GAMBIT, section 4.1).
#include "explore/best/priority.h"

namespace heddle::explore {

uint32_t Pb(const BacktrackingPoint& point) { return point.cost; }

}  // namespace heddle::explore
