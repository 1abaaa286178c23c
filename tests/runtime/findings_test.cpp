// From an execution that shows a bug to the report (search/report_findings.h): noticed once,
// explained by running its schedule again, never lost. The executions are written by hand; where
// the schedule is made smaller, a fake program makes them.
#include "search/report_findings.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include "runtime/control.h"
#include "search/explain.h"
#include "target/fake_target.h"

namespace heddle::search {
namespace {

// As the report has them: none of these choices is one of threads.
std::vector<uint32_t> AsRecorded(std::vector<uint32_t> options) {
  for (uint32_t& option : options) option |= channel::kNotOfThread;
  return options;
}

using channel::BugKind;
using channel::Purpose;
using runtime::ChannelHeader;
using trace::EndKind;
using Then = explore::Observer::Then;

// One that ended so, after these choices.
struct ByHand {
  explicit ByHand(EndKind kind, const char* message = "", uintptr_t pc = 0,
                  const std::vector<uint32_t>& chosen = {1, 2}) {
    for (const uint32_t option : chosen) {
      choices.push_back({.kind = trace::ChoiceKind::kValue,
                         .running_open = false,
                         .stays_free = false,
                         .early_timeouts = false,
                         .running_waits = false,
                         .set_words = 0,
                         .chosen = option,
                         .fallback = 0,
                         .running = 1,
                         .option_count = 3,
                         .event = 0,
                         .sets = 0});
    }
    execution.ending.kind = kind;
    execution.ending.thread = 1;
    execution.ending.pc = pc;
    std::strcpy(execution.ending.message, message);
  }
  operator const trace::Execution&() {  // NOLINT: stands for it
    execution.choices = choices;
    execution.events = events;
    execution.races = races;
    execution.weak_pairs = weak_pairs;
    return execution;
  }

  trace::Execution execution;
  std::vector<trace::Choice> choices;
  std::vector<trace::Event> events;
  std::vector<trace::Race> races;
  std::vector<trace::Race> weak_pairs;
};

// Of x, by T1 and T2; the later access is made at `pc`.
trace::Race RaceAt(uintptr_t pc) {
  trace::Race race = {};
  race.address = 0x1000;
  race.size = 4;
  race.first_thread = 1;
  race.first_write = true;
  race.second_thread = 2;
  race.second_pc = pc;
  return race;
}

// Answers every plan with the same execution, and notes what it was asked.
class Scripted final : public target::Target {
 public:
  explicit Scripted(ByHand answer) : answer_(std::move(answer)) {}

  const trace::Execution& Run(const plan::Plan& plan) override {
    ++runs;
    records = plan.record;
    schedule.clear();
    for (const plan::Deviation& deviation : plan.deviations) schedule.push_back(deviation.option);
    return answer_;
  }

  int runs = 0;
  bool records = false;  // the last one
  std::vector<uint32_t> schedule;

 private:
  ByHand answer_;
};

// What was written to the report since the last call.
struct Told {
  channel::FindingRecord finding;
  std::string message;
  std::vector<uint32_t> schedule;
  uint32_t preemptions = 0;  // of the schedule
};

class FindingsTest : public testing::Test {
 protected:
  FindingsTest() { ChannelHeader().report_bytes.store(0); }
  ~FindingsTest() override { ChannelHeader().stop_request.store(0); }

  // As a reader takes it: of a bug what was told last, and nothing if that was withdrawn.
  std::vector<Told> TakeReport() {
    std::vector<Told> all;
    for (Told& told : TakeAll()) {
      const uint32_t number = told.finding.number;
      std::erase_if(
          all, [&](const Told& other) { return number != 0 && other.finding.number == number; });
      if (told.finding.purpose != Purpose::kWithdrawn) all.push_back(std::move(told));
    }
    return all;
  }

  std::vector<Told> TakeAll() {
    const char* at =
        reinterpret_cast<const char*>(runtime::Names()) - channel::kNamesAt + channel::kReportAt;
    const char* const end = at + ChannelHeader().report_bytes.exchange(0);
    std::vector<Told> all;
    for (channel::RecordHead head; at < end; at += head.bytes) {
      std::memcpy(&head, at, sizeof head);
      if (head.kind == channel::RecordKind::kFinding) {
        Told& told = all.emplace_back();
        std::memcpy(&told.finding, at, sizeof told.finding);
        told.message = at + sizeof told.finding;
      } else if (head.kind == channel::RecordKind::kSchedule) {
        channel::ScheduleRecord record;
        std::memcpy(&record, at, sizeof record);
        const auto* options = reinterpret_cast<const uint32_t*>(at + sizeof record);
        all.back().schedule.assign(options, options + record.count);
        all.back().preemptions = record.preemptions;
      }
    }
    return all;
  }

