#include "report/merge_races.h"

#include <gtest/gtest.h>

#include <utility>

#include "report_results_by_hand.h"

namespace heddle::report {
namespace {

ToldFinding Race(const std::string& identity, uint32_t first, uint32_t second,
                 const std::string& raced) {
  ToldFinding told = {RaceByHand(), {}, {}, raced};
  told.finding.identity = identity;
  told.finding.steps[1].location.line = first;
  told.finding.steps[2].location.line = second;
  return told;
}

ToldFinding Leak(const std::string& identity, const std::vector<uint32_t>& lines) {
  ToldFinding told;
  told.finding.kind = "leak";
  told.finding.identity = identity;
  Step& made = told.finding.steps.emplace_back();
  made.flags = channel::kStepMade;
  for (const uint32_t line : lines) {
    Frame& frame = made.stack.emplace_back();
    frame.location = {"a.c", line, "f"};
  }
  return told;
}

TEST(MergeRaces, CountsPairsOfTheSameLinesOnTheSameVariable) {
  std::vector<Finding> merged =
      MergeRaces({Race("a", 8, 9, "count"), Race("b", 9, 8, "count"), Race("c", 8, 9, "count")});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].identity, "a");
  EXPECT_EQ(merged[0].races, 3u);
  EXPECT_EQ(merged[0].also, (std::vector<std::string>{"b", "c"}));
}

TEST(MergeRaces, KeepsOtherLinesAndOtherVariablesApart) {
  std::vector<Finding> merged =
      MergeRaces({Race("a", 8, 9, "count"), Race("b", 8, 10, "count"), Race("c", 8, 9, "other")});
  ASSERT_EQ(merged.size(), 3u);
  for (const Finding& finding : merged) EXPECT_EQ(finding.races, 1u);
}

TEST(MergeRaces, CountsStacksOfLeaksOfTheSameLines) {
  const auto findings = MergeRaces({Leak("a", {8, 20}), Leak("b", {8, 20}), Leak("c", {8, 21}),
                                    Leak("d", {8}), Leak("e", {0, 20}), Leak("f", {0, 20})});
  ASSERT_EQ(findings.size(), 5u);
  EXPECT_EQ(findings[0].races, 2u);
  EXPECT_EQ(findings[0].also, std::vector<std::string>{"b"});
  for (size_t i = 1; i < findings.size(); ++i) EXPECT_EQ(findings[i].races, 1u);
}

TEST(MergeRaces, KeepsApartWhatIsNotKnown) {
  ToldFinding nowhere = Race("c", 8, 9, "count");
  nowhere.finding.steps[1].location = {};
  ToldFinding without_steps = Race("e", 8, 9, "count");
  without_steps.finding.steps.clear();
  EXPECT_EQ(MergeRaces({Race("a", 8, 9, ""), Race("b", 8, 9, "")}).size(), 2u);
  EXPECT_EQ(MergeRaces({nowhere, nowhere}).size(), 2u);
  EXPECT_EQ(MergeRaces({without_steps, without_steps}).size(), 2u);
}

TEST(MergeRaces, DoesNotMakeADoubtfulRaceCertain) {
  ToldFinding doubtful = Race("b", 8, 9, "count");
  doubtful.finding.may_be_ordered_by = "libtbb.so.12";
  EXPECT_EQ(MergeRaces({Race("a", 8, 9, "count"), doubtful}).size(), 2u);
}

TEST(MergeRaces, KeepsTheOrder) {
  std::vector<Finding> merged = MergeRaces({Race("a", 8, 9, "count"), Race("b", 1, 2, "x"),
                                            Race("c", 8, 9, "count"), Race("d", 3, 4, "x")});
  ASSERT_EQ(merged.size(), 3u);
  EXPECT_EQ(merged[0].identity, "a");
  EXPECT_EQ(merged[1].identity, "b");
  EXPECT_EQ(merged[2].identity, "d");
}

TEST(WithoutIndices, LeavesOutNumbersOfElementsAndBlocks) {
  EXPECT_EQ(WithoutIndices("queue.slots[3].next"), "queue.slots.next");
  EXPECT_EQ(WithoutIndices("Node#12[4].next"), "Node.next");
  EXPECT_EQ(WithoutIndices("x[1][22]"), "x");
  EXPECT_EQ(WithoutIndices("x+16"), "x+16");
  EXPECT_EQ(WithoutIndices("std::map<int[3], char[]>::size"), "std::map<int, char[]>::size");
  EXPECT_EQ(WithoutIndices("a[b#"), "a[b#");
}

}  // namespace
}  // namespace heddle::report
