// Which calls of the clock in a compiler's assembly are the C++ library's own for a time limit.
#include "assembly/limit_clock.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::assembly {
namespace {

constexpr char kFiles[] =
    "\t.file 0 \"/src\" \"a.cpp\"\n"
    "\t.file 1 \"/usr/include/c++/12/condition_variable\"\n"
    "\t.file 2 \"/src\" \"condition_variable\"\n"
    "\t.file 3 \"/usr/include/c++/12/mutex\"\n"
    "\t.file 4 \"/usr/include/c++/12/bits/atomic_futex.h\"\n";
constexpr char kCall[] = "\tcall\t_ZNSt6chrono3_V212steady_clock3nowEv@PLT\n";

// As line 10 to 14 of whichever header.
std::string Line(const std::string&, unsigned line) {
  switch (line) {
    case 10:
      return "\t\t\t  steady_clock::now() +";
    case 11:
      return "\treturn (steady_clock::now() < __atime";
    case 12:
      return "\t  return _M_try_lock_until(__clock::now() + __rt);";
    case 14:
      return "\t\t    __clock_t::now() + chrono::__detail::ceil<__dur>(__rtime));";
    default:
      return "\tconst auto __entry = steady_clock::now();";
  }
}

std::string CallAt(const std::string& loc) {
  const std::string before = std::string(kFiles) + "\t.loc " + loc + "\n";
  const std::string after = WithLimitClock(before + kCall, Line);
  EXPECT_EQ(after.substr(0, before.size()), before);
  return after.substr(before.size());
}

constexpr char kForLimit[] = "\tcall\theddle_now_for_limit@PLT\n";
constexpr char kAfterLimit[] = "\tcall\theddle_now_after_limit@PLT\n";

TEST(LimitClockTest, TellsTheLimitFromTheLookAfterIt) {
  EXPECT_EQ(CallAt("1 10 17 view .LVU1"), kForLimit);
  EXPECT_EQ(CallAt("1 11 3"), kAfterLimit);
  EXPECT_EQ(CallAt("3 12 4"), kForLimit);
  EXPECT_EQ(CallAt("4 14 7"), kForLimit);
}

TEST(LimitClockTest, LeavesOtherReadingsAlone) {
  EXPECT_EQ(CallAt("1 13 1"), kCall);  // another line of the header
  EXPECT_EQ(CallAt("0 10 1"), kCall);  // the program's own
  EXPECT_EQ(CallAt("2 10 1"), kCall);  // a header of the same name that is not the library's
  EXPECT_EQ(CallAt("1 0 0"), kCall);   // no line
  EXPECT_EQ(CallAt("3 11 1"), kCall);  // the mutex has no look afterwards
}

TEST(LimitClockTest, WithoutLinesNothingIsChanged) {
  EXPECT_EQ(WithLimitClock(kCall, Line), kCall);
  EXPECT_FALSE(ReadsSteadyClock("\tcall\tmalloc@PLT\n"));
  EXPECT_TRUE(ReadsSteadyClock(kCall));
}

TEST(LimitClockTest, KeepsTheFormOfTheCall) {
  const std::string text = std::string(kFiles) +
                           "\t.loc 1 10 1\n"
                           "\tcall\t*_ZNSt6chrono3_V212steady_clock3nowEv@GOTPCREL(%rip)";
  EXPECT_TRUE(WithLimitClock(text, Line).ends_with("\tcall\t*heddle_now_for_limit@GOTPCREL(%rip)"));
}

// What is not a call by that name: an address, data.
TEST(LimitClockTest, LeavesOtherUsesOfTheName) {
  const std::string text = std::string(kFiles) +
                           "\t.loc 1 10 1\n"
                           "\tmovq\t_ZNSt6chrono3_V212steady_clock3nowEv@GOTPCREL(%rip), %rax\n";
  EXPECT_EQ(WithLimitClock(text, Line), text);
}

}  // namespace
}  // namespace heddle::assembly
