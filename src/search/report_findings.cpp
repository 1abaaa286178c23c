#include "search/report_findings.h"

#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <utility>

#include "explore/compose/minimise.h"
#include "runtime/bounded_text.h"
#include "runtime/control.h"
#include "runtime/places.h"
#include "runtime/prim/syscall.h"
#include "runtime/races.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/world/leaks.h"
#include "runtime/world/outside.h"
#include "search/explain.h"
#include "search/out_of_control.h"
#include "search/stop_token.h"

namespace heddle::search {
namespace {

using channel::StepRecord;

// Executions that minimising a finding may cost, of so many events: much less than a second.
uint64_t MinimiseBudget(size_t events) {
  constexpr uint64_t kEvents = 1'000'000, kLeast = 400, kMost = 2000;
  return std::clamp(kEvents / std::max<uint64_t>(events, 1), kLeast, kMost);
}

bool Contains(const std::vector<uint64_t>& set, uint64_t value) {
  return std::find(set.begin(), set.end(), value) != set.end();
}

class SameKey final : public explore::SameFinding {
 public:
  explicit SameKey(uint64_t key) : key_(key) {}
  bool Holds(const trace::Execution& execution) override {
    for (const check::Finding& finding : check::FindingsOf(execution))
      if (finding.key == key_) return true;
    return false;
  }

