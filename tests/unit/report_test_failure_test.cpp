#include "report/test_failure.h"

#include <gtest/gtest.h>

#include "channel/records.h"
#include "report/symbolize.h"

namespace heddle::report {
namespace {

TEST(TestFailure, OfAnExceptionGoogleTestKnowsNoPlace) {
  const auto failure = LastTestFailure(
      "[ RUN      ] A.Throws\nunknown file: Failure\nUnknown C++ exception thrown in the test "
      "body.\n");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->file, "");
  EXPECT_EQ(failure->line, 0u);
  EXPECT_EQ(failure->message, "Unknown C++ exception thrown in the test body.");
}

TEST(TestFailure, OfGoogleTest) {
  const auto failure = LastTestFailure(
      "[ RUN      ] Queue.Push\nq.cpp:3: Failure\nFirst\nq.cpp:12: Failure\nExpected equality of "
      "these values:\n"
      "  size\n    Which is: 1\n  2\nmore\n");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->file, "q.cpp");
  EXPECT_EQ(failure->line, 12u);
  EXPECT_EQ(failure->message, "Expected equality of these values: size; Which is: 1; 2; more");
  EXPECT_EQ(
      failure->text,
      "q.cpp:12: Failure\nExpected equality of these values:\n  size\n    Which is: 1\n  2\nmore");
}

TEST(TestFailure, OfCatch2) {
  const auto failure = LastTestFailure(
      "-------------------------------------------------------------------------------\nq\n"
      "-------------------------------------------------------------------------------\n"
      "/a b/q.cpp:9: FAILED:\n  CHECK( a == b )\nwith expansion:\n  1 == 2\n\n"
      "===============================================================================\ntest "
      "cases: 1\n");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->file, "/a b/q.cpp");
  EXPECT_EQ(failure->message, "CHECK( a == b ); with expansion: 1 == 2");
}

TEST(TestFailure, OfDoctest) {
  const auto failure = LastTestFailure(
      "q.cpp:7: FATAL ERROR: REQUIRE( a == b ) is NOT correct!\n  values: REQUIRE( 1 == 2 )\n\n");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->line, 7u);
  EXPECT_EQ(failure->message, "REQUIRE( a == b ) is NOT correct!; values: REQUIRE( 1 == 2 )");
}

TEST(TestFailure, IsNoOtherText) {
  EXPECT_FALSE(LastTestFailure(""));
  EXPECT_FALSE(LastTestFailure("all: Failure\nq.cpp:x: FAILED:\n:3: Failure\nq.cpp:3 Failure\n"));
}

TEST(TestFailure, IsEnteredWhereTheFrameworkSays) {
  Finding finding;
  Step step;
  step.flags = channel::kStepEnding;
  step.stack = {{{"/src/gtest.cc", 99, "testing::Break"}, "/t", true},
                {{"/src/q.cpp", 14, "Test"}, "/t", false}};
  step.location = step.stack[1].location;
  finding.steps = {step};
  TellTestFailure("q.cpp:12: Failure\nbad\n", finding);
  EXPECT_EQ(finding.message, "bad");
  ASSERT_EQ(finding.locations.size(), 1u);
  EXPECT_EQ(finding.locations[0].file, "/src/q.cpp");
  EXPECT_EQ(finding.locations[0].line, 12u);
  EXPECT_EQ(finding.steps[0].location.function, "Test");
}

TEST(TestFramework, IsKnownByItsNamespace) {
  EXPECT_TRUE(IsTestFramework("testing::UnitTest::AddTestPartResult"));
  EXPECT_TRUE(IsTestFramework("Catch::RunContext::assertionEnded"));
  EXPECT_TRUE(IsTestFramework("doctest::detail::decomp_assert"));
  EXPECT_FALSE(IsTestFramework("testing::Queue_Push_Test::TestBody"));
  EXPECT_FALSE(IsTestFramework("mytesting::Run"));
}

}  // namespace
}  // namespace heddle::report
