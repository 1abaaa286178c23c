// Findings as lines that other programs recognise in any output: those of a compiler, which every
// editor knows, and the commands of GitHub's workflows, which become annotations.
#pragma once

#include <string>

#include "report/search_result.h"

namespace heddle::report {

// "FILE:LINE:COLUMN: error: MESSAGE", then a line with `note:` for each place that the finding has,
// where the blocks were allocated, and how to replay it. `test_case`: it is of this one; or empty.
std::string GccLines(const Finding& finding, const SearchResult& result,
                     const std::string& test_case = "");
// Of all findings.
std::string GccLines(const SearchResult& result, const std::string& test_case = "");

// One command, "::error ...", whose message has the places, too: of one step GitHub shows ten
// annotations only. Files below `root` are named relative to it, as GitHub wants them.
std::string GithubLines(const Finding& finding, const SearchResult& result, const std::string& root,
                        const std::string& test_case = "");
// Of all findings; of a search that fails without one (ExitStatus), why.
std::string GithubLines(const SearchResult& result, const std::string& root, bool require_complete,
                        const std::string& test_case = "");

}  // namespace heddle::report
