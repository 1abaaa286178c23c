#include "runtime/prim/padding.h"
#include "session/code_gaps.h"

#include <gtest/gtest.h>

namespace heddle::session {
namespace {

using Bytes = std::vector<unsigned char>;

TEST(CodeGaps, Nops) {
  // As GNU as writes them, of 1 to 11 bytes.
  const Bytes nops[] = {{0x90},
                        {0x66, 0x90},
                        {0x0f, 0x1f, 0x00},
                        {0x0f, 0x1f, 0x40, 0x00},
                        {0x0f, 0x1f, 0x44, 0x00, 0x00},
                        {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},
                        {0x0f, 0x1f, 0x80, 0, 0, 0, 0},
                        {0x0f, 0x1f, 0x84, 0x00, 0, 0, 0, 0},
                        {0x66, 0x0f, 0x1f, 0x84, 0x00, 0, 0, 0, 0},
                        {0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0, 0, 0, 0},
                        {0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0, 0, 0, 0}};
  Bytes all;
  for (const Bytes& nop : nops) {
    EXPECT_EQ(runtime::LengthOfPadding(nop), nop.size());
    all.insert(all.end(), nop.begin(), nop.end());
  }
  EXPECT_EQ(runtime::LengthOfPadding(all), all.size());
  EXPECT_EQ(runtime::LengthOfPadding(Bytes{0xcc, 0, 0xcc, 0x90}), 4u);
}

TEST(CodeGaps, CodeIsNoPadding) {
  EXPECT_EQ(runtime::LengthOfPadding(Bytes{0xc3}), 0u);                          // ret
  EXPECT_EQ(runtime::LengthOfPadding(Bytes{0x90, 0x66, 0xc3}), 1u);              // a prefix alone
  EXPECT_EQ(runtime::LengthOfPadding(Bytes{0x90, 0x0f, 0x1f, 0x84, 0x00}), 1u);  // cut off
  EXPECT_EQ(runtime::LengthOfPadding(Bytes{0x66, 0x89, 0x07, 0x90}), 0u);        // mov %ax, (%rdi)
  EXPECT_EQ(runtime::LengthOfPadding(Bytes{0xeb, 0x01, 0xc3, 0x90}), 0u);        // jumps over code
  EXPECT_EQ(runtime::LengthOfPadding(Bytes{0xeb, 0xfe}), 0u);                    // loops
  EXPECT_EQ(runtime::LengthOfPadding(Bytes{0xeb, 0x7f, 0x90}), 0u);              // leaves
}

TEST(CodeGaps, JumpsOverPadding) {
  EXPECT_EQ(runtime::LengthOfPadding(Bytes{0xeb, 0x02, 0x66, 0x90}), 4u);
  EXPECT_EQ(runtime::LengthOfPadding(Bytes{0xe9, 2, 0, 0, 0, 0x90, 0x90, 0xc3}), 7u);
}

TEST(CodeGaps, BetweenWhatIsKnown) {
  const Bytes code = {0xc3, 0x90, 0x90, 0x55, 0xc3, 0xcc, 0x50, 0xc3};
  const auto gaps = [&](const std::vector<CodeRange>& known) {
    std::vector<std::pair<uint64_t, uint64_t>> found;
    for (const CodeRange& gap : FindGaps(0x100, code, known)) found.push_back({gap.begin, gap.end});
    return found;
  };
  using Found = std::vector<std::pair<uint64_t, uint64_t>>;
  EXPECT_EQ(gaps({}), (Found{{0x100, 0x108}}));
  EXPECT_EQ(gaps({{0x0, 0x1000}}), Found{});
  EXPECT_EQ(gaps({{0x100, 0x101}}), (Found{{0x103, 0x108}}));
  EXPECT_EQ(gaps({{0xf0, 0x101}, {0x103, 0x105}}), (Found{{0x106, 0x108}}));
  EXPECT_EQ(gaps({{0x100, 0x101}, {0x100, 0x104}, {0x102, 0x103}, {0x106, 0x200}}),
            (Found{{0x104, 0x106}}));
  EXPECT_EQ(gaps({{0x200, 0x300}}), (Found{{0x100, 0x108}}));
}

}  // namespace
}  // namespace heddle::session
