// The schedule as a table: time runs down, every thread has a column, every row is what one thread
// did at one source line. What the reader looks for is marked: the preemptions, the conflicting
// operations, who waits for what.
//
//                    main                   T1                     T2
//   bank.cpp:20      std::thread a(Work);
//   bank.cpp:8                              int x = balance;
//                                           -- preempted --
//   bank.cpp:8                                                     int x = balance;
//
// Only one thread moves per row, so a row's text may run on to the right of its column. Long
// schedules are shortened away from the marked rows.
#pragma once

#include <string>

#include "report/search_result.h"
#include "report/terminal.h"

namespace heddle::report {

// Lines that end in newlines; empty when the finding has no steps.
std::string StepTable(const Finding& finding, const Terminal& terminal);

}  // namespace heddle::report
