#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "report/coverage_curves.h"
#include "report/coverage_share.h"
#include "report/coverage_svg.h"
#include "report/json.h"
#include "unit/report_results_by_hand.h"

namespace heddle::report {
namespace {

// A whole search without a reduction, of a program with 36 graphs.
NamedResult Whole() {
  NamedResult named = ResultByHand(Verdict::kClean);
  SearchResult& result = named.result;
  result.order = "context-bounded";
  result.reduction = "none";
  result.executions = 90;
  result.happens_before = 36;
  result.by_preemptions = {6, 24, 36};
  result.over_executions = {{1, 1}, {6, 6}, {40, 36}, {90, 36}};
  result.all_graphs = true;
  result.completed_bound = 3;
  return named;
}

// A part of the same space.
NamedResult Part() {
  NamedResult named = Whole();
  named.name = "part.json";
  named.result.order = "random";
  named.result.complete = named.result.all_graphs = false;
  named.result.completed_bound = -1;
  named.result.executions = 20;
  named.result.happens_before = 12;
  named.result.by_preemptions = {3, 12};
  named.result.over_executions = {{1, 1}, {20, 12}};
  return named;
}

CoverageCurves CurvesOf(const std::vector<NamedResult>& results) {
  return *CoverageCurvesOf(results);
}

TEST(CoverageCurves, SharesOfAllGraphs) {
  NamedResult named = Whole();
  EXPECT_EQ(ShareByPreemptions(named.result), (std::vector<double>{6 / 36., 24 / 36., 1}));
  named.result.reduction = "bounded";
  EXPECT_EQ(ShareByPreemptions(named.result).size(), 3u);
  named.result.reduction = "happens-before";
  EXPECT_TRUE(ShareByPreemptions(named.result).empty());
  named.result.reduction = "bounded";
  named.result.order = "depth-first";
  EXPECT_TRUE(ShareByPreemptions(named.result).empty());
  EXPECT_TRUE(ShareByPreemptions(Part().result).empty());
}

TEST(CoverageCurves, PercentsAreNeverTooLarge) {
  EXPECT_EQ(PercentText(0, 7), "0 %");
  EXPECT_EQ(PercentText(1, 3), "33 %");
  EXPECT_EQ(PercentText(1, 101), "under 1 %");
  EXPECT_EQ(PercentText(9999, 10000), "99 %");
  EXPECT_EQ(PercentText(7, 7), "100 %");
}

TEST(CoverageCurves, OneWholeSearchTellsHowManyThereAre) {
  const CoverageCurves picture = CurvesOf({Part(), Whole()});
  EXPECT_TRUE(picture.shares);
  EXPECT_TRUE(picture.one_program);
  EXPECT_EQ(picture.programs, "count --fast");
  EXPECT_EQ(picture.curves[0].all, 36u);
  EXPECT_EQ(picture.curves[0].label, "random");
  EXPECT_EQ(picture.curves[0].exhausted, 0u);
  EXPECT_EQ(picture.curves[1].exhausted, 3u);
  EXPECT_FALSE(CurvesOf({Part(), Part()}).shares);
}

TEST(CoverageCurves, AContradictionTellsNothing) {
  NamedResult more = Part();
  more.result.happens_before = 37;
  EXPECT_FALSE(CurvesOf({Whole(), more}).shares);
  NamedResult built_anew = Whole();
  built_anew.result.happens_before = 30;
  EXPECT_FALSE(CurvesOf({Whole(), built_anew}).shares);
  EXPECT_FALSE(CurvesOf({built_anew, Whole()}).shares);
}

TEST(CoverageCurves, OtherPointsAreAnotherSpace) {
  NamedResult all_points = Part();
  all_points.result.points = "all";
  const CoverageCurves picture = CurvesOf({Whole(), all_points});
  EXPECT_TRUE(picture.one_program);
  EXPECT_FALSE(picture.shares);
  EXPECT_EQ(picture.curves[1].label, "random, points all");
}

TEST(CoverageCurves, BoundsThatWereRunOutAreKnown) {
  NamedResult named = Part();
  named.result.order = "context-bounded";
  named.result.completed_bound = 0;
  EXPECT_EQ(CurvesOf({named}).curves[0].exhausted, 1u);
  named.result.completed_bound = 7;  // nothing new came with more than one
  EXPECT_EQ(CurvesOf({named}).curves[0].exhausted, 2u);
  named.result.bound = {space::Unit::kDelays, 7};
  EXPECT_EQ(CurvesOf({named}).curves[0].exhausted, 0u);
  EXPECT_EQ(CurvesOf({named}).curves[0].label, "context-bounded, at most 7 delays");
  named.result.bound = {space::Unit::kPreemptions, 1};
  EXPECT_EQ(CurvesOf({named}).curves[0].label, "context-bounded, at most 1 preemption");
  named.result.order = "depth-first";
  named.result.bound = {space::Unit::kDepth, 10};
  EXPECT_EQ(CurvesOf({named}).curves[0].exhausted, 0u);
  EXPECT_EQ(CurvesOf({named}).curves[0].label, "depth-first, only the first 10 choices of threads");
  named.result.bound = {space::Unit::kDepth, 1};
  EXPECT_EQ(CurvesOf({named}).curves[0].label, "depth-first, only the first choice of threads");
  NamedResult reduced = Whole();
  reduced.result.order = "depth-first";
  reduced.result.reduction = "source";
  EXPECT_EQ(CurvesOf({reduced}).curves[0].exhausted, 0u);
  EXPECT_EQ(CurvesOf({reduced}).curves[0].label, "depth-first source");
  reduced.result.order = "context-bounded";
  reduced.result.reduction = "bounded";
  EXPECT_EQ(CurvesOf({reduced}).curves[0].exhausted, 3u);
}

TEST(CoverageCurves, NoTwoLabelsAreAlike) {
  NamedResult other = Part();
  other.name = "other.json";
  CoverageCurves picture = CurvesOf({Part(), Whole(), other});
  EXPECT_EQ(picture.curves[0].label, "random (part.json)");
  EXPECT_EQ(picture.curves[1].label, "context-bounded");
  EXPECT_EQ(picture.curves[2].label, "random (other.json)");
  other.result.arguments = {"--slow"};
  picture = CurvesOf({Part(), other});
  EXPECT_FALSE(picture.one_program);
  EXPECT_EQ(picture.programs, "2 programs");
  EXPECT_EQ(picture.curves[0].label, "count --fast: random");
  EXPECT_EQ(picture.curves[1].label, "count --slow: random");
}

TEST(CoverageCurves, AnOlderResultIsRefused) {
  NamedResult old = Whole();
  old.result.over_executions.clear();
  EXPECT_NE(CoverageCurvesOf({old}).Message().find("count.json"), std::string::npos);
  old.result.happens_before = 0;  // its process died at once
  EXPECT_TRUE(CoverageCurvesOf({old}).Ok());
  EXPECT_FALSE(CoverageCurvesOf({}).Ok());  // a test program of which no case was begun
}

TEST(CoverageCurves, JsonHasThemAll) {
  const NamedResult named = Whole();
  const std::string text = ToJson(named.result);
  const base::Result<ResultFile> read = FromJson(text, "whole.json");
  ASSERT_TRUE(read.Ok());
  EXPECT_EQ(ToJson(std::get<SearchResult>(*read)), text);
}

TEST(CoverageCurves, WhatCannotBeIsNotRead) {
  const auto refused = [](const NamedResult& wrong) {
    const base::Result<ResultFile> read = FromJson(ToJson(wrong.result), "wrong.json");
    return read.Ok() ? "" : read.Message();
  };
  EXPECT_EQ(refused(Whole()), "");
  NamedResult wrong = Whole();
  wrong.result.over_executions = {{1, 1}, {1, 2}};
  EXPECT_NE(refused(wrong).find("over_executions"), std::string::npos);
  wrong.result.over_executions = {{1, 2}, {2, 1}};
  EXPECT_NE(refused(wrong).find("over_executions"), std::string::npos);
  wrong = Whole();
  wrong.result.by_preemptions = {6, 5};
  EXPECT_NE(refused(wrong).find("by_preemptions"), std::string::npos);
  wrong.result.by_preemptions = {6, 37};
  EXPECT_NE(refused(wrong).find("by_preemptions"), std::string::npos);
  std::string text = ToJson(Whole().result);
  text.insert(text.find('1', text.find("over_executions")), "7, ");  // three numbers in a point
  EXPECT_NE(FromJson(text, "wrong.json").Message().find("over_executions"), std::string::npos);
}

// ---- the picture ----

pugi::xml_document Picture(const std::vector<NamedResult>& results) {
  pugi::xml_document document;
  const auto parsed = document.load_string(ToSvg(CurvesOf(results)).c_str());
  EXPECT_TRUE(parsed) << parsed.description();
  return document;
}

size_t Marks(const pugi::xml_document& document, const char* panel, bool open) {
  const std::string path =
      std::string("//g[@id='") + panel + "']//path[@class='" + (open ? "mark open" : "mark") + "']";
  return document.select_nodes(path.c_str()).size();
}

TEST(CoverageSvg, OpenMarksWhereNotEveryScheduleWasRun) {
  const auto both = Picture({Whole(), Part()});
  EXPECT_EQ(Marks(both, "by-preemptions", false), 3u);
  EXPECT_EQ(Marks(both, "by-preemptions", true), 2u);
  EXPECT_EQ(Marks(both, "over-executions", true), 0u);
  EXPECT_TRUE(both.select_node("//text[starts-with(., 'An open mark')]"));
  EXPECT_FALSE(Picture({Whole()}).select_node("//text[starts-with(., 'An open mark')]"));
}

TEST(CoverageSvg, AxesAreAsTheDataNeeds) {
  const auto titles = [](const std::vector<NamedResult>& results) {
    const auto picture = Picture(results);
    std::string titles;
    for (const auto& node : picture.select_nodes("//text[not(@class)]"))
      titles += node.node().text().as_string() + std::string("; ");
    return titles;
  };
  EXPECT_EQ(titles({Whole(), Part()}),
            "of all 36 happens-before graphs; preemptions, at most; distinct happens-before "
            "graphs; executions; ");
  NamedResult large = Part();
  large.result.time_limits = true;
  large.result.executions = large.result.happens_before = 5000;
  large.result.over_executions = {{1, 1}, {5000, 5000}};
  EXPECT_EQ(titles({large}),
            "distinct happens-before graphs; preemptions and early timeouts, at most; distinct "
            "happens-before graphs; executions; ");
  NamedResult flat = large;
  flat.result.happens_before = 1;
  flat.result.by_preemptions = {1};
  flat.result.over_executions = {{1, 1}, {5000, 1}};
  EXPECT_NE(titles({flat}).find("executions; "), std::string::npos);
  EXPECT_EQ(titles({large, Part()}),
            "distinct happens-before graphs, logarithmic; preemptions and early timeouts, at "
            "most; distinct happens-before graphs, logarithmic; executions, logarithmic; ");
}

TEST(CoverageSvg, IsWellFormedWhateverNamesAre) {
  NamedResult hostile = HostileResult();
  hostile.result.over_executions = {{1, 1}};
  NamedResult long_name = Part();
  long_name.name = std::string(500, 'n');
  long_name.result.program = std::string(500, 'p');
  for (const auto& results : std::vector<std::vector<NamedResult>>{
           {hostile}, {hostile, hostile}, {hostile, Part()}, {long_name}, {long_name, Part()}})
    EXPECT_TRUE(Picture(results).child("svg"));
}

TEST(CoverageSvg, NothingAndVeryMuch) {
  NamedResult nothing = Part();
  nothing.result.executions = nothing.result.happens_before = 0;
  nothing.result.by_preemptions.clear();
  nothing.result.over_executions.clear();
  EXPECT_EQ(Marks(Picture({nothing}), "over-executions", false), 0u);
  NamedResult much = Part();
  much.result.over_executions = {{1, 1}, {1'000'000'000, 3'000'000}};
  much.result.happens_before = 3'000'000;
  much.result.by_preemptions.assign(30, 3'000'000);
  const auto document = Picture({much, nothing});
  EXPECT_TRUE(document.select_node("//text[.='1,000,000,000']"));
  EXPECT_EQ(Marks(document, "by-preemptions", true), 30u);
  much.result.by_preemptions.assign(64, 3'000'000);
  EXPECT_LT(Marks(Picture({much, nothing}), "by-preemptions", true), 35u);
}

}  // namespace
}  // namespace heddle::report
