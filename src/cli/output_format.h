// --format: what `heddle check` prints. By itself it is the report as text, and where no person
// looks at it (no terminal: ctest, an editor, a log of CI) lines that tools recognise before it, so
// that neither the tools nor the readers of the log have to ask for anything. HEDDLE_FORMAT in the
// environment is the default of --format: a job of CI sets it once, for heddle::Check, too.
#pragma once

#include <string>

#include "cli/search_options.h"
#include "report/case_results.h"
#include "report/search_result.h"

namespace heddle::cli {

// Is what is printed for tools in place of people?
bool IsForTools(const SearchOptions& options);

// All that is printed of a search.
std::string Printed(const report::SearchResult& result, const SearchOptions& options);

// What is printed of all cases after the line of each (--each).
std::string PrintedOfCases(const report::CaseResults& results, const SearchOptions& options);

}  // namespace heddle::cli
