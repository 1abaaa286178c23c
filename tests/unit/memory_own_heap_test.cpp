// heddle's own heap: blocks do not overlap, memory stays flat, and everything is found again by the
// next process.

#include "runtime/memory/own_heap.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "channel/layout.h"

namespace heddle::runtime {
namespace {

constexpr size_t kRegionBytes = size_t{1} << 30;
void* const kRegion = reinterpret_cast<void*>(channel::kArenaAddress);

// A region like the channel's: shared, at a fixed address, in a memfd that outlives the process.
class SharedRegion {
 public:
  SharedRegion() : file_(memfd_create("own_heap_test", 0)) {
    EXPECT_EQ(ftruncate(file_, kRegionBytes), 0);
  }
  ~SharedRegion() {
    munmap(kRegion, kRegionBytes);
    close(file_);
  }
  void Map() {
    void* at = mmap(kRegion, kRegionBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
                    file_, 0);
    ASSERT_EQ(at, kRegion);
  }

 private:
  int file_;
};

struct Node {
  Node* next;
  int value;
};

TEST(OwnHeap, TakesZeroedMemory) {
  SharedRegion region;
  region.Map();
  OwnHeap heap;
  heap.Open(kRegion, kRegionBytes, true);
  constexpr size_t kBytes = 100'000;
  const auto is_zero = [](const void* block) {
    const auto* bytes = static_cast<const char*>(block);
    return std::all_of(bytes, bytes + kBytes, [](char byte) { return byte == 0; });
  };
  void* const fresh = heap.TakeZeroed(kBytes);
  EXPECT_TRUE(is_zero(fresh));
  std::memset(fresh, 1, kBytes);
  heap.GiveBack(fresh);
  void* const used = heap.TakeZeroed(kBytes);
  EXPECT_EQ(used, fresh);
  EXPECT_TRUE(is_zero(used));
}

TEST(OwnHeap, OutlivesTheProcess) {
  SharedRegion region;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    region.Map();
    OwnHeap heap;
    heap.Open(kRegion, kRegionBytes, true);
    Node* list = nullptr;
    for (int i = 0; i < 1000; ++i) {
      list = new (heap.Take(sizeof(Node))) Node{list, i};
      if (i % 3 == 0) heap.GiveBack(heap.Take(100));
    }
    heap.Root(3) = list;
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);

  region.Map();
  OwnHeap heap;
  heap.Open(kRegion, kRegionBytes, false);
  for (int i = 0; i < 1000; ++i) std::memset(heap.Take(sizeof(Node)), 0xff, sizeof(Node));
  int expected = 999;
  for (const auto* node = static_cast<Node*>(heap.Root(3)); node != nullptr; node = node->next) {
    ASSERT_EQ(node->value, expected--);
  }
  EXPECT_EQ(expected, -1);
  EXPECT_EQ(heap.Root(0), nullptr);
}

TEST(OwnHeap, BlocksKeepTheirContentsAndAlignment) {
  SharedRegion region;
  region.Map();
  OwnHeap heap;
  heap.Open(kRegion, kRegionBytes, true);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  struct Live {
    unsigned char* at;
    size_t bytes;
    unsigned char mark;
  };
  std::vector<Live> live;
  for (int step = 0; step < 20000; ++step) {
    if (!live.empty() && random() % 2 == 0) {
      std::swap(live[random() % live.size()], live.back());
      const Live block = live.back();
      live.pop_back();
      for (size_t i = 0; i < block.bytes; ++i) ASSERT_EQ(block.at[i], block.mark);
      heap.GiveBack(block.at);
    } else {
      const size_t bytes = random() % (size_t{1} << (random() % 14));
      const size_t alignment = size_t{1} << (random() % 13);
      auto* at = static_cast<unsigned char*>(heap.Take(bytes, alignment));
      ASSERT_NE(at, nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(at) % alignment, 0u);
      const auto mark = static_cast<unsigned char>(random());
      std::memset(at, mark, bytes);
      live.push_back({at, bytes, mark});
    }
  }
  for (const Live& block : live) heap.GiveBack(block.at);
  EXPECT_EQ(heap.LiveBytes(), 0u);
}

TEST(OwnHeap, StaysFlat) {
  SharedRegion region;
  region.Map();
  OwnHeap heap;
  heap.Open(kRegion, kRegionBytes, true);
  const auto round = [&heap] {
    std::vector<void*> blocks;
    for (size_t bytes = 1; bytes < 100000; bytes = bytes * 3 + 1)
      blocks.push_back(heap.Take(bytes));
    for (void* block : blocks) heap.GiveBack(block);
  };
  round();
  const size_t top = heap.TopBytes();
  for (int i = 0; i < 10000; ++i) round();
  EXPECT_EQ(heap.TopBytes(), top);
}

TEST(OwnHeap, AFullRegionAnswersNull) {
  SharedRegion region;
  region.Map();
  OwnHeap heap;
  heap.Open(kRegion, kRegionBytes, true);
  EXPECT_EQ(heap.Take(kRegionBytes), nullptr);
  EXPECT_EQ(heap.Take(~size_t{0}), nullptr);
  EXPECT_NE(heap.Take(kRegionBytes / 4), nullptr);
  EXPECT_NE(heap.Take(16), nullptr);
}

TEST(OwnHeapDeathTest, GivingBackTwiceIsNoticed) {
  SharedRegion region;
  region.Map();
  OwnHeap heap;
  heap.Open(kRegion, kRegionBytes, true);
  void* block = heap.Take(40);
  heap.GiveBack(block);
  EXPECT_EXIT(heap.GiveBack(block), testing::ExitedWithCode(70), "internal error");
}

TEST(OwnHeap, TheStandInServesUntilTheHeapIsOpen) {
  void* early = TakeOwn(1000, 64);
  ASSERT_NE(early, nullptr);
  std::memset(early, 1, 1000);
  SharedRegion region;
  region.Map();
  g_own_heap.Open(kRegion, kRegionBytes, true);
  void* late = TakeOwn(1000);
  EXPECT_TRUE(g_own_heap.Contains(late));
  EXPECT_FALSE(g_own_heap.Contains(early));
  GiveBackOwn(early);
  GiveBackOwn(late);
  GiveBackOwn(nullptr);
  EXPECT_EQ(g_own_heap.LiveBytes(), 0u);
  g_own_heap = OwnHeap();  // the region goes away
}

}  // namespace
}  // namespace heddle::runtime
