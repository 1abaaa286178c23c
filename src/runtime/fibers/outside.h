// What only the world outside decides: whether a descriptor or a signal would let a thread go. The
// scheduler asks, and the layer above (world/) says here how it is told.
#pragma once

#include "base/wide_hash.h"

namespace heddle::runtime {

struct Fiber;

struct Outside {
  bool (*is_ready)(const Fiber& fiber);         // it stands before kTransfer or kDescriptorWait
  bool (*signal_has_come)(const Fiber& fiber);  // it stands before kSignalWait
  // Nobody can go on: could something from outside end a wait? True when it did, after a while of
  // real time.
  bool (*await)();
  // Has the execution changed nothing yet that only the kernel knows?
  bool (*can_be_saved)();
  // Its part of the program's state (state_digest.h). False: it has something that no state shows.
  bool (*add_state)(base::WideHash& hash);
};

extern Outside g_outside;  // set before the first execution (WorldInit)

}  // namespace heddle::runtime