  Then Observe(const trace::Execution& execution) {
    return FindingObserver(&state_).OnExecution({}, execution);
  }
  // Without minimising, unless it is asked for.
  unsigned Report(target::Target& target, target::Target& apart, bool minimise = false) {
    return ReportUnexplained(&state_, target, apart, minimise, false, std::nullopt);
  }

  FindingObserver::State state_;
};

// ---- what is noticed ----

//   exit    cut by the plan   dropped by the program   what is visible grew
//   1       1                 2                        none of them: it is run again
TEST_F(FindingsTest, ExecutionsAreCountedByTheirEnding) {
  ByHand exit(EndKind::kExit), cut(EndKind::kRedundant), dropped(EndKind::kRedundant);
  cut.execution.ending.status = trace::kCutByPlan;
  exit.execution.created = 3;
  exit.events.resize(5);
  cut.execution.created = 2;
  cut.events.resize(1);
  for (ByHand* each : {&exit, &cut, &dropped, &dropped}) EXPECT_EQ(Observe(*each), Then::kContinue);
  EXPECT_EQ(Observe(ByHand(EndKind::kNeedsMorePoints)), Then::kStop);
  EXPECT_EQ(state_.executions, 1u);
  EXPECT_EQ(state_.redundant, 1u);
  EXPECT_EQ(state_.assumed_away, 2u);
  EXPECT_EQ(state_.events, 6u);
  EXPECT_EQ(state_.threads, 3u);
  EXPECT_TRUE(state_.unexplained.empty());
}

TEST_F(FindingsTest, ABugStopsTheSearchOnce) {
  ByHand bug(EndKind::kAssertion, "x == 1", 10, {2, 0, 1});
  bug.execution.preemptions = 2;
  EXPECT_EQ(Observe(ByHand(EndKind::kExit)), Then::kContinue);
  EXPECT_EQ(Observe(bug), Then::kStop);
  ASSERT_EQ(state_.unexplained.size(), 1u);
  EXPECT_EQ(state_.unexplained[0].finding.kind, BugKind::kAssertion);
  EXPECT_EQ(state_.unexplained[0].schedule, (std::vector<uint32_t>{2, 0, 1}));
  EXPECT_EQ(state_.unexplained[0].preemptions, 2u);
  EXPECT_EQ(state_.unexplained[0].execution, 2u);
  state_.unexplained.clear();
  EXPECT_EQ(Observe(bug), Then::kContinue);  // known
  EXPECT_EQ(Observe(ByHand(EndKind::kAssertion, "x == 2", 10)), Then::kStop);
}

// Two races at two places of the code, one of them twice: two findings. The ending is one, too.
TEST_F(FindingsTest, AnExecutionMayShowSeveralBugs) {
  ByHand execution(EndKind::kDeadlock);
  execution.races = {RaceAt(7), RaceAt(8), RaceAt(7)};
  EXPECT_EQ(Observe(execution), Then::kStop);
  ASSERT_EQ(state_.unexplained.size(), 3u);
  EXPECT_EQ(state_.unexplained[0].finding.kind, BugKind::kDeadlock);
  EXPECT_EQ(state_.unexplained[1].finding.race.second_pc, 7u);
  EXPECT_EQ(state_.unexplained[2].finding.race.second_pc, 8u);
}

// Nobody's bug: the machine killed it. The report says how far it had come.
TEST_F(FindingsTest, WhatWasKilledFromOutsideIsNoBug) {
  ByHand killed(EndKind::kDied, "", 0, {1, 2});
  killed.execution.ending.status = SIGKILL;
  killed.events.resize(2);
  killed.events[1].thread = 1;
  killed.events[1].kind = op::Kind::kMutexLock;
  EXPECT_EQ(Observe(killed), Then::kStop);
  EXPECT_TRUE(state_.uncontrolled);
  EXPECT_TRUE(state_.unexplained.empty());
  const std::string culprit = state_.culprit;
  EXPECT_NE(culprit.find("in execution 1, after 2 operations"), std::string::npos) << culprit;
  EXPECT_NE(culprit.find("%T1%"), std::string::npos) << culprit;
  EXPECT_NE(culprit.find("its last choices: option 1, option 2"), std::string::npos) << culprit;
}

TEST_F(FindingsTest, ADivergenceEndsTheSearch) {
  EXPECT_EQ(Observe(ByHand(EndKind::kDiverged, "choice 3")), Then::kStop);
  EXPECT_TRUE(state_.uncontrolled);
  const std::string culprit = state_.culprit;
  EXPECT_TRUE(culprit.starts_with("choice 3; heddle does not control ")) << culprit;
}

// ---- what is reported ----

// The schedule is run once more, with everything recorded, in the same process.
TEST_F(FindingsTest, AFindingIsExplainedByRunningItAgain) {
  ByHand bug(EndKind::kAssertion, "x == 1", 10, {2, 0, 1});
  Scripted target(bug), apart(bug);
  Observe(ByHand(EndKind::kExit));
  Observe(bug);
  EXPECT_EQ(Report(target, apart), 1u);
  EXPECT_EQ(target.runs, 1);
  EXPECT_EQ(apart.runs, 0);
  EXPECT_TRUE(target.records);
  EXPECT_EQ(target.schedule, (std::vector<uint32_t>{2, 0, 1}));
  EXPECT_TRUE(state_.unexplained.empty());
  EXPECT_FALSE(state_.uncontrolled);
  const std::vector<Told> told = TakeReport();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].finding.kind, BugKind::kAssertion);
  EXPECT_EQ(told[0].finding.purpose, Purpose::kBug);
  EXPECT_EQ(told[0].finding.execution, 2u);
  EXPECT_EQ(told[0].finding.not_reproduced, 0u);
  EXPECT_EQ(told[0].message, "x == 1");
  EXPECT_EQ(told[0].schedule, AsRecorded({2, 0, 1}));
  EXPECT_EQ(state_.reported, (std::vector<uint64_t>{told[0].finding.identity}));
}

