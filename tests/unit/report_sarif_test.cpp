#include "report/sarif.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "report/visible.h"
#include "unit/report_results_by_hand.h"

namespace heddle::report {
namespace {

using Json = nlohmann::json;

Json RunOf(const std::vector<NamedResult>& results, const std::string& root = "/src/app") {
  const Json log = Json::parse(ToSarif(results, root));
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["runs"].size(), 1u);
  return log["runs"][0];
}

Json Place(const std::string& uri, int line) {
  return {{"artifactLocation", {{"uri", uri}, {"uriBaseId", "%SRCROOT%"}}},
          {"region", {{"startLine", line}}}};
}

TEST(Sarif, ARaceIsShownAtItsSecondAccess) {
  const Json run = RunOf({ResultByHand(Verdict::kBug, {RaceByHand()})});
  ASSERT_EQ(run["results"].size(), 1u);
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "data-race");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"], "data-race");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["message"]["text"],
            "Data race: count: T1 writes and T2 writes\n"
            "Replay: heddle replay heddle-out/data-race-1a2b3c4d.heddle");
  ASSERT_EQ(result["locations"].size(), 1u);
  EXPECT_EQ(result["locations"][0]["physicalLocation"], Place("count.cpp", 9));
  ASSERT_EQ(result["relatedLocations"].size(), 1u);
  EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"], Place("count.cpp", 8));
  EXPECT_EQ(result["relatedLocations"][0]["message"]["text"], "T1 writes count");
  EXPECT_EQ(result["partialFingerprints"], Json({{"heddleIdentity/v1", "1a2b3c4d5e6f7788"}}));
}

// Not at main's join, which stands first.
TEST(Sarif, ADeadlockIsShownWhereAThreadWaitsForMoreThanAnothersEnd) {
  Finding finding = RaceByHand();
  finding.kind = "deadlock";
  finding.thread = "T1";
  finding.steps = {StepByHand("main", "joins thread T1", 20), StepByHand("T1", "waits", 8)};
  finding.steps[0].operation = "ThreadJoin";
  for (Step& step : finding.steps) step.flags = channel::kStepBlocked;
  const Json run = RunOf({ResultByHand(Verdict::kBug, {finding})});
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"], Place("count.cpp", 8));
}

// T2 came last, and waits for what T1 has, who waits for a semaphore that nobody has.
TEST(Sarif, ADeadlockIsShownAtTheWaitThatIsItsRoot) {
  Finding finding = RaceByHand();
  finding.kind = "deadlock";
  finding.thread = "T2";
  finding.steps = {StepByHand("main", "joins thread T2", 20), StepByHand("T2", "locks mutex m", 12),
                   StepByHand("T1", "waits for semaphore s", 8)};
  finding.steps[0].operation = "ThreadJoin";
  finding.steps[1].owner = "T1";
  for (Step& step : finding.steps) step.flags = channel::kStepBlocked;
  const Json root = RunOf({ResultByHand(Verdict::kBug, {finding})})["results"][0];
  EXPECT_EQ(root["locations"][0]["physicalLocation"], Place("count.cpp", 8));
  ASSERT_EQ(root["relatedLocations"].size(), 2u);
  EXPECT_EQ(root["relatedLocations"][0]["physicalLocation"], Place("count.cpp", 20));
  EXPECT_EQ(root["relatedLocations"][1]["physicalLocation"], Place("count.cpp", 12));
  // A cycle has no root: the first wait of it.
  finding.steps[2].owner = "T2";
  const Json cycle = RunOf({ResultByHand(Verdict::kBug, {finding})})["results"][0];
  EXPECT_EQ(cycle["locations"][0]["physicalLocation"], Place("count.cpp", 12));
}

TEST(Sarif, EveryThreadHasAFlowAndTheStepsOfAllOneOrder) {
  Finding finding = RaceByHand();
  finding.steps.push_back(StepByHand("T1", "ends", 10));
  const Json run = RunOf({ResultByHand(Verdict::kBug, {finding})});
  const Json& flows = run["results"][0]["codeFlows"][0]["threadFlows"];
  std::map<std::string, std::vector<int>> orders;
  for (const Json& flow : flows) {
    for (const Json& location : flow["locations"]) {
      orders[flow["id"]].push_back(location["executionOrder"]);
    }
  }
  EXPECT_EQ(orders,
            (std::map<std::string, std::vector<int>>{{"main", {1}}, {"T1", {2, 4}}, {"T2", {3}}}));
  EXPECT_EQ(flows[1]["locations"][0]["importance"], "essential");
  EXPECT_EQ(flows[1]["locations"][1]["importance"], "important");
  EXPECT_EQ(flows[1]["locations"][0]["stack"]["frames"].size(), 2u);
}

