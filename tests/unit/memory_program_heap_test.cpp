// The program's heap: deterministic per thread, telling patterns, bad frees named, back to the mark
// at no cost. There is one heap per process (its addresses are fixed), so each test uses threads of
// its own.

#include "runtime/memory/program_heap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <vector>

namespace heddle::runtime {
namespace {

class ProgramHeapTest : public testing::Test {
 protected:
  void SetUp() override {
    static unsigned next_thread = 0;
    thread_ = next_thread;
    next_thread += 8;
  }
  void TearDown() override { heap_.Rewind(); }

  unsigned char* Take(unsigned thread, size_t bytes, size_t alignment = 16, bool zeroed = false) {
    reused_ = false;
    return static_cast<unsigned char*>(
        heap_.Take(thread_ + thread, bytes, alignment, zeroed, &reused_));
  }

  bool IsInBlock(const void* at, size_t size) {
    const auto address = reinterpret_cast<uintptr_t>(at);
    const bool all = heap_.IsAllInBlock(address, size);
    if (size <= 16) {
      EXPECT_EQ(heap_.IsInBlock(address, size), all);
    }
    return all;
  }
  OutOfBounds Find(const void* at, size_t size) {
    return heap_.FindOutOfBounds(reinterpret_cast<uintptr_t>(at), size);
  }

