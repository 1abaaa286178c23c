// What the numbers mean: the verdict, and the guarantee in one sentence. Nothing here claims more
// than was explored; tests/unit/report_verdict_test.cpp holds every sentence to that.
#pragma once

#include <string>
#include <string_view>

#include "channel/progress.h"
#include "claim/incomplete.h"
#include "report/search_result.h"

namespace heddle::report {

const char* VerdictName(Verdict verdict);
// As in docs/json.md. Of another name: kNone.
const char* StopName(channel::Stop stop);
channel::Stop StopOf(std::string_view name);

// The note of `reason`; `detail` stands in its text.
Note IncompleteNote(claim::Incomplete reason, const std::string& detail = {});

// The first of the notes for which the search is no proof; null: there is none.
const Note* FirstReason(const SearchResult& result);
// If there is one, the search claims nothing, whatever else it has found out of itself: this is the
// one place where that is decided. REQUIRES: notes and findings are filled in.
void WithdrawClaims(SearchResult& result, bool is_search = true);

// `out_of_control`: a schedule did not replay, or the process kept dying.
Verdict JudgeVerdict(const SearchResult& result, bool out_of_control);

// The verdict in a few words, and of an incomplete search why it is no proof.
std::string VerdictSentence(const SearchResult& result);

// REQUIRES: everything in `result` but guarantee is filled in.
std::string Guarantee(const SearchResult& result);

// A search that ended before an execution came to its end says nothing of the program.
bool RanNothing(const SearchResult& result);
// Nor does one that lost control: neither is a verdict on the program.
bool IsError(const SearchResult& result);

// docs/cli.md: 0 clean, 1 bug, 3 uncontrolled or nothing was run; an incomplete search is 0, or 4
// when completeness was required.
int ExitStatus(const SearchResult& result, bool require_complete);

}  // namespace heddle::report
