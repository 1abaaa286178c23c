#include "report/suppressions.h"

#include <gtest/gtest.h>

#include "channel/records.h"
#include "report/wording.h"

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

TEST(Suppressions, AFileMayHaveLinesOfAllFormats) {
  auto read = ParseSuppressions(
      "race:a\ndeadlock:a\nsignal:a\nleak:a\ninterceptor_name:a\ninterceptor_via_fun:a\n"
      "interceptor_via_lib:a\nalloc_dealloc_mismatch:a\nodr_violation:a::b\n",
      "s.txt");
  ASSERT_TRUE(read.Ok()) << read.Message();
  ASSERT_EQ(read->size(), 9u);
  EXPECT_EQ(read->back().pattern, "a::b");
  for (const Suppression& one : *read)
    EXPECT_EQ(HasEffect(one), one.type != "signal" && one.type != "odr_violation") << one.type;
  const std::string message = ParseSuppressions("leaks:a\n", "s.txt").Message();
  EXPECT_NE(message.find("s.txt:1"), std::string::npos);
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

Step StepIn(std::vector<std::pair<std::string, std::string>> functions) {
  Step step;
  for (const auto& [function, file] : functions)
    step.stack.push_back({{file, 1, function}, "/lib/libm.so", false});
  return step;
}

bool Suppresses(const std::string& text, const Finding& finding) {
  auto suppressions = ParseSuppressions(text, "s.txt");
  const bool answer = IsSuppressed(*suppressions, finding);
  EXPECT_EQ((*suppressions)[0].uses, answer ? 1u : 0u);
  return answer;
}

TEST(Suppressions, LeaksByAnyFrameOfTheAllocation) {
  Finding finding;
  finding.kind = "leak";
  finding.steps = {Step(), StepIn({{"Allocate", "/a/wrap.h"}, {"Cache::Fill", "/a/cache.cc"}})};
  finding.steps[1].flags = channel::kStepMade;
  EXPECT_TRUE(Suppresses("leak:^Cache::", finding));
  EXPECT_TRUE(Suppresses("leak:cache.cc$", finding));
  EXPECT_TRUE(Suppresses("leak:libm.so", finding));
  EXPECT_FALSE(Suppresses("leak:^Fill", finding));
  EXPECT_FALSE(Suppresses("interceptor_via_fun:Fill", finding));
  EXPECT_FALSE(Suppresses("race:Fill", finding));
  EXPECT_FALSE(Suppresses("odr_violation:Fill", finding));
}

TEST(Suppressions, AccessesInCallsOfTheCLibrary) {
  Finding finding;
  finding.kind = "heap-buffer-overflow";
  finding.steps = {StepIn({{"Decode", "/a/decode.c"}, {"main", "/a/main.c"}})};
  finding.steps[0].flags = channel::kStepEnding;
  EXPECT_FALSE(Suppresses("interceptor_via_fun:Decode", finding)) << "the program's own access";
  EXPECT_FALSE(Suppresses("interceptor_via_lib:libm", finding));
  finding.steps[0].call = "memcpy";
  EXPECT_TRUE(Suppresses("interceptor_name:^memcpy$", finding));
  EXPECT_FALSE(Suppresses("interceptor_name:memmove", finding));
  EXPECT_TRUE(Suppresses("interceptor_via_fun:^main$", finding));
  EXPECT_TRUE(Suppresses("interceptor_via_fun:memcpy", finding));
  EXPECT_FALSE(Suppresses("interceptor_via_fun:decode.c", finding)) << "functions only";
  EXPECT_TRUE(Suppresses("interceptor_via_lib:libm", finding));
  EXPECT_FALSE(Suppresses("interceptor_via_lib:Decode", finding));
  EXPECT_FALSE(Suppresses("leak:Decode", finding));
  finding.kind = "data-race";
  EXPECT_FALSE(Suppresses("interceptor_via_fun:Decode", finding));
}

TEST(Suppressions, OfAFreeThatNothingOrdersTheAccessIsTheCall) {
  Finding finding;
  finding.kind = "use-after-free";
  finding.steps = {StepIn({{"Free", "/a/a.c"}}), StepIn({{"Read", "/a/a.c"}})};
  finding.steps[0].flags = channel::kStepRaceFirst;
  finding.steps[0].operation = kFree;
  finding.steps[0].call = "free";
  finding.steps[1].flags = channel::kStepRaceSecond;
  EXPECT_FALSE(Suppresses("interceptor_name:free", finding));
  EXPECT_FALSE(Suppresses("interceptor_via_fun:Read", finding));
  finding.steps[1].call = "strlen";
  EXPECT_FALSE(Suppresses("interceptor_via_fun:Free", finding));
  EXPECT_TRUE(Suppresses("interceptor_via_fun:Read", finding));
}

TEST(Suppressions, AnAccessToFreedMemoryIsNoMisuse) {
  Finding finding;
  finding.kind = "use-after-free";
  finding.steps = {StepIn({{"Use", "/a/a.c"}})};
  finding.steps[0].flags = channel::kStepEnding;
  for (const char* access : {"PlainRead", "AtomicLoad", ""}) {
    finding.steps[0].operation = access;
    EXPECT_FALSE(Suppresses("mutex:Use", finding)) << access;
    EXPECT_FALSE(Suppresses("thread:Use", finding)) << access;
    EXPECT_TRUE(Suppresses("race:Use", finding)) << access;
  }
  finding.steps[0].operation = "MutexUnlock";
  EXPECT_TRUE(Suppresses("mutex:Use", finding));
}

TEST(Suppressions, MismatchesByFunctionsOfTheCallThatFrees) {
  Finding finding;
  finding.kind = "alloc-dealloc-mismatch";
  finding.steps = {StepIn({{"Drop", "/a/drop.c"}})};
  finding.steps[0].flags = channel::kStepEnding;
  EXPECT_TRUE(Suppresses("alloc_dealloc_mismatch:Drop", finding));
  EXPECT_FALSE(Suppresses("alloc_dealloc_mismatch:drop.c", finding));
  EXPECT_FALSE(Suppresses("interceptor_via_fun:Drop", finding));
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