// Two keys, because it showed at two places of the code; but what identifies an assertion that has
// no recorded place is its text.
TEST_F(FindingsTest, TheSameBugIsReportedOnce) {
  ByHand here(EndKind::kAssertion, "x == 1", 10), there(EndKind::kAssertion, "x == 1", 20);
  Scripted at_here(here), at_there(there), apart(here);
  Observe(here);
  EXPECT_EQ(Report(at_here, apart), 1u);
  EXPECT_EQ(Observe(there), Then::kStop);
  EXPECT_EQ(Report(at_there, apart), 0u);
  EXPECT_EQ(TakeReport().size(), 1u);
}

// The schedule does not show it again: something is not under control. It is not lost.
TEST_F(FindingsTest, WhatIsNotReproducedIsSaid) {
  ByHand bug(EndKind::kAssertion, "x == 1", 10);
  Scripted target(ByHand{EndKind::kExit}), apart(bug);
  Observe(bug);
  EXPECT_EQ(Report(target, apart), 1u);
  EXPECT_TRUE(state_.uncontrolled);
  const std::vector<Told> told = TakeReport();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].finding.not_reproduced, 1u);
  EXPECT_EQ(told[0].message, "x == 1");
}

//   attempt   0          1 and 2               3
//             died here  is made in a process  the last one died, too: written without being run
//                        of its own
TEST_F(FindingsTest, AnExplanationThatDiesIsMadeApartAndThenNotAtAll) {
  ByHand bug(EndKind::kAssertion, "x == 1", 10);
  Scripted target(bug), apart(bug);
  Observe(bug);
  EXPECT_FALSE(FindingObserver::DiedExplaining(state_));
  for (const uint32_t attempts : {1u, 2u}) {
    state_ = {};
    Observe(bug);
    state_.unexplained[0].attempts = attempts;  // as the process before this one left it
    EXPECT_TRUE(FindingObserver::DiedExplaining(state_));
    EXPECT_EQ(Report(target, apart), 1u);
    EXPECT_EQ(TakeReport().size(), 1u);
  }
  EXPECT_EQ(target.runs, 0);
  EXPECT_EQ(apart.runs, 2);

  state_ = {};
  Observe(bug);
  state_.unexplained[0].attempts = 3;
  EXPECT_EQ(Report(target, apart), 1u);
  EXPECT_EQ(target.runs + apart.runs, 2);
  EXPECT_TRUE(state_.uncontrolled);
  const std::vector<Told> told = TakeReport();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].finding.not_reproduced, 1u);
  EXPECT_EQ(told[0].schedule, (std::vector<uint32_t>{1, 2}));
}

