// BF(method): first where a thread in one of the functions of --focus-function is preempted by
// another one in such a function, then where one of the two is (GAMBIT, section 4.3).
#include "explore/best/priority.h"

namespace heddle::explore {

uint32_t Method(const BacktrackingPoint& point) {
  return 2u - point.preempted.function - point.preempting.function;
}

}  // namespace heddle::explore
