// What `heddle check` does where the memory model is left open: sequential consistency first, and
// where C11's memory model allows more (an execution had a weak pair), that too (docs/claims.md).
#pragma once

#include <string>
#include <vector>

#include "cli/search_options.h"
#include "cli/search_run.h"
#include "report/search_result.h"

namespace heddle::cli {

// Explores `command` under C11's memory model and adds what it finds to `result`, which is that of
// the search before; nothing, if the options ask for one search, or `result` leaves nothing open.
// An error: as of SearchRunner::Run.
std::optional<base::Error> GoOnUnderC11(const SearchOptions& options, const SearchSubject& subject,
                                        const std::vector<std::string>& command,
                                        report::SearchResult& result);

}  // namespace heddle::cli
