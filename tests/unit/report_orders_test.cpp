// What is said of memory orders that a test does not need: text and JSON.
#include "report/orders_result.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using End = OrderTrial::End;

JudgedOrder Store(uint32_t column, std::vector<OrderTrial> trials) {
  return {{op::Kind::kAtomicStore,
           __ATOMIC_SEQ_CST,
           __ATOMIC_SEQ_CST,
           {"/src/mp.c", 6, "Send", column}},
          false,
          std::move(trials)};
}

TEST(OrdersResult, SaysWhatIsEnough) {
  const JudgedOrder judged =
      Store(3, {{__ATOMIC_RELAXED, End::kBreaks, 2, "a bug"}, {__ATOMIC_RELEASE, End::kHolds, 9}});
  EXPECT_EQ(JudgedText(judged, false),
            "mp.c:6 store memory_order_seq_cst: memory_order_release is enough for this test "
            "(memory_order_relaxed: a bug)");
  EXPECT_FALSE(judged.IsNeeded());
  EXPECT_FALSE(judged.IsOpen());
}

TEST(OrdersResult, NamesTheNearestBugOfWhatIsNeeded) {
  const JudgedOrder judged = Store(3, {{__ATOMIC_RELAXED, End::kBreaks, 2, "a bug"},
                                       {__ATOMIC_RELEASE, End::kBreaks, 9, "another"}});
  EXPECT_TRUE(judged.IsNeeded());
  EXPECT_EQ(JudgedText(judged, true),
            "mp.c:6:3 store memory_order_seq_cst: needed (memory_order_release: another)");
}

TEST(OrdersResult, ClaimsNothingThatIsNotKnown) {
  const JudgedOrder judged = Store(3, {{__ATOMIC_RELAXED, End::kBreaks, 9, "a bug"},
                                       {__ATOMIC_RELEASE, End::kNotKnown, 2, "time was up"}});
  EXPECT_FALSE(judged.IsNeeded());
  EXPECT_TRUE(judged.IsOpen());
  EXPECT_EQ(JudgedText(judged, false),
            "mp.c:6 store memory_order_seq_cst: not known (memory_order_release: not known, time "
            "was up)");
}

TEST(OrdersResult, ABugIsThereWithEachWeakerOrder) {
  const JudgedOrder judged = Store(3, {{__ATOMIC_RELAXED, End::kNotKnown, 2, "time was up"},
                                       {__ATOMIC_RELEASE, End::kBreaks, 9, "a bug"}});
  EXPECT_TRUE(judged.IsNeeded());
  EXPECT_FALSE(judged.IsOpen());
}

TEST(OrdersResult, TellsWhatStandsOnOneLineApart) {
  const std::vector<JudgedOrder> all = {Store(3, {}), Store(9, {})};
  EXPECT_TRUE(NeedsColumn(all, all[0]));
  EXPECT_FALSE(NeedsColumn({all[0]}, all[0]));
}

TEST(OrdersResult, SaysOfAFenceThatNoneIsNeeded) {
  const JudgedOrder judged = {
      {op::Kind::kAtomicFence, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, {"/src/mp.c", 7, "Send"}},
      false,
      {{__ATOMIC_RELAXED, End::kHolds, 9}}};
  EXPECT_EQ(JudgedText(judged, false),
            "mp.c:7 fence memory_order_seq_cst: no fence is enough for this test");
}

TEST(OrdersResult, SaysWhichHoldTogether) {
  OrdersResult result;
  result.judged = {Store(3, {{__ATOMIC_RELAXED, End::kHolds, 9}}),
                   Store(9, {{__ATOMIC_RELAXED, End::kHolds, 9}})};
  OrdersTogether together;
  together.trial = {0, End::kHolds, 1200};
  together.holds = {0, 1};
  together.orders = {__ATOMIC_RELAXED, __ATOMIC_RELAXED};
  result.together = {together};
  EXPECT_EQ(TogetherText(result),
            "together, too: every execution with all of them explored (1,200)\n");
  EXPECT_TRUE(IsAllKnown(result));
  result.together[0].trial = {0, End::kBreaks, 3, "a bug"};
  result.together[0].holds = {1};
  result.together[0].orders = {__ATOMIC_RELAXED};
  result.together[0].executions = 5;
  result.together[0].all_tried = false;
  EXPECT_EQ(TogetherText(result),
            "not all together (a bug); these hold together (5 executions):\n"
            "  mp.c:6:9 store memory_order_seq_cst -> memory_order_relaxed\n"
            "  perhaps others, too: not known\n");
  EXPECT_FALSE(IsAllKnown(result));
  const std::string json = ToJson(result);
  for (const char* part : {"\"hold_together\"", "\"index\": 1", "\"all_known\": false",
                           "\"verdict\": \"stronger\"", "\"why\": \"a bug\""})
    EXPECT_NE(json.find(part), std::string::npos) << part << json;
}

}  // namespace
}  // namespace heddle::report
