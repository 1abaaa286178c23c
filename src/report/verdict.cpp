#include "report/verdict.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/wording.h"

namespace heddle::report {
namespace {

using channel::Stop;

constexpr const char* kStops[] = {"died",        "exhausted",    "bug",    "executions", "time",
                                  "interrupted", "uncontrolled", "pieces", "grew"};  // by Stop
static_assert(std::size(kStops) == static_cast<size_t>(Stop::kNeedsMorePoints) + 1);

space::Unit UnitOf(const SearchResult& result) {
  return result.bound ? result.bound->unit : space::Unit::kPreemptions;
}

const char* NameOfOne(const SearchResult& result) {
  return UnitOf(result) == space::Unit::kDelays ? "delay" : "preemption";
}

// A bound on preemptions counts early timeouts, too, if the program has any time limits.
bool CountsTimeouts(const SearchResult& result) {
  return result.time_limits && UnitOf(result) == space::Unit::kPreemptions;
}

space::MemoryModel ModelOf(const SearchResult& result) {
  return space::MemoryModelOf(result.memory_model).value_or(space::MemoryModel::kSc);
}

// " under C11's memory model", " under total store order", or nothing.
std::string UnderModel(const SearchResult& result) {
  switch (ModelOf(result)) {
    case space::MemoryModel::kSc:
      break;
    case space::MemoryModel::kTso:
      return " under total store order";
    case space::MemoryModel::kC11:
      return " under C11's memory model";
  }
  return "";
}

std::string AtMost(const SearchResult& result, uint64_t bound) {
  if (UnitOf(result) == space::Unit::kStale) {
    if (bound == 0) return "every sequentially consistent execution explored";
    return "every execution" + UnderModel(result) + " with at most " + StaleAccesses(bound) +
           " explored";
  }
  if (UnitOf(result) == space::Unit::kDepth) {
    const std::string choices = bound == 1 ? "choice" : Counted(bound, "choice");
    return "every schedule that leaves the default only in its first " + choices +
           " of threads explored";
  }
  std::string text = bound == 0
                         ? "every schedule without a " + std::string(NameOfOne(result))
                         : "every schedule with at most " + Counted(bound, NameOfOne(result));
  if (CountsTimeouts(result)) text += bound <= 1 ? " or early timeout" : " and early timeouts";
  return text + " explored";
}

std::string BugLeft(const SearchResult& result, uint64_t bound) {
  std::string text = result.findings.empty() ? "any bug left" : "any other bug";
  if (UnitOf(result) == space::Unit::kDepth) return text + " needs one that leaves it later";
  if (UnitOf(result) == space::Unit::kStale)
    return text + " needs at least " + StaleAccesses(bound + 1);
  text += " needs at least " + Counted(bound + 1, NameOfOne(result));
  if (CountsTimeouts(result)) text += bound == 0 ? " or early timeout" : " or early timeouts";
  return text;
}

// --timeouts last leaves out what is not a matter of order.
std::string Timeouts(const SearchResult& result) {
  return result.time_limits && result.timeouts == "last"
             ? " in which time limits pass only when nothing else can run"
             : "";
}

// What an assumption dropped was explored up to there, and no further. `Ran`: SearchResult or
// WeakSearch.
template <typename Ran>
std::string ExecutionsOf(const Ran& ran) {
  std::string text = Counted(ran.executions, "execution");
  if (ran.cut != 0) text += ", " + Grouped(ran.cut) + " of them cut before their end";
  if (ran.assumed_away == 0) return text;
  text += ", and " + Grouped(ran.assumed_away) + " dropped by heddle_assume";
  return ran.executions != 0 ? text : text + ": none that meets the assumptions";
}

std::string Why(const SearchResult& result) {
  switch (result.stop) {
    case Stop::kBug:
      return "stopped at the first bug";
    case Stop::kTime:
      return "stopped by the time limit";
    case Stop::kExecutions:
      return "stopped by the limit on executions";
    case Stop::kInterrupted:
      return "interrupted";
    case Stop::kPieces:
      return "pieces are missing";
    case Stop::kUncontrolled:
      return "stopped because a schedule did not replay";
    case Stop::kNone:
    case Stop::kExhausted:
    case Stop::kNeedsMorePoints:
      break;
  }
  return "not finished";
}

// What nobody looked at. Without race detection, plain accesses are no steps, and nobody saw
// whether they need to be.
std::string Assumption(const SearchResult& result) {
  if (result.points == space::NameOf(space::Points::kHooks)) {
    std::string text = ", taking what a thread does from one heddle_hook to the next for one step";
    if (result.visited == space::NameOf(space::Visited::kCounters))
      text +=
          ", and states for one in which every thread has called heddle_hook as often and what "
          "heddle_shared names (else all memory) is the same";
    return text;
  }
  if (result.races_checked) return "";
  if (result.points == "sync") return ", assuming that plain accesses do not race (not checked)";
  return ", data races not checked";
}

bool Samples(const SearchResult& result) {
  const auto order = space::OrderOf(result.order);
  const auto reduction = space::ReductionOf(result.reduction);
  return order && space::Samples({*order, reduction.value_or(space::Reduction::kNone)});
}

// What each of the schedules had a chance of (docs/algorithms/sampling.md).
std::string Chance(const SearchResult& result) {
  const auto order = space::OrderOf(result.order);
  if (order == space::Order::kPct) {
    const double least = static_cast<double>(std::max<uint64_t>(result.threads, 1)) *
                         std::pow(static_cast<double>(std::max<uint64_t>(result.most_choices, 1)),
                                  static_cast<double>(result.depth) - 1);
    constexpr double kReadable = 1e15;
    const std::string probability =
        least < kReadable ? "1/" + Grouped(static_cast<uint64_t>(least)) : "next to none";
    return ", but each shows a bug of depth " + std::to_string(result.depth) +
           " with a probability of at least " + probability + " (" +
           Counted(result.threads, "thread") + ", and " + Counted(result.most_choices, "choice") +
           " of threads, the most that were seen)";
  }
  if (order == space::Order::kPos || order == space::Order::kRff)
    return ", but each could be in any order of racing operations";
  if (order == space::Order::kSurw) {
    return ", but where no thread waits, all orders of the operations on one object were equally "
           "likely";
  }
  return "";
}

}  // namespace

const char* VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kClean:
      return "clean";
    case Verdict::kBug:
      return "bug";
    case Verdict::kIncomplete:
      return "incomplete";
    case Verdict::kUncontrolled:
      return "uncontrolled";
  }
  return "incomplete";
}