// What killed its process would kill this one: at once apart.
TEST_F(FindingsTest, WhatKilledItsProcessIsExplainedApart) {
  ByHand died(EndKind::kDied);
  died.execution.ending.status = SIGSEGV;
  died.execution.ending.thread = op::kNoThread;
  Scripted target(died), apart(died);
  Observe(died);
  EXPECT_EQ(Report(target, apart, true), 1u);
  EXPECT_EQ(target.runs, 0);
  EXPECT_EQ(apart.runs, 1);  // and it is not minimised
  EXPECT_EQ(TakeReport()[0].finding.kind, BugKind::kCrash);
}

// Once to see which bytes are raced for, which are to be recorded, and once to explain.
TEST_F(FindingsTest, ARaceIsExplainedWithTheAccessesToItsBytes) {
  ByHand race(EndKind::kExit);
  race.races = {RaceAt(7)};
  Scripted target(race), apart(race);
  Observe(race);
  EXPECT_EQ(Report(target, apart), 1u);
  EXPECT_EQ(target.runs, 2);
  EXPECT_TRUE(target.records);
  const std::vector<Told> told = TakeReport();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].finding.address, 0x1000u);
  EXPECT_EQ(told[0].finding.size, 4u);
}

// Killed each time: where its accesses are is not known, and who goes on behind it is told so.
TEST_F(FindingsTest, ARaceThatNobodyCouldPlaceIsNotForgotten) {
  ByHand race(EndKind::kExit);
  race.races = {RaceAt(7)};
  Scripted target(race), apart(race);
  Observe(race);
  state_.unexplained[0].attempts = 3;
  EXPECT_EQ(Report(target, apart), 1u);
  ASSERT_EQ(state_.put_off.size(), 1u);
  EXPECT_TRUE(state_.put_off[0].pcs.empty());
  EXPECT_FALSE(state_.put_off[0].all);
}

// Races that the program allows are suppressed; of those that another finding tells of, nothing is
// kept at all.
TEST_F(FindingsTest, AnAllowedRaceIsNotReported) {
  ByHand allowed(EndKind::kExit), otherwise(EndKind::kExit);
  allowed.races = otherwise.races = {RaceAt(7)};
  allowed.races[0].allowed = true;
  otherwise.races[0].allowed = otherwise.races[0].told_otherwise = true;
  Scripted target(otherwise), apart(otherwise);
  Observe(otherwise);
  EXPECT_EQ(Report(target, apart), 0u);
  EXPECT_EQ(state_.suppressed.size(), 0u);
  state_ = {};
  Scripted allows(allowed);
  Observe(allowed);
  EXPECT_EQ(Report(allows, apart), 0u);
  EXPECT_EQ(state_.suppressed.size(), 1u);
  for (const Told& told : TakeReport()) EXPECT_NE(told.finding.purpose, Purpose::kBug);
}

// The user's list is the supervisor's: it is asked, and answers.
TEST_F(FindingsTest, TheSupervisorIsAskedAboutSuppressions) {
  channel::Header& header = ChannelHeader();
  ByHand bug(EndKind::kAssertion, "x == 1", 10);
  Scripted target(bug), apart(bug);
  header.settings.suppressions = 1;
  const auto report = [&](bool suppressed) {
    std::thread supervisor([&] {
      const uint32_t number = header.answer.load() + 1;
      while (header.question.load() != number) std::this_thread::yield();
      header.answer_suppressed = suppressed;
      header.answer.store(number);
    });
    state_ = {};
    Observe(bug);
    const unsigned fresh = Report(target, apart);
    supervisor.join();
    return fresh;
  };
  EXPECT_EQ(report(true), 0u);
  EXPECT_EQ(state_.suppressed.size(), 1u);
  EXPECT_EQ(report(false), 1u);
  const std::vector<Told> told = TakeReport();
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[0].finding.purpose, Purpose::kQuestion);
  EXPECT_EQ(told[1].finding.purpose, Purpose::kQuestion);
  EXPECT_EQ(told[2].finding.purpose, Purpose::kBug);
  header.settings.suppressions = 0;
}

