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
  EXPECT_EQ(settings->order, channel::Order::kEscalating);
  EXPECT_EQ(settings->reduction, channel::Reduction::kOptimal);
  EXPECT_EQ(settings->bound.most, 0xffffffffu);
  EXPECT_EQ(settings->max_events, 1000000u);
  EXPECT_EQ(settings->hang_ms, 10000u);
  EXPECT_EQ(settings->timeouts, channel::Timeouts::kAny);
  EXPECT_EQ(settings->report_races, 1u);
  EXPECT_EQ(settings->minimise, 1u);
}

TEST(SearchOptions, Timeouts) {
  SearchOptions options;
  options.timeouts = "last";
  EXPECT_EQ(MakeSettings(options)->timeouts, channel::Timeouts::kLast);
  options.timeouts = "first";
  EXPECT_NE(Refusal(options), "");
}

TEST(SearchOptions, Bounds) {
  SearchOptions options;
  options.bound = "preemptions=3";
  EXPECT_EQ(MakeSettings(options)->bound.most, 3u);
  EXPECT_EQ(MakeSettings(options)->bound.unit, space::Unit::kPreemptions);
  options.bound = "delays=2";
  EXPECT_EQ(MakeSettings(options)->bound.most, 2u);
  EXPECT_EQ(MakeSettings(options)->bound.unit, space::Unit::kDelays);
  for (const char* bad :
       {"preemptions", "preemptions=", "preemptions=x", "preemptions=1x", "3", "preemptions=-1",
        "preemptions=99999999999", "delays=x", "delay=2", "depth=x", "depth=0"}) {
    options.bound = bad;
    EXPECT_NE(Refusal(options), "") << bad;
  }
}

TEST(SearchOptions, BestFirst) {
  SearchOptions options;
  options.priority = "pb";
  base::Result<channel::Settings> settings = MakeSettings(options);
  ASSERT_TRUE(settings.Ok()) << settings.Message();
  EXPECT_EQ(settings->order, channel::Order::kBestFirst);
  EXPECT_EQ(settings->reduction, channel::Reduction::kDpor);
  EXPECT_EQ(space::NameOf(settings->priorities), "pb");
  options.bound = "preemptions=2";
  EXPECT_EQ(MakeSettings(options)->reduction, channel::Reduction::kNone);
  options = {};
  options.order = "best-first";
  EXPECT_EQ(space::NameOf(MakeSettings(options)->priorities), "mdpor,pb");
  options.priority = "ss,mdpor,pb";
  EXPECT_EQ(space::NameOf(MakeSettings(options)->priorities), "ss,mdpor,pb");
  for (const char* bad : {"x", "pb,", ",pb", "pb,pb", "pb mdpor"}) {
    options.priority = bad;
    EXPECT_NE(Refusal(options).find("--priority"), std::string::npos) << bad;
  }
  options = {};
  options.preset = "gambit";
  EXPECT_EQ(MakeSettings(options)->reduction, channel::Reduction::kDpor);
  options.bound = "preemptions=2";
  settings = MakeSettings(options);
  ASSERT_TRUE(settings.Ok()) << settings.Message();
  EXPECT_EQ(settings->reduction, channel::Reduction::kNone);
  EXPECT_EQ(settings->order, channel::Order::kBestFirst);
  EXPECT_EQ(space::NameOf(settings->priorities), "mdpor,pb");
}

TEST(SearchOptions, Focus) {
  SearchOptions options;
  options.focus_functions = {"Push"};
  base::Result<channel::Settings> settings = MakeSettings(options);
  ASSERT_TRUE(settings.Ok()) << settings.Message();
  EXPECT_EQ(settings->order, channel::Order::kBestFirst);
  EXPECT_EQ(space::NameOf(settings->priorities), "method,mdpor,pb");
  options.priority = "pb,method";
  EXPECT_EQ(space::NameOf(MakeSettings(options)->priorities), "pb,method");
  options.focus_variables = {"head"};
  EXPECT_EQ(space::NameOf(MakeSettings(options)->priorities), "var,pb,method");
  options.focus_functions.clear();
  EXPECT_NE(Refusal(options).find("needs a --focus-function"), std::string::npos);
  options.priority.clear();
  options.order = "random";
  EXPECT_NE(Refusal(options).find("--order best-first"), std::string::npos);
}

