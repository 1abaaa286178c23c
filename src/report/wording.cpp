#include "report/wording.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>

#include "report/coverage_share.h"

namespace heddle::report {
namespace {

using channel::BugKind;
using op::Kind;

struct KindWords {
  BugKind kind;
  const char* name;
  const char* title;
};

constexpr KindWords kKinds[] = {
    {BugKind::kDataRace, "data-race", "data race"},
    {BugKind::kDeadlock, "deadlock", "deadlock"},
    {BugKind::kLivelock, "livelock", "livelock"},
    {BugKind::kAssertion, "assertion", "failed assertion"},
    {BugKind::kAbort, "abort", "abort"},
    {BugKind::kCrash, "crash", "crash"},
    {BugKind::kUncaughtException, "uncaught-exception", "uncaught exception"},
    {BugKind::kExitStatus, "exit-status", "bad exit"},
    {BugKind::kMisuse, "misuse", "misuse of a primitive"},
    {BugKind::kUseAfterFree, "use-after-free", "use after free"},
    {BugKind::kUseAfterReturn, "use-after-return", "use after return"},
    {BugKind::kDoubleFree, "double-free", "double free"},
    {BugKind::kInvalidFree, "invalid-free", "invalid free"},
    {BugKind::kHeapBufferOverflow, "heap-buffer-overflow", "heap buffer overflow"},
    {BugKind::kHeapBufferUnderflow, "heap-buffer-underflow", "heap buffer underflow"},
    {BugKind::kAllocDeallocMismatch, "alloc-dealloc-mismatch", "alloc-dealloc mismatch"},
    {BugKind::kUninitialisedRead, "uninitialised-read", "uninitialised read"},
    {BugKind::kUseAfterDestroy, "use-after-destroy", "use after destroy"},
    {BugKind::kLeak, "leak", "memory leak"},
    {BugKind::kInvariant, "invariant", "violated invariant"},
    {BugKind::kHang, "hang", "hang"},
    {BugKind::kRaceCondition, "race-condition", "race condition"},
};

}  // namespace

std::string Grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string Counted(uint64_t number, const std::string& noun) {
  return Grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string StaleAccesses(uint64_t number) {
  return Grouped(number) + (number == 1 ? " stale access" : " stale accesses");
}

std::string Cost(uint32_t preemptions, uint32_t early_timeouts) {
  const std::string text = Counted(preemptions, "preemption");
  return early_timeouts == 0 ? text : text + ", " + Counted(early_timeouts, "early timeout");
}

std::string CostOf(const Label& outcome) {
  if (outcome.weak_only) return "under C11's memory model only";
  return Cost(outcome.preemptions, outcome.early_timeouts);
}

const char* KindName(BugKind kind) {
  for (const KindWords& words : kKinds) {
    if (words.kind == kind) return words.name;
  }
  return "unknown";
}

const char* KindTitle(const std::string& kind) {
  for (const KindWords& words : kKinds) {
    if (kind == words.name) return words.title;
  }
  return "bug";
}

Headline HeadlineOf(const Finding& finding) {
  // The message of a failed assertion says itself that it failed.
  const std::string title =
      finding.kind == KindName(BugKind::kAssertion) && finding.message.starts_with(finding.kind)
          ? finding.kind
          : KindTitle(finding.kind);
  if (finding.message.empty()) return {title, ""};
  const bool said = finding.message.starts_with(title);
  return {title, said ? finding.message.substr(title.size()) : ": " + finding.message};
}

std::string Headlined(const Finding& finding) {
  const Headline headline = HeadlineOf(finding);
  return Capitalised(headline.kind + headline.rest);
}

std::string NoteHead(const Note& note) {
  if (note.kind == "incomplete") return "not a proof";
  return note.kind == "warning" ? "warning" : "note";
}

std::string Capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string GraphsText(const SearchResult& result) {
  // Of what goes on from a state that was visited, they have not been seen.
  if (result.happens_before == 0 || result.states != 0) return "";
  std::string text = Counted(result.happens_before, "distinct happens-before graph");
  const std::vector<uint64_t>& reached = result.by_preemptions;
  if (reached.size() < 2 || !MeetsLeast(result)) return text;
  const bool shares = !ShareByPreemptions(result).empty();
  const std::string one = result.time_limits ? "preemption or early timeout" : "preemption";
  const auto counted = [&](uint64_t graphs) {
    if (!shares || graphs == result.happens_before) return Grouped(graphs);
    return Grouped(graphs) + " (" + PercentText(graphs, result.happens_before) + ")";
  };
  text += ": " + counted(reached[0]) + " without a " + one;
  // More preemptions than reach all of them tell nothing.
  for (size_t i = 1; i < reached.size() && reached[i - 1] != reached.back(); ++i)
    text += ", " + counted(reached[i]) + " with at most " + std::to_string(i);
  return text;
}

std::string StatesText(const SearchResult& result) {
  if (result.states == 0) return "";
  std::string text = Counted(result.states, "state") + " of the program, in a table of " +
                     Grouped((result.state_bytes + (1u << 20) - 1) >> 20) + " MB";
  if (result.exact) text += ", compared word by word";
  if (result.collisions != 0)
    text += "; " + Grouped(result.collisions) +
            " had the hash of another one: a limit of heddle's hashes, of no consequence here";
  const std::vector<uint64_t>& first = result.states_by_bound;
  if (first.size() < 2) return text;
  uint64_t reached = 0;
  for (size_t i = 0; i < first.size() && reached != result.states; ++i) {
    reached += first[i];
    const std::string share = PercentText(reached, result.states);
    text += fmt::format("{}{} ({}) {}", i == 0 ? ": " : ", ", Grouped(reached), share,
                        i == 0 ? "without a preemption" : fmt::format("with at most {}", i));
  }
  return text;
}

ObjectKind ObjectKindOf(Kind kind) {
  if (kind >= Kind::kCount) return {nullptr, 0};
  const op::FamilyInfo& family = op::Info(op::FamilyOf(kind));
  if (family.letter == 0) return {nullptr, 0};
  return {family.noun, family.letter};
}

std::string StepText(Kind kind, const std::string& name, const std::string& other_thread) {
  if (kind >= Kind::kCount) return "does something this heddle does not know";
  std::string text = op::Info(kind).text;
  const char* const noun = ObjectKindOf(kind).noun;
  if (noun == nullptr) {
    return other_thread.empty() ? text : text + " " + other_thread;
  }
  if (name.empty() || name == noun) return text;  // "locks mutex", of a mutex called mutex
  // "locks mutex with a time limit": the name belongs behind the noun.
  size_t at = text.find(noun);
  // "locks for reading": so before what it is for.
  if (at == std::string::npos)
    at = text.find(" for ");
  else
    at += std::strlen(noun);
  if (at == std::string::npos) return text + " " + name;
  return text.insert(at, " " + name);
}

namespace {

// Two digits are more than is known.
std::string Rounded(double number) {
  constexpr double kMostGrouped = 1e7;
  if (number >= kMostGrouped) {
    const double exponent = std::floor(std::log10(number));
    return fmt::format("{:.2g}e{:.0f}", number / std::pow(10.0, exponent), exponent);
  }
  double unit = 1;
  while (number / unit >= 100) unit *= 10;
  return Grouped(static_cast<uint64_t>(std::llround(number / unit) * static_cast<int64_t>(unit)));
}

}  // namespace

Estimate EstimateOf(const channel::Estimate& estimate) {
  return {estimate.executions, estimate.low, estimate.high};
}

std::string EstimateText(const Estimate& estimate) {
  if (estimate.executions <= 0) return "";
  return Rounded(estimate.executions) + " (" + Rounded(estimate.low) + " to " +
         Rounded(estimate.high) + ")";
}

std::string DurationText(double seconds) {
  constexpr double kHour = 3600;
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit kUnits[] = {
      {365 * 24 * kHour, "years"}, {24 * kHour, "days"}, {kHour, "hours"}, {60, "minutes"}};
  constexpr double kMostYears = 1000;
  if (seconds >= kMostYears * kUnits[0].seconds) return "more than 1,000 years";
  for (const Unit& unit : kUnits)
    if (seconds >= 1.5 * unit.seconds)
      return fmt::format("{:.{}f} {}", seconds / unit.seconds, seconds < 9.5 * unit.seconds ? 1 : 0,
                         unit.name);
  return seconds >= 60 ? "a minute" : "less than a minute";
}

double SecondsLeft(double executions_in_all, double executions, double elapsed_s) {
  if (executions_in_all <= executions || executions <= 0) return 0;
  return (executions_in_all - executions) * elapsed_s / executions;
}

double SecondsLeft(const SearchResult& result) {
  return SecondsLeft(result.estimate.executions, static_cast<double>(result.executions),
                     result.elapsed_s);
}

std::string AdviceText(const SearchResult& result) {
  using channel::Stop;
  const bool was_ended = result.stop == Stop::kTime || result.stop == Stop::kExecutions ||
                         result.stop == Stop::kInterrupted;
  if (!was_ended || result.estimate.executions <= static_cast<double>(result.executions)) return "";
  const bool is_low = result.reduction == space::NameOf(space::Reduction::kBounded);
  std::string text = is_low ? "at least " : "about ";
  text += EstimateText(result.estimate) + " executions in all";
  if (const double left = SecondsLeft(result); left > 0)
    text += ", " + DurationText(left) + " left";
  if (result.advised_bound >= 0)
    text += fmt::format(": try --bound preemptions={}, about {}", result.advised_bound,
                        Rounded(result.advised.executions));
  return text;
}

std::string CutShortText(const Finding& finding) {
  if (finding.cut_short == "minimising")
    return "not minimised, as the search was stopped: fewer preemptions may do";
  if (finding.cut_short == "recording")
    return "its steps are missing here, as the search was stopped: replay it to see them";
  return "";
}

std::string LikelyText(const Finding& finding) {
  return "likely: " + finding.may_be_ordered_by +
         " was not built with heddle-cc; its atomics may order these accesses";
}

std::string RacesText(const Finding& finding) {
  if (finding.races < 2) return "";
  if (finding.kind == "leak")
    return "the same leak from " + Counted(finding.races, "stack") + " of the same lines";
  return "the same race from " + Counted(finding.races, "pair") + " of instructions";
}

const char* EndingText(BugKind kind) {
  switch (kind) {
    case BugKind::kAssertion:
      return "fails the assertion";
    case BugKind::kAbort:
      return "aborts";
    case BugKind::kCrash:
      return "crashes";
    case BugKind::kUncaughtException:
      return "throws an exception that nothing catches";
    case BugKind::kMisuse:
      return "misuses the object";
    case BugKind::kUseAfterFree:
      return "accesses freed memory";
    case BugKind::kUseAfterReturn:
      return "accesses the frame of a function that has returned";
    case BugKind::kDoubleFree:
      return "frees it again";
    case BugKind::kInvalidFree:
    case BugKind::kAllocDeallocMismatch:
      return "frees it";
    case BugKind::kHeapBufferOverflow:
      return "accesses memory behind a block";
    case BugKind::kHeapBufferUnderflow:
      return "accesses memory before a block";
    case BugKind::kUninitialisedRead:
      return "reads what was never written";
    case BugKind::kUseAfterDestroy:
      return "accesses a destroyed object";
    case BugKind::kInvariant:
      return "breaks the invariant";
    case BugKind::kHang:
      return "never ends";
    case BugKind::kRaceCondition:
      return "comes here in another order";
    case BugKind::kDataRace:
    case BugKind::kDeadlock:
    case BugKind::kLivelock:
    case BugKind::kExitStatus:
    case BugKind::kLeak:
      break;
  }
  return "ends the execution";
}

std::string PlaceText(const Location& place) {
  return std::filesystem::path(place.file).filename().string() + ":" + std::to_string(place.line);
}

std::string WithValues(std::string text, Kind kind, bool failed, const AccessValues& values) {
  const std::string& before = values.expected.empty() ? values.read : values.expected;
  if (kind == Kind::kAtomicCompareExchange && failed) {
    text += ": fails";
    if (!values.read.empty()) text += ", it is " + values.read;
    if (!values.read.empty() && !values.expected.empty()) text += ", not " + values.expected;
    return text;
  }
  if (!before.empty() && !values.written.empty())
    return text + ": " + before + " -> " + values.written;
  const std::string& only = before.empty() ? values.written : before;
  return only.empty() ? text : text + ": " + only;
}

bool IsMarkedFree(const Step& step) {
  constexpr uint32_t kMarks = channel::kStepRaceFirst | channel::kStepRaceSecond;
  return step.operation == kFree && (step.flags & kMarks) != 0;
}

std::string TextAndRemark(const Step& step) {
  const std::string text = TextAndOrder(step, true);
  return step.remark.empty() ? text : text + " (" + step.remark + ")";
}

std::string TextAndOrder(const Step& step, bool all) {
  if (step.order.empty() || (step.order == "seq_cst" && !all)) return step.text;
  return step.text + ", " + step.order;
}

std::string OrderName(Kind kind, int order) {
  if (!op::IsAtomic(kind) && kind != Kind::kAtomicFence) return "";
  switch (order) {
    case __ATOMIC_RELAXED:
      return "relaxed";
    case __ATOMIC_CONSUME:
      return "consume";
    case __ATOMIC_ACQUIRE:
      return "acquire";
    case __ATOMIC_RELEASE:
      return "release";
    case __ATOMIC_ACQ_REL:
      return "acq_rel";
    default:
      return "seq_cst";
  }
}

std::string ValueText(uint64_t value, unsigned size) {
  if (size == 0 || size >= 8) return std::to_string(static_cast<int64_t>(value));
  unsigned unused = 64 - 8 * size;
  return std::to_string(static_cast<int64_t>(value << unused) >> unused);
}

}  // namespace heddle::report