// ---- there is no more time ----

// Answers so until the search is to end; then the execution is ended on the way.
class StopsAtRun final : public target::Target {
 public:
  StopsAtRun(ByHand answer, int runs) : answer_(std::move(answer)), left_(runs) {}

  const trace::Execution& Run(const plan::Plan&) override {
    if (left_-- > 0) return answer_;
    ChannelHeader().stop_request.store(static_cast<uint32_t>(channel::StopRequest::kTime));
    return stopped_;
  }

 private:
  ByHand answer_;
  int left_;
  ByHand stopped_ = ByHand(EndKind::kStopped);
};

// It is told before it is recorded, so it is not lost.
TEST_F(FindingsTest, WhatCannotBeRecordedInTimeIsReported) {
  ByHand bug(EndKind::kAssertion, "x == 1", 10, {2, 0, 1});
  StopsAtRun target(bug, 0);
  Observe(bug);
  EXPECT_EQ(Report(target, target, true), 1u);
  EXPECT_FALSE(state_.uncontrolled);
  const std::vector<Told> told = TakeReport();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].finding.missing, channel::Missing::kRecording);
  EXPECT_EQ(told[0].finding.not_reproduced, 0u);
  EXPECT_EQ(told[0].message, "x == 1");
  EXPECT_EQ(told[0].schedule, (std::vector<uint32_t>{2, 0, 1}));
}

// The second run is the first of minimising.
TEST_F(FindingsTest, WhatCannotBeMinimisedInTimeIsReportedAsFound) {
  ByHand bug(EndKind::kAssertion, "x == 1", 10, {2, 0, 1});
  StopsAtRun target(bug, 1);
  Observe(bug);
  EXPECT_EQ(Report(target, target, true), 1u);
  EXPECT_FALSE(state_.uncontrolled);
  const std::vector<Told> told = TakeReport();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].finding.missing, channel::Missing::kMinimising);
  EXPECT_EQ(told[0].schedule, AsRecorded({2, 0, 1}));
  // Who goes on with the search minimises it; its process did not die of it.
  EXPECT_TRUE(state_.reported.empty());
  ASSERT_EQ(state_.unexplained.size(), 1u);
  EXPECT_EQ(state_.unexplained[0].attempts, 0u);
}

// All that was noticed is told, also what nobody has looked at; that is left to who goes on.
TEST_F(FindingsTest, NothingThatWasNoticedIsLost) {
  ByHand bug(EndKind::kDeadlock);
  bug.races = {RaceAt(7), RaceAt(8)};
  StopsAtRun target(bug, 0);
  Observe(bug);
  EXPECT_EQ(Report(target, target), 1u);
  EXPECT_EQ(TakeReport().size(), 3u);
  EXPECT_EQ(state_.unexplained.size(), 3u);
}

// Nor is a pair that weak memory may show in another order, which is explained later.
TEST_F(FindingsTest, AWeakPairIsLeftToWhoGoesOn) {
  ByHand weak(EndKind::kExit);
  weak.weak_pairs = {RaceAt(7)};
  StopsAtRun target(weak, 0);
  Observe(weak);
  EXPECT_EQ(Report(target, target), 0u);
  EXPECT_TRUE(TakeReport().empty());
  EXPECT_TRUE(state_.weak_pairs.empty());
  ASSERT_EQ(state_.unexplained.size(), 1u);
  EXPECT_EQ(state_.unexplained[0].attempts, 0u);
}

TEST_F(FindingsTest, AnExecutionThatWasStoppedCountsAsNoneButItsRacesAreReal) {
  ByHand stopped(EndKind::kStopped);
  EXPECT_EQ(Observe(stopped), Then::kContinue);
  EXPECT_EQ(state_.executions + state_.redundant + state_.assumed_away, 0u);
  stopped.races = {RaceAt(7)};
  EXPECT_EQ(Observe(stopped), Then::kStop);
  EXPECT_EQ(state_.unexplained.size(), 1u);
}