TEST(SearchOptions, DepthIsBoundedDepthFirst) {
  SearchOptions options;
  options.bound = "depth=7";
  base::Result<channel::Settings> settings = MakeSettings(options);
  ASSERT_TRUE(settings.Ok()) << settings.Message();
  EXPECT_EQ(settings->order, channel::Order::kDepthFirst);
  EXPECT_EQ(settings->reduction, channel::Reduction::kNone);
  EXPECT_EQ(settings->bound.unit, space::Unit::kDepth);
  EXPECT_EQ(settings->bound.most, 7u);
  EXPECT_FALSE(settings->bound.iterate);
  options.iterate = true;
  EXPECT_TRUE(MakeSettings(options)->bound.iterate);
  options.order = "depth-first";
  EXPECT_EQ(Refusal(options), "");
  options.order = "context-bounded";
  EXPECT_NE(Refusal(options).find("--iterate goes from depth to depth"), std::string::npos);
  options.order = "random";
  EXPECT_NE(Refusal(options).find("cannot be bounded"), std::string::npos);
  for (const char* reduction : {"sleep-sets", "dpor", "source", "optimal"}) {
    for (const char* order : {"", "depth-first", "random"}) {
      options.order = order;
      options.reduction = reduction;
      EXPECT_NE(Refusal(options).find("with --bound depth is unsound"), std::string::npos);
    }
  }
}

TEST(SearchOptions, StaleAccessesAreBoundedUnderWeakModels) {
  SearchOptions options;
  options.bound = "stale=2";
  EXPECT_NE(Refusal(options).find("--memory-model tso or c11"), std::string::npos);
  for (const char* model : {"tso", "c11"}) {
    options = {};
    options.bound = "stale=2";
    options.memory_model = model;
    base::Result<channel::Settings> settings = MakeSettings(options);
    ASSERT_TRUE(settings.Ok()) << settings.Message();
    EXPECT_EQ(settings->order, channel::Order::kEscalating);
    EXPECT_EQ(settings->reduction, channel::Reduction::kReadsFrom);
    EXPECT_EQ(settings->bound.unit, space::Unit::kStale);
    EXPECT_EQ(settings->bound.most, 2u);
    options.order = "random";
    EXPECT_EQ(MakeSettings(options)->reduction, channel::Reduction::kNone);
    options.order.clear();
    options.reduction = "none";
    EXPECT_EQ(MakeSettings(options)->order, channel::Order::kDepthFirst);
    options.order = "context-bounded";
    EXPECT_NE(Refusal(options).find("sequentially consistent executions"), std::string::npos);
    options.order.clear();
    options.iterate = true;
    EXPECT_NE(Refusal(options).find("--iterate goes from bound to bound"), std::string::npos);
    options.iterate = false;
    options.bound = "preemptions=2";
    EXPECT_NE(Refusal(options).find("--bound stale=N"), std::string::npos);
  }
}

TEST(SearchOptions, IterateIsAnOrderOfTheOtherBounds) {
  for (const char* bound : {"preemptions=3", "delays=3"}) {
    SearchOptions options;
    options.bound = bound;
    options.iterate = true;
    base::Result<channel::Settings> settings = MakeSettings(options);
    ASSERT_TRUE(settings.Ok()) << settings.Message();
    EXPECT_EQ(settings->order, channel::Order::kContextBounded);
    EXPECT_EQ(settings->bound.most, 3u);
    EXPECT_FALSE(settings->bound.iterate);
    options.order = "context-bounded";
    EXPECT_EQ(Refusal(options), "");
    options.order = "depth-first";
    EXPECT_NE(Refusal(options).find("drop --order depth-first"), std::string::npos);
  }
  SearchOptions options;
  options.iterate = true;
  EXPECT_NE(Refusal(options).find("--iterate needs a --bound"), std::string::npos);
  options.bound = "none";
  EXPECT_NE(Refusal(options).find("--iterate needs a --bound"), std::string::npos);
}

