// The schedule as a table: time runs down, every thread has a column, every row is what one thread
// did at one source line. What the reader looks for is marked: the preemptions, the conflicting
// operations, who waits for what.
//
//                    main                   T1                     T2
//   bank.cpp:20      std::thread a(Work);  | creates thread T1
//   bank.cpp:8                              int x = balance;  | reads balance: 100
//                                           -- preempted --
//   bank.cpp:8                                                     int x = balance;  | reads ...
//
// A terminal of less than 60 columns has no room for that: there each row is a few lines that begin
// with the thread's name, and none of them is cut.
//
// Only one thread moves per row, so a row's text may run on to the right of its column; never to
// the left, into another thread's: what is too wide takes several lines. Rounds of a loop that are
// alike are told once, with their number, and long schedules are shortened away from the marked
// rows.
#pragma once

#include <string>
#include <vector>

#include "report/search_result.h"
#include "report/terminal.h"

namespace heddle::report {

enum class Steps { kBrief, kAll };
inline Steps StepsOf(bool full) { return full ? Steps::kAll : Steps::kBrief; }

// Which of the finding's steps the table has. Where there are few rows, also those that have no
// influence.
std::vector<bool> ShownSteps(const Finding& finding, Steps steps);

// Lines that end in newlines; empty when the finding has no steps.
std::string StepTable(const Finding& finding, const Terminal& terminal,
                      Steps steps = Steps::kBrief);

}  // namespace heddle::report
