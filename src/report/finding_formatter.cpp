#include "report/finding_formatter.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <deque>
#include <sstream>
#include <tuple>
#include <utility>

#include "base/trimmed.h"
#include "replay/schedule_file.h"
#include "report/aside.h"
#include "report/asserted.h"
#include "report/raced.h"
#include "report/shown_steps.h"
#include "report/step_words.h"
#include "report/test_failure.h"
#include "report/visible.h"
#include "report/weak_execution.h"
#include "report/wording.h"
#include "report/wrappers.h"

namespace heddle::report {
namespace {

// "best-first dpor by mdpor,pb"
std::string FinderName(const channel::Finder& finder) {
  if (finder.kind == channel::Finder::kTheSearch) return {};
  if (finder.kind == channel::Finder::kProbe) return "a probe of the estimate";
  std::string name = space::NameOf(space::Point{finder.order, finder.reduction});
  if (finder.priorities.count != 0) name += " by " + space::NameOf(finder.priorities);
  return name;
}

// Are two accesses marked that nothing orders?
bool IsRace(const std::vector<channel::StepRecord>& steps) {
  return std::ranges::any_of(
      steps, [](const auto& step) { return (step.flags & channel::kStepRaceSecond) != 0; });
}

// `message` of a race with its accesses' places: %P1% and %P2%, " at bank.cpp:8" or nothing.
std::string WithPlaces(std::string message, const std::vector<Step>& steps) {
  for (const auto& [mark, flag] :
       {std::pair("%P1%", channel::kStepRaceFirst), std::pair("%P2%", channel::kStepRaceSecond)}) {
    const size_t at = message.find(mark);
    if (at == std::string::npos) continue;
    const auto step = std::find_if(steps.begin(), steps.end(), [flag = flag](const Step& one) {
      return (one.flags & flag) != 0;
    });
    const bool known = step != steps.end() && !step->location.file.empty();
    message.replace(at, std::strlen(mark), known ? " at " + PlaceText(step->location) : "");
  }
  // "%T1% waits for mutex ...": where it does.
  for (const Step& step : steps) {
    if ((step.flags & channel::kStepBlocked) == 0 || step.location.file.empty()) continue;
    const std::string waits = step.thread + " waits ";
    if (const size_t at = message.find(waits); at != std::string::npos)
      message.insert(at + waits.size(), "at " + PlaceText(step.location) + " ");
  }
  return message;
}

// ... and with the places of steps that it names: %N2a%, " at queue.cpp:12" or nothing.
std::string WithPlacesOfSteps(std::string message, const ToldFinding& told) {
  for (size_t at = 0; (at = message.find("%N", at)) != std::string::npos;) {
    const size_t end = message.find('%', at + 1);
    if (end == std::string::npos) break;
    uint64_t number = 0;
    const char* const last = message.data() + end;
    const auto parsed = std::from_chars(message.data() + at + 2, last, number, 16);
    if (parsed.ec != std::errc() || parsed.ptr != last) {
      ++at;  // the program's own text
      continue;
    }
    const auto step = std::ranges::find(told.numbers, number);
    const auto index = static_cast<size_t>(step - told.numbers.begin());
    const bool known =
        step != told.numbers.end() && !told.finding.steps[index].location.file.empty();
    message.replace(at, end + 1 - at,
                    known ? " at " + PlaceText(told.finding.steps[index].location) : "");
  }
  return message;
}

std::vector<Location> Locations(const std::vector<Step>& steps) {
  std::vector<Location> locations;
  for (const Step& step : steps) {
    if ((step.flags & kWithStack) != 0) locations.push_back(step.location);
  }
  return locations;
}

// Long lines are cut: a program may print data.
std::string LastLines(const std::string& output) {
  constexpr size_t kMost = 20, kLongest = 400;
  std::deque<std::string> last;
  std::istringstream lines{std::string(base::Trimmed(output))};
  bool more = false;
  for (std::string line; std::getline(lines, line);) {
    last.push_back(Shortened(line, kLongest));
    more = more || last.size() > kMost;
    if (last.size() > kMost) last.pop_front();
  }
  std::string text = more ? "..." : "";
  for (const std::string& line : last) text += (text.empty() ? "" : "\n") + line;
  return text;
}

// All but what its steps show.
Finding HeadOf(const RawFinding& raw, const ThreadNames& threads) {
  Finding finding;
  finding.kind = KindName(raw.head.kind);
  finding.identity = replay::Hex16(raw.head.identity);
  finding.thread = threads.Name(raw.head.thread);
  finding.preemptions = raw.head.preemptions;
  finding.early_timeouts = raw.head.early_timeouts;
  finding.fewer_may_do = raw.head.fewer_may_do != 0;
  finding.execution = raw.head.execution;
  finding.found_by = FinderName(raw.head.found_by);
  finding.status = raw.head.status;
  finding.not_reproduced = raw.head.not_reproduced != 0;
  if (raw.head.missing == channel::Missing::kMinimising) finding.cut_short = "minimising";
  if (raw.head.missing == channel::Missing::kRecording) finding.cut_short = "recording";
  return finding;
}

// In the order of the source; each line once.
Loop LoopOf(const FindingContext& in, const channel::StepRecord& raw, const Step& step) {
  Loop loop = {step.thread, {step.location}};
  for (const uint64_t pc : {raw.value, raw.written, raw.expected})
    if (pc != 0) loop.locations.push_back(ProgramsOwn(in.Frames(pc)));
  const auto key = [](const Location& at) { return std::tie(at.file, at.line); };
  std::ranges::sort(loop.locations, {}, key);
  const auto same = [&](const Location& a, const Location& b) { return key(a) == key(b); };
  loop.locations.erase(std::unique(loop.locations.begin(), loop.locations.end(), same),
                       loop.locations.end());
  return loop;
}

// The innermost ones of the program's own code.
std::vector<Frame> OwnFrames(const FindingContext& in, const channel::StepRecord& step) {
  constexpr size_t kEnough = 5;
  std::vector<Frame> own;
  for (uint32_t i = 0; i < step.frames && own.size() < kEnough; ++i)
    for (const Frame& frame :
         in.symbolizer.Frames(in.modules, step.pc[i], i == 0 && step.exact != 0))
      if (!frame.library && !frame.location.file.empty()) own.push_back(frame);
  return own;
}

// Two accesses that nothing orders, the second of which frees: the first may come after it.
void MarkTooLate(std::vector<Step>& steps) {
  const auto second = [](const Step& step) {
    return IsMarkedFree(step) && (step.flags & channel::kStepRaceSecond) != 0;
  };
  const auto free = std::ranges::find_if(steps, second);
  if (free == steps.end()) return;
  for (Step& step : steps)
    if ((step.flags & channel::kStepRaceFirst) != 0 && !IsMarkedFree(step))
      step.remark = free->text.starts_with("frees") ? kMayComeAfterFree : kMayComeAfterEnd;
}

// "reads all+16: 3", of a member that the library reads, is 3 "in all".
void NameContainer(std::string& text) {
  const size_t colon = text.find(": "), plus = text.rfind('+', colon), verb = text.find(' ');
  if (colon == std::string::npos || plus == std::string::npos || plus < verb) return;
  if (text.find_first_not_of("0123456789", plus + 1) != colon) return;
  text.erase(plus, colon - plus);
  text.insert(verb, " in");
}

// The shown ones, each with its frames of the program's own code.
void TellSteps(const FindingContext& in, ToldFinding& told) {
  constexpr uint32_t kCarried = channel::kStepPreempts | channel::kStepEarly;
  const std::vector<bool> keep = StepsToKeep(in), read_from = ReadFrom(in.raw.steps);
  const std::vector<uint32_t> aside = StepsAside(in);
  WeakTeller weak(in);
  std::vector<size_t> told_as(in.raw.steps.size(), in.raw.steps.size());
  uint64_t omitted = 0;
  uint32_t carried = 0;  // over from a step that is left out
  for (size_t i = 0; i < in.raw.steps.size(); ++i) {
    const channel::StepRecord& record = in.raw.steps[i];
    if (IsForeign(in, i)) {
      carried |= record.flags & kCarried;
      continue;
    }
    if (!keep[i] && !read_from[i]) {
      ++omitted;
      continue;
    }
    Step step = StepInWords(in, i);
    step.flags |= aside[i];
    if ((record.flags & channel::kStepCompared) != 0) NameContainer(step.text);
    if (step.remark.empty()) step.remark = weak.Remark(i);
    if ((record.facts & channel::kFactLoop) != 0) {
      if ((record.facts & channel::kFactTogether) != 0) step.remark = kGoesRound;
      told.finding.loops.push_back(LoopOf(in, record, step));
      told.finding.fair &= (record.facts & channel::kFactUnfair) == 0;
    }
    if (read_from[i]) step.flags |= channel::kStepReadFrom;
    step.flags |= std::exchange(carried, 0);
    step.omitted_before = std::exchange(omitted, 0);
    told.own.push_back(OwnFrames(in, record));
    told.numbers.push_back(record.number);
    told_as[i] = told.finding.steps.size();
    told.finding.steps.push_back(std::move(step));
  }
  MarkTooLate(told.finding.steps);
  told.finding.weak = weak.Tell();
  for (const size_t i : weak.StepsOfCycle())
    if (told_as[i] < told.finding.steps.size())
      told.finding.steps[told_as[i]].flags &= ~kAsideNoInfluence;
}

// `message` of threads that wait in std::future, which it knows as futexes.
std::string WithFutures(std::string message, const FindingContext& in, const ToldFinding& told) {
  for (size_t i = 0; i < told.finding.steps.size(); ++i) {
    const Step& step = told.finding.steps[i];
    const auto raw = std::ranges::find_if(in.raw.steps, [&](const channel::StepRecord& one) {
      return (one.flags & channel::kStepBlocked) != 0 && in.threads.Name(one.thread) == step.thread;
    });
    if (step.object != kFuture || raw == in.raw.steps.end()) continue;
    const std::string begin = step.thread + " waits for ", lost = "lost wake-up: ";
    const std::string was = begin + in.objects.Full(op::Kind::kFutexWait, raw->object);
    const size_t at = message.find(was);
    if (at == std::string::npos) continue;
    constexpr std::string_view kWake = " and nobody is left to wake it";
    size_t length = was.size();
    std::string is = begin + kFuture;
    if (message.compare(at + length, kWake.size(), kWake) == 0) {
      length += kWake.size();
      is += ", and nobody is left to set its promise";
    }
    message.replace(at, length, is);
    if (message.starts_with(lost) && at == lost.size()) message.erase(0, lost.size());
  }
  return message;
}

Block BlockInWords(const FindingContext& in, const HeapBlock& block) {
  Block told;
  told.name = block.name;
  told.bytes = block.record.bytes;
  told.thread = in.threads.Name(block.record.thread);
  told.location =
      ProgramsOwn(in.symbolizer.Stack(in.modules, {block.record.pc, block.record.frames}, false));
  told.source = in.source.Line(told.location.file, told.location.line);
  return told;
}

// Where it is met first.
Block ObjectInWords(const ObjectNames::Numbered& object, const std::vector<Step>& steps) {
  Block told;
  told.name = object.name;
  told.noun = object.noun;
  for (const Step& step : steps) {
    if (step.object != object.name && !step.object.ends_with(" " + object.name)) continue;
    told.thread = step.thread;
    told.location = step.location;
    told.source = step.source;
    break;
  }
  return told;
}

}  // namespace

std::string FindingFormatter::WithNames(const std::string& message) {
  static const std::vector<Module> kNone;
  ObjectNames objects(symbolizer_, records_.modules.empty() ? kNone : records_.modules.back());
  return FillIn(message, threads_, objects);
}

ToldFinding FindingFormatter::Tell(RawFinding raw) {
  const std::vector<Module>& modules = records_.modules[raw.modules];
  MarkCompared(raw, modules, symbolizer_, source_);
  ObjectNames objects(symbolizer_, modules, raw.steps, raw.blocks, &source_);
  const FindingContext in = {raw, modules, threads_, objects, symbolizer_, source_, all_steps_};
  ToldFinding told = {HeadOf(raw, threads_), {}, {}, {}};
  Finding& finding = told.finding;
  TellSteps(in, told);
  // After the steps, which settle what the objects are called.
  finding.message = FillIn(raw.message, threads_, objects);
  finding.message = WithFutures(std::move(finding.message), in, told);
  if (!raw.output.empty()) {
    if (raw.head.kind == channel::BugKind::kAssertion && raw.head.status == SIGTRAP)
      TellTestFailure(raw.output, finding);
    if (finding.output.empty()) finding.output = LastLines(raw.output);
    for (Step& step : finding.steps)
      step.source = source_.Line(step.location.file, step.location.line);
  }
  for (const HeapBlock* block : objects.NamedBlocks())
    finding.blocks.push_back(BlockInWords(in, *block));
  for (const ObjectNames::Numbered& object : objects.NumberedObjects())
    finding.blocks.push_back(ObjectInWords(object, finding.steps));
  if (IsRace(raw.steps)) {
    finding.may_be_ordered_by = LibraryInRace(in, not_rebuilt_);
    told.raced = Raced(in);
  }
  return told;
}

void FindingFormatter::PlaceSteps(std::vector<ToldFinding>& all) {
  std::vector<PlacedStep> placed;
  for (ToldFinding& told : all)
    for (size_t i = 0; i < told.own.size(); ++i)
      placed.push_back({&told.finding.steps[i], std::move(told.own[i])});
  LeaveOutWrappers(placed, source_);
  for (ToldFinding& told : all) {
    told.finding.message =
        WithPlaces(WithPlacesOfSteps(std::move(told.finding.message), told), told.finding.steps);
    told.finding.locations = Locations(told.finding.steps);
  }
}

}  // namespace heddle::report