  ProgramHeap& heap_ = g_program_heap;
  unsigned thread_ = 0;
  bool reused_ = false;
};

TEST_F(ProgramHeapTest, AddressesDependOnTheThreadAlone) {
  std::vector<void*> alone;
  for (size_t i = 0; i < 100; ++i) alone.push_back(Take(0, i * 37));
  alone.push_back(Take(0, kSmallBytes + 1));
  for (int round = 0; round < 3; ++round) {
    heap_.Rewind();
    std::vector<void*> mixed;
    for (size_t i = 0; i < 100; ++i) {
      void* other = Take(1, 1000 * i);
      mixed.push_back(Take(0, i * 37));
      EXPECT_EQ(heap_.GiveBack(other), FreeResult::kOk);
    }
    Take(1, kSmallBytes + 1);
    mixed.push_back(Take(0, kSmallBytes + 1));
    EXPECT_EQ(mixed, alone);
  }
}

TEST_F(ProgramHeapTest, PatternsTellFreshAndFreedMemory) {
  for (const size_t bytes : {1, 16, 100, 1024, 1025, 5000, 1 << 20}) {
    unsigned char* fresh = Take(0, bytes);
    for (size_t i = 0; i < bytes; ++i) ASSERT_EQ(fresh[i], kFreshPattern) << bytes;
    std::memset(fresh, 7, bytes);
    EXPECT_EQ(heap_.GiveBack(fresh), FreeResult::kOk);
    for (size_t i = 0; i < bytes && i < kFreedFillBytes; ++i)
      ASSERT_EQ(fresh[i], kFreedPattern) << bytes;
    unsigned char* zeroed = Take(0, bytes, 16, true);
    for (size_t i = 0; i < bytes; ++i) ASSERT_EQ(zeroed[i], 0) << bytes;
    std::memset(zeroed, 7, bytes);
  }
  heap_.Rewind();
  unsigned char* again = Take(0, 5000);
  for (size_t i = 0; i < 5000; ++i) ASSERT_EQ(again[i], kFreshPattern);
}

TEST_F(ProgramHeapTest, LargeBlocksAreZeroInEveryExecution) {
  for (int round = 0; round < 3; ++round) {
    unsigned char* block = Take(0, 3 << 20);
    for (size_t i = 0; i < 3 << 20; i += 511) ASSERT_EQ(block[i], 0);
    std::memset(block, 1, 3 << 20);
    unsigned char* freed = Take(0, 2 << 20);
    EXPECT_EQ(heap_.GiveBack(freed), FreeResult::kOk);
    heap_.Rewind();
  }
}

TEST_F(ProgramHeapTest, BadFreesAreNamed) {
  unsigned char* block = Take(0, 100);
  unsigned char* next = Take(0, 100);
  EXPECT_EQ(heap_.GiveBack(block + 16), FreeResult::kNotABlock);
  EXPECT_EQ(heap_.GiveBack(block + 1), FreeResult::kNotABlock);
  EXPECT_EQ(heap_.GiveBack(&heap_), FreeResult::kNotABlock);
  EXPECT_EQ(heap_.GiveBack(reinterpret_cast<void*>(kArenasBegin + 77 * kArenaBytes)),
            FreeResult::kNotABlock);
  EXPECT_EQ(heap_.GiveBack(block), FreeResult::kOk);
  EXPECT_EQ(heap_.GiveBack(block), FreeResult::kDoubleFree);
  EXPECT_EQ(heap_.BytesOf(block), 0u);
  unsigned char* last = Take(0, 100);
  std::memset(next, 1, 100 + 20);  // into the next header
  EXPECT_EQ(heap_.GiveBack(last), FreeResult::kCorrupt);

  unsigned char* large = Take(0, kSmallBytes * 2);
  EXPECT_EQ(heap_.GiveBack(large + kSmallBytes), FreeResult::kNotABlock);
  EXPECT_EQ(heap_.GiveBack(large), FreeResult::kOk);
  EXPECT_EQ(heap_.GiveBack(large), FreeResult::kDoubleFree);
}

TEST_F(ProgramHeapTest, ABlockOfAnEarlierExecutionIsNotABlock) {
  unsigned char* block = Take(0, 100);
  heap_.Rewind();
  EXPECT_EQ(heap_.GiveBack(block), FreeResult::kNotABlock);
  Take(0, 1 << 16);
  EXPECT_EQ(heap_.BytesOf(block + 4096), 0u);
}

TEST_F(ProgramHeapTest, FreedMemoryWaitsBeforeItIsUsedAgain) {
  constexpr size_t kBlock = size_t{1} << 19;
  std::vector<void*> freed;
  for (size_t total = 0; total <= kQuarantineBytes; total += kBlock) {
    void* block = Take(0, kBlock);
    ASSERT_FALSE(reused_);
    ASSERT_EQ(heap_.GiveBack(block), FreeResult::kOk);
    freed.push_back(block);
  }
  EXPECT_NE(Take(0, 100), nullptr);
  EXPECT_FALSE(reused_) << "none of that size was freed";
  EXPECT_EQ(Take(0, kBlock), freed[0]) << "the oldest first";
  EXPECT_TRUE(reused_);
  heap_.Rewind();
  EXPECT_EQ(Take(0, kBlock), freed[0]);
  EXPECT_FALSE(reused_) << "the rewind forgets the quarantine";
}

TEST_F(ProgramHeapTest, WhatARoundAllocatedCanBeGivenBack) {
  Arena& arena = *heap_.ArenaOfThread(thread_);
  unsigned char* before = Take(0, 100);
  arena.BeginParking();
  const uintptr_t end = heap_.EndOf(thread_);
  unsigned char* first = Take(0, 100);
  unsigned char* second = Take(0, 300, 256);
  EXPECT_EQ(heap_.GiveBack(first, thread_), FreeResult::kOk);
  EXPECT_FALSE(arena.IsParkedSince(end)) << "one is live";
  EXPECT_EQ(heap_.GiveBack(second, thread_), FreeResult::kOk);
  EXPECT_TRUE(arena.IsParkedSince(end));
  EXPECT_FALSE(arena.IsParkedSince(reinterpret_cast<uintptr_t>(before))) << "before it began";
  arena.TakeBack(end);
  EXPECT_EQ(heap_.EndOf(thread_), end);
  EXPECT_EQ(heap_.GiveBack(first, thread_), FreeResult::kDoubleFree) << "still";
  EXPECT_EQ(heap_.FreedBytesOf(second), 304u);
  EXPECT_EQ(heap_.BytesOf(second), 0u);
  EXPECT_EQ(second[7], kFreedPattern);
  EXPECT_EQ(heap_.GiveBack(first + 16, thread_), FreeResult::kNotABlock);
  EXPECT_EQ(Take(0, 100), first);
  EXPECT_TRUE(reused_);
  EXPECT_EQ(heap_.FreedBytesOf(second), 304u) << "its memory is not used yet";
  EXPECT_EQ(Take(0, 300, 256), second);
  EXPECT_EQ(second[7], kFreshPattern);
  EXPECT_EQ(heap_.GiveBack(second), FreeResult::kOk);
  EXPECT_FALSE(arena.IsParkedSince(reinterpret_cast<uintptr_t>(second) - sizeof(BlockHeader)))
      << "another thread freed it";
  heap_.Rewind();
  Take(0, 100);
  EXPECT_EQ(Take(0, 100), first);
  EXPECT_FALSE(reused_);
}

TEST_F(ProgramHeapTest, ManyParkedBlocksAreQuarantined) {
  Arena& arena = *heap_.ArenaOfThread(thread_);
  arena.BeginParking();
  const uintptr_t end = heap_.EndOf(thread_);
  constexpr size_t kBlock = 1024;
  size_t parked = 0;
  for (; parked <= kParkedBytes; parked += kBlock) {
    EXPECT_EQ(arena.IsParkedSince(end), true) << parked;
    EXPECT_EQ(heap_.GiveBack(Take(0, kBlock), thread_), FreeResult::kOk);
  }
  EXPECT_FALSE(arena.IsParkedSince(end));
  // From then on they count as any other.
  for (; parked <= kQuarantineBytes; parked += kBlock)
    ASSERT_EQ(heap_.GiveBack(Take(0, kBlock), thread_), FreeResult::kOk);
  for (size_t more = 0; more <= 2 * kParkedBytes && !reused_; more += kBlock)
    EXPECT_EQ(heap_.GiveBack(Take(0, kBlock), thread_), FreeResult::kOk);
  EXPECT_TRUE(reused_);
}

TEST_F(ProgramHeapTest, AnOverwrittenParkedBlockIsNoticed) {
  heap_.ArenaOfThread(thread_)->BeginParking();
  unsigned char* first = Take(0, 100);
  unsigned char* second = Take(0, 100);
  EXPECT_EQ(heap_.GiveBack(second, thread_), FreeResult::kOk);
  std::memset(first, 7, 120);  // into the header of the second
  EXPECT_EQ(heap_.GiveBack(first, thread_), FreeResult::kCorrupt);
}

TEST_F(ProgramHeapTest, OtherThreadsMayFree) {
  unsigned char* block = Take(0, 100);
  Take(1, 100);
  EXPECT_EQ(heap_.GiveBack(block), FreeResult::kOk);
  EXPECT_EQ(heap_.GiveBack(block), FreeResult::kDoubleFree);
}

TEST_F(ProgramHeapTest, TheMarkKeepsWhatWasAllocatedBefore) {
  unsigned char* kept = Take(0, 100);
  unsigned char* kept_large = Take(0, kSmallBytes + 1);
  unsigned char* dropped_large = Take(0, kSmallBytes + 1);
  kept_large[0] = 42;
  EXPECT_EQ(heap_.GiveBack(dropped_large), FreeResult::kOk);
  heap_.Mark();
  for (int round = 0; round < 3; ++round) {
    unsigned char* fresh = Take(0, 100);
    EXPECT_NE(reinterpret_cast<uintptr_t>(fresh) / 4096, reinterpret_cast<uintptr_t>(kept) / 4096);
    EXPECT_GT(Take(0, kSmallBytes + 1), dropped_large);
    EXPECT_EQ(heap_.GiveBack(kept_large), FreeResult::kOk);
    EXPECT_EQ(heap_.GiveBack(kept_large), FreeResult::kDoubleFree);
    EXPECT_EQ(heap_.GiveBack(dropped_large), FreeResult::kDoubleFree);
    EXPECT_EQ(kept_large[0], 42) << "its pages belong to the snapshot";
    heap_.Rewind();
  }
  EXPECT_EQ(heap_.BytesOf(kept), 112u);
  bool found = false;
  heap_.VisitMarked([&](ProgramHeap::Range range) {
    const auto address = reinterpret_cast<uintptr_t>(kept);
    found = found || (range.begin <= address && address < range.end);
  });
  EXPECT_TRUE(found);
}

TEST_F(ProgramHeapTest, BeyondItsLimitsItAnswersNull) {
  EXPECT_EQ(Take(0, kSliceBytes + 1), nullptr);
  EXPECT_EQ(Take(0, ~size_t{0}), nullptr);
  EXPECT_EQ(Take(0, 16, size_t{1} << 62), nullptr);
  EXPECT_NE(Take(0, kSliceBytes - (size_t{1} << 30)), nullptr);
  EXPECT_EQ(Take(0, size_t{2} << 30), nullptr);
  EXPECT_NE(Take(0, 16), nullptr);
  EXPECT_NE(Take(0, 0), Take(0, 0));
}

TEST_F(ProgramHeapTest, AFullSliceUsesFreedBlocksAgain) {
  constexpr size_t kBlock = size_t{1} << 30;
  void* first = Take(0, kBlock);
  EXPECT_EQ(heap_.GiveBack(first), FreeResult::kOk);
  for (int i = 0; i < 6; ++i) {  // seven fit, with a page before each
    ASSERT_NE(Take(0, kBlock), nullptr);
    ASSERT_FALSE(reused_);
  }
  unsigned char* again = Take(0, kBlock);
  EXPECT_EQ(again, first);
  EXPECT_TRUE(reused_);
  again[kBlock - 1] = 1;
  EXPECT_EQ(Take(0, kBlock), nullptr);
}

TEST_F(ProgramHeapTest, BoundsAreExactToTheByte) {
  for (const size_t bytes : {0, 1, 7, 8, 13, 16, 17, 40, 112, 1025, 5000, 1 << 20, (1 << 20) + 5}) {
    unsigned char* block = Take(0, bytes);
    Take(0, bytes);
    for (size_t size = 1; size <= 16; ++size) {
      // Up to the next block, which is 16 bytes away at least.
      for (size_t begin = bytes < 20 ? 0 : bytes - 20; begin + size <= bytes + 16; ++begin)
        ASSERT_EQ(IsInBlock(block + begin, size), begin + size <= bytes) << bytes << " " << begin;
      for (size_t before = 1; before <= 16; ++before)
        ASSERT_FALSE(IsInBlock(block - before, size)) << bytes << " " << before;
    }
    if (bytes != 0) {
      ASSERT_TRUE(IsInBlock(block, bytes));
    }
    ASSERT_FALSE(IsInBlock(block, bytes + 1));
    ASSERT_FALSE(IsInBlock(block, bytes + 100));
    ASSERT_FALSE(IsInBlock(block, ~size_t{0}));
    EXPECT_EQ(heap_.FindLive(reinterpret_cast<uintptr_t>(block)).bytes, bytes);
  }
}

TEST_F(ProgramHeapTest, TheNearestBlockIsNamed) {
  using Side = OutOfBounds::Side;
  for (const size_t large : {size_t{0}, kSmallBytes}) {
    unsigned char* first = Take(0, large + 40);
    unsigned char* second = Take(0, large + 40);
    const auto of_first = reinterpret_cast<uintptr_t>(first);
    const auto of_second = reinterpret_cast<uintptr_t>(second);
    OutOfBounds found = Find(first + large + 40, 4);
    EXPECT_EQ(found.side, Side::kBehind);
    EXPECT_EQ(found.payload, of_first);
    EXPECT_EQ(found.bytes, large + 40);
    EXPECT_EQ(found.distance, 0u);
    found = Find(first + large + 36, 8);
    EXPECT_EQ(found.side, Side::kBehind);
    EXPECT_EQ(found.distance, 0u);
    found = Find(second - 8, 4);
    EXPECT_EQ(found.side, Side::kBefore);
    EXPECT_EQ(found.payload, of_second);
    EXPECT_EQ(found.distance, 8u);
    found = Find(second - 4, 8);
    EXPECT_EQ(found.side, Side::kBefore);
    EXPECT_EQ(found.distance, 4u);
    EXPECT_EQ(Find(second + 4, 8).side, Side::kNone);
    EXPECT_FALSE(Find(second - 8, 4).last);
    EXPECT_TRUE(Find(second + large + 500, 4).last);
    EXPECT_EQ(Find(second + large + 500, 4).distance, 460u);
    heap_.GiveBack(second);
    EXPECT_EQ(Find(second + 4, 8).side, Side::kNone) << "freed";
    EXPECT_FALSE(IsInBlock(second + 4, 8));
    EXPECT_TRUE(Find(second - 8, 4).freed);
  }
  EXPECT_EQ(Find(reinterpret_cast<void*>(kArenasBegin + 77 * kArenaBytes), 4).side, Side::kNone);
}

TEST_F(ProgramHeapTest, BoundsFollowReuseAndRounds) {
  Arena& arena = *heap_.ArenaOfThread(thread_);
  Take(0, 100);
  arena.BeginParking();
  const uintptr_t end = heap_.EndOf(thread_);
  unsigned char* first = Take(0, 200);
  heap_.GiveBack(first, thread_);
  arena.TakeBack(end);
  EXPECT_FALSE(IsInBlock(first, 1)) << "beyond the end of the arena";
  unsigned char* small = Take(0, 20);
  EXPECT_EQ(small, first);
  EXPECT_TRUE(IsInBlock(small, 20));
  EXPECT_FALSE(IsInBlock(small, 21));
  EXPECT_FALSE(IsInBlock(small + 100, 1));
  unsigned char* next = Take(0, 3);
  EXPECT_TRUE(IsInBlock(next, 3));
  EXPECT_FALSE(IsInBlock(next + 3, 1));
  heap_.Rewind();
  EXPECT_FALSE(IsInBlock(small, 1));
}

TEST_F(ProgramHeapTest, BoundsBelowTheMarkComeBack) {
  unsigned char* first = Take(0, 50);
  unsigned char* second = Take(0, 60);
  unsigned char* third = Take(0, 70);
  const BlockHeader header = *HeaderOf(reinterpret_cast<uintptr_t>(second));
  heap_.Mark();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(heap_.GiveBack(second), FreeResult::kOk);
    EXPECT_FALSE(IsInBlock(second, 1));
    EXPECT_TRUE(IsInBlock(first, 50));
    *HeaderOf(reinterpret_cast<uintptr_t>(second)) = header;  // as the snapshot does
    heap_.Rewind();
    EXPECT_TRUE(IsInBlock(second, 60));
    EXPECT_FALSE(IsInBlock(second, 61));
    EXPECT_TRUE(IsInBlock(third, 70));
  }
}

TEST_F(ProgramHeapTest, ALiveBlockKnowsWhatWasAskedFor) {
  for (const size_t bytes : {size_t{24}, kSmallBytes + 1}) {
    unsigned char* block = Take(0, bytes);
    const auto payload = reinterpret_cast<uintptr_t>(block);
    EXPECT_EQ(heap_.FindLive(payload).bytes, bytes);
    EXPECT_EQ(heap_.GiveBack(block), FreeResult::kOk);
    EXPECT_EQ(heap_.FindLive(payload).payload, 0u);
  }
}

// Random use by several threads against a reference: no overlap, contents kept, alignment, sizes.
TEST_F(ProgramHeapTest, RandomUse) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  struct Block {
    size_t bytes;
    unsigned char mark;
  };
  for (int execution = 0; execution < 5; ++execution) {
    std::map<unsigned char*, Block> live;
    for (int step = 0; step < 10000; ++step) {
      if (!live.empty() && random() % 2 == 0) {
        auto block = live.lower_bound(reinterpret_cast<unsigned char*>(kArenasBegin) + random());
        if (block == live.end()) block = live.begin();
        const auto [at, expected] = *block;
        for (size_t i = 0; i < expected.bytes; i += 1 + i / 64) ASSERT_EQ(at[i], expected.mark);
        ASSERT_GE(heap_.BytesOf(at), expected.bytes);
        ASSERT_EQ(heap_.GiveBack(at), FreeResult::kOk);
        ASSERT_EQ(heap_.GiveBack(at), FreeResult::kDoubleFree);
        live.erase(block);
        continue;
      }
      const size_t bytes = random() % (size_t{1} << (random() % 22));
      const size_t alignment = random() % 4 == 0 ? size_t{16} << (random() % 14) : 16;
      unsigned char* at = Take(random() % 4, bytes, alignment);
      ASSERT_NE(at, nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(at) % alignment, 0u);
      const auto after = live.lower_bound(at);
      if (after != live.end()) {
        ASSERT_LE(at + heap_.BytesOf(at), after->first);
      }
      if (after != live.begin()) {
        const auto before = std::prev(after);
        ASSERT_LE(before->first + heap_.BytesOf(before->first), at);
      }
      const auto mark = static_cast<unsigned char>(random());
      std::memset(at, mark, bytes);
      live[at] = {bytes, mark};
    }
    heap_.Rewind();
  }
}

