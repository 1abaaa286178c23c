// The result of a search under sequential consistency, and of the one that went on under C11's
// memory model, as one: complete only if both are, so that status and --require-complete follow the
// stronger question.
#pragma once

#include "report/search_result.h"

namespace heddle::report {

// Was everything explored, is no bug found, and may C11's memory model show something else?
bool LeavesWeakMemoryOpen(const SearchResult& result);

// ... and nobody has looked what it may show.
bool LeavesWeakMemoryUnseen(const SearchResult& result);

// Adds to `all`, which leaves it open, what the search under C11's memory model was. Numbers of
// executions stay those of the first search, but for elapsed_s, which is of both.
void AddWeakSearch(SearchResult& all, const SearchResult& weak);

}  // namespace heddle::report
