#include "report/html.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/html_parts.h"
#include "report/source_excerpts.h"
#include "report/visible.h"
#include "unit/report_results_by_hand.h"

namespace heddle::report {
namespace {

using Json = nlohmann::json;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

// The page without the style and the script, which are the same in all.
std::string Text(const std::vector<NamedResult>& results) {
  std::string html = ToHtml(results);
  for (const std::string_view part : {PageStyle(), PageScript()}) {
    const size_t at = html.find(part);
    EXPECT_NE(at, std::string::npos);
    html.erase(at, part.size());
  }
  return html;
}

Json DataOf(const std::vector<NamedResult>& results) {
  const std::string html = Text(results);
  const std::string begin = "id=\"heddle-data\">";
  const size_t from = html.find(begin) + begin.size();
  return Json::parse(html.substr(from, html.find("</script>", from) - from));
}

struct SourceFile {
  explicit SourceFile(const std::string& text) {
    path = (std::filesystem::temp_directory_path() /
            ("heddle html " + std::to_string(getpid()) + ".cpp"))
               .string();
    std::ofstream(path) << text;
  }
  ~SourceFile() { std::remove(path.c_str()); }
  std::string path;
};

TEST(Html, TheDataOfARace) {
  const Json data = DataOf({ResultByHand(Verdict::kBug, {RaceByHand()})});
  EXPECT_EQ(data["texts"], Json({"", "creates thread T1", "count", "Work", "writes count",
                                 "start_thread", "/lib/libc.so.6"}));
  EXPECT_EQ(data["files"],
            Json::parse(R"([{"name": "/src/app/count.cpp", "short": "count.cpp"}])"));
  EXPECT_EQ(data["flags"]["raceFirst"], uint32_t{channel::kStepRaceFirst});
  EXPECT_EQ(data["findings"],
            Json::parse(R"([{"id": "r1f1", "threads": ["main", "T1", "T2"], "steps": [
    {"thread": 0, "text": 1, "object": 2, "function": 3, "file": 1, "line": 20},
    {"thread": 1, "text": 4, "object": 2, "function": 3, "file": 1, "line": 8, "flags": 2,
     "stack": [{"function": 3, "file": 1, "line": 8}, {"function": 5, "library": true, "where": 6}]},
    {"thread": 2, "text": 4, "object": 2, "function": 3, "file": 1, "line": 9, "flags": 5}]}])"));
}

TEST(Html, AStepSaysWhatIsWorthSayingOfIt) {
  Finding finding = RaceByHand();
  finding.steps[1].remark = "ABA: was 3 in between, by T2";
  const std::string page = ToHtml({ResultByHand(Verdict::kBug, {finding})});
  EXPECT_NE(page.find(finding.steps[1].text + " (ABA: was 3 in between, by T2)"),
            std::string::npos);
}

TEST(Html, TheTextOfARace) {
  const std::string html = Text({ResultByHand(Verdict::kBug, {RaceByHand()})});
  EXPECT_TRUE(Has(html, "<title>count --fast: 1 bug found - heddle</title>"));
  EXPECT_TRUE(Has(html,
                  "<h3 id=\"r1f1-title\">Data race</h3>\n"
                  "<p class=\"message\">count: T1 writes and T2 writes</p>"));
  EXPECT_TRUE(Has(html, "<code>heddle replay heddle-out/data-race-1a2b3c4d.heddle</code>"));
  EXPECT_TRUE(Has(html, "<div class=\"schedule\" data-finding=\"r1f1\"></div>"));
  EXPECT_TRUE(Has(html, "<noscript><pre>heddle: data race: "));
  EXPECT_FALSE(Has(html, "<nav"));
  // Nothing is fetched from anywhere.
  EXPECT_TRUE(Has(html, "default-src 'none'"));
  EXPECT_EQ(Count(html, "http:") + Count(html, "https:") + Count(html, " src="), 0u);
}

TEST(Html, SourcesAreInThePage) {
  std::string text;
  for (int i = 1; i <= 30; ++i) text += "\tline " + std::to_string(i) + ";\x1b\n";
  const SourceFile source(text);
  Finding finding = RaceByHand();
  for (Step& step : finding.steps) step.location.file = source.path;
  finding.steps[0].source = "line 20;";   // still so
  finding.steps[1].source = "line 777;";  // was so
  const Json data = DataOf({ResultByHand(Verdict::kBug, {finding})});
  const Json& lines = data["files"][0]["lines"];
  EXPECT_EQ(lines.size(), 19u);  // 4 to 13, 16 to 24
  EXPECT_EQ(lines["8"], "        line 8;\\x1b");
  EXPECT_FALSE(lines.contains("14"));
  EXPECT_FALSE(data["findings"][0]["steps"][0].contains("changed"));
  EXPECT_EQ(data["findings"][0]["steps"][1]["changed"], true);
}

