// What the numbers mean: the verdict, and the guarantee in one sentence. Nothing here claims more
// than was explored; tests/unit/report_verdict_test.cpp holds every sentence to that.
#pragma once

#include <string>

#include "channel/channel.h"
#include "report/search_result.h"

namespace heddle::report {

const char* VerdictName(Verdict verdict);
const char* StopName(channel::Stop stop);

// `out_of_control`: a schedule did not replay, or the process kept dying.
Verdict JudgeVerdict(const SearchResult& result, bool out_of_control);

// REQUIRES: everything in `result` but guarantee is filled in.
std::string Guarantee(const SearchResult& result);

// A search that ended before an execution came to its end says nothing of the program.
bool RanNothing(const SearchResult& result);

// docs/cli.md: 0 clean, 1 bug, 3 uncontrolled or nothing was run; an incomplete search is 0, or 4
// when completeness was required.
int ExitStatus(const SearchResult& result, bool require_complete);

}  // namespace heddle::report