 private:
  const uint64_t key_;
};

// Plain accesses are many: only those to the bytes that the bug is about are to be recorded. The
// minimised schedule may race on other bytes than the one that was found, so it runs once to see.
void WatchItsBytes(const check::Finding& finding, target::Target& target,
                   const std::vector<uint32_t>& schedule) {
  runtime::WatchAccesses(0, 0);
  if (finding.size == 0) return;
  const std::vector<plan::Deviation> dense = Dense(schedule);
  plan::Plan plan;
  plan.deviations = dense;
  for (const check::Finding& shown : check::FindingsOf(target.Run(plan)))
    if (shown.key == finding.key) return runtime::WatchAccesses(shown.address, shown.size);
}

// Did the execution recorded last make plain accesses, and not too many to record them all?
bool AccessesCanBeTold() {
  constexpr uint64_t kMostAccesses = 20'000;  // each costs an unwound stack: a third of a second
  const uint64_t seen = runtime::AccessesSeen();
  return seen != 0 && seen <= kMostAccesses;
}

// `told` with the plain accesses by which threads affect each other (explain.cpp).
void ExplainAccesses(target::Target& target, const std::vector<uint32_t>& schedule,
                     const check::Finding& finding, Explanation* told) {
  runtime::WatchAllAccesses();
  Explanation with = Explain(target, schedule, finding);
  if (with.finding && with.identity == told->identity) {
    *told = std::move(with);
    return;
  }
  WatchItsBytes(finding, target, schedule);
  *told = Explain(target, schedule, finding);
}

struct Minimised {
  std::vector<uint32_t> schedule;
  bool has_fewest;  // preemptions and early timeouts
};

// Nothing: there is no more time.
std::optional<Minimised> MinimisedSchedule(const FindingObserver::Unexplained& unexplained,
                                           target::Target& target, uint32_t at_least) {
  const explore::StopToken stop_token = StopTokenOfSearch();
  const std::vector<plan::Deviation> dense = Dense(unexplained.schedule);
  plan::Plan plan;
  plan.deviations = dense;
  explore::Minimise::State state;
  SameKey same(unexplained.finding.key);
  const trace::Execution& failing = target.Run(plan);
  explore::Minimise::Start(&state, failing, at_least, MinimiseBudget(failing.events.size()),
                           stop_token);
  explore::Minimise minimise(&state, same, stop_token);
  while (const std::optional<plan::Plan> next = minimise.NextPlan()) {
    const trace::Execution& execution = target.Run(*next);
    if (stop_token.IsRequested()) break;  // it may have been ended on the way
    minimise.Learn(execution);
  }
  if (stop_token.IsRequested()) return std::nullopt;
  return Minimised{minimise.Schedule(), minimise.HasFewest()};
}

// Asks the supervisor, who has the names of functions and files.
bool IsSuppressed(const FindingObserver::Unexplained& unexplained, const Explanation& told) {
  channel::Header& header = runtime::ChannelHeader();
  if (unexplained.finding.race.allowed) return true;
  if (header.settings.suppressions == 0 || !told.finding) return false;
  WriteFinding({.purpose = channel::Purpose::kQuestion, .execution = unexplained.execution},
               *told.finding, told);
  const uint32_t number = header.question.load() + 1;
  header.question.store(number);
  while (header.answer.load() != number) {
    const timespec moment = {0, 1'000'000};
    runtime::RawSyscall(SYS_nanosleep, reinterpret_cast<long>(&moment), 0);
  }
  return header.answer_suppressed != 0;
}

FindingObserver::RacedPlaces PlacesOf(const check::Race& race, const Explanation& told) {
  FindingObserver::RacedPlaces places;
  int plain = !race.first_atomic + !race.second_atomic;
  for (const StepRecord& step : told.steps) {
    const auto kind = static_cast<op::Kind>(step.op_kind);
    constexpr uint32_t kMarks = channel::kStepRaceFirst | channel::kStepRaceSecond;
    if ((step.flags & kMarks) == 0 || !op::IsPlain(kind) || step.frames == 0) continue;
    places.pcs.push_back(step.pc[0]);
    --plain;
  }
  places.all = plain <= 0;
  return places;
}

// The search goes on after a race: from the next one on, its plain accesses are scheduling points.
// What has no place in the code stays a race that the search does not tell apart. Where all plain
// accesses are (--points all), it matters all the same that these are seen by others
// (loops/spin.cpp).
void MakeVisible(const FindingObserver::RacedPlaces& places) {
  bool wished = false;
  for (const uintptr_t pc : places.pcs) wished |= runtime::WishPlace(pc);
  const bool all = runtime::ChannelHeader().settings.points == channel::Points::kAll;
  if (!places.all && !wished && !all) runtime::NoteIncomplete(claim::Incomplete::kUnplacedRace);
}

// The same for the race that is told. If the search ends at it, that is put off until it goes on
// after all (GoOnBehindBug).
void MakeVisible(FindingObserver::State* state, FindingObserver::RacedPlaces places, bool goes_on) {
  if (goes_on)
    MakeVisible(places);
  else
    state->put_off.push_back(std::move(places));
}

// More weak pairs are found in most programs that have some, and each costs an execution.
constexpr size_t kMostWeakPairs = 10;

// False: there was no time for it.
bool ExplainWeakPair(FindingObserver::State* state, const FindingObserver::Unexplained& unexplained,
                     target::Target& target) {
  runtime::WatchAccesses(0, 0);
  const Explanation told = Explain(target, unexplained.schedule, unexplained.finding);
  if (!told.finding && IsStopping()) return false;
  if (told.finding && !Contains(state->weak_pairs, told.identity)) {
    state->weak_pairs.push_back(told.identity);
    WriteFinding({.purpose = channel::Purpose::kWeakPair, .execution = unexplained.execution},
                 *told.finding, told);
  }
  if (state->weak_pairs.size() >= kMostWeakPairs) runtime::StopWatchingWeakPairs();
  return true;
}

// What becomes of a finding before anybody minimises it.
enum class Fate : uint8_t { kReport, kReported, kSuppressed };

Fate FateOf(FindingObserver::State* state, const FindingObserver::Unexplained& unexplained,
            const Explanation& told) {
  const check::Finding& finding = unexplained.finding;
  if (finding.race.told_otherwise)
    return Fate::kSuppressed;  // not by the user, so it does not count
  if (Contains(state->reported, told.identity)) return Fate::kReported;
  if (Contains(state->suppressed, told.identity)) return Fate::kSuppressed;
  if (!IsSuppressed(unexplained, told)) return Fate::kReport;
  state->suppressed.push_back(told.identity);
  if (check::EndsTooEarly(finding)) runtime::NoteIncomplete(claim::Incomplete::kSuppressedEnding);
  return Fate::kSuppressed;
}

// What one place in the code allocated is one leak as long as nobody knows by which calls. They are
// found out the first time that it leaks, by its schedule; and from then on all executions tell
// them apart, so that none hides another.
void SplitLeak(FindingObserver::State* state, target::Target& target) {
  const FindingObserver::Unexplained one = state->unexplained.front();
  const uintptr_t place = one.finding.leak.pc;
  if (one.finding.kind != channel::BugKind::kLeak || IsStopping()) return;
  if (!runtime::WatchLeakPlace(place)) return;
  state->leak_places.push_back(place);
  const std::vector<plan::Deviation> dense = Dense(one.schedule);
  plan::Plan plan;
  plan.deviations = dense;
  std::vector<check::Finding> leaks = check::FindingsOf(target.Run(plan));
  std::erase_if(leaks, [place](const check::Finding& finding) { return finding.leak.pc != place; });
  for (size_t i = 0; i < leaks.size(); ++i) {
    state->known.push_back(leaks[i].key);
    if (i == 0) {
      state->unexplained.front().finding = leaks[i];
      continue;
    }
    FindingObserver::Unexplained other = one;
    other.finding = leaks[i];
    state->unexplained.push_back(std::move(other));
    TellAtOnce(state, state->unexplained.back());
  }
}

// One finding on its way into the report.
class Reporting {
 public:
  struct Targets {
    target::Target& usual;
    target::Target& apart;
  };

