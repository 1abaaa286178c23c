// Runs the search to its end, from its beginning or from where the last process left it, and writes
// its summary.
#pragma once

#include "search/search_state.h"

namespace heddle::search {

void Search(SearchState& state);

}  // namespace heddle::search
