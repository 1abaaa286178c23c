// What reports say of an execution under tso or c11: text, JSON, the picture.
#include <gtest/gtest.h>

#include <variant>

#include "report/html.h"
#include "report/json.h"
#include "report/terminal.h"
#include "report/text.h"
#include "report/weak_words.h"

namespace heddle::report {
namespace {

// Message passing.
WeakExecution Message() {
  WeakExecution weak;
  weak.sequential = false;
  weak.x86 = false;
  weak.events = {{"T1", "stores data: 1", "relaxed", {"/src/mp.c", 6, "Send"}},
                 {"T1", "stores flag: 1", "relaxed", {"/src/mp.c", 7, "Send"}},
                 {"T2", "loads flag: 1", "relaxed", {"/src/mp.c", 11, "Receive"}},
                 {"T2", "loads data: 0", "relaxed", {"/src/mp.c", 12, "Receive"}}};
  weak.edges = {{"rf", 1, 2}};
  weak.cycle = {{"po", 0, 1}, {"rf", 1, 2}, {"po", 2, 3}, {"fr", 3, 0}};
  weak.forbidden_by = {{{"release", false, {"/src/mp.c", 7, "Send"}},
                        {"acquire", false, {"/src/mp.c", 11, "Receive"}}},
                       {{"release", true, {"/src/mp.c", 7, "Send"}},
                        {"acquire", true, {"/src/mp.c", 12, "Receive"}}}};
  return weak;
}

SearchResult WithFinding() {
  SearchResult result;
  result.verdict = Verdict::kBug;
  result.order = "depth-first";
  Finding& finding = result.findings.emplace_back();
  finding.kind = "assertion";
  finding.message = "`data == 1' failed";
  Step& step = finding.steps.emplace_back();
  step.thread = "T2";
  step.operation = "AtomicLoad";
  step.text = "loads data: 0";
  step.order = "relaxed";
  step.remark = "stale: T1 has stored 1 at mp.c:6; nothing orders that store before this load";
  step.location = {"/src/mp.c", 12, "Receive"};
  finding.weak.push_back(Message());
  return result;
}

TEST(ReportOfWeakMemory, TellsTheCycle) {
  const std::vector<std::string> expected = {
      "T1 stores data: 1, relaxed (mp.c:6)",
      "T1 stores flag: 1, relaxed (mp.c:7), later in its thread",
      "T2 loads flag: 1, relaxed (mp.c:11), which reads that",
      "T2 loads data: 0, relaxed (mp.c:12), later in its thread",
      "T1 stores data: 1, relaxed (mp.c:6), which overwrites what the step above has read"};
  EXPECT_EQ(CycleText(Message()), expected);
}

TEST(ReportOfWeakMemory, TellsWhatForbidsIt) {
  EXPECT_EQ(ChangesText(Message().forbidden_by[0]),
            "memory_order_release at mp.c:7 and memory_order_acquire at mp.c:11");
  EXPECT_EQ(ChangesText(Message().forbidden_by[1]),
            "atomic_thread_fence(memory_order_release) before mp.c:7 and "
            "atomic_thread_fence(memory_order_acquire) before mp.c:12");
}

TEST(ReportOfWeakMemory, SaysWhereNothingForbidsIt) {
  WeakExecution weak = Message();
  EXPECT_EQ(UntriedText(weak), "");
  weak.all_tried = false;
  EXPECT_NE(UntriedText(weak).find("there may be less"), std::string::npos);
  weak.forbidden_by.clear();
  EXPECT_NE(UntriedText(weak).find("was not found"), std::string::npos);
  weak.all_tried = true;
  EXPECT_NE(UntriedText(weak).find("no stronger orders"), std::string::npos);
}

TEST(ReportOfWeakMemory, IsInTheTextWithOrders) {
  const std::string text = ResultText(WithFinding(), Terminal(160, false));
  for (const char* line :
       {"weak memory: no interleaving",
        "    T2 loads flag: 1, relaxed (mp.c:11), which reads that\n", "x86 does not do this",
        "it is forbidden by memory_order_release at mp.c:7",
        "or by atomic_thread_fence(memory_order_release) before", "loads data: 0, relaxed",
        "stale: T1 has stored 1 at mp.c:6"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST(ReportOfWeakMemory, SaysWhatASearchWithItHasFound) {
  SearchResult result = WithFinding();
  WeakExecution& weak = result.findings[0].weak[0];
  EXPECT_EQ(ConfirmedText(weak, 0), "");
  weak.confirmed = {{"no-bug", 1200}, {"other-bug", 7, "data race on x"}};
  EXPECT_EQ(ConfirmedText(weak, 0), "with these, every execution explored (1,200): no bug");
  EXPECT_EQ(ConfirmedText(weak, 1), "with these, there is another bug: data race on x");
  const std::string text = ResultText(result, Terminal(160, false));
  EXPECT_NE(text.find("    with these, every execution explored (1,200): no bug\n  or by"),
            std::string::npos)
      << text;
  const std::string json = ToJson(result);
  const auto read = FromJson(json, "it.json");
  ASSERT_TRUE(read.Ok());
  EXPECT_EQ(ToJson(std::get<SearchResult>(*read)), json);
  EXPECT_NE(json.find("\"confirmed\""), std::string::npos);
  weak.forbidden_by = {{weak.forbidden_by[0][0]}, weak.forbidden_by[1]};
  weak.confirmed = {{"same-bug", 3, "assertion"}, {"not-known", 1, "time was up"}};
  EXPECT_EQ(ConfirmedText(weak, 0), "with this, other executions have this bug still");
  EXPECT_EQ(ConfirmedText(weak, 1), "not confirmed: time was up (1 execution)");
}

TEST(ReportOfWeakMemory, OrdersThatDoNotSufficeAreOneSentence) {
  SearchResult result = WithFinding();
  WeakExecution& weak = result.findings[0].weak[0];
  weak.confirmed = {{"same-bug", 3, "assertion"}, {"same-bug", 4, "assertion"}};
  const std::string text = ResultText(result, Terminal(160, false));
  EXPECT_NE(
      text.find(
          "  no single change of orders is enough: with each of the 2 smallest that forbid this "
          "execution, other executions have this bug still\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("it is forbidden by"), std::string::npos) << text;
  weak.confirmed[1].result = "no-bug";
  EXPECT_EQ(NoneSufficesText(weak), "");
}

TEST(ReportOfWeakMemory, NeedsNoneIfItIsSequential) {
  SearchResult result = WithFinding();
  result.findings[0].weak[0] = WeakExecution();
  EXPECT_NE(ResultText(result, Terminal(160, false)).find("needs no weak memory"),
            std::string::npos);
}

TEST(ReportOfWeakMemory, ComesBackFromJson) {
  const std::string json = ToJson(WithFinding());
  const auto read = FromJson(json, "it.json");
  ASSERT_TRUE(read.Ok());
  EXPECT_EQ(ToJson(std::get<SearchResult>(*read)), json);
  EXPECT_NE(json.find("\"forbidden_by\""), std::string::npos);
  EXPECT_NE(json.find("\"order\": \"relaxed\""), std::string::npos);
}

TEST(ReportOfWeakMemory, IsDrawn) {
  WeakExecution weak = Message();
  weak.events[0].text = "stores <data>: 1";
  const std::string svg = GraphSvg(weak, "r1f1");
  EXPECT_NE(svg.find("stores &lt;data&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("<data>"), std::string::npos);
  const auto count = [&](const std::string& what) {
    size_t times = 0;
    for (size_t at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++times;
    return times;
  };
  EXPECT_EQ(count("<rect class=\"event\""), 4u);
  EXPECT_EQ(count("class=\"edge cycle\""), 4u);  // the only rf is among them
  EXPECT_EQ(count("class=\"edge rf\""), 0u);
  EXPECT_EQ(GraphSvg(WeakExecution(), "r1f1"), "");
}

}  // namespace
}  // namespace heddle::report
