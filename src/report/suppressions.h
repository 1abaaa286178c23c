// Findings that the user does not want to hear of, in the format of ThreadSanitizer's suppression
// files:
//
//   # a comment
//   race:Statistics::Count        a frame of either stack; or the variable that is raced for
//   race_top:*/third_party/*      the access itself
//   deadlock:libfoo.so            a frame of a thread that waits
//
// A pattern matches the name of a function, of its source file or of its module. It matches a part
// of the name; * stands for anything, ^ for the begin and $ for the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/search_result.h"

namespace heddle::report {

struct Suppression {
  // "race", "race_top", "called_from_lib", "deadlock", "mutex", "thread", "signal".
  std::string type;
  std::string pattern;
  uint32_t line = 0;  // of the file
  uint64_t uses = 0;
};

// `name` is what error messages call the file.
base::Result<std::vector<Suppression>> ParseSuppressions(const std::string& text,
                                                         const std::string& name);

bool MatchesPattern(std::string_view pattern, std::string_view text);

// Is `finding` suppressed? Counts the use.
bool IsSuppressed(std::vector<Suppression>& suppressions, const Finding& finding);

}  // namespace heddle::report