  Reporting(FindingObserver::State* state, const Targets& targets, bool minimise, uint32_t at_least,
            const std::optional<explore::OtherOrder>& other)
      : state_(state),
        other_(other),
        // It stays in the list until it is written: the process may die in between.
        attempt_(state->unexplained.front().attempts++),
        one_(state->unexplained.front()),
        died_(attempt_ != 0 || one_.finding.thread == op::kNoThread),
        usual_(targets.usual),
        target_(died_ ? targets.apart : targets.usual),
        minimise_(minimise && !died_ && one_.finding.kind != channel::BugKind::kHang &&
                  one_.finding.kind != channel::BugKind::kRaceCondition),
        at_least_(at_least) {}

  // The search was asked to end first: the finding stays in the list.
  bool IsPutOff() const { return is_put_off_; }

  // Returns true if it is new.
  bool Run() {
    if (one_.finding.weak) {
      const bool is_explained = attempt_ >= kAttempts || ExplainWeakPair(state_, one_, target_);
      return is_explained ? false : PutOff();
    }
    const bool keeps_going = runtime::ChannelHeader().settings.keep_going != 0;
    if (attempt_ >= kAttempts) {
      WriteUnexplained(one_, channel::Missing::kNothing);
      if (one_.finding.IsRace()) MakeVisible(state_, {}, keeps_going);
      state_->uncontrolled |= one_.finding.kind != channel::BugKind::kHang;
      return true;
    }
    std::vector<uint32_t> schedule = one_.schedule;
    Explanation told;
    if (!Record(schedule, &told)) return PutOff();
    // What is known already, or suppressed, need not be minimised.
    const Fate fate = FateOf(state_, one_, told);
    const bool goes_on = keeps_going || fate == Fate::kSuppressed;
    MakeRaceVisible(told, goes_on);
    if (fate != Fate::kReport) return Withdraw();
    bool has_fewest = false;
    if (minimise_) {
      told.fewer_may_do = told.execution->Cost() > at_least_;
      Write(told, channel::Missing::kMinimising, true);
      const auto minimised = MinimisedSchedule(one_, usual_, at_least_);
      if (!minimised) return PutOff();
      schedule = minimised->schedule;
      has_fewest = minimised->has_fewest;
      if (!Record(schedule, &told)) return PutOff();
      MakeRaceVisible(told, goes_on);
      if (Contains(state_->reported, told.identity)) return Withdraw();
    }
    const uint64_t identity = told.identity;
    const bool fewer_may_do = !has_fewest && told.execution->Cost() > at_least_;
    told.fewer_may_do = fewer_may_do;
    if (!died_ && IsBetter(told) && AccessesCanBeTold()) {
      Write(told, channel::Missing::kNothing, true);
      ExplainAccesses(target_, schedule, one_.finding, &told);
      if (IsStopping() && !told.finding) return PutOff();
      told.fewer_may_do = fewer_may_do;
    }
    if (!told.finding) TellNotReproduced(one_, *told.execution, state_);
    Write(told, channel::Missing::kNothing, false);
    if (one_.finding.kind == channel::BugKind::kRaceCondition && other_) TellOtherOrder();
    // Not before the last run: who takes over from a process that died would take it for another
    // finding of this bug, and withdraw it.
    state_->reported.push_back(identity);
    return true;
  }

 private:
  // Somebody else may kill the process, too: more than the two that a crash while recording needs.
  static constexpr uint32_t kAttempts = 3;

  // Recording is slow: it may run into the time limit where the search ran into that on events.
  static bool IsBetter(const Explanation& told) {
    return told.finding && told.finding->kind != channel::BugKind::kHang;
  }

  void MakeRaceVisible(const Explanation& told, bool goes_on) {
    if (one_.finding.IsRace() && told.finding)
      MakeVisible(state_, PlacesOf(told.finding->race, told), goes_on);
  }

  // Records the schedule. False: there was no time for it.
  bool Record(const std::vector<uint32_t>& schedule, Explanation* told) {
    if (IsStopping()) return false;
    WatchItsBytes(one_.finding, usual_, schedule);
    *told = Explain(target_, schedule, one_.finding);
    return told->finding || !IsStopping();
  }

