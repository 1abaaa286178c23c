#include "report/assemble.h"

#include <algorithm>
#include <utility>

#include "report/finding_formatter.h"
#include "report/merge_races.h"
#include "report/verdict.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

Note NoteOf(const RawNote& raw, std::string text) {
  switch (raw.kind) {
    case channel::NoteKind::kIncomplete:
      return {"incomplete", std::move(text), claim::NameOf(raw.reason)};
    case channel::NoteKind::kWarning:
      return {"warning", std::move(text)};
    case channel::NoteKind::kInfo:
      break;
  }
  return {"info", std::move(text)};
}

void CopyNumbers(const channel::Header& header, SearchResult& result) {
  const channel::Progress& progress = header.progress;
  const channel::Summary& summary = header.summary;
  result.executions = progress.executions;
  result.redundant = progress.redundant;
  result.assumed_away = progress.assumed_away;
  result.cut = progress.cut;
  result.hooks = progress.hooks;
  result.events = progress.events;
  result.threads = progress.threads;
  result.suppressed = progress.suppressed;
  result.completed_bound = progress.completed_bound;
  result.restarts = header.restarts;
  result.time = {progress.timed, progress.timed_ns, progress.restoring_ns,
                 progress.before_threads_ns};
  result.estimate = EstimateOf(progress.estimate);
  result.advised_bound = progress.advised_bound;
  result.advised = EstimateOf(progress.advised);
  result.complete = summary.complete != 0;
  result.whole_space = summary.whole_space != 0;
  result.time_limits = summary.time_limits != 0;
  result.stop = summary.stop;
  result.happens_before = summary.happens_before;
  if (summary.coverage_overflow == 0) result.trace_sum = summary.trace_sum;
  result.peak_nodes = summary.peak_nodes;
  result.steps_skipped = summary.steps_skipped;
  result.states = summary.states;
  result.state_bytes = summary.state_bytes;
  result.collisions = summary.collisions;
  const size_t in_bounds = std::min(summary.states_by_bound_count, channel::kMaxCoverageBounds);
  result.states_by_bound.assign(summary.states_by_bound, summary.states_by_bound + in_bounds);
  result.most_choices = summary.most_choices;
  size_t bounds = std::min(summary.by_preemptions_count, channel::kMaxCoverageBounds);
  result.by_preemptions.assign(summary.by_preemptions, summary.by_preemptions + bounds);
  const size_t points = std::min(summary.over_executions_count, channel::kMaxCoveragePoints);
  for (const auto& [executions, graphs] : std::span(summary.over_executions, points))
    result.over_executions.push_back({executions, graphs});
  result.all_graphs = result.whole_space && summary.coverage_overflow == 0;
}

void CopySettings(const channel::Settings& settings, SearchResult& result) {
  result.order = space::NameOf(settings.order);
  result.priority = space::NameOf(settings.priorities);
  result.rewind = channel::RewindName(settings.rewind);
  result.points = space::NameOf(settings.points);
  result.timeouts = TimeoutsName(settings.timeouts);
  result.release_sequences = channel::ReleaseSequencesName(settings.release_sequences);
  result.memory_model = space::NameOf(settings.memory_model);
  result.reduction = space::NameOf(settings.reduction);
  result.visited = space::NameOf(settings.visited);
  result.exact = settings.exact != 0;
  result.seed = settings.seed;
  result.races_checked = settings.report_races != 0;
  result.depth = settings.depth;
  if (!settings.bound.IsNone()) result.bound = settings.bound;
}

void AddNotes(const channel::Header& header, const Records& records, const RunFacts& facts,
              FindingFormatter& formatter, SearchResult& result) {
  result.notes = facts.notes;
  const bool atomic_statements = header.settings.points == channel::Points::kHooks;
  // They are about code whose accesses are not seen. Within a statement nobody looks at any.
  for (Note& note : result.notes)
    if (atomic_statements && note.kind == "incomplete") note = {"info", note.text};
  for (const RawNote& note : records.notes) {
    Note told = NoteOf(note, formatter.WithNames(note.text));
    bool known = std::any_of(result.notes.begin(), result.notes.end(),
                             [&](const Note& other) { return other.text == told.text; });
    if (!known) result.notes.push_back(std::move(told));  // a restarted process says it again
  }
  if (records.damaged) {
    result.notes.push_back(
        {"warning", "the last finding was cut off when the program's process died"});
  }
  if (const uint64_t lost = header.report_lost.load(); lost != 0) {
    result.notes.push_back(IncompleteNote(claim::Incomplete::kReportFull, Counted(lost, "record")));
  }
  if (header.summary.coverage_overflow != 0) {
    result.notes.push_back({"info",
                            "coverage counts are lower bounds: more happens-before graphs "
                            "than the table holds"});
  }
}

