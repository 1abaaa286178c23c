// What heddle::Check reads is what the report wrote.
#include "report/fields.h"

#include <gtest/gtest.h>

#include "../../include/heddle.hpp"

namespace heddle::report {
namespace {

SearchResult WithTwoBugs() {
  SearchResult result;
  result.verdict = Verdict::kBug;
  result.complete = true;
  result.guarantee = "stopped at the first bug";
  result.executions = 12'345'678'901;
  Finding race;
  race.kind = "data-race";
  race.message = "on two\nlines 7\n";
  race.locations = {{"/a b.cpp", 7, "f"}, {"/c.cpp", 9, "g"}};
  race.schedule = "out/x.heddle";
  race.line = "data-race: main T1";
  Finding deadlock;
  deadlock.kind = "deadlock";
  result.findings = {race, deadlock};
  return result;
}

TEST(Fields, AreReadBack) {
  const heddle::Report report =
      heddle::internal::ReadReport(ToFields(WithTwoBugs(), "all\nof 3\nit\n"));
  EXPECT_EQ(report.verdict, heddle::Verdict::kBug);
  EXPECT_TRUE(report.FoundBug());
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.executions, 12'345'678'901u);
  EXPECT_EQ(report.guarantee, "stopped at the first bug");
  EXPECT_EQ(report.text, "all\nof 3\nit\n");
  ASSERT_EQ(report.bugs.size(), 2u);
  EXPECT_EQ(report.bugs[0].kind, "data-race");
  EXPECT_EQ(report.bugs[0].message, "on two\nlines 7\n");
  EXPECT_EQ(report.bugs[0].file, "/a b.cpp");
  EXPECT_EQ(report.bugs[0].line, 7u);
  EXPECT_EQ(report.bugs[0].schedule, "out/x.heddle");
  EXPECT_EQ(report.bugs[0].replay, "data-race: main T1");
  EXPECT_EQ(report.bugs[1].kind, "deadlock");
  EXPECT_EQ(report.bugs[1].file, "");
}

TEST(Fields, EachVerdictHasItsName) {
  using Named = std::pair<Verdict, heddle::Verdict>;
  for (const auto& [ours, theirs] :
       {Named{Verdict::kClean, heddle::Verdict::kClean},
        Named{Verdict::kBug, heddle::Verdict::kBug},
        Named{Verdict::kIncomplete, heddle::Verdict::kIncomplete},
        Named{Verdict::kUncontrolled, heddle::Verdict::kUncontrolled}}) {
    SearchResult result;
    result.verdict = ours;
    EXPECT_EQ(heddle::internal::ReadReport(ToFields(result, "")).verdict, theirs);
  }
}

TEST(Fields, WhatIsCutShortIsNeverClean) {
  SearchResult clean;
  clean.verdict = Verdict::kClean;
  const std::string fields = ToFields(clean, "text");
  const size_t verdict = fields.find('\n', fields.find('\n') + 1);
  for (size_t length = 0; length < verdict; ++length)
    EXPECT_EQ(heddle::internal::ReadReport(fields.substr(0, length)).verdict,
              heddle::Verdict::kError)
        << length;
}

}  // namespace
}  // namespace heddle::report
