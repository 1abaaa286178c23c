// BF(var): as BF(method), for accesses to the variables of --focus-variable (GAMBIT, section 4.3).
#include "explore/best/priority.h"

namespace heddle::explore {

uint32_t Var(const BacktrackingPoint& point) {
  return 2u - point.preempted.variable - point.preempting.variable;
}

}  // namespace heddle::explore
