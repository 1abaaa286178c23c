#include "cli/search_options.h"

#include <gtest/gtest.h>

#include "cli/parse.h"

namespace heddle::cli {
namespace {

std::string Refusal(const SearchOptions& options) {
  base::Result<channel::Settings> settings = MakeSettings(options);
  return settings.Ok() ? "" : settings.Message();
}

TEST(SearchOptions, Defaults) {
  base::Result<channel::Settings> settings = MakeSettings({});
  ASSERT_TRUE(settings.Ok()) << settings.Message();
  EXPECT_EQ(settings->order, channel::Order::kContextBounded);
  EXPECT_EQ(settings->preemption_bound, 0xffffffffu);
  EXPECT_EQ(settings->max_events, 1000000u);
  EXPECT_EQ(settings->hang_ms, 10000u);
  EXPECT_EQ(settings->report_races, 1u);
  EXPECT_EQ(settings->minimise, 1u);
}

TEST(SearchOptions, Bounds) {
  SearchOptions options;
  options.bound = "preemptions=3";
  EXPECT_EQ(MakeSettings(options)->preemption_bound, 3u);
  for (const char* bad : {"preemptions", "preemptions=", "preemptions=x", "preemptions=1x", "3",
                          "preemptions=-1", "preemptions=99999999999", "delays=2", "depth=9"}) {
    options.bound = bad;
    EXPECT_NE(Refusal(options), "") << bad;
  }
}

TEST(SearchOptions, UnsoundIsRefusedWithTheReason) {
  SearchOptions options;
  options.reduction = "sleep-sets";
  EXPECT_NE(Refusal(options).find("unsound"),
            std::string::npos);  // the default order bounds preemptions
  options.order = "depth-first";
  EXPECT_NE(Refusal(options).find("not available in this version"), std::string::npos);
  options.bound = "preemptions=2";
  EXPECT_NE(Refusal(options).find("unsound"), std::string::npos);
  options = {};
  options.order = "random";
  options.bound = "preemptions=2";
  EXPECT_NE(Refusal(options).find("cannot be bounded"), std::string::npos);
}

TEST(SearchOptions, UnknownValuesAreNamed) {
  SearchOptions options;
  options.order = "sideways";
  EXPECT_NE(Refusal(options).find("--order sideways: no such value"), std::string::npos);
  options = {};
  options.preset = "chess";
  EXPECT_EQ(Refusal(options), "");
  options.order = "random";
  EXPECT_NE(Refusal(options).find("drop one"), std::string::npos);
}

TEST(Parse, Durations) {
  EXPECT_EQ(*ParseDuration("500ms"), 500u);
  EXPECT_EQ(*ParseDuration("60"), 60000u);
  EXPECT_EQ(*ParseDuration("1.5m"), 90000u);
  EXPECT_EQ(*ParseDuration("2h"), 7200000u);
  EXPECT_EQ(*ParseDuration("0"), 0u);
  for (const char* bad : {"", "s", "-1s", "1 s", "1x", "nan", "inf", "1e99h"}) {
    EXPECT_FALSE(ParseDuration(bad).Ok()) << bad;
  }
}

TEST(Parse, WhatFollowsTheProgramIsItsOwn) {
  CLI::App app("", "heddle check");
  SearchOptions options;
  AddSearchOptions(app, options);
  using Words = std::vector<std::string>;
  Words program;
  EXPECT_EQ(SplitProgram(app, {"--seed", "3", "--quiet", "prog", "--quiet", "--", "-x"}, program),
            (Words{"--seed", "3", "--quiet"}));
  EXPECT_EQ(program, (Words{"prog", "--quiet", "--", "-x"}));
  EXPECT_EQ(SplitProgram(app, {"--seed=3", "--", "--prog"}, program), (Words{"--seed=3"}));
  EXPECT_EQ(program, (Words{"--prog"}));
  EXPECT_EQ(SplitProgram(app, {"--frob", "prog"}, program), (Words{"--frob"}));
  EXPECT_EQ(program, (Words{"prog"}));
}

}  // namespace
}  // namespace heddle::cli
