// A result and the name of the file that it was read from: what the formats for several files take.
#pragma once

#include <string>

#include "report/search_result.h"

namespace heddle::report {

struct NamedResult {
  std::string name;
  SearchResult result;
  std::string test_case;  // of the program; empty: the result is of all of it
};

// "queue_test --fast": the program without its folders, and its arguments; for a test case its
// name, and for a result that names no program, the name of the file.
std::string ProgramLine(const NamedResult& named);

}  // namespace heddle::report
