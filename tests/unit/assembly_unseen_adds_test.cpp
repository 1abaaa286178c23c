// Which atomic additions in a compiler's assembly are the C++ library's own count of who waits.
#include "assembly/unseen_adds.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::assembly {
namespace {

constexpr char kFiles[] =
    "\t.file 0 \"/src\" \"a.cpp\"\n"
    "\t.file 1 \"/usr/include/c++/12/bits/atomic_wait.h\"\n"
    "\t.file 2 \"/usr/include/c++/12/bits/atomic_base.h\"\n";
constexpr char kAdd[] = "\tcall\t__tsan_atomic32_fetch_add@PLT\n";
constexpr char kSub[] = "\tcall\t__tsan_atomic32_fetch_sub@PLT\n";

// As line 10 to 14 of whichever header.
std::string Line(const std::string&, unsigned line) {
  switch (line) {
    case 10:
      return "      { __atomic_fetch_add(&_M_wait, 1, __ATOMIC_SEQ_CST); }";
    case 11:
      return "      { __atomic_fetch_sub(&_M_wait, 1, __ATOMIC_RELEASE); }";
    case 12:
      return "\t      __atomic_fetch_add(_M_addr, 1, __ATOMIC_SEQ_CST);";
    case 13:
      return "\t      auto __old = __atomic_fetch_add(_M_addr, 1, __ATOMIC_SEQ_CST);";
    default:
      return "      { return __atomic_fetch_add(_M_ptr, __i, int(__m)); }";
  }
}

std::string CallAt(const std::string& loc, const std::string& call) {
  const std::string before = std::string(kFiles) + "\t.loc " + loc + "\n";
  const std::string after = WithUnseenAdds(before + call, Line);
  EXPECT_EQ(after.substr(0, before.size()), before);
  return after.substr(before.size());
}

TEST(UnseenAddsTest, TellsWhoCountsThoseWhoWait) {
  EXPECT_EQ(CallAt("1 10 9 view .LVU1", kAdd), "\tcall\theddle_add_unseen@PLT\n");
  EXPECT_EQ(CallAt("1 11 9", kSub), "\tcall\theddle_sub_unseen@PLT\n");
  EXPECT_EQ(CallAt("1 12 9", kAdd), "\tcall\theddle_add_unseen@PLT\n");
}

TEST(UnseenAddsTest, LeavesOthersAlone) {
  EXPECT_EQ(CallAt("1 13 9", kAdd), kAdd);  // its result is used
  EXPECT_EQ(CallAt("1 14 9", kAdd), kAdd);
  EXPECT_EQ(CallAt("2 10 9", kAdd), kAdd);  // another header
  EXPECT_EQ(CallAt("0 10 9", kAdd), kAdd);  // the program's own
  EXPECT_EQ(CallAt("1 10 9", kSub), kSub);  // another function
  EXPECT_EQ(CallAt("1 0 0", kAdd), kAdd);   // no line
  const std::string longer = "\tcall\t__tsan_atomic32_fetch_add_more@PLT\n";
  EXPECT_EQ(CallAt("1 10 9", longer), longer);
  EXPECT_EQ(WithUnseenAdds(kAdd, Line), kAdd);
}

}  // namespace
}  // namespace heddle::assembly
