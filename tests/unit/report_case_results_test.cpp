#include "report/case_results.h"

#include <gtest/gtest.h>

#include "report/json.h"
#include "unit/report_results_by_hand.h"

namespace heddle::report {
namespace {

CaseResults Cases(const std::vector<Verdict>& verdicts) {
  CaseResults results;
  results.heddle_version = "0.1.0";
  results.program = "/src/app/tests";
  results.framework = "GoogleTest";
  results.elapsed_s = 3.25;
  for (const Verdict verdict : verdicts) {
    const bool bug = verdict == Verdict::kBug;
    results.cases.push_back(
        {"Queue." + std::to_string(results.cases.size()),
         ResultByHand(verdict, bug ? std::vector{RaceByHand()} : std::vector<Finding>()).result});
  }
  return results;
}

TEST(CaseResults, TheGravestStatusCounts) {
  EXPECT_EQ(ExitStatus(Cases({Verdict::kClean, Verdict::kIncomplete}), false), 0);
  EXPECT_EQ(ExitStatus(Cases({Verdict::kIncomplete, Verdict::kClean}), true), 4);
  EXPECT_EQ(ExitStatus(Cases({Verdict::kIncomplete, Verdict::kBug, Verdict::kClean}), true), 1);
  EXPECT_EQ(ExitStatus(Cases({Verdict::kUncontrolled, Verdict::kBug}), true), 3);
  CaseResults stopped = Cases({Verdict::kClean});
  stopped.not_begun = {"Queue.1"};
  EXPECT_EQ(ExitStatus(stopped, false), 0);
  EXPECT_EQ(ExitStatus(stopped, true), 4);
}

TEST(CaseResults, ALineForEachAndOneOfTotals) {
  CaseResults results = Cases({Verdict::kClean, Verdict::kBug});
  for (CaseResult& one : results.cases)
    one.result.notes = {{"incomplete", "libx is old", "not-rebuilt"}, {"info", "x"}};
  results.not_begun = {"Queue.2"};
  const std::string text = CasesText(results, Terminal(100, false), Steps::kBrief);
  EXPECT_TRUE(
      text.starts_with("  clean              12 executions, complete          1.50 s  Queue.0\n"
                       "  bug                12 executions, not complete      1.50 s  Queue.1\n"
                       "  not begun   Queue.2\n\nQueue.1\nheddle: data race"))
      << text;
  EXPECT_TRUE(
      text.ends_with("heddle: 2 cases of tests (GoogleTest): 1 clean, 1 with bugs; 1 bug in 24 "
                     "executions, 3.25 s; "
                     "interrupted, 1 case not begun\n  not a proof: libx is old (2 cases)\n"))
      << text;
}

TEST(CaseResults, AreReadBackFromJson) {
  CaseResults results = Cases({Verdict::kClean, Verdict::kBug});
  results.arguments = {"--fast"};
  results.not_begun = {"Queue.2"};
  const std::string text = ToJson(results);
  base::Result<ResultFile> read = FromJson(text, "r.json");
  ASSERT_TRUE(read.Ok()) << read.Message();
  EXPECT_EQ(ToJson(std::get<CaseResults>(*read)), text);
  EXPECT_FALSE(FromJson("{\"cases\": 3}", "r.json").Ok());
  EXPECT_FALSE(FromJson("{\"cases\": [{\"name\": \"a\"}]}", "r.json").Ok());
}

}  // namespace
}  // namespace heddle::report
