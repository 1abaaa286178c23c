#include "runtime/objects/barrier.h"

#include <pthread.h>

namespace heddle::runtime {

BarrierState NewBarrier(uint32_t needed) { return {.needed = needed, .arrived = 0, .round = 0}; }

Answer ArriveAt(BarrierState& barrier) {
  // Who left the last round has learnt from it.
  const Releases releases = barrier.arrived == 0 ? Releases::kAs : Releases::kInto;
  if (++barrier.arrived != barrier.needed) return {.releases = releases};
  barrier.arrived = 0;
  ++barrier.round;
  return {.acquires = Acquires::kReleased,
          .releases = releases,
          .opens = true,
          .status = PTHREAD_BARRIER_SERIAL_THREAD,
          .value = 1};
}

Answer InitialiseBarrier(BarrierState& barrier, uint32_t needed) {
  if (barrier.arrived != 0) return Misused(Misuse::kWaitedAt);
  barrier.needed = needed;
  return {};
}

Answer DestroyBarrier(const BarrierState& barrier) {
  return barrier.arrived == 0 ? Answer{} : Misused(Misuse::kWaitedAt);
}

}  // namespace heddle::runtime
