// What runs a search at a point of the space (space/space.h). A new explorer is one file and a line
// in registry.cpp.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "explore/explorer.h"
#include "explore/spill.h"
#include "space/space.h"

namespace heddle::explore {

// The others that explore parts of the same space, as Options says.
struct Peers {
  bool parts = false;
  bool reads_stale = false;
  BoundGate gate = {};
  SharedMemory shared = {};
};

// Making is in two steps because the State outlives the process and the Explorer does not
// (explorer.h).
struct Entry {
  space::Point point;
  void* (*make_state)();
  std::unique_ptr<Explorer> (*make)(void* state, const Options& options, Spill* spill);
  void (*free_state)(void* state);

  // The explorer over a state of this entry. `spill` may be null. `memory_limit`: bytes
  // (Options::memory_limit); 0: the default. `exact`: Options::exact.
  std::unique_ptr<Explorer> Attach(void* state, uint64_t seed, Spill* spill,
                                   StopToken stop_token = {}, uint64_t memory_limit = 0,
                                   const Peers& peers = {}, bool exact = false) const;
};

// Nothing if the point is no search (space::WhyNot).
std::optional<Entry> Find(const space::Point& point);
// Every order with every reduction, without a bound, that is one.
std::vector<Entry> Entries();

}  // namespace heddle::explore