  void Write(const Explanation& told, channel::Missing missing, bool again) {
    WriteFinding({.execution = one_.execution,
                  .reproduced = told.finding.has_value(),
                  .number = one_.number,
                  .missing = missing,
                  .again = again},
                 IsBetter(told) ? *told.finding : one_.finding, told);
  }

  // The schedule by which the threads came to the same place before.
  void TellOtherOrder() {
    plan::Plan plan;
    plan.deviations = other_->deviations;
    plan.end_at = {other_->moment, true};
    const std::vector<uint32_t> schedule = OptionsOf(target_.Run(plan));
    check::Finding finding = one_.finding;
    finding.status = trace::kOtherOrder;
    finding.moment = other_->moment;
    // Its key has the place where it came there, which may be another one.
    runtime::WatchAllAccesses();
    std::vector<Explanation> all = ExplainAll(target_, schedule, EndOf(finding));
    if (!all.front().finding) return;
    WriteFinding(
        {.purpose = channel::Purpose::kOther, .execution = one_.execution, .number = one_.number},
        *all.front().finding, all.front());
  }

  // There is no time for more than was written, which stands. Who goes on with the search begins
  // again with this finding; its process did not die of it.
  bool PutOff() {
    is_put_off_ = true;
    --state_->unexplained.front().attempts;
    return one_.number != 0;
  }

  bool Withdraw() {
    if (one_.number == 0) return false;
    const trace::Execution execution;
    Explanation told;
    told.execution = &execution;
    WriteFinding({.purpose = channel::Purpose::kWithdrawn, .number = one_.number}, one_.finding,
                 told);
    return false;
  }

  FindingObserver::State* const state_;
  const std::optional<explore::OtherOrder>& other_;
  const uint32_t attempt_;
  FindingObserver::Unexplained one_;
  const bool died_;
  target::Target& usual_;
  target::Target& target_;
  const bool minimise_;
  const uint32_t at_least_;
  bool is_put_off_ = false;
};

}  // namespace

unsigned ReportUnexplained(FindingObserver::State* state, target::Target& target,
                           target::Target& apart, bool minimise, uint32_t at_least,
                           const std::optional<explore::OtherOrder>& other) {
  unsigned fresh = 0;
  // What is left when the search is asked to end is told already; who goes on with it explains it,
  // and has the places of a race then.
  while (!state->unexplained.empty() && !IsStopping()) {
    SplitLeak(state, target);
    Reporting reporting(state, {target, apart}, minimise, at_least, other);
    fresh += reporting.Run() ? 1 : 0;
    if (reporting.IsPutOff()) break;
    state->unexplained.erase(state->unexplained.begin());
  }
  return fresh;
}

void TakeUpFindings(const FindingObserver::State& state) {
  if (state.weak_pairs.size() >= kMostWeakPairs) runtime::StopWatchingWeakPairs();
  for (const uintptr_t place : state.leak_places) runtime::WatchLeakPlace(place);
}

void GoOnBehindBug(FindingObserver::State* state) {
  for (const FindingObserver::RacedPlaces& places : std::exchange(state->put_off, {}))
    MakeVisible(places);
}

const trace::Execution& ExplainSchedule(FindingObserver::State* state, target::Target& target,
                                        const std::vector<uint32_t>& schedule, plan::EndAt end_at,
                                        uint64_t expected) {
  runtime::WatchAllAccesses();  // the program must run once only: its output is shown
  std::vector<Explanation> all = ExplainAll(target, schedule, end_at);
  const trace::Execution& execution = *all.front().execution;
  state->executions = 1;
  state->events = execution.events.size();
  state->threads = execution.created;
  IsOutOfControl(execution, state);
  // An execution may show more than the bug that it was recorded for.
  const auto recorded = std::find_if(all.begin(), all.end(), [expected](const Explanation& one) {
    return one.finding && one.identity == expected;
  });
  if (recorded != all.end()) all = {*recorded};
  if (recorded == all.end() && !state->uncontrolled) {
    char why[sizeof state->culprit];
    runtime::BoundedText told = {why, why + sizeof why};
    runtime::TellLikelyCause(told);
    runtime::NoteIncomplete(claim::Incomplete::kUncontrolled, why);
  }
  for (const Explanation& one : all)
    if (one.finding) WriteFinding({.execution = 1}, *one.finding, one);
  return execution;
}

}  // namespace heddle::search
