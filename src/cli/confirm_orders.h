// What a report says would forbid a bug under tso or c11 is said of one execution. Here the program
// is searched with it: is the bug gone, and is there another one?
#pragma once

#include <string>
#include <vector>

#include "cli/search_options.h"
#include "cli/search_run.h"
#include "report/search_result.h"

namespace heddle::cli {

// Fills in WeakExecution::confirmed of the bugs in `result`, which a search of `command` has found.
// Takes about as long as that search has, but at least a second for each set, and all of them at
// most ten; and not longer than --time. Without --time a set gets longer for its first hundred
// executions.
void ConfirmOrders(const SearchOptions& options, const SearchSubject& subject,
                   const std::vector<std::string>& command, report::SearchResult& result);

}  // namespace heddle::cli