// --reuse now.
class ReuseNowTest : public ProgramHeapTest {
 protected:
  void SetUp() override {
    ProgramHeapTest::SetUp();
    heap_.SetReusesNow(true);
  }
  void TearDown() override {
    ProgramHeapTest::TearDown();
    heap_.SetReusesNow(false);
  }
  void GiveBack(unsigned thread, void* block) {
    EXPECT_EQ(heap_.GiveBack(block, thread_ + thread), FreeResult::kOk);
  }
};

TEST_F(ReuseNowTest, TheLastFreedBlockOfTheSizeComesFirst) {
  unsigned char* const a = Take(0, 40);
  unsigned char* const b = Take(0, 33);
  unsigned char* const other = Take(0, 100);
  GiveBack(0, a);
  GiveBack(0, other);
  GiveBack(0, b);
  EXPECT_EQ(*b, kFreedPattern);
  EXPECT_FALSE(IsInBlock(b, 1));
  EXPECT_EQ(heap_.GiveBack(b, thread_), FreeResult::kDoubleFree);
  EXPECT_EQ(Take(0, 48), b);
  EXPECT_TRUE(reused_);
  EXPECT_EQ(*b, kFreshPattern);
  EXPECT_TRUE(IsInBlock(b, 48));
  EXPECT_FALSE(IsInBlock(b, 49));
  EXPECT_EQ(Take(0, 34, 16, true), a);
  EXPECT_EQ(*a, 0);
  EXPECT_FALSE(IsInBlock(a + 34, 1));
  unsigned char* const fresh = Take(0, 40);
  EXPECT_FALSE(reused_);
  EXPECT_GT(fresh, other);
  EXPECT_EQ(Take(0, 112), other);
}

