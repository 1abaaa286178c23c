#include "report/merge_results.h"

#include <gtest/gtest.h>

#include "report_results_by_hand.h"

namespace heddle::report {
namespace {

// A part that is through: 12 executions, with graphs of these hashes.
PartOfResult PartByHand(const std::vector<uint64_t>& hashes, std::vector<Finding> findings = {}) {
  PartOfResult part;
  part.result = ResultByHand(Verdict::kClean, std::move(findings)).result;
  part.result.whole_space = part.result.all_graphs = true;
  part.result.happens_before = hashes.size();
  for (const uint64_t hash : hashes) part.graphs.push_back({hash, 1});
  return part;
}

constexpr EndOfParts kThrough = {
    .stop = channel::Stop::kExhausted, .nothing_left = true, .executions_alone = 5};

TEST(MergeResults, AddsUpAndCountsAGraphOnce) {
  std::vector<PartOfResult> parts = {PartByHand({1, 2, 3}), PartByHand({3, 4})};
  parts[0].result.outcomes["x"] = {2, 1, 0};
  parts[1].result.outcomes["x"] = {3, 0, 0};
  parts[1].result.outcomes["y"] = {1, 0, 0};
  parts[1].graphs[0].least = 0;
  parts[0].result.over_executions = {{1, 1}, {5, 2}, {12, 3}};
  const SearchResult all = MergeResults(parts, kThrough);
  EXPECT_EQ(all.executions, 24u);
  EXPECT_EQ(all.jobs, (std::vector<uint64_t>{12, 12}));
  EXPECT_EQ(all.happens_before, 4u);
  EXPECT_EQ(all.by_preemptions, (std::vector<uint64_t>{1, 4}));
  EXPECT_EQ(all.outcomes.at("x").count, 5u);
  EXPECT_EQ(all.outcomes.at("x").preemptions, 0u);
  EXPECT_EQ(all.outcomes.at("y").count, 1u);
  ASSERT_EQ(all.over_executions.size(), 3u) << "what was seen alone, and the end";
  EXPECT_EQ(all.over_executions.back().executions, 24u);
  EXPECT_EQ(all.over_executions.back().graphs, 4u);
  EXPECT_TRUE(all.complete);
  EXPECT_TRUE(all.whole_space);
  EXPECT_EQ(all.verdict, Verdict::kClean);
}

TEST(MergeResults, OfOnePartIsThatPart) {
  std::vector<PartOfResult> parts = {PartByHand({1, 2, 3})};
  parts[0].graphs.clear();
  const SearchResult all = MergeResults(parts, kThrough);
  EXPECT_EQ(all.happens_before, 3u);
  EXPECT_TRUE(all.jobs.empty());
  EXPECT_TRUE(all.complete);
}

TEST(MergeResults, ClaimsNothingThatAPartLacks) {
  std::vector<PartOfResult> parts = {PartByHand({1}), PartByHand({2})};
  EndOfParts end = kThrough;
  end.nothing_left = false;  // a branch is on its way
  EXPECT_FALSE(MergeResults(parts, end).complete);
  parts[1].result.complete = false;
  EXPECT_FALSE(MergeResults(parts, kThrough).complete);
  parts[1] = PartByHand({2});
  parts[1].result.notes.push_back({"incomplete", "something", "alarm"});
  const SearchResult forbidden = MergeResults(parts, kThrough);
  EXPECT_FALSE(forbidden.complete);
  EXPECT_EQ(forbidden.completed_bound, -1);
  parts[1] = PartByHand({2});
  end = kThrough;
  end.out_of_control = true;
  EXPECT_EQ(MergeResults(parts, end).verdict, Verdict::kUncontrolled);
}

TEST(MergeResults, OnePartMayProveAll) {
  std::vector<PartOfResult> parts = {PartByHand({1}), PartByHand({2})};
  parts[1].result.complete = parts[1].result.whole_space = false;
  EndOfParts end = {.stop = channel::Stop::kExhausted};
  end.proved_by = 0;
  EXPECT_TRUE(MergeResults(parts, end).complete);
}

TEST(MergeResults, TellsAFindingOnceTheBetterKnown) {
  Finding cut_short = RaceByHand();
  cut_short.cut_short = "minimising";
  cut_short.preemptions = 3;
  Finding other = RaceByHand();
  other.identity = "0000000000000001";
  std::vector<PartOfResult> parts = {PartByHand({1}, {cut_short}),
                                     PartByHand({1}, {RaceByHand(), other})};
  const SearchResult all = MergeResults(parts, {.stop = channel::Stop::kBug});
  ASSERT_EQ(all.findings.size(), 2u);
  EXPECT_EQ(all.findings[0].preemptions, 1u);
  EXPECT_EQ(all.verdict, Verdict::kBug);
}

TEST(MergeResults, WhatNobodyRecordedIsToldIfNothingElseIs) {
  Finding unrecorded = RaceByHand();
  unrecorded.cut_short = "recording";
  unrecorded.identity = "0000000000000002";
  std::vector<PartOfResult> parts = {PartByHand({1}, {RaceByHand()}),
                                     PartByHand({1}, {unrecorded})};
  EXPECT_EQ(MergeResults(parts, {.stop = channel::Stop::kBug}).findings.size(), 1u);
  EXPECT_EQ(MergeResults(parts, {.stop = channel::Stop::kTime}).findings.size(), 2u);
  parts[0].result.findings.clear();
  EXPECT_EQ(MergeResults(parts, {.stop = channel::Stop::kBug}).findings.size(), 1u);
}

TEST(MergeResults, OfWhatIsThrownAwayOnlyFindingsCount) {
  std::vector<PartOfResult> parts = {PartByHand({1}), PartByHand({2}, {RaceByHand()})};
  parts[1].findings_only = true;
  const SearchResult all =
      MergeResults(parts, {.stop = channel::Stop::kExhausted, .nothing_left = true});
  EXPECT_EQ(all.executions, 12u);
  EXPECT_EQ(all.happens_before, 1u);
  EXPECT_EQ(all.findings.size(), 1u);
  EXPECT_TRUE(all.complete);
}

}  // namespace
}  // namespace heddle::report
