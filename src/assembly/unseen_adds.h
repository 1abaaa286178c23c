// Where the C++ library counts who waits: `_M_wait += 1` before a thread looks and sleeps, `-= 1`
// after, and a number of the last notification. The lines of the header throw away what the counter
// was. Additions of which nobody looks at that commute (runtime/primitives/atomic.h), so heddle is
// told which calls these are: they go to heddle_add_unseen and heddle_sub_unseen
// (runtime/hooks/tsan_atomic.cpp) in place of __tsan_atomic32_fetch_add and _sub.
//
// Which calls they are is told by the line of the header (header_calls.h): one statement that is
// nothing but the call. Headers of libstdc++ 12 to 14 are known.
//
// Tested by tests/unit/assembly_unseen_adds_test.cpp, and with both compilers by
// tests/programs/correct/std_latch*.cpp, std_barrier*.cpp.
#pragma once

#include <string>
#include <string_view>

#include "assembly/header_calls.h"

namespace heddle::assembly {

// Does the assembly `text` have such calls, or others of these functions?
bool AddsAtomically(std::string_view text);

// The same assembly with those calls changed; no line changes its number.
std::string WithUnseenAdds(std::string_view text, const SourceLine& source = ReadSourceLine);

}  // namespace heddle::assembly
