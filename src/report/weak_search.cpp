#include "report/weak_search.h"

#include <algorithm>

#include "report/verdict.h"

namespace heddle::report {

namespace {

bool Has(const std::vector<Note>& notes, const Note& note) {
  return std::ranges::find(notes, note.text, &Note::text) != notes.end();
}

// What both say is said once. That a suppression was not used is true if both say so.
void AddNotes(const std::vector<Note>& weak, std::vector<Note>& all) {
  const auto of_suppression = [](const Note& note) {
    return note.kind == "info" && note.text.starts_with("suppression ");
  };
  std::erase_if(all, [&](const Note& note) { return of_suppression(note) && !Has(weak, note); });
  for (const Note& note : weak)
    if (!of_suppression(note) && !Has(all, note)) all.push_back(note);
}

}  // namespace

bool LeavesWeakMemoryOpen(const SearchResult& result) {
  return result.stop == channel::Stop::kExhausted && result.findings.empty() &&
         result.verdict != Verdict::kUncontrolled && !result.weak_memory.pairs.empty();
}

bool LeavesWeakMemoryUnseen(const SearchResult& result) {
  return !result.weak_memory.pairs.empty() && !result.weak_memory.search &&
         result.memory_model == space::NameOf(space::MemoryModel::kSc);
}

void AddWeakSearch(SearchResult& all, const SearchResult& weak) {
  WeakSearch search;
  search.sc_complete = all.complete && all.whole_space;
  search.complete = weak.complete;
  search.stop = weak.stop;
  search.executions = weak.executions;
  search.assumed_away = weak.assumed_away;
  search.cut = weak.cut;
  search.events = weak.events;
  search.elapsed_s = weak.elapsed_s;
  all.weak_memory.search = search;
  all.weak_memory.holds = search.sc_complete && weak.weak_memory.holds;
  all.complete &= weak.complete;
  all.whole_space &= weak.whole_space;
  all.stop = weak.stop;
  all.elapsed_s += weak.elapsed_s;
  all.peak_memory_bytes = std::max(all.peak_memory_bytes, weak.peak_memory_bytes);
  all.restarts += weak.restarts;
  all.suppressed = std::max(all.suppressed, weak.suppressed);
  all.findings = weak.findings;
  all.saved = weak.saved;
  all.saved_executions = weak.saved_executions;
  AddNotes(weak.notes, all.notes);
  for (const auto& [label, outcome] : weak.outcomes)
    all.outcomes.insert({label, {.count = outcome.count, .weak_only = true}});
  // What one search has proved stands, whatever became of the other.
  all.verdict = JudgeVerdict(all, false);
  all.guarantee = Guarantee(all);
}

}  // namespace heddle::report
