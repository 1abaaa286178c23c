#include "report/assemble.h"

#include <algorithm>
#include <set>
#include <utility>

#include "plan/schedule_file.h"
#include "report/names.h"
#include "report/source.h"
#include "report/symbolize.h"
#include "report/verdict.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

constexpr uint32_t kWithStack = channel::kStepRaceFirst | channel::kStepRaceSecond |
                                channel::kStepBlocked | channel::kStepEnding | channel::kStepLeft |
                                channel::kStepMade;
constexpr uint32_t kMarked = kWithStack | channel::kStepPreempts | channel::kStepEarly;

// An execution may have a million steps; the result keeps its begin, its end, and what is around
// marked steps.
constexpr size_t kKeepFirst = 200;
constexpr size_t kKeepLast = 400;
constexpr size_t kKeepAround = 12;

std::vector<bool> StepsToKeep(const std::vector<channel::StepRecord>& steps) {
  std::vector<bool> keep(steps.size(), steps.size() <= kKeepFirst + kKeepLast);
  if (!keep.empty() && keep[0]) return keep;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i < kKeepFirst || i + kKeepLast >= steps.size()) keep[i] = true;
    if ((steps[i].flags & kMarked) == 0) continue;
    size_t end = std::min(steps.size(), i + kKeepAround + 1);
    for (size_t j = i - std::min(i, kKeepAround); j < end; ++j) keep[j] = true;
  }
  return keep;
}

// Turns the findings of one search into words; shares the symbol caches between them.
class Teller {
 public:
  Teller(const Records& records, std::span<const channel::ThreadName> names,
         const std::vector<Library>& not_rebuilt, Symbolizer& symbolizer)
      : records_(records), threads_(names), not_rebuilt_(not_rebuilt), symbolizer_(symbolizer) {}

  // A message of the program's process, with names for thread numbers and addresses.
  std::string WithNames(const std::string& message) {
    static const std::vector<Module> kNone;
    ObjectNames objects(symbolizer_, records_.modules.empty() ? kNone : records_.modules.back());
    return FillIn(message, threads_, objects);
  }

  Finding Tell(const RawFinding& raw) {
    const std::vector<Module>& modules = records_.modules[raw.modules];
    ObjectNames objects(symbolizer_, modules);
    Finding finding;
    finding.kind = KindName(raw.head.kind);
    finding.identity = plan::Hex16(raw.head.identity);
    finding.thread = threads_.Name(raw.head.thread);
    finding.preemptions = raw.head.preemptions;
    finding.early_timeouts = raw.head.early_timeouts;
    finding.execution = raw.head.execution;
    finding.status = raw.head.status;
    finding.not_reproduced = raw.head.not_reproduced != 0;

    std::vector<bool> keep = StepsToKeep(raw.steps);
    uint64_t omitted = 0;
    for (size_t i = 0; i < raw.steps.size(); ++i) {
      if (!keep[i]) {
        ++omitted;
        continue;
      }
      Step step = Tell(raw.steps[i], modules, objects);
      step.omitted_before = std::exchange(omitted, 0);
      finding.steps.push_back(std::move(step));
    }
    // After the steps, which settle what the objects are called.
    finding.message = FillIn(raw.message, threads_, objects);
    finding.locations = Locations(finding.steps);
    if (raw.head.kind == channel::BugKind::kDataRace)
      finding.may_be_ordered_by = LibraryInRace(raw.steps, modules);
    return finding;
  }

 private:
  Step Tell(const channel::StepRecord& raw, const std::vector<Module>& modules,
            ObjectNames& objects) {
    auto kind =
        static_cast<op::Kind>(std::min(raw.op_kind, static_cast<uint8_t>(op::Kind::kCount)));
    constexpr uint32_t kNotExecuted = channel::kStepBlocked | channel::kStepLeft;
    if ((raw.flags & kNotExecuted) != 0) kind = objects.WaitKind(kind, raw.object);
    Step step;
    step.thread = threads_.Name(raw.thread);
    step.flags = raw.flags;
    step.object = objects.Full(kind, raw.object);
    bool about_thread = ObjectKindOf(kind).noun == nullptr;
    step.text = StepText(kind, objects.Short(kind, raw.object),
                         about_thread ? threads_.Name(raw.other) : "");
    step.operation = kind < op::Kind::kCount ? op::Info(kind).name : "Unknown";
    if (op::Has(kind, op::kHasValue) && (raw.flags & kNotExecuted) == 0) {
      step.text += " (" + ValueText(raw.value, raw.size) + ")";
    }
    if (!about_thread && (raw.flags & channel::kStepBlocked) != 0) {
      step.owner = threads_.Name(raw.other);
    }

    std::vector<Frame> stack;
    for (uint32_t i = 0; i < raw.frames; ++i) {
      const auto& frames = symbolizer_.Frames(modules, raw.pc[i], i == 0 && raw.exact != 0);
      stack.insert(stack.end(), frames.begin(), frames.end());
    }
    step.location = ProgramsOwn(stack);
    step.source = source_.Line(step.location.file, step.location.line);
    if ((raw.flags & kWithStack) != 0) step.stack = std::move(stack);
    return step;
  }