const char* StopName(Stop stop) { return kStops[static_cast<size_t>(stop)]; }

Stop StopOf(std::string_view name) {
  const auto at = std::ranges::find(kStops, name);
  return at == std::end(kStops) ? Stop::kNone : static_cast<Stop>(at - std::begin(kStops));
}

Note IncompleteNote(claim::Incomplete reason, const std::string& detail) {
  const auto [before, after] = claim::TextOf(reason);
  return {"incomplete", std::string(before) + detail + std::string(after), claim::NameOf(reason)};
}

const Note* FirstReason(const SearchResult& result) {
  const auto first = std::ranges::find(result.notes, "incomplete", &Note::kind);
  return first == result.notes.end() ? nullptr : &*first;
}

void WithdrawClaims(SearchResult& result, bool is_search) {
  if (FirstReason(result) == nullptr) return;
  result.complete = result.whole_space = result.all_graphs = false;
  const bool bounds_hold = std::ranges::all_of(result.notes, [](const Note& note) {
    const std::optional<claim::Incomplete> reason = claim::IncompleteOf(note.reason);
    return note.kind != "incomplete" || (reason && claim::ScopeOf(*reason) == claim::Scope::kRest);
  });
  if (bounds_hold) return;
  result.completed_bound = -1;
  if (!is_search) return;  // a replay says nothing of other schedules
  for (Finding& finding : result.findings)
    finding.fewer_may_do |= finding.preemptions + finding.early_timeouts > 0;
}

Verdict JudgeVerdict(const SearchResult& result, bool out_of_control) {
  // A bug that its own schedule does not show again may be the program's or the world's: not a
  // verdict of bug.
  bool solid = std::any_of(result.findings.begin(), result.findings.end(),
                           [](const Finding& finding) { return !finding.not_reproduced; });
  if (solid) return Verdict::kBug;
  if (out_of_control || !result.findings.empty()) return Verdict::kUncontrolled;
  return result.complete ? Verdict::kClean : Verdict::kIncomplete;
}

// A part of a search may have nothing to run: it ends as exhausted.
bool RanNothing(const SearchResult& result) {
  return result.verdict == Verdict::kIncomplete && result.executions == 0 &&
         result.assumed_away == 0 && result.stop != Stop::kExhausted;
}

bool IsError(const SearchResult& result) {
  return result.verdict == Verdict::kUncontrolled || RanNothing(result);
}