TEST(Sarif, AStepSaysWhatIsWorthSayingOfIt) {
  Finding finding = RaceByHand();
  finding.steps[1].remark = "ABA: was 3 in between, by T2";
  const std::string text = finding.steps[1].text + " (ABA: was 3 in between, by T2)";
  const Json log = RunOf({ResultByHand(Verdict::kBug, {finding})});
  EXPECT_NE(log.dump().find(text), std::string::npos) << text;
}

TEST(Sarif, ThereIsARuleWithHelpForEveryKind) {
  const Json run = RunOf({ResultByHand(Verdict::kClean)});
  std::set<std::string> kinds;
  for (const Json& rule : run["tool"]["driver"]["rules"]) {
    kinds.insert(rule["id"]);
    EXPECT_NE(rule["shortDescription"]["text"], "Bug") << rule["id"];
    EXPECT_FALSE(rule["fullDescription"]["text"].get<std::string>().empty());
    EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty());
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"data-race",
                                          "deadlock",
                                          "livelock",
                                          "assertion",
                                          "abort",
                                          "crash",
                                          "uncaught-exception",
                                          "exit-status",
                                          "misuse",
                                          "use-after-free",
                                          "double-free",
                                          "leak",
                                          "invariant",
                                          "hang",
                                          "race-condition",
                                          "use-after-return",
                                          "invalid-free",
                                          "heap-buffer-overflow",
                                          "heap-buffer-underflow",
                                          "alloc-dealloc-mismatch",
                                          "uninitialised-read",
                                          "use-after-destroy"}));
  EXPECT_TRUE(run["results"].empty());
}

TEST(Sarif, OneRunHasAnInvocationForEachResult) {
  const Json run = RunOf({ResultByHand(Verdict::kClean), ResultByHand(Verdict::kUncontrolled),
                          ResultByHand(Verdict::kBug, {RaceByHand()})});
  const Json& invocations = run["invocations"];
  ASSERT_EQ(invocations.size(), 3u);
  EXPECT_EQ(invocations[0]["exitCode"], 0);
  EXPECT_EQ(invocations[0]["executionSuccessful"], true);
  EXPECT_EQ(invocations[0]["arguments"], Json({"--fast"}));
  EXPECT_EQ(invocations[1]["exitCode"], 3);
  EXPECT_EQ(invocations[1]["executionSuccessful"], false);
  EXPECT_EQ(invocations[1]["toolExecutionNotifications"][0]["level"], "error");
  EXPECT_EQ(invocations[2]["exitCode"], 1);
  EXPECT_EQ(run["results"][0]["provenance"]["invocationIndex"], 2);
}

TEST(Sarif, UrisAreRelativeToTheRootAndEncoded) {
  Finding finding = RaceByHand();
  finding.steps[2].location.file = "/src/app/a b/#1%/\xc3\xbc:c++.cpp";
  finding.steps[1].location.file = "/usr/include/c++/12/bits/x.h";
  const Json run = RunOf({ResultByHand(Verdict::kBug, {finding})}, "/src/app/../app");
  EXPECT_EQ(run["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file:///src/app/");
  const Json& result = run["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"],
            Place("a%20b/%231%25/%C3%BC%3Ac%2B%2B.cpp", 9));
  EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"]["artifactLocation"],
            Json({{"uri", "file:///usr/include/c%2B%2B/12/bits/x.h"}}));
}

TEST(Sarif, WhatIsNotCertainIsAWarning) {
  Finding likely = RaceByHand();
  likely.may_be_ordered_by = "libtbb.so.12";
  const Json run = RunOf({ResultByHand(Verdict::kBug, {likely})});
  EXPECT_EQ(run["results"][0]["level"], "warning");
}

TEST(Sarif, AFindingWithoutAPlaceIsShownAtTheProgram) {
  Finding finding = RaceByHand();
  finding.steps.clear();
  finding.locations.clear();
  const Json run = RunOf({ResultByHand(Verdict::kBug, {finding})});
  const Json& result = run["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"], Place("count", 1));
  EXPECT_FALSE(result.contains("codeFlows"));
  EXPECT_FALSE(result.contains("relatedLocations"));
}

TEST(Sarif, NothingHostileComesThrough) {
  const std::string log = ToSarif({HostileResult()}, "/src/app");
  EXPECT_EQ(log, Visible(log));
  const Json run = Json::parse(log)["runs"][0];
  const Json& result = run["results"][0];
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"],
            result["ruleId"]);
}

}  // namespace
}  // namespace heddle::report
