#include "report/time_shares.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TimeShares, FastExecutionsNeedNoAdvice) {
  EXPECT_EQ(TimeText({}), "");
  EXPECT_EQ(TimeText({1000, 1000ull * 9'000'000, 1000ull * 8'000'000, 0}), "");
}

// Nothing is made again, or hardly anything.
TEST(TimeShares, ShortSearchesNeedNone) {
  EXPECT_EQ(TimeText({1, 8 * kSecond, 0, 6 * kSecond}), "");
  EXPECT_EQ(TimeText({3, kSecond / 11, 0, kSecond / 12}), "");
}

TEST(TimeShares, NothingThatTakesMostOfTheTime) {
  EXPECT_EQ(TimeText({10, 10 * kSecond, 5 * kSecond, 5 * kSecond}), "");
}

TEST(TimeShares, RestoringMemory) {
  const std::string text = TimeText({10, 20 * kSecond, 15 * kSecond, 0});
  EXPECT_TRUE(Has(text, "restoring memory takes 75 % of the time (1.50 s of 2.00 s for an"))
      << text;
}

TEST(TimeShares, WhatMainDoesFirst) {
  const std::string text = TimeText({4, 8 * kSecond, 1 * kSecond, 6 * kSecond});
  EXPECT_TRUE(Has(text, "what main does before its first thread takes 75 % of the time (1.50 s of"))
      << text;
  EXPECT_TRUE(Has(text, "before heddle::Check")) << text;
}

}  // namespace
}  // namespace heddle::report
