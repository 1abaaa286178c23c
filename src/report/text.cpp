#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <vector>

#include "channel/records.h"
#include "report/more_machines.h"
#include "report/shell_word.h"
#include "report/step_rows.h"
#include "report/step_table.h"
#include "report/time_shares.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "report/visible_result.h"
#include "report/weak_search.h"
#include "report/weak_words.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

constexpr size_t kMaxOutcomes = 40;

// As short as it can be pasted: relative when it is below the working directory.
std::string ShownFile(const std::string& file) {
  std::error_code error;
  std::filesystem::path here = std::filesystem::current_path(error);
  std::filesystem::path relative = std::filesystem::path(file).lexically_relative(here);
  return relative.empty() || relative.string().starts_with("..") ? file : relative.string();
}

std::string StackText(const Step& step, const Terminal& terminal) {
  std::vector<const Frame*> frames;
  for (const Frame& frame : step.stack) {
    if (!frame.library) frames.push_back(&frame);
  }
  if (frames.empty()) {
    for (const Frame& frame : step.stack) frames.push_back(&frame);
  }
  std::erase_if(frames, [](const Frame* frame) {
    return frame->location.file.empty() && frame->location.function.empty();
  });
  // A library's main, say, that was built without -g: where the frames of the program begin.
  while (frames.size() > 1 && frames.back()->location.file.empty()) frames.pop_back();
  std::string text = "  " + terminal.Bold(StackTitle(step)) + "\n";
  for (size_t i = 0; i < frames.size(); ++i) {
    const Location& at = frames[i]->location;
    std::string where =
        at.file.empty() ? frames[i]->module : ShownFile(at.file) + ":" + std::to_string(at.line);
    text +=
        fmt::format("    #{} {}  {}\n", i, at.function.empty() ? "(unknown)" : at.function, where);
  }
  return text;
}

std::string Sentence(std::string message) {
  if (!message.empty() && std::string(".!?").find(message.back()) == std::string::npos)
    message += '.';
  return message;
}

std::string OutcomesText(const SearchResult& result) {
  using Entry = std::pair<std::string, Label>;
  std::vector<Entry> entries(result.outcomes.begin(), result.outcomes.end());
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.second.count > b.second.count; });
  std::string text = "  outcomes:\n";
  for (size_t i = 0; i < entries.size() && i < kMaxOutcomes; ++i) {
    const auto& [label, outcome] = entries[i];
    text += fmt::format("  {:>12}  {}  ({})\n", Grouped(outcome.count), VisibleLine(label),
                        CostOf(outcome));
  }
  if (entries.size() > kMaxOutcomes) {
    text += fmt::format("  {:>12}  more\n", entries.size() - kMaxOutcomes);
  }
  return text;
}

std::string LocationText(const Step& step) {
  const Location& at = step.location;
  const std::string where =
      at.file.empty() ? at.function : ShownFile(at.file) + ":" + std::to_string(at.line);
  return VisibleLine(where + " (" + step.thread + " " + step.text + ")");
}

std::string WeakPairsText(const SearchResult& result, const Terminal& terminal) {
  constexpr size_t kMostShown = 4;
  const std::vector<WeakPair>& pairs = result.weak_memory.pairs;
  std::string text =
      "  " + terminal.Yellow("weak memory: ") +
      "C11 allows these accesses to be reordered; not tried (--memory-model c11 does)\n";
  for (size_t i = 0; i < pairs.size() && i < kMostShown; ++i)
    text += "    " + LocationText(pairs[i].first) + " and " + LocationText(pairs[i].second) + "\n";
  if (pairs.size() > kMostShown) text += "    ... (--json has more)\n";
  return text;
}

std::string VerdictText(const SearchResult& result, const Terminal& terminal) {
  const std::string text = VisibleLine(VerdictSentence(result));
  if (RanNothing(result)) return terminal.Red(text);
  switch (result.verdict) {
    case Verdict::kClean:
      return terminal.Green(text);
    case Verdict::kIncomplete:
      return terminal.Yellow(text);
    case Verdict::kBug:
    case Verdict::kUncontrolled:
      break;
  }
  return terminal.Red(text);
}