TEST_F(ReuseNowTest, WhoFreesIsWhoGetsItAgain) {
  unsigned char* const block = Take(0, 40);
  GiveBack(1, block);
  EXPECT_NE(Take(0, 40), block);
  EXPECT_EQ(Take(1, 40), block);
  EXPECT_EQ(Find(block, 41).payload, reinterpret_cast<uintptr_t>(block)) << "where it always was";
  GiveBack(0, block);
  EXPECT_NE(Take(1, 40), block);
  EXPECT_EQ(Take(0, 40), block);
}

TEST_F(ReuseNowTest, ABlockThatIsNotAlignedIsLeft) {
  unsigned char* block = Take(0, 64);
  while (reinterpret_cast<uintptr_t>(block) % 64 == 0) block = Take(0, 64);
  GiveBack(0, block);
  EXPECT_NE(Take(0, 64, 64), block);
  EXPECT_EQ(Take(0, 64), block);
}

TEST_F(ReuseNowTest, TheListsTellWhatComesNext) {
  unsigned char* const a = Take(0, 40);
  unsigned char* const b = Take(0, 40);
  EXPECT_EQ(heap_.ListsHashOf(thread_), 0u);
  GiveBack(0, a);
  GiveBack(0, b);
  const uint64_t b_first = heap_.ListsHashOf(thread_);
  EXPECT_NE(b_first, 0u);
  EXPECT_EQ(Take(0, 40), b);
  EXPECT_EQ(Take(0, 40), a);
  EXPECT_EQ(heap_.ListsHashOf(thread_), 0u);
  GiveBack(0, b);
  GiveBack(0, a);
  EXPECT_NE(heap_.ListsHashOf(thread_), b_first);
}