TEST(Html, ASourceThatCannotBeReadHasNoLines) {
  const auto excerpts = ReadExcerpts({{"/no/such/file.cpp", {3}}, {"/dev/zero", {1}}});
  EXPECT_FALSE(excerpts.at("/no/such/file.cpp").readable);
  EXPECT_FALSE(excerpts.at("/dev/zero").readable);
}

TEST(Html, WithoutFindingsThereIsWhatWasExplored) {
  NamedResult clean = ResultByHand(Verdict::kClean);
  clean.result.outcomes = {{"x=1", {3, 1, 0}}};
  clean.result.notes = {{"incomplete", "a library was not rebuilt", "not-rebuilt"}};
  const std::string html = Text({clean});
  EXPECT_TRUE(Has(html,
                  "<span class=\"verdict clean\"><span class=\"sign\" "
                  "aria-hidden=\"true\">✓</span> no bug found</span>"));
  EXPECT_TRUE(Has(html, "<p class=\"guarantee\">what is proved</p>"));
  EXPECT_TRUE(Has(html, "<strong>Not a proof:</strong> a library was not rebuilt"));
  EXPECT_TRUE(Has(html, "<td class=\"count\">3</td><td>x=1</td><td>1 preemption</td>"));
  EXPECT_FALSE(Has(html, "<article"));

  const std::string uncontrolled = Text({ResultByHand(Verdict::kUncontrolled)});
  EXPECT_TRUE(Has(uncontrolled, "the program could not be kept under control"));
}

TEST(Html, AFindingWithoutStepsSaysSo) {
  Finding finding = RaceByHand();
  finding.steps.clear();
  const std::string html = Text({ResultByHand(Verdict::kBug, {finding})});
  EXPECT_TRUE(Has(html, "No schedule of this finding was recorded."));
  EXPECT_FALSE(Has(html, "data-finding"));
}

TEST(Html, WhatTheTestFrameworkPrintedIsShown) {
  Finding finding = RaceByHand();
  EXPECT_FALSE(Has(Text({ResultByHand(Verdict::kBug, {finding})}), "class=\"output\""));
  finding.output = "a.cpp:1: Failure\n  1 < 2";
  const std::string html = Text({ResultByHand(Verdict::kBug, {finding})});
  EXPECT_TRUE(Has(html, "<pre class=\"output\" tabindex=\"0\">a.cpp:1: Failure\n  1 &lt; 2</pre>"));
}

TEST(Html, SeveralResultsHaveAnIndex) {
  const std::string html =
      Text({ResultByHand(Verdict::kClean), ResultByHand(Verdict::kBug, {RaceByHand()})});
  EXPECT_TRUE(Has(html, "<h1>heddle report: 1 of 2 programs have bugs</h1>"));
  EXPECT_TRUE(Has(html, "<a href=\"#r1\">"));
  EXPECT_TRUE(Has(html, "<a href=\"#r2f1\">Data race</a>"));
  EXPECT_EQ(Count(html, "<section class=\"result\""), 2u);
}

TEST(Html, NothingHostileComesThrough) {
  const std::string html = Text({HostileResult()});
  EXPECT_EQ(html, Visible(html));
  EXPECT_FALSE(Has(html, "<b>"));
  EXPECT_EQ(Count(html, "</script>"), 2u);
  EXPECT_EQ(Count(html, "<!--"), 0u);
  EXPECT_TRUE(
      Has(html, "&lt;/script&gt;&lt;!--]]&gt;&amp;&quot;&#39;&lt;b&gt;\\x1b[31m\\x7f\\x00\\xff"));
  const Json data = DataOf({HostileResult()});
  EXPECT_EQ(data["findings"][0]["threads"][1], "T1" + Visible(Hostile()));
}

TEST(Html, ALongScheduleSaysEveryTextOnce) {
  const std::vector<NamedResult> results = {
      ResultByHand(Verdict::kBug, {LongFinding(10'000, 200)})};
  const Json data = DataOf(results);
  EXPECT_EQ(data["findings"][0]["steps"].size(), 10'000u);
  EXPECT_EQ(data["findings"][0]["threads"].size(), 200u);
  EXPECT_EQ(Count(PageData(results), std::string(2000, 'f')), 1u);
  EXPECT_LT(PageData(results).size(), 1'000'000u);
}

}  // namespace
}  // namespace heddle::report
