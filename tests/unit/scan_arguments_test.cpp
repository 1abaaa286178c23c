#include "runtime/prim/scan_arguments.h"

#include <gtest/gtest.h>

#include <cstdarg>

namespace heddle::runtime {
namespace {

using Kind = ScanArgument::Kind;

ScanArguments Find(const char* format, ...) {
  va_list list;
  va_start(list, format);
  ScanArguments found;
  FindScanArguments(format, list, found);
  va_end(list);
  for (unsigned i = 0; i < found.count; ++i) EXPECT_EQ(*found.all[i].slot, found.all[i].pointer);
  return found;
}

constexpr size_t kNone = ~size_t{0};
char a, b, c, d, e, f, g, h, i;

TEST(ScanArguments, TheSizeOfANumberIsThatOfItsLength) {
  const auto found = Find("%hhd %hi%d%ld %zu%f%lf%Lf%p", &a, &b, &c, &d, &e, &f, &g, &h, &i);
  const unsigned sizes[] = {1, 2, 4, 8, 8, 4, 8, 16, 8};
  ASSERT_EQ(found.count, 9u);
  for (unsigned n = 0; n < 9; ++n) {
    EXPECT_EQ(found.all[n].kind, Kind::kValue);
    EXPECT_EQ(found.all[n].size, sizes[n]) << n;
  }
  EXPECT_EQ(found.all[8].pointer, &i);
}

TEST(ScanArguments, StringsHaveWidthsAndCharactersSizes) {
  const auto found = Find("%s%7s%[^]a%]%3[a-z]%c%9c%ls%n", &a, &b, &c, &d, &e, &f, &g, &h);
  ASSERT_EQ(found.count, 8u);
  EXPECT_EQ(found.all[0].width, kNone);
  EXPECT_EQ(found.all[1].width, 7u);
  EXPECT_EQ(found.all[2].kind, Kind::kString);
  EXPECT_EQ(found.all[2].pointer, &c);
  EXPECT_EQ(found.all[3].width, 3u);
  EXPECT_EQ(found.all[4].kind, Kind::kCharacters);
  EXPECT_EQ(found.all[4].width, 1u);
  EXPECT_EQ(found.all[5].width, 9u);
  EXPECT_EQ(found.all[6].size, sizeof(wchar_t));
  EXPECT_EQ(found.all[7].kind, Kind::kCount);
}

TEST(ScanArguments, WhatIsNotStoredTakesNoArgument) {
  const auto found = Find("%*d%%%*[a-z]%d%ms", &a, &b);
  ASSERT_EQ(found.count, 2u);
  EXPECT_EQ(found.all[0].pointer, &a);
  EXPECT_EQ(found.all[1].kind, Kind::kAllocated);
}

TEST(ScanArguments, NothingIsKnownBehindWhatIsNotUnderstood) {
  EXPECT_EQ(Find("%d%2$d", &a, &b).count, 1u);
  EXPECT_EQ(Find("%d%y%d", &a, &b, &c).count, 1u);
  EXPECT_EQ(Find("%d%[a", &a, &b).count, 1u);
  EXPECT_EQ(Find("%d%", &a).count, 1u);
  EXPECT_EQ(Find("", &a).count, 0u);
}

}  // namespace
}  // namespace heddle::runtime