  // A library that was not rebuilt and that one of the racing accesses comes from, or one of their
  // threads: its own atomics may order them. If there is none, all that the program calls: what it
  // calls between the accesses (to lock and to unlock, perhaps) leaves no trace.
  std::string LibraryInRace(const std::vector<channel::StepRecord>& steps,
                            const std::vector<Module>& modules) const {
    constexpr uint32_t kRacing = channel::kStepRaceFirst | channel::kStepRaceSecond;
    std::set<uint32_t> threads;
    for (const channel::StepRecord& step : steps) {
      if ((step.flags & kRacing) == 0) continue;
      threads.insert(step.thread);
      for (uint32_t i = 0; i < step.frames; ++i)
        if (std::string name = LibraryAt(modules, step.pc[i]); !name.empty()) return name;
    }
    for (const channel::StepRecord& step : steps) {
      if (step.op_kind != static_cast<uint8_t>(op::Kind::kThreadCreate)) continue;
      if (threads.count(step.other) == 0) continue;
      if (std::string name = LibraryAt(modules, step.object2); !name.empty()) return name;
    }
    std::string names;
    for (const Library& library : not_rebuilt_)
      if (library.called) names += (names.empty() ? "" : ", ") + library.name;
    return names;
  }

  std::string LibraryAt(const std::vector<Module>& modules, uint64_t address) const {
    for (const Module& module : modules) {
      if (address < module.begin || address >= module.end) continue;
      for (const Library& library : not_rebuilt_)
        if (library.path == module.path) return library.name;
    }
    return "";
  }

  static std::vector<Location> Locations(const std::vector<Step>& steps) {
    std::vector<Location> locations;
    for (const Step& step : steps) {
      if ((step.flags & kWithStack) != 0) locations.push_back(step.location);
    }
    return locations;
  }

  const Records& records_;
  ThreadNames threads_;
  const std::vector<Library>& not_rebuilt_;
  Symbolizer& symbolizer_;
  SourceFiles source_;
};

const char* NoteName(channel::NoteKind kind) {
  switch (kind) {
    case channel::NoteKind::kWeakens:
      return "weakens";
    case channel::NoteKind::kWarning:
      return "warning";
    case channel::NoteKind::kInfo:
      return "info";
    case channel::NoteKind::kForbids:
      return "forbids";
  }
  return "info";
}

void CopyNumbers(const channel::Header& header, SearchResult& result) {
  const channel::Progress& progress = header.progress;
  const channel::Summary& summary = header.summary;
  result.executions = progress.executions;
  result.redundant = progress.redundant;
  result.assumed_away = progress.assumed_away;
  result.events = progress.events;
  result.threads = progress.threads;
  result.suppressed = progress.suppressed;
  result.completed_bound = progress.completed_bound;
  result.restarts = header.restarts;
  result.complete = summary.complete != 0;
  result.whole_space = summary.whole_space != 0;
  result.time_limits = summary.time_limits != 0;
  result.stop = StopName(summary.stop);
  result.happens_before = summary.happens_before;
  result.peak_nodes = summary.peak_nodes;
  size_t bounds = std::min(summary.by_preemptions_count, channel::kMaxCoverageBounds);
  result.by_preemptions.assign(summary.by_preemptions, summary.by_preemptions + bounds);
}

void CopySettings(const channel::Settings& settings, SearchResult& result) {
  result.order = space::NameOf(settings.order);
  result.rewind = RewindName(settings.rewind);
  result.points = space::NameOf(settings.points);
  result.timeouts = TimeoutsName(settings.timeouts);
  result.release_sequences = channel::ReleaseSequencesName(settings.release_sequences);
  result.reduction = space::NameOf(settings.reduction);
  result.visited = "none";
  result.seed = settings.seed;
  result.races_checked = settings.report_races != 0;
  if (!settings.bound.IsNone()) result.bound = settings.bound;
}

