// Where the C++ library reads the clock for a time limit that is a length of time: wait_for(50ms)
// computes `steady_clock::now() + 50ms` in a header, waits until then, and compares `now()` with
// that moment afterwards, to tell why the wait ended. Neither reading goes anywhere else, so a
// round of a loop with such a wait depends on no clock (runtime/loops/timed_rounds.h). heddle is
// told which calls these are: they go to
//
//   heddle_now_for_limit    the moment from which the limit is computed
//   heddle_now_after_limit  the moment that is compared with it
//
// in place of std::chrono::steady_clock::now (runtime/hooks/time.cpp).
//
// Which call stands for which is told by the line of the header (header_calls.h).
// Headers of libstdc++ 12 to 15 are known, but not those of semaphores: there the library itself
// reads the clock once more.
//
// Tested by tests/unit/assembly_limit_clock_test.cpp, and with both compilers by
// tests/programs/correct/timed_*.cpp.
#pragma once

#include <string>
#include <string_view>

#include "assembly/header_calls.h"

namespace heddle::assembly {

// Does the assembly `text` call the clock at all?
bool ReadsSteadyClock(std::string_view text);

// The same assembly with those calls changed; no line changes its number.
std::string WithLimitClock(std::string_view text, const SourceLine& source = ReadSourceLine);

}  // namespace heddle::assembly