TEST(SearchOptions, WhatIsLeftOpenMakesSense) {
  const auto chosen = [](const SearchOptions& options) {
    const base::Result<channel::Settings> settings = MakeSettings(options);
    return settings.Ok() ? std::pair(settings->order, settings->reduction)
                         : std::pair(channel::Order{99}, channel::Reduction{99});
  };
  using channel::Order;
  using channel::Reduction;
  SearchOptions options;
  for (const char* bound : {"preemptions=2", "delays=2"}) {
    const bool sound = bound[0] == 'p';
    options = {};
    options.bound = bound;
    EXPECT_EQ(chosen(options),
              std::pair(Order::kContextBounded, sound ? Reduction::kBounded : Reduction::kNone));
    options.points = "every";
    EXPECT_EQ(chosen(options), std::pair(Order::kContextBounded, Reduction::kNone));
    options.points = "";
    options.order = "depth-first";
    EXPECT_EQ(chosen(options), std::pair(Order::kDepthFirst, Reduction::kNone));
  }
  options = {};
  options.order = "context-bounded";
  EXPECT_EQ(chosen(options), std::pair(Order::kContextBounded, Reduction::kBounded));
  options.no_races = true;
  EXPECT_EQ(chosen(options), std::pair(Order::kContextBounded, Reduction::kNone));
  options.points = "all";
  EXPECT_EQ(chosen(options), std::pair(Order::kContextBounded, Reduction::kBounded));
  options = {};
  options.preset = "chess";
  EXPECT_EQ(chosen(options), std::pair(Order::kContextBounded, Reduction::kNone));
  options = {};
  options.order = "depth-first";
  EXPECT_EQ(chosen(options), std::pair(Order::kDepthFirst, Reduction::kNone));
  options = {};
  options.reduction = "source";
  EXPECT_EQ(chosen(options), std::pair(Order::kDepthFirst, Reduction::kSource));
  options = {};
  options.no_races = true;  // an assumption that the guarantee states
  EXPECT_EQ(chosen(options), std::pair(Order::kEscalating, Reduction::kOptimal));
  options = {};
  options.preset = "inspect";
  EXPECT_EQ(chosen(options), std::pair(Order::kDepthFirst, Reduction::kDpor));
  EXPECT_EQ(MakeSettings(options)->points, channel::Points::kAll);
  options.no_races = true;
  EXPECT_EQ(Refusal(options), "");
}

TEST(SearchOptions, EveryPointIsPlainEnumeration) {
  SearchOptions options;
  options.points = "every";
  base::Result<channel::Settings> settings = MakeSettings(options);
  ASSERT_TRUE(settings.Ok()) << settings.Message();
  EXPECT_EQ(settings->points, channel::Points::kEvery);
  EXPECT_EQ(settings->order, channel::Order::kDepthFirst);
  EXPECT_EQ(settings->reduction, channel::Reduction::kNone);
  for (const char* reduction : {"sleep-sets", "dpor", "source", "optimal"}) {
    options.reduction = reduction;
    EXPECT_NE(Refusal(options).find("every"), std::string::npos) << reduction;
  }
}

TEST(SearchOptions, HooksAndCounters) {
  SearchOptions options;
  options.preset = "one-page";
  base::Result<channel::Settings> settings = MakeSettings(options);
  ASSERT_TRUE(settings.Ok()) << settings.Message();
  EXPECT_EQ(settings->points, channel::Points::kHooks);
  EXPECT_EQ(settings->order, channel::Order::kDepthFirst);
  EXPECT_EQ(settings->reduction, channel::Reduction::kNone);
  EXPECT_EQ(settings->visited, channel::Visited::kCounters);
  EXPECT_EQ(settings->report_races, 0u);  // statements are atomic
  options = {};
  options.visited = "counters";
  settings = MakeSettings(options);
  ASSERT_TRUE(settings.Ok()) << settings.Message();
  EXPECT_EQ(settings->points, channel::Points::kHooks);
  EXPECT_EQ(settings->order, channel::Order::kDepthFirst);
  options.points = "sync";
  EXPECT_NE(Refusal(options).find("--points hooks"), std::string::npos);
  options.points = "";
  options.bound = "preemptions=2";
  options.order = "depth-first";
  EXPECT_NE(Refusal(options).find("without a bound"), std::string::npos);
  options.bound = "";
  options.order = "context-bounded";
  EXPECT_NE(Refusal(options).find("depth-first"), std::string::npos);
  options = {};
  options.points = "hooks";
  for (const char* reduction : {"sleep-sets", "dpor", "source", "optimal"}) {
    options.reduction = reduction;
    EXPECT_NE(Refusal(options).find("hooks"), std::string::npos) << reduction;
  }
}

TEST(SearchOptions, UnsoundIsRefusedWithTheReason) {
  for (const char* reduction : {"sleep-sets", "dpor", "source", "optimal"}) {
    SearchOptions options;
    options.reduction = reduction;
    EXPECT_EQ(Refusal(options), "") << reduction;
    options.bound = "preemptions=2";
    EXPECT_NE(Refusal(options).find("unsound"), std::string::npos) << reduction;
    options.order = "depth-first";
    EXPECT_NE(Refusal(options).find("unsound"), std::string::npos) << reduction;
    options.bound = "";
    options.order = "context-bounded";
    EXPECT_NE(Refusal(options).find("unsound"), std::string::npos) << reduction;
    options.order = "random";
    EXPECT_EQ(Refusal(options), "") << reduction;
    options.bound = "preemptions=2";
    EXPECT_NE(Refusal(options).find("unsound"), std::string::npos) << reduction;
    options.bound = "";
    options.order = "";
    options.no_races = true;
    EXPECT_EQ(Refusal(options), "") << reduction;
  }
  SearchOptions options;
  options.order = "random";
  options.bound = "preemptions=2";
  EXPECT_NE(Refusal(options).find("cannot be bounded"), std::string::npos);
}

