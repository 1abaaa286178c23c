#include "report/more_machines.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

// 100,000 executions a second, of which 26 * 10^9 are left: 72.2 hours, and 1.25 on 64 cores by
// 0.9.
SearchResult Long() {
  SearchResult result;
  result.order = "escalating";
  result.reduction = "optimal";
  result.visited = "none";
  result.executions = 1000000;
  result.elapsed_s = 10;
  result.estimate.executions = 26.001e9;
  return result;
}

TEST(MoreMachines, SaysHowLongItTakesWithThem) {
  EXPECT_EQ(MoreMachinesText(Long()),
            "on 64 cores: about 75 minutes, by `heddle-campaign run DIR -- PROG` "
            "(docs/campaigns.md)");
  SearchResult two_jobs = Long();
  two_jobs.jobs = {500000, 500000};
  EXPECT_NE(MoreMachinesText(two_jobs).find("64 cores: about 2.5 hours"), std::string::npos);
}

TEST(MoreMachines, SaysNothingWhereTheyAreOfNoUse) {
  SearchResult soon = Long();
  soon.estimate.executions = 100e6;
  EXPECT_EQ(MoreMachinesText(soon), "");
  SearchResult unknown = Long();
  unknown.estimate.executions = 0;
  EXPECT_EQ(MoreMachinesText(unknown), "");
  SearchResult uncuttable = Long();
  uncuttable.reduction = "happens-before";
  EXPECT_EQ(MoreMachinesText(uncuttable), "");
  SearchResult drawn = Long();
  drawn.order = "pct";
  EXPECT_EQ(MoreMachinesText(drawn), "");
}

}  // namespace
}  // namespace heddle::report