TEST_F(ReuseNowTest, TheListsAreSavedAndForgotten) {
  unsigned char* const a = Take(0, 40);
  unsigned char* const b = Take(1, 40);
  GiveBack(1, a);
  GiveBack(1, b);
  const uint64_t lists = heap_.ListsHashOf(thread_ + 1);
  std::vector<char> room(1 << 16);
  base::SavedBytes saved(room);
  heap_.Save(saved);
  EXPECT_EQ(Take(1, 40), b);
  heap_.Rewind();
  EXPECT_EQ(heap_.ListsHashOf(thread_ + 1), 0u);
  EXPECT_EQ(Take(0, 40), a) << "as in the first execution";
  EXPECT_FALSE(reused_);
  heap_.Rewind();
  base::SavedBytesReader reader(saved.Bytes());
  heap_.Restore(reader);
  EXPECT_EQ(heap_.ListsHashOf(thread_ + 1), lists);
  EXPECT_EQ(Take(1, 40), b);
  EXPECT_EQ(Take(1, 40), a);
}

TEST_F(ReuseNowTest, WhatIsOfTheSnapshotIsNotUsedAgain) {
  unsigned char* const block = Take(0, 40);
  heap_.Mark();
  unsigned char* const later = Take(0, 40);
  GiveBack(0, later);
  GiveBack(0, block);
  EXPECT_EQ(Take(0, 40), later);
  EXPECT_NE(Take(0, 40), block);
  EXPECT_EQ(heap_.GiveBack(block, thread_), FreeResult::kDoubleFree);
}

TEST(SizeClasses, CoverEverySize) {
  for (size_t bytes = 1; bytes <= kSmallBytes; bytes += 1 + bytes / 1000) {
    const unsigned size_class = SizeClassOf(bytes);
    ASSERT_LT(size_class, kSizeClasses);
    ASSERT_GE(SizeClassBytes(size_class), bytes);
    ASSERT_EQ(SizeClassOf(SizeClassBytes(size_class)), size_class);
    if (size_class > 0) {
      ASSERT_LT(SizeClassBytes(size_class - 1), bytes);
    }
  }
  EXPECT_EQ(SizeClassBytes(kSizeClasses - 1), kSmallBytes);
}

}  // namespace
}  // namespace heddle::runtime
