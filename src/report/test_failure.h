// What a test framework prints of an assertion that failed: found at the end of a program's output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "report/search_result.h"

namespace heddle::report {

struct TestFailure {
  std::string file;  // as the framework printed it; empty: it does not know
  uint32_t line = 0;
  std::string message;  // one line: "CHECK( a == b ); with expansion: 1 == 2"
  std::string text;     // as it was printed, the line with the place included
};

// The last one. Each begins with a line of its own:
//     queue_test.cpp:12: Failure                            GoogleTest
//     queue_test.cpp:12: FAILED:                            Catch2
//     queue_test.cpp:12: ERROR: CHECK( a == b ) is NOT ...  doctest; or FATAL ERROR
std::optional<TestFailure> LastTestFailure(std::string_view output);

// Enters the last failure of `output` into `finding`: its text, and where it is. That is the frame
// in the file that the framework names, at its line.
void TellTestFailure(const std::string& output, Finding& finding);

}  // namespace heddle::report