// The first line; behind a reason the numbers stand apart.
std::string SummaryText(const SearchResult& result, const Terminal& terminal) {
  const std::optional<WeakSearch>& weak = result.weak_memory.search;
  const uint64_t all = result.executions + (weak ? weak->executions : 0);
  const double rate = result.elapsed_s > 0 ? static_cast<double>(all) / result.elapsed_s : 0;
  const std::string numbers =
      fmt::format("{}{}, {:.2f} s ({}/s)", Counted(result.executions, "execution"),
                  weak ? " and " + Grouped(weak->executions) + " under C11's memory model" : "",
                  result.elapsed_s, Grouped(static_cast<uint64_t>(rate)));
  const bool reason = result.verdict == Verdict::kIncomplete && !RanNothing(result);
  return "heddle: " + VerdictText(result, terminal) + (reason ? "; " : " in ") + numbers + "\n";
}

std::string NotesText(const SearchResult& result, const Terminal& terminal) {
  const Note* const told = result.verdict == Verdict::kIncomplete ? FirstReason(result) : nullptr;
  std::string text;
  for (const Note& note : result.notes) {
    if (&note == told || note.told) continue;  // in the first line, or before the report
    const std::string head = NoteHead(note) + ": ";
    text +=
        "  " + (note.kind == "info" ? head : terminal.Yellow(head)) + VisibleLine(note.text) + "\n";
  }
  return text;
}

// What it is, and where, if that is one place.
std::string HeadlineText(const Finding& finding, const Terminal& terminal) {
  auto [kind, rest] = HeadlineOf(finding);
  if (finding.locations.size() == 1 && !finding.locations[0].file.empty()) {
    const std::string place = PlaceText(finding.locations[0]);
    if (rest.find(place) == std::string::npos) rest += ", at " + place;
  }
  return terminal.Red("heddle: " + kind) + Sentence(rest);
}

// The ABA by which the thread that the finding is about was misled, if there was one.
std::string AbaText(const Finding& finding) {
  std::string text;
  for (const Step& step : finding.steps)
    if (step.thread == finding.thread && step.remark.starts_with("ABA"))
      text = "  " + step.remark + ", when " + step.thread + " " + step.text +
             (step.location.file.empty() ? "" : " at " + PlaceText(step.location)) + "\n";
  return text;  // of the last one
}

// Of a use after free that is shown before it.
std::string OrderText(const Finding& finding) {
  for (const Step& step : finding.steps)
    if (MayComeTooLate(step))
      return "  the steps show them the other way round: in this execution " + step.thread +
             " came first\n";
  return "";
}

// What a test framework printed of the assertion, or the program at last, indented.
std::string OutputText(const Finding& finding) {
  std::string text;
  std::istringstream lines(Visible(finding.output));
  for (std::string line; std::getline(lines, line);) text += "  | " + line + "\n";
  return text;
}

// Is `name` in the text, and not only as the beginning of another one ("M1" of "M12")?
bool Names(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if (end == text.size() || std::isdigit(static_cast<unsigned char>(text[end])) == 0) return true;
  }
  return false;
}

// Where the blocks of the heap come from that the text names.
std::string BlocksText(const Finding& finding, Steps steps) {
  std::string named = finding.message;
  const std::vector<bool> shown = ShownSteps(finding, steps);
  for (size_t i = 0; i < finding.steps.size(); ++i)
    if (const Step& step = finding.steps[i]; shown[i])
      named += "\n" + step.text + "\n" + step.object + "\n" + step.remark;
  std::string text;
  for (const Block& block : finding.blocks) {
    if (!Names(named, block.name)) continue;
    const bool is_block = block.noun.empty();
    text += "  " + block.name + ": " +
            (is_block ? Counted(block.bytes, "byte") + " of the heap"
                      : (block.noun.starts_with('a') ? "an " : "a ") + block.noun +
                            " that is no variable");
    if (!block.thread.empty())
      text += (is_block ? ", allocated by " : ", first used by ") + block.thread;
    if (!block.location.file.empty()) {
      text += " at " + ShownFile(block.location.file) + ":" + std::to_string(block.location.line);
      if (!block.source.empty()) text += "  " + block.source;
    }
    text += "\n";
  }
  return text;
}

