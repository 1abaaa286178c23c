#include "runtime/prim/print_arguments.h"

#include <gtest/gtest.h>

#include <cstdarg>
#include <string>

namespace heddle::runtime {
namespace {

using Kind = PrintArgument::Kind;

PrintArguments Find(const char* format, ...) {
  va_list list;
  va_start(list, format);
  PrintArguments found;
  FindPrintArguments(format, list, found);
  va_end(list);
  for (unsigned i = 0; i < found.count; ++i) EXPECT_EQ(*found.all[i].slot, found.all[i].pointer);
  return found;
}

constexpr size_t kAll = ~size_t{0};
const char* const kA = "a";
const char* const kB = "b";

TEST(PrintArguments, StringsAreFoundBehindOthers) {
  const PrintArguments found = Find("%d %5.2f %-+8ld %Lf %c%p %s%% %m %hhx %s", 1, 2.0, 3L, 4.0L,
                                    'c', static_cast<const void*>(kA), kA, 5, kB);
  ASSERT_EQ(found.count, 2u);
  EXPECT_EQ(found.all[0].pointer, kA);
  EXPECT_EQ(found.all[0].kind, Kind::kString);
  EXPECT_EQ(found.all[0].most, kAll);
  EXPECT_EQ(found.all[1].pointer, kB);
}

TEST(PrintArguments, ManyArgumentsLieOnTheStack) {
  const PrintArguments found = Find("%d%d%d%d%d%d%d%Lg%g%g%g%g%g%g%g%g%g%s", 1, 2, 3, 4, 5, 6, 7,
                                    8.0L, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, kB);
  ASSERT_EQ(found.count, 1u);
  EXPECT_EQ(found.all[0].pointer, kB);
}

TEST(PrintArguments, Precision) {
  EXPECT_EQ(Find("%.3s", kA).all[0].most, 3u);
  EXPECT_EQ(Find("%.s", kA).all[0].most, 0u);
  EXPECT_EQ(Find("%9.*s", 4, kA).all[0].most, 4u);
  EXPECT_EQ(Find("%*.*s", -9, -1, kA).all[0].most, kAll);
  EXPECT_EQ(Find("%*.*s", -9, -1, kA).all[0].pointer, kA);
  EXPECT_EQ(Find("%3$*1$.*2$s", 7, 2, kA).all[0].most, 2u);
}

TEST(PrintArguments, Positions) {
  const PrintArguments found = Find("%3$s %1$.1f %2$s %3$s", 1.0, kA, kB);
  ASSERT_EQ(found.count, 2u);
  EXPECT_EQ(found.all[0].pointer, kB);
  EXPECT_EQ(found.all[1].pointer, kA);
  EXPECT_EQ(Find("%2$s", 1, kA).all[0].pointer, kA);    // the first is taken for an int
  EXPECT_EQ(Find("%1$.2s%1$.7s", kA).all[0].most, 7u);  // read once
  EXPECT_EQ(Find("%1$s %s", kA, kB).count, 1u);         // not both
  EXPECT_EQ(Find("%3$s %1$d %!", 1, 2, kA).count, 0u);  // the second may be anything
  EXPECT_EQ(Find("%99$s", kA).count, 0u);
}

TEST(PrintArguments, WideStringsAndCounts) {
  const wchar_t* const wide = L"w";
  EXPECT_EQ(Find("%ls", wide).all[0].kind, Kind::kWideString);
  EXPECT_EQ(Find("%S", wide).all[0].kind, Kind::kWideString);
  EXPECT_EQ(Find("%hs", kA).all[0].kind, Kind::kString);
  EXPECT_EQ(Find("%lc%C%s", 1, 2, kA).all[0].pointer, kA);
  int count;
  for (const auto& [format, size] : {std::pair{"%n", 4},
                                     {"%hn", 2},
                                     {"%hhn", 1},
                                     {"%ln", 8},
                                     {"%lln", 8},
                                     {"%jn", 8},
                                     {"%zn", 8},
                                     {"%tn", 8}}) {
    const PrintArguments found = Find(format, &count);
    ASSERT_EQ(found.count, 1u);
    EXPECT_EQ(found.all[0].kind, Kind::kCount);
    EXPECT_EQ(found.all[0].size, size);
  }
}

TEST(PrintArguments, NothingBehindWhatIsUnknown) {
  EXPECT_EQ(Find("%s %! %s", kA, kB).count, 1u);
  EXPECT_EQ(Find("%s %", kA).count, 1u);
  EXPECT_EQ(Find("%s %l", kA).count, 1u);
  EXPECT_EQ(Find("%s", nullptr).count, 0u);
  EXPECT_EQ(Find("").count, 0u);
  std::string many;
  for (int i = 0; i < 40; ++i) many += "%%%d";
  EXPECT_EQ(Find((many + "%s").c_str(), 1).count, 0u);
}

}  // namespace
}  // namespace heddle::runtime
