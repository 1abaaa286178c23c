// Copying and filling without libc, against bytes one by one: every size around the borders between
// methods, every overlap.
#include "runtime/prim/copy.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::runtime {
namespace {

std::vector<size_t> Sizes() {
  std::vector<size_t> sizes;
  for (size_t size = 0; size < 150; ++size) sizes.push_back(size);
  for (size_t size = kStringCopyFrom - 20; size < kStringCopyFrom + 20; ++size)
    sizes.push_back(size);
  sizes.push_back(10000);
  return sizes;
}

std::vector<char> Pattern(size_t size) {
  std::vector<char> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
  return bytes;
}

TEST(CopyTest, CopiesExactlyTheBytes) {
  for (size_t size : Sizes()) {
    const std::vector<char> from = Pattern(size + 64);
    std::vector<char> to(size + 64, 'x');
    CopyForward(to.data() + 32, from.data() + 3, size);
    for (size_t i = 0; i < to.size(); ++i)
      ASSERT_EQ(to[i], i >= 32 && i < 32 + size ? from[i - 29] : 'x')
          << "size " << size << " byte " << i;
  }
}

TEST(CopyTest, CopiesOverlappingRangesBothWays) {
  for (size_t size : Sizes()) {
    for (size_t shift : {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 100}) {
      for (bool up : {false, true}) {
        std::vector<char> bytes = Pattern(size + 100);
        const std::vector<char> before = bytes;
        const size_t from = up ? 0 : shift;
        const size_t to = up ? shift : 0;
        CopyOverlapping(bytes.data() + to, bytes.data() + from, size);
        for (size_t i = 0; i < bytes.size(); ++i)
          ASSERT_EQ(bytes[i], i >= to && i < to + size ? before[i - to + from] : before[i])
              << "size " << size << " shift " << shift << " byte " << i;
      }
    }
  }
}

TEST(CopyTest, FillsExactlyTheBytes) {
  for (size_t size : Sizes()) {
    std::vector<char> to(size + 64, 'x');
    Fill(to.data() + 32, 0xa5, size);
    for (size_t i = 0; i < to.size(); ++i)
      ASSERT_EQ(to[i], i >= 32 && i < 32 + size ? static_cast<char>(0xa5) : 'x') << "size " << size;
  }
}

}  // namespace
}  // namespace heddle::runtime