std::string VerdictSentence(const SearchResult& result) {
  if (RanNothing(result)) return "nothing was explored";
  switch (result.verdict) {
    case Verdict::kBug:
      return Counted(result.findings.size(), "bug") + " found";
    case Verdict::kClean:
      return "no bug found";
    case Verdict::kIncomplete:
      break;
    case Verdict::kUncontrolled:
      return "the program could not be kept under control";
  }
  const Note* const reason = FirstReason(result);
  const bool sc_complete = result.weak_memory.search && result.weak_memory.search->sc_complete;
  return std::string("no bug found; not a proof") +
         (sc_complete ? " under C11's memory model: " : ": ") +
         (reason == nullptr ? Why(result) : reason->text);
}

// An execution of a weak model is more than a schedule.
std::string EveryExecution(const SearchResult& result) {
  const bool is_weak = ModelOf(result) != space::MemoryModel::kSc;
  return (is_weak ? "every execution" + UnderModel(result) : "every schedule") + " explored";
}

// Of a search that went on under C11's memory model and has not explored everything.
std::string GuaranteeOfBoth(const SearchResult& result) {
  const WeakSearch& weak = *result.weak_memory.search;
  std::string text = weak.sc_complete
                         ? "every sequentially consistent execution explored"
                         : "nothing left to try under sequential consistency, but schedules may be "
                           "missing,";
  text += (weak.sc_complete ? " (" : " after ") + ExecutionsOf(result) +
          (weak.sc_complete ? "): no bug; " : "; ");
  if (!result.findings.empty())
    return text + Why(result) + " after " + ExecutionsOf(weak) + " under C11's memory model";
  return text + "under C11's memory model " + ExecutionsOf(weak) + ", which may not be all";
}

std::string NoBug(const SearchResult& result) {
  std::string text = result.findings.empty() ? ": no bug within what heddle checks" : "";
  if (result.suppressed != 0) text += ", but " + Counted(result.suppressed, "suppressed finding");
  return text;
}

std::string Guarantee(const SearchResult& result) {
  const std::string executions = ExecutionsOf(result);
  if (result.verdict == Verdict::kUncontrolled) {
    return "nothing is proved (" + executions + "): the program was not under control";
  }
  if (result.weak_memory.search && !result.complete) return GuaranteeOfBoth(result);
  if (result.weak_memory.search)
    return "every execution under C11's memory model explored (" +
           ExecutionsOf(*result.weak_memory.search) + ")" + NoBug(result);
  if (result.complete && (!result.bound || result.whole_space)) {
    const bool by_states =
        space::VisitedOf(result.visited).value_or(space::Visited::kNone) != space::Visited::kNone;
    std::string text = by_states ? "every state explored" : EveryExecution(result);
    text += Timeouts(result) + " (" + (by_states ? Counted(result.states, "state") + ", " : "") +
            executions + ")" + Assumption(result) + NoBug(result);
    if (result.weak_memory.holds && ModelOf(result) == space::MemoryModel::kSc &&
        Timeouts(result).empty())
      text += ", under C11's memory model too";
    return text;
  }
  if (result.complete) {
    return AtMost(result, result.bound->most) + Timeouts(result) + " (" + executions + ")" +
           Assumption(result) + "; " + BugLeft(result, result.bound->most);
  }
  if (Samples(result)) {
    const bool tossed = space::OrderOf(result.order) == space::Order::kRandom;
    const std::string drawn =
        tossed ? Counted(result.executions, "random schedule")
               : Counted(result.executions, "schedule") + " drawn by " + result.order;
    return Why(result) + " after " + drawn + "; nothing is proved" + Chance(result);
  }
  if (result.completed_bound >= 0) {
    uint64_t bound = static_cast<uint64_t>(result.completed_bound);
    return AtMost(result, bound) + Timeouts(result) + ", then " + Why(result) + " (" + executions +
           " in all)" + Assumption(result) + "; " + BugLeft(result, bound);
  }
  if (result.stop == Stop::kExhausted) {
    return "nothing left to try after " + executions +
           ", but schedules may be missing; nothing is proved" +
           (result.findings.empty() ? "" : " about other bugs");
  }
  return Why(result) + " after " + executions + "; nothing is proved" +
         (result.findings.empty() ? "" : " about other bugs");
}

int ExitStatus(const SearchResult& result, bool require_complete) {
  if (RanNothing(result)) return 3;
  switch (result.verdict) {
    case Verdict::kBug:
      return 1;
    case Verdict::kUncontrolled:
      return 3;
    case Verdict::kClean:
      return 0;
    case Verdict::kIncomplete:
      return require_complete ? 4 : 0;
  }
  return 0;
}

}  // namespace heddle::report
