// The report as text: what a person reads in the terminal.
#pragma once

#include <string>

#include "report/search_result.h"
#include "report/step_table.h"
#include "report/terminal.h"

namespace heddle::report {

// A finding before its report. `goes_on`: the search does, and the report may be far: what it is,
// and how to replay it. Else it has ended, and the schedule is minimised: one short line, as all
// the rest follows.
std::string FoundText(const Finding& finding, bool goes_on, const Terminal& terminal);

// One finding: the sentence, the table, the stacks, the line to paste.
std::string FindingText(const Finding& finding, const Terminal& terminal,
                        Steps steps = Steps::kBrief);

// What a step with a stack is to its finding: "second access: T1 writes count".
std::string StackTitle(const Step& step);

// The findings, then what was explored and what that proves.
std::string ResultText(const SearchResult& result, const Terminal& terminal,
                       Steps steps = Steps::kBrief);

// The latter alone.
std::string ConclusionText(const SearchResult& result, const Terminal& terminal,
                           Steps steps = Steps::kBrief);

}  // namespace heddle::report
