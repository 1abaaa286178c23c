// BF(ss): last what sleep sets would leave out (GAMBIT, section 4.1).
#include "explore/best/priority.h"

namespace heddle::explore {

uint32_t Ss(const BacktrackingPoint& point) { return point.asleep ? 1 : 0; }

}  // namespace heddle::explore