// The theorem of data-race freedom (docs/claims.md): what it asks for, and nothing that it does not
// know.
bool HoldsUnderWeakMemory(const channel::Summary& summary, const RunFacts& facts,
                          const SearchResult& result) {
  const bool raced =
      std::any_of(result.findings.begin(), result.findings.end(),
                  [](const Finding& finding) { return finding.kind == "data-race"; });
  if (result.memory_model == space::NameOf(space::MemoryModel::kC11))
    return result.whole_space && result.complete;
  return result.whole_space && result.instrumented && !facts.frameworks_unseen && !raced &&
         result.suppressed == 0 && summary.weak_pairs_watched != 0 && summary.beyond_c11 == 0 &&
         result.weak_memory.pairs.empty();
}

}  // namespace

Finding TellFinding(const RawFinding& raw, const Records& records,
                    std::span<const channel::ThreadName> names, Symbolizer& symbolizer) {
  const std::vector<Library>
      unknown;  // which libraries were not rebuilt does not matter to the question
  FindingFormatter formatter(records, names, unknown, false, symbolizer);
  std::vector<ToldFinding> one;
  one.push_back(formatter.Tell(raw));
  formatter.PlaceSteps(one);
  return std::move(one.front().finding);
}

const char* TimeoutsName(channel::Timeouts timeouts) {
  return timeouts == channel::Timeouts::kLast ? "last" : "any";
}

SearchResult Assemble(const channel::Header& header, const Records& records,
                      std::span<const channel::ThreadName> names, const RunFacts& facts,
                      Symbolizer& symbolizer) {
  SearchResult result;
  result.heddle_version = HEDDLE_VERSION;
  result.program = facts.program;
  result.arguments = facts.arguments;
  result.instrumented = facts.instrumented;
  result.preset = facts.preset;
  result.elapsed_s = facts.elapsed_s;
  result.peak_memory_bytes = facts.peak_memory_bytes;
  CopySettings(header.settings, result);
  CopyNumbers(header, result);
  if (facts.out_of_control) result.complete = result.all_graphs = false;

  FindingFormatter formatter(records, names, facts.not_rebuilt, facts.all_steps, symbolizer);
  std::vector<ToldFinding> all;
  for (const RawFinding& raw : records.findings) {
    all.push_back(formatter.Tell(raw));
    all.back().finding.record = all.size() - 1;
  }
  formatter.PlaceSteps(all);
  for (size_t i = 0; i < records.findings.size(); ++i) {
    for (const RawFinding& raw : records.findings[i].other) {
      std::vector<ToldFinding> other;
      other.push_back(formatter.Tell(raw));
      formatter.PlaceSteps(other);
      all[i].finding.other.push_back(std::move(other.front().finding));
    }
  }
  result.findings = MergeRaces(std::move(all));
  for (const RawFinding& raw : records.weak_pairs) {
    Finding told = formatter.Tell(raw).finding;
    for (Step& step : told.steps) step.flags = 0;  // no race
    if (told.steps.size() == 2)
      result.weak_memory.pairs.push_back({std::move(told.steps[0]), std::move(told.steps[1])});
  }
  for (const RawOutcome& outcome : records.outcomes) {
    result.outcomes[outcome.label] = {.count = outcome.count,
                                      .preemptions = outcome.preemptions,
                                      .early_timeouts = outcome.early_timeouts};
  }
  AddNotes(header, records, facts, formatter, result);
  WithdrawClaims(result, header.settings.mode != channel::Mode::kReplay);
  result.weak_memory.holds = HoldsUnderWeakMemory(header.summary, facts, result);
  bool out_of_control = facts.out_of_control || header.summary.stop == channel::Stop::kUncontrolled;
  result.verdict = JudgeVerdict(result, out_of_control);
  result.guarantee = Guarantee(result);
  return result;
}

}  // namespace heddle::report
