#include "report/tool_lines.h"

#include <gtest/gtest.h>

#include "unit/report_results_by_hand.h"

namespace heddle::report {
namespace {

SearchResult Result(Verdict verdict, std::vector<Finding> findings = {}) {
  return ResultByHand(verdict, std::move(findings)).result;
}

TEST(ToolLines, ARaceIsAnErrorAndANoteForEachAccess) {
  Finding race = RaceByHand();
  race.steps[2].location.column = 7;
  EXPECT_EQ(GccLines(Result(Verdict::kBug, {race})),
            "/src/app/count.cpp:9:7: error: Data race: count: T1 writes and T2 writes\n"
            "/src/app/count.cpp:8:1: note: first access: T1 writes count\n"
            "/src/app/count.cpp:9:7: note: second access: T2 writes count\n"
            "/src/app/count.cpp:9:7: note: replay: heddle replay "
            "heddle-out/data-race-1a2b3c4d.heddle\n");
}

TEST(ToolLines, TheScheduleIsThereAsALineToo) {
  Finding race = RaceByHand();
  race.line = "data-race: T1*2 T2";
  EXPECT_TRUE(GccLines(Result(Verdict::kBug, {race}))
                  .ends_with("/src/app/count.cpp:9:1: note: schedule: 'data-race: T1*2 T2'\n"));
  EXPECT_TRUE(GithubLines(Result(Verdict::kBug, {race}), "/src/app", false)
                  .ends_with(".heddle%0Aschedule: 'data-race: T1*2 T2'\n"));
}

TEST(ToolLines, WhatIsNotCertainIsAWarning) {
  Finding race = RaceByHand();
  race.may_be_ordered_by = "libtbb.so";
  EXPECT_NE(GccLines(Result(Verdict::kBug, {race})).find(":9:1: warning: Data race"),
            std::string::npos);
  EXPECT_TRUE(
      GithubLines(Result(Verdict::kBug, {race}), "/src/app", false).starts_with("::warning file="));
}

TEST(ToolLines, WithoutALineOfTheProgramItIsShownAtTheProgram) {
  Finding crash;
  crash.kind = "crash";
  crash.message = "SIGSEGV";
  EXPECT_EQ(GccLines(Result(Verdict::kBug, {crash}), "Queue.Push"),
            "/src/app/count:1:1: error: Queue.Push: Crash: SIGSEGV\n");
}

TEST(ToolLines, WhatAProgramSaysIsOneLine) {
  Finding crash;
  crash.kind = "crash";
  crash.message = "a\n/etc/passwd:1:1: error: \x1b[2J";
  EXPECT_EQ(GccLines(Result(Verdict::kBug, {crash})),
            "/src/app/count:1:1: error: Crash: a\\n/etc/passwd:1:1: error: \\x1b[2J\n");
}

TEST(ToolLines, AnAnnotationEscapesWhatARunnerReads) {
  Finding race = RaceByHand();
  race.message = "100% of a,b:c";
  race.steps[2].location.file = "/src/app/a,b:c%.cpp";
  EXPECT_EQ(GithubLines(Result(Verdict::kBug, {race}), "/src/app", false),
            "::error file=a%2Cb%3Ac%25.cpp,line=9,title=heddle%3A data race::Data race: 100%25 of "
            "a,b:c%0Acount.cpp:8: first access: T1 writes count%0Aa,b:c%25.cpp:9: second access: "
            "T2 writes count%0Areplay: heddle replay heddle-out/data-race-1a2b3c4d.heddle\n");
}

TEST(ToolLines, FilesElsewhereStayAbsolute) {
  EXPECT_TRUE(GithubLines(Result(Verdict::kBug, {RaceByHand()}), "/src/other", false)
                  .starts_with("::error file=/src/app/count.cpp,line=9,"));
}

TEST(ToolLines, ASearchThatFailsWithoutABugIsAnAnnotation) {
  EXPECT_EQ(GithubLines(Result(Verdict::kClean), "/", true), "");
  EXPECT_EQ(GithubLines(Result(Verdict::kIncomplete), "/", false), "");
  EXPECT_TRUE(GithubLines(Result(Verdict::kIncomplete), "/", true)
                  .starts_with("::error title=heddle::/src/app/count: no bug found; not a proof"));
  EXPECT_TRUE(GithubLines(Result(Verdict::kUncontrolled), "/", false)
                  .starts_with("::error title=heddle::/src/app/count: the program could not"));
}

}  // namespace
}  // namespace heddle::report
