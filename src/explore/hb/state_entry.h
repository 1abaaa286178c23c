// What a search over happens-before graphs knows of one state: an entry of its table
// (state_table.h).
#pragma once

#include <cstdint>

namespace heddle::explore {

struct StateEntry {
  static constexpr uint8_t kUnknown = 0xff;

  uint64_t hash = 0;
  // Steps from here whose successor is in H: for the bound of `epoch` only, and for every bound.
  uint64_t closed = 0;
  uint64_t forever = 0;
  // Of several searches, with the bound of `epoch`: steps from here that somebody makes or has
  // made, or has parted with.
  uint64_t begun = 0;
  // CB(s, t) is `most` - 1 for the threads in `less`, and `most` for all others
  // (context_bounds.h).
  uint64_t less = 0;
  uint8_t most = kUnknown;
  uint8_t searched = kUnknown;  // up to this bound `most` is exact; beyond, it is a lower limit
  uint8_t epoch = 0;
  bool in_table : 1 = false;          // the state is in H, for the bound of `epoch`
  bool in_table_forever : 1 = false;  // ... for every bound
  // Of several searches, with the bound of `epoch`: one has entered the state; and has left it,
  // and `closed` has all that need not be run from here, too.
  bool claimed : 1 = false;
  bool left : 1 = false;
  uint32_t stamp = 0;  // of the table of several searches

  // As it counts with the bound of `now`.
  void BeginEpoch(uint8_t now) {
    if (epoch == now) return;
    closed = begun = 0;
    in_table = claimed = left = false;
    epoch = now;
  }
  uint64_t Closed() const { return closed | forever; }
  // Steps that need not be made from there: they lead into H, or somebody has begun them.
  uint64_t NotNeeded() const { return Closed() | begun; }
};
static_assert(sizeof(StateEntry) == 48);

}  // namespace heddle::explore
