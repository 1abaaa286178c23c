// The table of keys against a map.
#include "explore/visited/key_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heddle::explore {
namespace {

// Many keys differ in one of their words only.
plan::Key KeyOf(uint32_t number) { return {{number % 50, number / 50}}; }

TEST(KeyTable, FindsWhatWasAddedAndForgetsTheLast) {
  std::mt19937 random(1);
  KeyTable table;
  std::map<uint32_t, KeyTable::Id> expected;
  std::vector<uint32_t> order;
  for (int round = 0; round < 200; ++round) {
    table.Reserve(64);
    for (int i = 0; i < 64; ++i) {
      const uint32_t number = random() % 5000;
      const KeyTable::Id found = table.Find(KeyOf(number));
      const auto at = expected.find(number);
      ASSERT_EQ(found, at == expected.end() ? KeyTable::kNone : at->second);
      if (found != KeyTable::kNone) continue;
      const KeyTable::Id added = table.Add(KeyOf(number), KeyTable::kNone, number);
      ASSERT_EQ(added, order.size());
      ASSERT_EQ(table[added].step, number);
      expected[number] = added;
      order.push_back(number);
    }
    if (random() % 3 != 0) continue;
    const size_t size = random() % (order.size() + 1);
    table.Truncate(static_cast<KeyTable::Id>(size));
    for (; order.size() > size; order.pop_back()) expected.erase(order.back());
  }
  for (const auto& [number, id] : expected) EXPECT_EQ(table.Find(KeyOf(number)), id);
}

TEST(KeyTable, TakesNoMoreThanThereIsRoomFor) {
  KeyTable table;
  EXPECT_EQ(table.Find(KeyOf(1)), KeyTable::kNone);
  EXPECT_EQ(table.Add(KeyOf(1), KeyTable::kNone, 0), KeyTable::kNone);
  table.Reserve(3);
  uint32_t added = 0;
  while (table.Add(KeyOf(added), KeyTable::kNone, 0) != KeyTable::kNone) ++added;
  EXPECT_GE(added, 3u);
  EXPECT_EQ(table.Size(), added);
  EXPECT_EQ(table.Find(KeyOf(added)), KeyTable::kNone);
  EXPECT_LE(table.Bytes(), table.BytesWith(1));
}

}  // namespace
}  // namespace heddle::explore