void AddNotes(const channel::Header& header, const Records& records, const RunFacts& facts,
              Teller& teller, SearchResult& result) {
  result.notes = facts.notes;
  for (const RawNote& note : records.notes) {
    Note told = {NoteName(note.kind), teller.WithNames(note.text)};
    bool known = std::any_of(result.notes.begin(), result.notes.end(),
                             [&](const Note& other) { return other.text == told.text; });
    if (!known) result.notes.push_back(std::move(told));  // a restarted process says it again
  }
  if (records.damaged) {
    result.notes.push_back(
        {"warning", "the last finding was cut off when the program's process died"});
  }
  if (const uint64_t lost = header.report_lost.load(); lost != 0) {
    result.notes.push_back({"forbids", "the report is full: " + Counted(lost, "record") +
                                           " of findings, steps and notes did not fit"});
  }
  if (header.summary.coverage_overflow != 0) {
    result.notes.push_back({"info",
                            "coverage counts are lower bounds: more happens-before graphs "
                            "than the table holds"});
  }
  if (header.settings.report_races == 0) {
    result.notes.push_back({"weakens", "data races were not looked for (--no-races)"});
  }
}

// The theorem of data-race freedom (docs/claims.md): what it asks for, and nothing that it does not
// know.
bool HoldsUnderWeakMemory(const channel::Summary& summary, const SearchResult& result) {
  const bool doubts = std::any_of(result.notes.begin(), result.notes.end(), [](const Note& note) {
    return note.kind == "weakens" || note.kind == "forbids";
  });
  const bool raced =
      std::any_of(result.findings.begin(), result.findings.end(),
                  [](const Finding& finding) { return finding.kind == "data-race"; });
  return result.whole_space && result.instrumented && !doubts && !raced && result.suppressed == 0 &&
         summary.weak_pairs_watched != 0 && summary.beyond_c11 == 0 &&
         result.weak_memory.pairs.empty();
}

// Something was met that may hide schedules: whatever the search says of itself does not hold.
void WithdrawClaims(SearchResult& result) {
  const bool forbidden = std::any_of(result.notes.begin(), result.notes.end(),
                                     [](const Note& note) { return note.kind == "forbids"; });
  if (!forbidden) return;
  result.complete = result.whole_space = false;
  result.completed_bound = -1;
}

}  // namespace

const char* RewindName(channel::Rewind rewind) {
  return rewind == channel::Rewind::kFork ? "fork" : "memory";
}

Finding TellFinding(const RawFinding& raw, const Records& records,
                    std::span<const channel::ThreadName> names, Symbolizer& symbolizer) {
  const std::vector<Library>
      unknown;  // which libraries were not rebuilt does not matter to the question
  return Teller(records, names, unknown, symbolizer).Tell(raw);
}

const char* TimeoutsName(channel::Timeouts timeouts) {
  return timeouts == channel::Timeouts::kLast ? "last" : "any";
}

SearchResult Assemble(const channel::Header& header, const Records& records,
                      std::span<const channel::ThreadName> names, const RunFacts& facts) {
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
  if (facts.out_of_control) result.complete = false;

  Symbolizer symbolizer;
  Teller teller(records, names, facts.not_rebuilt, symbolizer);
  for (const RawFinding& raw : records.findings) result.findings.push_back(teller.Tell(raw));
  for (const RawFinding& raw : records.weak_pairs) {
    Finding told = teller.Tell(raw);
    for (Step& step : told.steps) step.flags = 0;  // no race
    if (told.steps.size() == 2)
      result.weak_memory.pairs.push_back({std::move(told.steps[0]), std::move(told.steps[1])});
  }
  for (const RawOutcome& outcome : records.outcomes) {
    result.outcomes[outcome.label] = {outcome.count, outcome.preemptions, outcome.early_timeouts};
  }
  AddNotes(header, records, facts, teller, result);
  WithdrawClaims(result);
  result.weak_memory.holds = HoldsUnderWeakMemory(header.summary, result);
  bool out_of_control = facts.out_of_control || header.summary.stop == channel::Stop::kUncontrolled;
  result.verdict = JudgeVerdict(result, out_of_control);
  result.guarantee = Guarantee(result);
  return result;
}

}  // namespace heddle::report
