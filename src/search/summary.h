// What a search tells of itself, once: at its beginning the mapped files, at its end all that it
// counted.
#pragma once

#include "explore/explorer.h"
#include "search/search_state.h"

namespace heddle::search {

// The mapped files, so that the supervisor can turn code addresses into source lines.
void ReportModules();

void WriteSummary(const SearchState& state, const explore::Coverage& coverage,
                  const explore::Explorer& explorer, const Sharing& sharing, channel::Stop stop);

}  // namespace heddle::search