TEST(SearchOptions, OrdersThatDrawSchedules) {
  for (const std::string order : {"pct", "pos", "surw", "rff"}) {
    SearchOptions options;
    options.order = order;
    base::Result<channel::Settings> settings = MakeSettings(options);
    ASSERT_TRUE(settings.Ok()) << settings.Message();
    EXPECT_EQ(settings->reduction, channel::Reduction::kNone);
    EXPECT_EQ(settings->depth, order == "pct" ? 3u : 0u);
    options.reduction = "optimal";
    EXPECT_NE(Refusal(options).find("--order " + order + " draws whole schedules"),
              std::string::npos);
    options.reduction = "";
    options.bound = "preemptions=2";
    EXPECT_NE(Refusal(options).find("--order " + order + " cannot be bounded"), std::string::npos);
    options.bound = "";
    options.require_complete = true;
    EXPECT_NE(Refusal(options).find("--order " + order + " never completes"), std::string::npos);
  }
}

TEST(SearchOptions, DepthOfBugs) {
  SearchOptions options;
  options.order = "pct";
  options.depth = 5;
  EXPECT_EQ(MakeSettings(options)->depth, 5u);
  options.depth = 0;
  EXPECT_NE(Refusal(options).find("at least 1"), std::string::npos);
  for (uint64_t deep : {uint64_t{1001}, uint64_t{1} << 32, ~uint64_t{1}}) {
    options.depth = deep;
    EXPECT_NE(Refusal(options).find("at most 1000"), std::string::npos);
  }
  options.depth = 3;
  for (const char* order : {"", "random", "pos", "context-bounded"}) {
    options.order = order;
    EXPECT_NE(Refusal(options).find("--depth is"), std::string::npos) << order;
  }
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
  options = {};
  options.preset = "inspect";
  options.points = "sync";
  EXPECT_NE(Refusal(options).find("drop one"), std::string::npos);
}

TEST(Parse, Durations) {
  EXPECT_EQ(*ParseDuration("500ms"), 500u);
  EXPECT_EQ(*ParseDuration("60"), 60000u);
  EXPECT_EQ(*ParseDuration("1.5m"), 90000u);
  EXPECT_EQ(*ParseDuration("2h"), 7200000u);
  EXPECT_EQ(*ParseDuration("0"), 0u);  // no limit
  EXPECT_EQ(*ParseDuration("0s"), 0u);
  EXPECT_EQ(*ParseDuration("0.1ms"), 1u) << "a limit";
  for (const char* bad : {"", "s", "-1s", "1 s", "1x", "nan", "inf", "1e99h"}) {
    EXPECT_FALSE(ParseDuration(bad).Ok()) << bad;
  }
}

TEST(Parse, WhatFollowsTheProgramIsItsOwn) {
  CommandLine line("", "heddle check");
  SearchOptions options;
  AddSearchOptions(line, options);
  using Words = std::vector<std::string>;
  Words program;
  EXPECT_EQ(line.SplitProgram({"--seed", "3", "--quiet", "prog", "--quiet", "--", "-x"}, program),
            (Words{"--seed", "3", "--quiet"}));
  EXPECT_EQ(program, (Words{"prog", "--quiet", "--", "-x"}));
  EXPECT_EQ(line.SplitProgram({"--seed=3", "--", "--prog"}, program), (Words{"--seed=3"}));
  EXPECT_EQ(program, (Words{"--prog"}));
  EXPECT_EQ(line.SplitProgram({"--frob", "prog"}, program), (Words{"--frob"}));
  EXPECT_EQ(program, (Words{"prog"}));
}

TEST(Parse, OptionsOfOursAmongTheProgramsOwn) {
  CommandLine line("", "heddle check");
  SearchOptions options;
  AddSearchOptions(line, options);
  using Words = std::vector<std::string>;
  const auto ours = [&](const Words& arguments) {
    Words program;
    line.SplitProgram(arguments, program);
    return line.OursAfterProgram(arguments, program);
  };
  EXPECT_EQ(ours({"--seed", "3", "prog", "--bound", "none", "--seed=4", "--bound=none"}),
            (Words{"--bound", "--seed"}));
  EXPECT_EQ(ours({"prog", "--frob", "-h", "--help", "bound", "--", "--bound"}), Words());
  EXPECT_EQ(ours({"--quiet", "--", "prog", "--bound", "none"}), Words());
  EXPECT_EQ(ours({"--bound", "none"}), Words());
}

}  // namespace
}  // namespace heddle::cli