// A probe counts nowhere, but shows what it shows.
TEST_F(FindingsTest, AProbeIsNoneOfTheSearchs) {
  ByHand bug(EndKind::kAssertion, "x == 1", 10);
  FindingObserver observer(&state_);
  observer.NoteProbe(ByHand(EndKind::kExit));
  EXPECT_FALSE(observer.HasNews());
  observer.NoteProbe(bug);
  EXPECT_TRUE(observer.HasNews());
  EXPECT_EQ(state_.executions, 0u);
  EXPECT_EQ(state_.unexplained.size(), 1u);
}

// Each step towards the report is told: noticed, recorded, minimised.
TEST_F(FindingsTest, ABugIsToldAtEachStep) {
  ByHand bug(EndKind::kAssertion, "x == 1", 10);
  Scripted target(bug), apart(bug);
  Observe(bug);
  EXPECT_EQ(Report(target, apart, true), 1u);
  std::vector<channel::Missing> missing;
  for (const Told& told : TakeAll()) missing.push_back(told.finding.missing);
  using channel::Missing;
  EXPECT_EQ(missing,
            (std::vector<Missing>{Missing::kRecording, Missing::kMinimising, Missing::kNothing}));
}

// Atomic accesses that weak memory may show in another order are told, but are no bug.
TEST_F(FindingsTest, AWeakPairIsNoBug) {
  ByHand weak(EndKind::kExit);
  weak.weak_pairs = {RaceAt(7)};
  Scripted target(weak), apart(weak);
  EXPECT_EQ(Observe(weak), Then::kStop);
  EXPECT_EQ(Report(target, apart), 0u);
  EXPECT_TRUE(state_.reported.empty());
  EXPECT_EQ(state_.weak_pairs.size(), 1u);
  const std::vector<Told> told = TakeReport();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].finding.purpose, Purpose::kWeakPair);
}

// A replay shows what its schedule was recorded for; without that, all there is.
TEST_F(FindingsTest, AReplayShowsTheBugItWasRecordedFor) {
  ByHand both(EndKind::kAssertion, "x == 1", 10);
  both.races = {RaceAt(7)};
  both.execution.created = 3;
  Scripted target(both);
  ExplainSchedule(&state_, target, {1, 2}, {}, 0);
  const std::vector<Told> all = TakeReport();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(target.runs, 1);  // its output is shown: once only
  EXPECT_EQ(target.schedule, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(state_.executions, 1u);
  EXPECT_EQ(state_.threads, 3u);
  ExplainSchedule(&state_, target, {1, 2}, {}, all[1].finding.identity);
  const std::vector<Told> one = TakeReport();
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].finding.kind, BugKind::kDataRace);
}

// ---- minimising ----

//   T0      T1       T2       found: T2, T1, with a preemption. Only that T1 reads before T0 writes
//                    y += 1   matters: T1, with none
//           x? 0
//   x = 1            y += 1
TEST_F(FindingsTest, TheScheduleIsMadeSmaller) {
  using namespace target;  // NOLINT: instructions by name
  const FakeProgram program = {.threads = {{Assign(0, 1)},
                                           {heddle::target::Load(0, 0), AssertEqual(0, 1)},
                                           {FetchAdd(1, 1), FetchAdd(1, 1)}},
                               .variables = {0, 0},
                               .semaphores = {},
                               .ends_yield = false};
  FakeTarget target(program), apart(program);
  const plan::Deviation found[] = {{0, 2}, {1, 1}};
  plan::Plan plan;
  plan.deviations = found;
  ASSERT_EQ(Observe(target.Run(plan)), Then::kStop);
  EXPECT_EQ(state_.unexplained[0].preemptions, 1u);
  const FindingObserver::State before = state_;

  EXPECT_EQ(Report(target, apart, false), 1u);
  std::vector<Told> told = TakeReport();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].schedule, (std::vector<uint32_t>{2, 1}));
  EXPECT_EQ(told[0].preemptions, 1u);

  state_ = before;
  EXPECT_EQ(Report(target, apart, true), 1u);
  told = TakeReport();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].schedule, (std::vector<uint32_t>{1}));
  EXPECT_EQ(told[0].preemptions, 0u);
  EXPECT_EQ(told[0].finding.not_reproduced, 0u);
}

}  // namespace
}  // namespace heddle::search
