// Thin wrappers of the program's own: `static inline int atomic_get(atomic_t *a)` of an atomic.h,
// `void Lock(Mutex *)` of a thread.c. A step shown at such a line tells the reader nothing, for all
// locks are taken there; who called it does. (Headers of the standard library are left out anyway,
// see ProgramsOwn.)
//
// A function is a wrapper for a report if all of this holds:
//
//   * it is in a header, or in a file named after what it wraps ("atomic", "thread", "lock" ...),
//   * every step of the report made in it is the same operation, on one line, near its beginning,
//   * it was always called from another file, and from at least two lines there.
//
// So a function that locks, works and unlocks is none, nor is one that has but one caller. A
// wrapper of a wrapper is one, too.
#pragma once

#include <vector>

#include "report/search_result.h"
#include "report/source.h"

namespace heddle::report {

// A step and the frames of the program's own code that it was made in, innermost first.
struct PlacedStep {
  Step* step;
  std::vector<Frame> own;
};

// Moves the steps made in wrappers to the lines that call them. Step::within is where they were.
void LeaveOutWrappers(std::vector<PlacedStep>& steps, SourceFiles& source);

}  // namespace heddle::report
