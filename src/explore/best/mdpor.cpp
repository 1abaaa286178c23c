// BF(mdpor): as BF(dpor), but what that asks for only to be safe comes after what it asks for
// because of a race (GAMBIT, section 4.1).
#include "explore/best/priority.h"

namespace heddle::explore {

uint32_t Mdpor(const BacktrackingPoint& point) { return static_cast<uint32_t>(point.asked); }

}  // namespace heddle::explore
