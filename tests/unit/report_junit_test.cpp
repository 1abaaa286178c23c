#include "report/junit.h"

#include <gtest/gtest.h>

#include "report/visible.h"
#include "unit/report_results_by_hand.h"

namespace heddle::report {
namespace {

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

TEST(Junit, ACleanResultPasses) {
  EXPECT_EQ(ToJunit({ResultByHand(Verdict::kClean)}),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="heddle" tests="1" failures="0" errors="0" time="1.500">
  <testsuite name="count.json" tests="1" failures="0" errors="0" skipped="0" time="1.500">
    <properties>
      <property name="heddle.version" value="0.1.0" />
      <property name="heddle.verdict" value="clean" />
      <property name="heddle.complete" value="true" />
      <property name="heddle.guarantee" value="what is proved" />
      <property name="heddle.executions" value="12" />
    </properties>
    <testcase classname="heddle.count" name="count --fast" time="1.500">
      <system-out>heddle: no bug found in 12 executions, 1.50 s (8/s)
  what is proved
</system-out>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(Junit, TheCasesOfAFileAreOneSuite) {
  NamedResult push = ResultByHand(Verdict::kClean);
  push.test_case = "Queue.Push";
  NamedResult pop = ResultByHand(Verdict::kBug, {RaceByHand()});
  pop.test_case = "Queue.Pop";
  const std::string xml = ToJunit({push, pop, ResultByHand(Verdict::kClean)});
  EXPECT_EQ(Count(xml, "<testsuite "), 2u);
  EXPECT_TRUE(Has(xml, "<testsuite name=\"count.json\" tests=\"2\" failures=\"1\" errors=\"0\""));
  EXPECT_TRUE(Has(xml, "<testcase classname=\"heddle.count\" name=\"Queue.Push\" "));
  EXPECT_TRUE(Has(xml, "<testcase classname=\"heddle.count\" name=\"Queue.Pop\" "));
  EXPECT_EQ(Count(xml, "<properties>"), 3u);
}

TEST(Junit, ABugIsOneFailureHoweverManyThereAre) {
  const std::string xml = ToJunit({ResultByHand(Verdict::kBug, {RaceByHand(), RaceByHand()})});
  EXPECT_EQ(Count(xml, "<failure "), 1u);
  EXPECT_TRUE(Has(xml,
                  "<failure message=\"data race: count: T1 writes and T2 writes (and 1 more)\" "
                  "type=\"data-race\">heddle: data race: "))
      << xml;
  EXPECT_TRUE(Has(xml, "file=\"/src/app/count.cpp\""));
  EXPECT_TRUE(Has(xml, "tests=\"1\" failures=\"1\" errors=\"0\""));
}

TEST(Junit, UncontrolledIsAnErrorAndIncompletePasses) {
  const std::string xml =
      ToJunit({ResultByHand(Verdict::kUncontrolled), ResultByHand(Verdict::kIncomplete)});
  EXPECT_TRUE(Has(xml, "<testsuites name=\"heddle\" tests=\"2\" failures=\"0\" errors=\"1\""));
  EXPECT_EQ(Count(xml, "<error message=\"what is proved\" type=\"uncontrolled\">"), 1u);
  EXPECT_EQ(Count(xml, "<failure"), 0u);
  EXPECT_EQ(Count(xml, "<property name=\"heddle.complete\" value=\"false\" />"), 2u);
}

TEST(Junit, NoTwoTestcasesHaveOneName) {
  const NamedResult result = ResultByHand(Verdict::kClean);
  const std::string xml = ToJunit({result, result, result});
  EXPECT_EQ(Count(xml, " name=\"count --fast\" "), 1u);
  EXPECT_EQ(Count(xml, " name=\"count --fast (count.json)\" "), 1u);
  EXPECT_EQ(Count(xml, " name=\"count --fast (count.json) #2\" "), 1u);
}

TEST(Junit, NothingThatXmlForbidsComesThrough) {
  const std::string xml = ToJunit({HostileResult()});
  EXPECT_EQ(xml, Visible(xml));
  EXPECT_FALSE(Has(xml, "<b>"));
  EXPECT_FALSE(Has(xml, "&#0"));  // a character that is forbidden stays so as a reference
  EXPECT_FALSE(Has(xml, "&#x"));
  EXPECT_TRUE(Has(xml, "&lt;/script&gt;&lt;!--]]&gt;&amp;"));
  EXPECT_TRUE(Has(xml, "\\x1b[31m\\x7f\\x00\\xff\\xc0\\x80 \\u202e Gr\xc3\xbc\xc3\x9f"));
}

}  // namespace
}  // namespace heddle::report
