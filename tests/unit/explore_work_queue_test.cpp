#include "explore/enumerate/work_queue.h"

#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "base/hash.h"
#include "explore/spill_file.h"
#include "unit/fake_disk.h"

namespace heddle::explore {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint64_t kSpillAt = 100;  // somebody else's before

// The i-th record: its number, then as many bytes as the number says.
Bytes Record(uint64_t i, size_t size) {
  Bytes bytes(size + sizeof i);
  std::memcpy(bytes.data(), &i, sizeof i);
  for (size_t b = 0; b < size; ++b) bytes[sizeof i + b] = static_cast<uint8_t>(base::Mix(i + b));
  return bytes;
}

void FillAndDrain(Spill* spill, uint64_t records, size_t size, WorkQueue& queue) {
  for (uint64_t i = 0; i < records; ++i) queue.Push(Record(i, size), spill);
  EXPECT_EQ(queue.Count(), records);
  Bytes record;
  for (uint64_t i = 0; i < records; ++i) {
    queue.Pop(&record, spill);
    ASSERT_EQ(record, Record(i, size)) << "record " << i;
  }
  EXPECT_EQ(queue.Count(), 0u);
}

TEST(WorkQueue, KeepsOrderWhileGrowingAndShrinking) {
  FakeDisk disk(kSpillAt, SIZE_MAX);
  WorkQueue queue(kSpillAt);
  std::deque<Bytes> model;
  uint64_t random = 7;
  Bytes record;
  for (uint64_t i = 0; i < 60000; ++i) {
    const bool growing = i % 20000 < 12000;
    if (base::NextBelow(random, 10) < (growing ? 9u : 1u)) {
      model.push_back(Record(i, base::NextBelow(random, 4000)));
      queue.Push(model.back(), &disk);
    } else if (!model.empty()) {
      queue.Pop(&record, &disk);
      ASSERT_EQ(record, model.front());
      model.pop_front();
    }
    ASSERT_EQ(queue.Count(), model.size());
  }
  for (; !model.empty(); model.pop_front()) {
    queue.Pop(&record, &disk);
    ASSERT_EQ(record, model.front());
  }
  EXPECT_FALSE(queue.Lost());
}

TEST(WorkQueue, MemoryStaysFlatAndTheFileIsReused) {
  FakeDisk disk(kSpillAt, SIZE_MAX);
  WorkQueue queue(kSpillAt);
  const Bytes record(1000);
  for (int i = 0; i < 100000; ++i) queue.Push(record, &disk);
  EXPECT_LE(queue.MemoryBytes(), WorkQueue::kMemoryLimit + 2 * WorkQueue::kChunkBytes);
  const uint64_t file = queue.SpilledBytes();
  EXPECT_GT(file, 50u << 20);
  Bytes popped;
  for (int i = 0; i < 300000; ++i) {
    queue.Pop(&popped, &disk);
    queue.Push(record, &disk);
    ASSERT_LE(queue.MemoryBytes(), WorkQueue::kMemoryLimit + 3 * WorkQueue::kChunkBytes);
  }
  EXPECT_LE(queue.SpilledBytes(), file + (WorkQueue::kMemoryLimit + 2 * WorkQueue::kChunkBytes));
}

TEST(WorkQueue, FullDiskFallsBackToMemory) {
  FakeDisk disk(kSpillAt, 5u << 20);
  WorkQueue queue(kSpillAt);
  FillAndDrain(&disk, 100000, 700, queue);
  EXPECT_GT(disk.writes, 0u);
  EXPECT_FALSE(queue.Lost());
}

TEST(WorkQueue, WithoutDisk) {
  WorkQueue queue(kSpillAt);
  FillAndDrain(nullptr, 50000, 1000, queue);
  EXPECT_EQ(queue.SpilledBytes(), 0u);
}

TEST(WorkQueue, RecordsLargerThanAChunk) {
  FakeDisk disk(kSpillAt, SIZE_MAX);
  WorkQueue queue(kSpillAt);
  FillAndDrain(&disk, 40, 3u << 20, queue);
}

TEST(WorkQueue, BrokenDiskIsNoticed) {
  constexpr uint64_t kRecords = 80000;
  FakeDisk disk(kSpillAt, SIZE_MAX);
  WorkQueue queue(kSpillAt);
  for (uint64_t i = 0; i < kRecords; ++i) queue.Push(Record(i, 1000), &disk);
  ASSERT_GT(queue.SpilledBytes(), 0u);
  disk.broken = true;
  Bytes record;
  uint64_t empty = 0;
  for (uint64_t i = 0; i < kRecords; ++i) {
    queue.Pop(&record, &disk);
    if (record.empty()) {
      ++empty;
    } else {
      ASSERT_EQ(record, Record(i, 1000));  // what was kept in memory
    }
  }
  EXPECT_TRUE(queue.Lost());
  EXPECT_GT(empty, 0u);
  EXPECT_LT(empty, kRecords);
  EXPECT_EQ(queue.Count(), 0u);
}

TEST(SpillFile, UnlinkedFileThroughProc) {
  FILE* file = tmpfile();
  ASSERT_NE(file, nullptr);
  const std::string path =
      "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fileno(file));
  SpillFile spill(path.c_str());
  WorkQueue queue(kSpillAt);
  FillAndDrain(&spill, 60000, 1000, queue);
  EXPECT_GT(queue.SpilledBytes(), 0u);
  EXPECT_FALSE(queue.Lost());
  char beyond;
  EXPECT_FALSE(spill.Read(uint64_t{1} << 40, &beyond, 1));
  fclose(file);
}

TEST(SpillFile, MissingFile) {
  SpillFile spill("/nonexistent/spill");
  char byte = 0;
  EXPECT_FALSE(spill.Write(0, &byte, 1));
  EXPECT_FALSE(spill.Read(0, &byte, 1));
}

TEST(SpillFile, FullDisk) {
  SpillFile spill("/dev/full");
  char byte = 0;
  EXPECT_FALSE(spill.Write(0, &byte, 1));
}

// Beyond `ulimit -f` a write would be answered by SIGXFSZ.
TEST(SpillFile, LimitOfTheProcess) {
  FILE* file = tmpfile();
  ASSERT_NE(file, nullptr);
  const std::string path = "/proc/self/fd/" + std::to_string(fileno(file));
  SpillFile spill(path.c_str());
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 4096;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  char byte = 0;
  EXPECT_TRUE(spill.Write(4095, &byte, 1));
  EXPECT_FALSE(spill.Write(4096, &byte, 1));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  fclose(file);
}

}  // namespace
}  // namespace heddle::explore
