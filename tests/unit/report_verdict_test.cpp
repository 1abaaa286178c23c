#include "report/verdict.h"

#include <gtest/gtest.h>

#include "report/weak_search.h"

namespace heddle::report {
namespace {

SearchResult Result(const std::string& order, const std::string& stop, bool complete) {
  SearchResult result;
  result.order = order;
  result.stop = StopOf(stop);
  result.complete = complete;
  result.executions = 8458;
  result.verdict = JudgeVerdict(result, false);
  return result;
}

TEST(Verdict, CompleteWithoutBound) {
  SearchResult result = Result("depth-first", "exhausted", true);
  EXPECT_EQ(result.verdict, Verdict::kClean);
  EXPECT_EQ(Guarantee(result),
            "every schedule explored (8,458 executions): no bug within what heddle checks");
  EXPECT_EQ(ExitStatus(result, true), 0);
}

TEST(Verdict, NoExecutionIsNoAnswer) {
  SearchResult result = Result("depth-first", "time", false);
  EXPECT_EQ(ExitStatus(result, false), 0);
  result.executions = 0;
  EXPECT_TRUE(RanNothing(result));
  EXPECT_EQ(ExitStatus(result, false), 3);
  EXPECT_EQ(ExitStatus(result, true), 3);
  result.assumed_away = 1;
  EXPECT_FALSE(RanNothing(result));
  // A shard may have nothing to run.
  result = Result("depth-first", "exhausted", false);
  result.executions = 0;
  EXPECT_FALSE(RanNothing(result));
}

TEST(Verdict, CompleteWithinABound) {
  SearchResult result = Result("context-bounded", "exhausted", true);
  result.bound = {.most = 2};
  EXPECT_EQ(
      Guarantee(result),
      "every schedule with at most 2 preemptions explored (8,458 executions); any bug left needs "
      "at least 3 preemptions");
}

TEST(Verdict, DelaysAreNoPreemptionsAndCountNoTimeouts) {
  SearchResult result = Result("context-bounded", "exhausted", true);
  result.time_limits = true;
  result.bound = {space::Unit::kDelays, 0};
  EXPECT_EQ(Guarantee(result),
            "every schedule without a delay explored (8,458 executions); any bug left needs "
            "at least 1 delay");
}

TEST(Verdict, StaleAccessesAreNoPreemptions) {
  SearchResult result = Result("depth-first", "exhausted", true);
  result.time_limits = true;
  result.memory_model = "c11";
  result.bound = {space::Unit::kStale, 1};
  EXPECT_EQ(Guarantee(result),
            "every execution under C11's memory model with at most 1 stale access explored (8,458 "
            "executions); any bug left needs at least 2 stale accesses");
  result.bound->most = 0;
  EXPECT_EQ(Guarantee(result),
            "every sequentially consistent execution explored (8,458 executions); any bug left "
            "needs at least 1 stale access");
  result.whole_space = true;
  EXPECT_EQ(Guarantee(result),
            "every execution under C11's memory model explored (8,458 executions): no bug within "
            "what heddle checks");
}

TEST(Verdict, DepthSaysWhereSchedulesLeaveTheDefault) {
  SearchResult result = Result("depth-first", "exhausted", true);
  result.time_limits = true;
  result.bound = {space::Unit::kDepth, 20};
  EXPECT_EQ(Guarantee(result),
            "every schedule that leaves the default only in its first 20 choices of threads "
            "explored (8,458 executions); any bug left needs one that leaves it later");
  result.bound->iterate = true;
  result.whole_space = true;
  EXPECT_EQ(Guarantee(result),
            "every schedule explored (8,458 executions): no bug within what heddle checks");
  result = Result("depth-first", "time", false);
  result.bound = {space::Unit::kDepth, 1, true};
  EXPECT_EQ(Guarantee(result),
            "stopped by the time limit after 8,458 executions; nothing is proved");
  result.completed_bound = 1;
  EXPECT_EQ(Guarantee(result),
            "every schedule that leaves the default only in its first choice of threads explored, "
            "then stopped by the time limit (8,458 executions in all); any bug left needs one that "
            "leaves it later");
  result.findings.emplace_back();
  EXPECT_NE(Guarantee(result).find("any other bug needs one"), std::string::npos);
}

// A bound on preemptions counts both; where there are no time limits nobody needs to hear of them.
TEST(Verdict, TimeLimitsAreNamed) {
  SearchResult result = Result("context-bounded", "exhausted", true);
  result.time_limits = true;
  result.bound = {.most = 0};
  EXPECT_EQ(Guarantee(result),
            "every schedule without a preemption or early timeout explored (8,458 "
            "executions); any bug left needs at least 1 preemption or early timeout");
  result.bound = {.most = 1};
  EXPECT_EQ(Guarantee(result),
            "every schedule with at most 1 preemption or early timeout explored (8,458 "
            "executions); any bug left needs at least 2 preemptions or early timeouts");
  result.bound.reset();
  result.timeouts = "last";
  EXPECT_EQ(Guarantee(result),
            "every schedule explored in which time limits pass only when nothing else can run "
            "(8,458 executions): no bug within what heddle checks");
}

TEST(Verdict, OutOfTimeClaimsTheCompletedBoundOnly) {
  SearchResult result = Result("context-bounded", "time", false);
  result.completed_bound = 0;
  EXPECT_EQ(result.verdict, Verdict::kIncomplete);
  EXPECT_EQ(Guarantee(result),
            "every schedule without a preemption explored, then stopped by the time limit (8,458 "
            "executions in all); any bug left needs at least 1 preemption");
  EXPECT_EQ(ExitStatus(result, false), 0);
  EXPECT_EQ(ExitStatus(result, true), 4);
}

TEST(Verdict, NothingCompletedProvesNothing) {
  EXPECT_EQ(Guarantee(Result("depth-first", "executions", false)),
            "stopped by the limit on executions after 8,458 executions; nothing is proved");
  EXPECT_EQ(Guarantee(Result("random", "interrupted", false)),
            "interrupted after 8,458 random schedules; nothing is proved");
}

TEST(Verdict, WhatADrawnScheduleHadAChanceOf) {
  SearchResult result = Result("pct", "executions", false);
  result.depth = 3;
  result.threads = 4;
  result.most_choices = 50;
  EXPECT_EQ(Guarantee(result),
            "stopped by the limit on executions after 8,458 schedules drawn by pct; nothing is "
            "proved, but each shows a bug of depth 3 with a probability of at least 1/10,000 (4 "
            "threads, and 50 choices of threads, the most that were seen)");
  result.depth = 100;
  EXPECT_NE(Guarantee(result).find("at least next to none (4 threads"), std::string::npos);
  for (const char* order : {"pos", "rff"}) {
    EXPECT_EQ(Guarantee(Result(order, "time", false)),
              std::string("stopped by the time limit after 8,458 schedules drawn by ") + order +
                  "; nothing is proved, but each could be in any order of racing operations");
  }
  EXPECT_EQ(Guarantee(Result("surw", "time", false)),
            "stopped by the time limit after 8,458 schedules drawn by surw; nothing is proved, but "
            "where no thread waits, all orders of the operations on one object were equally "
            "likely");
}

TEST(Verdict, WhatNobodyLookedForIsAnAssumption) {
  SearchResult result = Result("depth-first", "exhausted", true);
  result.races_checked = false;
  result.points = "sync";
  EXPECT_EQ(Guarantee(result),
            "every schedule explored (8,458 executions), assuming that plain accesses do not race "
            "(not checked): no bug within what heddle checks");
  result.bound = {.most = 2};
  EXPECT_NE(Guarantee(result).find("(8,458 executions), assuming that plain accesses do not race "
                                   "(not checked); any bug left"),
            std::string::npos);
  result.bound.reset();
  result.points = "all";  // then they are scheduling points
  EXPECT_EQ(
      Guarantee(result),
      "every schedule explored (8,458 executions), data races not checked: no bug within what "
      "heddle checks");
}

TEST(Verdict, WhatHoldsUnderWeakMemoryAndWhatIsSuppressed) {
  SearchResult result = Result("depth-first", "exhausted", true);
  result.weak_memory.holds = true;
  EXPECT_EQ(Guarantee(result),
            "every schedule explored (8,458 executions): no bug within what heddle checks, under "
            "C11's memory model too");
  result.weak_memory.holds = false;
  result.suppressed = 2;
  EXPECT_EQ(Guarantee(result),
            "every schedule explored (8,458 executions): no bug within what heddle checks, but 2 "
            "suppressed findings");
}

SearchResult AfterBoth(bool sc_complete, bool weak_complete, const char* stop) {
  SearchResult all = Result("escalating", "exhausted", sc_complete);
  all.memory_model = "sc";
  all.whole_space = sc_complete;
  all.weak_memory.pairs.emplace_back();
  EXPECT_TRUE(LeavesWeakMemoryOpen(all));
  SearchResult weak = Result("depth-first", stop, weak_complete);
  weak.memory_model = "c11";
  weak.whole_space = weak_complete;
  weak.executions = 12'000;
  weak.weak_memory.holds = weak_complete;
  if (weak.stop == channel::Stop::kBug) weak.findings.emplace_back();
  AddWeakSearch(all, weak);
  return all;
}

TEST(Verdict, TwoSearchesAreCompleteIfBothAre) {
  const SearchResult all = AfterBoth(true, true, "exhausted");
  EXPECT_EQ(all.verdict, Verdict::kClean);
  EXPECT_TRUE(all.complete && all.weak_memory.holds);
  EXPECT_EQ(ExitStatus(all, true), 0);
  EXPECT_EQ(all.guarantee,
            "every execution under C11's memory model explored (12,000 executions): no bug within "
            "what heddle checks");
}

TEST(Verdict, TheStrongerQuestionDecides) {
  const SearchResult all = AfterBoth(true, false, "time");
  EXPECT_EQ(all.verdict, Verdict::kIncomplete);
  EXPECT_FALSE(all.complete || all.weak_memory.holds);
  EXPECT_EQ(ExitStatus(all, false), 0);
  EXPECT_EQ(ExitStatus(all, true), 4);
  EXPECT_EQ(VerdictSentence(all),
            "no bug found; not a proof under C11's memory model: stopped by the time limit");
  EXPECT_EQ(all.guarantee,
            "every sequentially consistent execution explored (8,458 executions): no bug; under "
            "C11's memory model 12,000 executions, which may not be all");
}

TEST(Verdict, WhatOneSearchHasProvedStandsBesideTheBugOfTheOther) {
  const SearchResult all = AfterBoth(true, false, "bug");
  EXPECT_EQ(all.verdict, Verdict::kBug);
  EXPECT_EQ(all.guarantee,
            "every sequentially consistent execution explored (8,458 executions): no bug; stopped "
            "at the first bug after 12,000 executions under C11's memory model");
}

TEST(Verdict, WithoutAProofBeforeItNothingIsProved) {
  const SearchResult all = AfterBoth(false, true, "exhausted");
  EXPECT_EQ(all.verdict, Verdict::kIncomplete);
  EXPECT_FALSE(all.complete || all.weak_memory.holds);
  EXPECT_EQ(all.guarantee,
            "nothing left to try under sequential consistency, but schedules may be missing, "
            "after 8,458 executions; under C11's memory model 12,000 executions, which may not be "
            "all");
}

TEST(Verdict, NothingIsLeftOpenByABugOrWithoutWeakPairs) {
  SearchResult result = Result("escalating", "exhausted", true);
  EXPECT_FALSE(LeavesWeakMemoryOpen(result));
  result.weak_memory.pairs.emplace_back();
  EXPECT_TRUE(LeavesWeakMemoryOpen(result));
  result.findings.emplace_back();
  EXPECT_FALSE(LeavesWeakMemoryOpen(result));
  result.findings.clear();
  result.stop = channel::Stop::kTime;
  EXPECT_FALSE(LeavesWeakMemoryOpen(result));
}

TEST(Verdict, WhatMayHideSchedulesForbidsTheClaim) {
  SearchResult result = Result("depth-first", "exhausted", false);
  result.notes.push_back({"incomplete", "a loop polls under a lock", "polls-under-lock"});
  EXPECT_EQ(result.verdict, Verdict::kIncomplete);
  EXPECT_EQ(VerdictSentence(result), "no bug found; not a proof: a loop polls under a lock");
  EXPECT_EQ(Guarantee(result),
            "nothing left to try after 8,458 executions, but schedules may be missing; nothing is "
            "proved");
}

TEST(Verdict, ABugIsABug) {
  SearchResult result = Result("context-bounded", "bug", false);
  result.findings.emplace_back();
  result.completed_bound = 0;
  EXPECT_EQ(JudgeVerdict(result, false), Verdict::kBug);
  EXPECT_EQ(JudgeVerdict(result, true), Verdict::kBug);
  result.verdict = Verdict::kBug;
  EXPECT_NE(Guarantee(result).find("any other bug needs at least 1 preemption"), std::string::npos);
  EXPECT_EQ(ExitStatus(result, true), 1);
}

TEST(Verdict, ABugThatDoesNotReplayIsNotUnderControl) {
  SearchResult result = Result("context-bounded", "exhausted", true);
  result.findings.emplace_back().not_reproduced = true;
  result.verdict = JudgeVerdict(result, false);
  EXPECT_EQ(result.verdict, Verdict::kUncontrolled);
  EXPECT_EQ(Guarantee(result).find("every schedule"), std::string::npos);
  EXPECT_EQ(ExitStatus(result, false), 3);
}

TEST(Verdict, LostControlOutweighsCompleteness) {
  EXPECT_EQ(JudgeVerdict(Result("depth-first", "exhausted", true), true), Verdict::kUncontrolled);
}

}  // namespace
}  // namespace heddle::report
