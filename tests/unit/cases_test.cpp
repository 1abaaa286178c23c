// The lists of test frameworks, and the arguments that run one case of them.
// tests/cli/test_cases.py asks the frameworks themselves.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cases/framework.h"
#include "cases/wildcards.h"

namespace heddle::cases {
namespace {

using Names = std::vector<std::string>;

Names Read(const Framework& framework, const std::string& output, int status = 0) {
  base::Result<Names> names = framework.ReadList({output, status});
  return names.Ok() ? *names : Names{"error: " + names.Message()};
}

const Names kNoList = {"error: it did not list its cases"};

// What runs the case of this name.
Arguments Runs(const Framework& framework, const Names& all, const std::string& name) {
  for (const Case& one : framework.CasesOf(all))
    if (one.name == name) return one.arguments;
  return {};
}

TEST(Wildcards, MatchAsGlobsDo) {
  EXPECT_TRUE(MatchesWildcards("abc", "abc"));
  EXPECT_TRUE(MatchesWildcards("abc", "a?c"));
  EXPECT_TRUE(MatchesWildcards("abcabd", "*abd"));
  EXPECT_TRUE(MatchesWildcards("abc", "**c*"));
  EXPECT_TRUE(MatchesWildcards("", "*"));
  EXPECT_FALSE(MatchesWildcards("", "?"));
  EXPECT_FALSE(MatchesWildcards("abc", "ab"));
  EXPECT_FALSE(MatchesWildcards("ab", "abc"));
}

TEST(GoogleTestList, HasSuitesTypesAndParameters) {
  EXPECT_EQ(
      Read(GoogleTest(),
           "Running main() from gtest_main.cc\n"
           "Queue.\n  PushPop\n  DISABLED_Slow\n"
           "DISABLED_Old.\n  Any\n"
           "Sizes/Bounded.\n  Fits/0  # GetParam() = 4\n  Fits/1  # GetParam() = \"a  # b.\"\n"
           "Typed/0.  # TypeParam = std::vector<int>\n  Holds\n"),
      (Names{"Queue.PushPop", "Sizes/Bounded.Fits/0", "Sizes/Bounded.Fits/1", "Typed/0.Holds"}));
}

TEST(GoogleTestList, HasDisabledCasesIfTheyAreRun) {
  const auto read = [](const Arguments& given) {
    return *GoogleTest().ReadList({"Queue.\n  DISABLED_Slow\n", 0, given});
  };
  const std::string option = "--gtest_also_run_disabled_tests";
  EXPECT_EQ(read({"a", option}), Names{"Queue.DISABLED_Slow"});
  EXPECT_EQ(read({option + "=0", option + "=1"}), Names{"Queue.DISABLED_Slow"});
  EXPECT_EQ(read({option, option + "=false"}), Names{});
  EXPECT_EQ(read({option + "_not"}), Names{});
}

TEST(GoogleTestList, LeavesOutWhatTheProgramPrints) {
  EXPECT_EQ(
      Read(GoogleTest(),
           "  indented\nStarting up.\nloading plugins ...\n  two words\nQueue.\r\n  Push\r\n"),
      (Names{"Queue.Push"}));
  EXPECT_EQ(Read(GoogleTest(), "Warming up.\n  done, 3 threads\n  ok\nQueue.\n  Push\n"),
            (Names{"Queue.Push"}));
  EXPECT_EQ(Read(GoogleTest(), "no list\n", 1), kNoList);
  EXPECT_EQ(Read(GoogleTest(), ""), Names{});
}

TEST(GoogleTestFilter, ChoosesOneCase) {
  const Names all = {"A.B", "A.C", "T/x::y.Z", "T/x-?y.Z", "A.B"};
  EXPECT_EQ(GoogleTest().CasesOf(all).size(), 4u);  // one filter runs both A.B
  EXPECT_EQ(Runs(GoogleTest(), all, "A.B")[0], "--gtest_filter=A.B");
  EXPECT_EQ(Runs(GoogleTest(), {"T/x:y.Z", "T/xay.Z"}, "T/x:y.Z")[0],
            "--gtest_filter=T/x?y.Z-T/xay.Z");
  const std::vector<Case> alike = GoogleTest().CasesOf({"T/x:y.Z", "T/x-y.Z"});
  EXPECT_EQ(alike[0].arguments[0], "--gtest_filter=T/x?y.Z");
  EXPECT_EQ(alike[0].runs_too, Names{"T/x-y.Z"});
  EXPECT_EQ(GoogleTest().ToRun({"--gtest_filter=A.*", "x"}, {"A.B", {"--gtest_filter=A.B"}, {}}),
            (Arguments{"--gtest_filter=A.*", "x", "--gtest_filter=A.B"}));
}

std::string DoctestList(const std::string& names, const std::string& count) {
  const std::string rule(79, '=');
  return "[doctest] listing all test case names\n" + rule + "\n" + names + rule +
         "\n[doctest] unskipped test cases passing the current filters: " + count + "\n";
}

TEST(DoctestList, IsBetweenTheRules) {
  EXPECT_EQ(Read(Doctest(), DoctestList("pushes, pops\n  blanks \nöffnet\n", "3")),
            (Names{"pushes, pops", "  blanks ", "öffnet"}));
  const std::string rule(79, '=');
  EXPECT_EQ(Read(Doctest(), "garbage\n" + rule + "\n" + DoctestList(rule + "\nb\n", "2") + "bye\n"),
            (Names{rule, "b"}));
  EXPECT_EQ(Read(Doctest(), DoctestList("", "0")), Names{});
  EXPECT_EQ(
      Read(Doctest(), DoctestList("a\nb\nc\n", "2")),
      (Names{"error: its list of 2 has another number of lines (a name with a line break?)"}));
  EXPECT_EQ(Read(Doctest(), DoctestList("a\n", "99999999999999999999999")), kNoList);
  EXPECT_EQ(Read(Doctest(), "nothing\n"), kNoList);
}

TEST(DoctestFilter, ChoosesOneCase) {
  EXPECT_EQ(Runs(Doctest(), {"a, b\\c"}, "a, b\\c"),
            (Arguments{"--test-case=a\\, b\\\\c", "--case-sensitive=true", "--no-breaks=false",
                       "--no-colors=true"}));
  // By number where the name stands for others, too.
  EXPECT_EQ(Runs(Doctest(), {"axb", "a*b"}, "a*b"),
            (Arguments{"--test-case=a*b", "--case-sensitive=true", "--first=2", "--last=2",
                       "--no-breaks=false", "--no-colors=true"}));
  // An empty pattern would run all.
  EXPECT_EQ(Runs(Doctest(), {"", "a"}, ""),
            (Arguments{"--test-case=*", "--test-case-exclude=?*", "--case-sensitive=true",
                       "--no-breaks=false", "--no-colors=true"}));
  const Names twice = {"same", "other", "same"};
  EXPECT_EQ(Doctest().CasesOf(twice)[2].name, "same (2)");
  EXPECT_EQ(Runs(Doctest(), twice, "same (2)")[3], "--last=2");
  EXPECT_EQ(Runs(Doctest(), twice, "same")[3], "--last=1");
}

TEST(Catch2List, IsALineForEachName) {
  EXPECT_EQ(Read(Catch2Version2(), "pushes\n\"#1 pops\"\n\"quoted\"\nöffnet\n", 4),
            (Names{"pushes", "#1 pops", "\"quoted\"", "öffnet"}));
  EXPECT_EQ(Read(Catch2Version2(), "starting\nup\n\npushes\npops\n", 2), (Names{"pushes", "pops"}));
  EXPECT_EQ(Read(Catch2Version2(), "usage\n", 255), kNoList);
  std::string many;
  for (int i = 0; i < 300; ++i) many += "case " + std::to_string(i) + "\n";
  EXPECT_EQ(Read(Catch2Version2(), "garbage\n" + many, 300 % 256).size(), 300u);
  EXPECT_EQ(Read(Catch2Version3(), "pushes\n\"#1 pops\"\n"), (Names{"pushes", "#1 pops"}));
  EXPECT_EQ(Read(Catch2Version3(), "error\n", 1), kNoList);
}

TEST(Catch2Filter, ChoosesOneCase) {
  EXPECT_EQ(Runs(Catch2Version2(), {"a, b [x] \\ \"q\"", "other"}, "a, b [x] \\ \"q\"")[0],
            "a\\, b \\[x] \\\\ \\\"q\\\"");
  EXPECT_EQ(Runs(Catch2Version3(), {"~not"}, "~not"), (Arguments{"\\~not", "--break"}));
  EXPECT_EQ(Runs(Catch2Version2(), {"*end", "the End", "x"}, "*end")[0], "\"*end\"~\"the End\"");
  const std::vector<Case> alike = Catch2Version2().CasesOf({"Same", "same"});
  EXPECT_EQ(alike[0].runs_too, Names{"same"});
}

TEST(Catch2Filter, ReplacesTheUsersChoiceOfCases) {
  EXPECT_EQ(Catch2Version2().ToRun({"[fast]", "-r", "compact", "-f", "names", "--nothrow", "b*"},
                                   {"a", {"a"}, {}}),
            (Arguments{"-r", "compact", "--nothrow", "a"}));
}

}  // namespace
}  // namespace heddle::cases