// Why an execution under tso or c11 is what it is, and what would forbid it.
std::string WeakText(const Finding& finding, const Terminal& terminal) {
  std::string text;
  for (const WeakExecution& weak : finding.weak) {
    text += "  " + terminal.Bold("weak memory") + ": ";
    if (!weak.sequential) {
      text += std::string(kNotSequential) + "\n";
      for (const std::string& line : CycleText(weak)) text += "    " + line + "\n";
      text += "  ";
    }
    text += MachinesText(weak) + "\n";
    if (const std::string none = NoneSufficesText(weak); !none.empty()) {
      text += "  " + none + "\n\n";
      continue;
    }
    for (size_t i = 0; i < weak.forbidden_by.size(); ++i) {
      text += (i == 0 ? "  it is forbidden by " : "  or by ") +
              terminal.Bold(ChangesText(weak.forbidden_by[i])) + "\n";
      if (const std::string confirmed = ConfirmedText(weak, i); !confirmed.empty())
        text += "    " + confirmed + "\n";
    }
    if (const std::string untried = UntriedText(weak); !untried.empty())
      text += "  " + untried + "\n";
    text += "\n";
  }
  return text;
}

// How to go on with the search.
std::string SavedText(const SearchResult& result, const Terminal& terminal) {
  if (result.saved.empty()) return "";
  std::string text = "  go on";
  const std::optional<WeakSearch>& weak = result.weak_memory.search;
  if (result.saved_executions != (weak ? weak->executions : result.executions))
    text += " after execution " + Grouped(result.saved_executions);
  return text + ": " + terminal.Bold("heddle check --resume " + ShellWord(result.saved)) + "\n";
}

// How to see it again.
std::string ReplayText(const Finding& finding, const Terminal& terminal) {
  if (finding.schedule.empty()) return "";
  std::string text =
      "  replay: " + terminal.Bold("heddle replay " + ShellWord(finding.schedule)) + "\n";
  if (!finding.line.empty())
    text += "  schedule: " + terminal.Bold(QuotedShellWord(finding.line)) + "\n";
  return text + "\n";
}

// The other schedule of a bug that takes two.
std::string OtherText(const Finding& other, const Terminal& terminal, Steps steps) {
  std::string text = "  " + terminal.Bold("the other order") + ": " +
                     Cost(other.preemptions, other.early_timeouts) + "; " + other.message + "\n\n";
  const std::string table = StepTable(other, terminal, steps);
  if (!table.empty()) text += table + "\n";
  return text + ReplayText(other, terminal);
}

}  // namespace

std::string StackTitle(const Step& step) {
  if ((step.flags & channel::kStepBlocked) != 0) {
    if (step.remark == kGoesRound) return step.thread + " loops here, next: " + step.text;
    return step.thread + (step.text.starts_with("waits") ? " " : " waits: ") + step.text +
           HolderText(step);
  }
  if (IsMarkedFree(step)) return step.thread + " " + step.text;
  if (MayComeTooLate(step)) return step.thread + " " + step.text;
  if ((step.flags & channel::kStepRaceFirst) != 0)
    return "first access: " + step.thread + " " + step.text;
  if ((step.flags & channel::kStepRaceSecond) != 0) {
    return "second access: " + step.thread + " " + step.text;
  }
  if ((step.flags & channel::kStepLeft) != 0)
    return step.thread + ", when the program ended: " + step.text;
  if ((step.flags & channel::kStepMade) != 0) return "where it was made";
  return step.thread + ", where it ended";
}

