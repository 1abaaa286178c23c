#include "report/suppressions.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(Suppressions, PatternsMatchLikeThreadSanitizers) {
  EXPECT_TRUE(MatchesPattern("foo", "a_foo_b"));
  EXPECT_FALSE(MatchesPattern("^foo", "a_foo_b"));
  EXPECT_TRUE(MatchesPattern("^foo", "foo_b"));
  EXPECT_TRUE(MatchesPattern("foo$", "a_foo"));
  EXPECT_TRUE(MatchesPattern("foo$", "foo_foo"));
  EXPECT_FALSE(MatchesPattern("foo$", "foo_b"));
  EXPECT_TRUE(MatchesPattern("^foo$", "foo"));
  EXPECT_FALSE(MatchesPattern("^foo$", "foofoo"));
  EXPECT_TRUE(MatchesPattern("a*c", "xabcx"));
  EXPECT_TRUE(MatchesPattern("*/third_party/*", "/src/third_party/zlib/inflate.c"));
  EXPECT_FALSE(MatchesPattern("a*c$", "abcd"));
  EXPECT_TRUE(MatchesPattern("a*$", "abcd"));
  EXPECT_FALSE(MatchesPattern("foo", ""));
}

TEST(Suppressions, FilesAreReadOrRefusedByLine) {
  auto read = ParseSuppressions("# comment\n\n race:a b \nrace_top:*\nsignal:x\r\n", "s.txt");
  ASSERT_TRUE(read.Ok()) << read.Message();
  ASSERT_EQ(read->size(), 3u);
  EXPECT_EQ((*read)[0].pattern, "a b");
  EXPECT_EQ((*read)[0].line, 3u);
  EXPECT_EQ((*read)[2].type, "signal");
  EXPECT_NE(ParseSuppressions("race:a\nrace_all:b\n", "s.txt").Message().find("s.txt:2"),
            std::string::npos);
  EXPECT_FALSE(ParseSuppressions("race\n", "s.txt").Ok());
  EXPECT_FALSE(ParseSuppressions("race:\n", "s.txt").Ok());
}

Step StepIn(std::vector<std::pair<std::string, std::string>> functions) {
  Step step;
  for (const auto& [function, file] : functions)
    step.stack.push_back({{file, 1, function}, "/lib/libm.so", false});
  return step;
}

TEST(Suppressions, KindsAndFrames) {
  Finding finding;
  finding.kind = "data-race";
  finding.steps = {Step(), StepIn({{"Inner", "/a/inner.c"}, {"Outer", "/a/outer.c"}}),
                   StepIn({{"Other", "/a/other.c"}})};
  finding.steps[1].object = "counter";
  const auto suppressed = [&](const char* text) {
    auto suppressions = ParseSuppressions(text, "s.txt");
    const bool answer = IsSuppressed(*suppressions, finding);
    EXPECT_EQ((*suppressions)[0].uses, answer ? 1u : 0u);
    return answer;
  };
  EXPECT_TRUE(suppressed("race:^Outer$"));
  EXPECT_TRUE(suppressed("race:other.c"));
  EXPECT_TRUE(suppressed("race:^counter$"));
  EXPECT_TRUE(suppressed("race_top:Inner"));
  EXPECT_FALSE(suppressed("race_top:Outer"));
  EXPECT_TRUE(suppressed("called_from_lib:libm.so"));
  EXPECT_FALSE(suppressed("deadlock:Outer"));
  EXPECT_FALSE(suppressed("mutex:Outer"));
  finding.kind = "deadlock";
  EXPECT_TRUE(suppressed("deadlock:Outer"));
  EXPECT_FALSE(suppressed("race:Outer"));
}

}  // namespace
}  // namespace heddle::report
