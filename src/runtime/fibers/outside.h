// What only the world outside decides: whether a descriptor or a signal would let a thread go. The
// scheduler asks, and the layer above (world/) says here how it is told.
#pragma once

#include <cstdint>

#include "base/wide_hash.h"
#include "op/operation.h"

namespace heddle::runtime {

struct Fiber;
struct Object;
enum class Interrupts : uint8_t;

struct Outside {
  bool (*is_ready)(const Fiber& fiber);         // it stands before kTransfer or kDescriptorWait
  bool (*signal_has_come)(const Fiber& fiber);  // it stands before kSignalWait
  // Does it look for signals before it goes on? Only where g_state.signals.
  bool (*looks_for_signals)(const Fiber& fiber);
  // Is one pending that it does not block?
  bool (*signal_is_pending)(const Fiber& fiber);
  // The running thread looks for signals, about to make `next` on `object`. True: the call that
  // `next` belongs to is interrupted. `waits`: it stands before `next`, and nobody else can go on.
  bool (*look_for_signals)(const op::Operation& next, Object* object, Interrupts interrupts,
                           bool waits);
  // The running thread, which ends, takes no more signals.
  void (*end_signals)();
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