std::string FoundText(const Finding& told, bool goes_on, const Terminal& terminal) {
  const Finding finding = VisibleFinding(told);
  // Begins unlike the report, which has it again: so it does not look like a second bug.
  std::string text =
      terminal.Red("heddle: found") + " in execution " + Grouped(finding.execution) + ": ";
  if (!goes_on)
    return text + KindTitle(finding.kind) +
           "; its schedule is being minimised, then comes the report\n";
  const Headline headline = HeadlineOf(finding);
  text +=
      Sentence(headline.kind + headline.rest) + "\n  the search goes on; its report has the steps";
  if (!finding.schedule.empty())
    text += "; replay: " + terminal.Bold("heddle replay " + ShellWord(finding.schedule));
  return text + "\n";
}

std::string FindingText(const Finding& told, const Terminal& terminal, Steps steps) {
  const Finding finding = VisibleFinding(told);
  std::string text = HeadlineText(finding, terminal) + "\n";
  std::string needs = finding.preemptions == 0 ? "no preemption needed"
                                               : Counted(finding.preemptions, "preemption");
  if (finding.early_timeouts != 0) {
    needs += ", " + Counted(finding.early_timeouts, "early timeout");
  }
  if (finding.fewer_may_do) needs += " (fewer may do)";
  if (steps == Steps::kAll && !finding.found_by.empty()) needs += ", found by " + finding.found_by;
  text += terminal.Dim(fmt::format("  execution {}, {}", Grouped(finding.execution), needs)) + "\n";
  if (const std::string races = RacesText(finding); !races.empty()) text += "  " + races + "\n";
  text += AbaText(finding) + OrderText(finding);
  text += OutputText(finding);
  if (const std::string cut_short = CutShortText(finding); !cut_short.empty())
    text += "  " + terminal.Yellow(cut_short) + "\n";
  if (finding.not_reproduced) {
    text += "  " + terminal.Yellow(kNotReproduced) + "\n";
  }
  if (!finding.may_be_ordered_by.empty()) {
    text += "  " + terminal.Yellow(LikelyText(finding)) + "\n";
  }
  text += "\n";
  std::string table = StepTable(finding, terminal, steps);
  if (!table.empty()) text += table + "\n";
  text += WeakText(finding, terminal);
  bool any = false;
  for (const Step& step : finding.steps) {
    if (step.stack.empty()) continue;
    text += StackText(step, terminal);
    any = true;
  }
  if (any) text += "\n";
  if (const std::string blocks = BlocksText(finding, steps); !blocks.empty()) text += blocks + "\n";
  text += ReplayText(finding, terminal);
  if (!finding.other.empty()) text += OtherText(finding.other.front(), terminal, steps);
  return text;
}

std::string ResultText(const SearchResult& result, const Terminal& terminal, Steps steps) {
  std::string text;
  for (const Finding& finding : result.findings) text += FindingText(finding, terminal, steps);
  return text + ConclusionText(result, terminal, steps);
}

std::string ConclusionText(const SearchResult& result, const Terminal& terminal, Steps steps) {
  std::string text = SummaryText(result, terminal);
  text += "  " + VisibleLine(result.guarantee) + "\n";
  if (const std::string advice = AdviceText(result); !advice.empty()) {
    text += "  " + advice + "\n";
    if (const std::string more = MoreMachinesText(result); !more.empty())
      text += "  " + more + "\n";
  }
  if (const std::string time = TimeText(result.time); !time.empty()) text += "  " + time + "\n";
  text += NotesText(result, terminal);
  if (LeavesWeakMemoryUnseen(result)) text += WeakPairsText(result, terminal);
  if (!result.outcomes.empty()) text += OutcomesText(result);
  // Who has a bug to look at does not ask how much else was seen.
  if (steps == Steps::kAll || result.findings.empty())
    if (const std::string graphs = GraphsText(result); !graphs.empty())
      text += "  " + graphs + "\n";
  if (const std::string states = StatesText(result); !states.empty()) text += "  " + states + "\n";
  return text + SavedText(result, terminal);
}

}  // namespace heddle::report
