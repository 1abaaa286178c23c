#include "report/wording.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

std::string Sentence(const std::string& kind, const std::string& message) {
  Finding finding;
  finding.kind = kind;
  finding.message = message;
  return Headlined(finding);
}

TEST(Wording, AHeadlineSaysItsKindOnce) {
  EXPECT_EQ(Sentence("data-race", "data race on x: T1 writes"), "Data race on x: T1 writes");
  EXPECT_EQ(Sentence("data-race", "x: T1 writes"), "Data race: x: T1 writes");
  EXPECT_EQ(Sentence("assertion", "assertion `x == 1' failed"), "Assertion `x == 1' failed");
  EXPECT_EQ(Sentence("assertion", "x == 1"), "Failed assertion: x == 1");
  EXPECT_EQ(Sentence("deadlock", "T1 waits for mutex m"), "Deadlock: T1 waits for mutex m");
  EXPECT_EQ(Sentence("hang", ""), "Hang");
}

TEST(Wording, GraphsAreCountedByWhatReachesThem) {
  SearchResult result;
  result.reduction = "none";
  EXPECT_EQ(GraphsText(result), "");
  result.happens_before = 1;
  EXPECT_EQ(GraphsText(result), "1 distinct happens-before graph");
  result.happens_before = 1200;
  result.by_preemptions = {3, 40, 1200, 1200, 1200};
  EXPECT_EQ(
      GraphsText(result),
      "1,200 distinct happens-before graphs: 3 without a preemption, 40 with at most 1, 1,200 "
      "with at most 2");
  result.time_limits = true;
  result.by_preemptions = {1200, 1200};
  EXPECT_EQ(GraphsText(result),
            "1,200 distinct happens-before graphs: 1,200 without a preemption or early timeout");
}

TEST(Wording, SharesAreOfAllGraphsAndOfTheLeastPreemptions) {
  SearchResult result;
  result.happens_before = 1200;
  result.by_preemptions = {3, 1199, 1200};
  result.reduction = "none";
  const std::string counted =
      "1,200 distinct happens-before graphs: 3 without a preemption, 1,199 with at most 1, 1,200 "
      "with at most 2";
  EXPECT_EQ(GraphsText(result), counted);
  result.all_graphs = true;
  EXPECT_EQ(GraphsText(result),
            "1,200 distinct happens-before graphs: 3 (under 1 %) without a preemption, 1,199 (99 "
            "%) with at most 1, 1,200 with at most 2");
  result.reduction = "optimal";  // one execution of each, not that with the fewest
  EXPECT_EQ(GraphsText(result), "1,200 distinct happens-before graphs");
}

TEST(Wording, RacesAreCountedWhereThereAreSeveral) {
  Finding finding;
  EXPECT_EQ(RacesText(finding), "");
  finding.races = 3;
  EXPECT_EQ(RacesText(finding), "the same race from 3 pairs of instructions");
}

}  // namespace
}  // namespace heddle::report
