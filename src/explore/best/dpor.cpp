// BF(dpor): first what dynamic partial-order reduction would run (GAMBIT, section 4.1). A search by
// bound must not leave out the rest, but it can put it off.
#include "explore/best/priority.h"

namespace heddle::explore {

uint32_t Dpor(const BacktrackingPoint& point) { return point.asked == Asked::kNot ? 1 : 0; }

}  // namespace heddle::explore
