// The array that puts pages out: against a plain one, and when the disk is full or fails.
#include "explore/paged_array.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <vector>

#include "base/hash.h"

namespace heddle::explore {
namespace {

struct Item {
  uint32_t a;
  uint32_t b;
};

// A file in memory.
class MemorySpill final : public Spill {
 public:
  bool Write(uint64_t at, const void* data, size_t bytes) override {
    if (full) return false;
    ++writes;
    const auto* from = static_cast<const uint8_t*>(data);
    blocks[at].assign(from, from + bytes);
    return true;
  }
  bool Read(uint64_t at, void* data, size_t bytes) override {
    if (broken || !blocks.contains(at) || blocks[at].size() != bytes) return false;
    std::memcpy(data, blocks[at].data(), bytes);
    return true;
  }

  std::map<uint64_t, std::vector<uint8_t>> blocks;
  uint64_t writes = 0;
  bool full = false;
  bool broken = false;
};

constexpr uint64_t kPageBytes = PagedArray<Item>::kPageItems * sizeof(Item);
constexpr uint64_t kLimit = 4 * kPageBytes;
constexpr uint32_t kItems = 20 * PagedArray<Item>::kPageItems;

void Fill(PagedArray<Item>& array) {
  for (uint32_t i = 0; i < kItems; ++i) {
    array.Grow();
    array.Edit(i) = {i, 0};
  }
}

TEST(PagedArray, HoldsWhatAPlainArrayHolds) {
  MemorySpill spill;
  PagedArray<Item> array(1u << 30, kLimit);
  array.SetSpill(&spill);
  Fill(array);
  std::vector<uint32_t> plain(kItems);
  uint64_t random = 7;
  for (int k = 0; k < 20'000; ++k) {
    const uint32_t i = base::NextBelow(random, kItems);
    if (k % 3 == 0) {
      array.Edit(i).b = plain[i] = static_cast<uint32_t>(k);
    }
    ASSERT_EQ(array[i].a, i);
    ASSERT_EQ(array[i].b, plain[i]);
  }
  EXPECT_LE(array.MemoryBytes(), kLimit);
  EXPECT_FALSE(array.Lost());
  EXPECT_GE(spill.blocks.begin()->first, 1u << 30) << "its place in the file";
}

TEST(PagedArray, UnchangedPagesAreNotWrittenAgain) {
  MemorySpill spill;
  PagedArray<Item> array(0, kLimit);
  array.SetSpill(&spill);
  Fill(array);
  for (uint32_t i = 0; i < kItems; i += PagedArray<Item>::kPageItems) array[i];
  const uint64_t writes = spill.writes;
  for (uint32_t i = 0; i < kItems; i += PagedArray<Item>::kPageItems) array[i];
  EXPECT_EQ(spill.writes, writes);
}

TEST(PagedArray, StaysInMemoryWhenTheDiskIsFull) {
  MemorySpill spill;
  spill.full = true;
  PagedArray<Item> array(0, kLimit);
  array.SetSpill(&spill);
  Fill(array);
  EXPECT_EQ(array.MemoryBytes(), 20 * kPageBytes);
  for (uint32_t i = 0; i < kItems; ++i) ASSERT_EQ(array[i].a, i);
  EXPECT_FALSE(array.Lost());
}

TEST(PagedArray, NewItemsAreZero) {
  MemorySpill spill;
  PagedArray<Item> array(0, kLimit);
  array.SetSpill(&spill);
  constexpr uint32_t kHalf = PagedArray<Item>::kPageItems / 2;
  for (uint32_t i = 0; i < kHalf; ++i) array.Grow();
  for (uint32_t i = 0; i < kHalf; ++i) ASSERT_EQ(array[i].a | array[i].b, 0u);
}

TEST(PagedArray, TellsWhatCouldNotBeReadBack) {
  MemorySpill spill;
  PagedArray<Item> array(0, kLimit);
  array.SetSpill(&spill);
  Fill(array);
  spill.broken = true;
  EXPECT_EQ(array[0].a, 0u);
  EXPECT_EQ(array[5].a, 0u) << "zero";
  EXPECT_TRUE(array.Lost());
}

}  // namespace
}  // namespace heddle::explore
