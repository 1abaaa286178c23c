// The JSON of docs/json.md: written by check, read back by report.
// Fields are added, never renamed.
#pragma once

#include <string>
#include <variant>

#include "base/result.h"
#include "report/case_results.h"
#include "report/search_result.h"

namespace heddle::report {

std::string ToJson(const SearchResult& result);
std::string ToJson(const CaseResults& results);

// What a file holds: the result of one search, or those of the cases of a test program.
using ResultFile = std::variant<SearchResult, CaseResults>;

// `name` is what error messages call the file.
base::Result<ResultFile> FromJson(const std::string& text, const std::string& name);

}  // namespace heddle::report
