// CHECK: for what only we can cause. Always on (RelWithDebInfo defines NDEBUG, so assert would
// vanish). Errors that a user can cause are a Result (result.h); what the program under test does
// is data (trace/ending.h).
#pragma once

namespace heddle::base {

// Writes "heddle: internal error: FILE:LINE: what" to descriptor 2 and ends the process with
// status 70. REQUIRES: nothing; safe on any stack, in a signal handler, with no heap.
[[noreturn]] void CheckFailed(const char* file, int line, const char* what);

}  // namespace heddle::base

#define HEDDLE_CHECK(condition)                                    \
  do {                                                             \
    if (__builtin_expect(!(condition), 0))                         \
      ::heddle::base::CheckFailed(__FILE__, __LINE__, #condition); \
  } while (0)
