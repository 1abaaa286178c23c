#include "runtime/loops/recent_writes.h"

namespace heddle::runtime {

void ForgetRecentWrites(Fiber& self) {
  self.written += kRecentWrites + 1;
  for (RecentWrite& write : self.windows.recent) write = 0;
}

}  // namespace heddle::runtime
