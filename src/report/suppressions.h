// Findings that the user does not want to hear of, in the formats of the suppression files of
// ThreadSanitizer, AddressSanitizer and LeakSanitizer; a file may have lines of all of them:
//
//   # a comment
//   race:Statistics::Count        a frame of either stack; or the variable that is raced for
//   race_top:*/third_party/*      the access itself
//   deadlock:libfoo.so            a frame of a thread that waits
//   leak:Cache::Fill              a frame of the allocation
//   interceptor_via_fun:Decode    a frame of the call of memcpy or the like that made the access
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
  std::string type;  // "race": as it is written
  std::string pattern;
  uint32_t line = 0;  // of the file
  uint64_t uses = 0;
};

// `name` is what error messages call the file.
base::Result<std::vector<Suppression>> ParseSuppressions(const std::string& text,
                                                         const std::string& name);

bool MatchesPattern(std::string_view pattern, std::string_view text);

// Is there a check whose findings it could leave out?
bool HasEffect(const Suppression& suppression);

// Is `finding` suppressed? Counts the use.
bool IsSuppressed(std::vector<Suppression>& suppressions, const Finding& finding);

}  // namespace heddle::report
