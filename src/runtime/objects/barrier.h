// Barriers. Everybody who leaves learns what everybody did before. The last to arrive opens it, and
// is told PTHREAD_BARRIER_SERIAL_THREAD; the others leave as soon as it is open.
#pragma once

#include "runtime/objects/answer.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

BarrierState NewBarrier(uint32_t needed);

// A thread that does not open it waits for the round to be over that is `barrier.round` now.
Answer ArriveAt(BarrierState& barrier);
inline bool IsOver(const BarrierState& barrier, uint64_t round) { return barrier.round != round; }

// A misuse while others wait at it. The round goes on counting: some may have been let go and not
// left yet.
Answer InitialiseBarrier(BarrierState& barrier, uint32_t needed);
Answer DestroyBarrier(const BarrierState& barrier);

}  // namespace heddle::runtime
