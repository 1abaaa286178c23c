// A schedule as one line of text, to be pasted into an issue or a test (docs/schedule-file.md):
//
//   data-race seed=7 at=@Lock#2: main*3 T1 =1 T2~
//
// The kind of bug; options where they differ from what `heddle check` takes by itself; and behind
// the colon what was chosen at each choice point, one word each, `*N` for N times. Unlike a
// schedule file it names no build and no place by its address: it fits every build of the program
// that comes to the same choices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "replay/schedule_file.h"

namespace heddle::replay {

// In ScheduleFile::choices, of a line only: it is no choice of a thread, but of an option.
inline constexpr uint32_t kOptionTaken = 1u << 30;
// The thread that ran before waits there (trace::kLeavesWaiting).
inline constexpr uint32_t kLeft = 1u << 31;

// Of longer ones a report names the file.
inline constexpr size_t kLongestLine = 2000;

// REQUIRES: choices of options are marked, and `visible` has names (session/call_places.h).
// Empty: its threads have no names, or it is longer than kLongestLine.
std::string ToLine(const ScheduleFile& schedule);

// The inverse; what a line does not have, program and build among it, is empty.
base::Result<ScheduleFile> ParseLine(const std::string& line);

// As the line has it: "T2", "=1". REQUIRES: index < choices.size().
std::string ChoiceWord(const ScheduleFile& schedule, size_t index);

}  // namespace heddle::replay
