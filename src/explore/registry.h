// The explorers by name, as on the command line (--order). A new one is one file and one line here.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "explore/explorer.h"
#include "explore/spill.h"

namespace heddle::explore {

// Making is in two steps because the State outlives the process and the Explorer does not
// (explorer.h).
struct Entry {
  std::string_view name;
  void* (*make_state)();
  std::unique_ptr<Explorer> (*attach)(void* state, const Options& options, Spill* spill);
  void (*free_state)(void* state);
};

std::span<const Entry> Entries();

// Null if there is none of that name.
const Entry* FindEntry(std::string_view name);

}  // namespace heddle::explore
