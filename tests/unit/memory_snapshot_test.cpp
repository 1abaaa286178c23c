// The snapshot: every byte comes back, and the cost follows the pages written.

#include "runtime/memory/snapshot.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <random>
#include <vector>

#include "runtime/memory/program_heap.h"
#include "runtime/memory/rewind.h"

namespace heddle::runtime {
namespace {

constexpr size_t kPage = 4096;

// Too large for a stack; one at a time, as in the runtime.
Snapshot g_tested;
int g_faults = 0;

void OnFault(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  ++g_faults;
  if (g_tested.HandleWriteFault(address) || HandleWriteFault(address)) return;
  signal(SIGSEGV, SIG_DFL);  // a real one: happens again
}

void CatchFaults() {
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  g_faults = 0;
}

class Pages {
 public:
  explicit Pages(size_t count) : bytes_(count * kPage) {
    void* at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(at, MAP_FAILED);
    at_ = static_cast<unsigned char*>(at);
  }
  ~Pages() {
    if (g_tested.IsTaken()) g_tested.Drop();  // while its pages exist
    munmap(at_, bytes_);
  }
  unsigned char& operator[](size_t i) { return at_[i]; }
  unsigned char* At(size_t i) { return at_ + i; }
  uintptr_t Begin() const { return reinterpret_cast<uintptr_t>(at_); }
  uintptr_t End() const { return Begin() + bytes_; }
  size_t Bytes() const { return bytes_; }

 private:
  unsigned char* at_;
  size_t bytes_;
};

// A write that has happened when the call returns: the compiler does not know that it may call a
// signal handler.
void Write(unsigned char* at, unsigned char value) {
  *at = value;
  asm volatile("" : : : "memory");
}

class SnapshotTest : public testing::Test {
 protected:
  void SetUp() override { CatchFaults(); }
  void TearDown() override { signal(SIGSEGV, SIG_DFL); }
  void Add(Pages& pages) { g_tested.AddPages(pages.Begin(), pages.End(), PROT_READ | PROT_WRITE); }
};

TEST_F(SnapshotTest, CostFollowsThePagesWritten) {
  Pages table(64 << 20 >> 12);
  for (size_t i = 0; i < table.Bytes(); i += 64) table[i] = static_cast<unsigned char>(i / 64);
  Add(table);
  g_tested.Take();
  EXPECT_EQ(g_tested.Pages(), table.Bytes() / kPage);
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < 5; ++i) Write(table.At(i * 8 * kPage + 64), 99);
    EXPECT_EQ(table[64], 99);
    g_tested.Rewind();
    for (size_t i = 0; i < 5; ++i)
      EXPECT_EQ(table[i * 8 * kPage + 64], static_cast<unsigned char>(i * 512 + 1));
  }
  EXPECT_EQ(g_tested.HotPages(), 5u);
  EXPECT_EQ(g_faults, 5) << "only the first execution faults";
}

TEST_F(SnapshotTest, RandomWritesAllComeBack) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 20; ++trial) {
    Pages pages(40);
    for (size_t i = 0; i < pages.Bytes(); ++i) pages[i] = static_cast<unsigned char>(random());
    // What is on which side: overlapping and adjacent regions, and odd ranges of bytes that must
    // not take neighbours.
    std::vector<bool> kept(pages.Bytes(), false);
    for (int i = 0; i < 4; ++i) {
      const size_t first = random() % 40;
      const size_t last = std::min<size_t>(40, first + random() % 12);
      g_tested.AddPages(pages.Begin() + first * kPage, pages.Begin() + last * kPage,
                        PROT_READ | PROT_WRITE);
      for (size_t byte = first * kPage; byte < last * kPage; ++byte) kept[byte] = true;
    }
    for (int i = 0; i < 3; ++i) {
      const size_t first = random() % pages.Bytes();
      const size_t last = std::min<size_t>(pages.Bytes(), first + random() % 10000);
      g_tested.AddAlwaysHot(pages.Begin() + first, pages.Begin() + last);
      for (size_t byte = first; byte < last; ++byte) kept[byte] = true;
    }
    const std::vector<unsigned char> before(pages.At(0), pages.At(pages.Bytes()));
    g_tested.Take();
    const int last_round = trial < 2 ? 40 : 3;  // pages cool after 32
    for (int round = 0; round <= last_round; ++round) {
      std::vector<unsigned char> now = before;
      for (int write = 0; write < (round < 4 ? 30 : 3); ++write) {
        const size_t bytes = std::vector<size_t>{1, 8, 32, 5000}[random() % 4];
        const size_t at = random() % (pages.Bytes() - bytes);
        const int value = static_cast<int>(random() & 0xff);
        memset(pages.At(at), value, bytes);  // crosses pages
        memset(&now[at], value, bytes);
      }
      ASSERT_EQ(memcmp(pages.At(0), now.data(), now.size()), 0);
      if (round == last_round) {
        g_tested.Drop();
      } else {
        g_tested.Rewind();
      }
      for (size_t i = 0; i < pages.Bytes(); ++i) {
        ASSERT_EQ(pages[i], kept[i] ? before[i] : now[i]) << "round " << round << " byte " << i;
        pages[i] = before[i];
      }
    }
  }
}

TEST_F(SnapshotTest, PagesThatAreNotWrittenAnyMoreCool) {
  Pages pages(64);
  Add(pages);
  g_tested.Take();
  for (int round = 0; round < 100; ++round) {
    if (round == 0)
      for (size_t page = 0; page < 40; ++page) Write(pages.At(page * kPage), 1);
    Write(pages.At(50 * kPage), static_cast<unsigned char>(round + 1));
    g_tested.Rewind();
    ASSERT_EQ(pages[50 * kPage], 0) << "round " << round;
  }
  EXPECT_EQ(g_tested.HotPages(), 1u);
  EXPECT_EQ(g_faults, 41);
  for (int round = 0; round < 3; ++round) {
    for (size_t page = 0; page < 64; ++page) Write(pages.At(page * kPage + 8), 3);
    g_tested.Rewind();
    for (size_t i = 0; i < pages.Bytes(); ++i) ASSERT_EQ(pages[i], 0) << "byte " << i;
  }
  EXPECT_EQ(g_tested.HotPages(), 64u);
  EXPECT_EQ(g_faults, 41 + 63);
}

TEST_F(SnapshotTest, AnUnalignedWriteAcrossTwoColdPages) {
  Pages pages(2);
  Add(pages);
  g_tested.Take();
  const uint64_t value = 0x0102030405060708;
  asm volatile("movq %0, (%1)" : : "r"(value), "r"(pages.At(kPage - 3)) : "memory");
  EXPECT_EQ(memcmp(pages.At(kPage - 3), &value, 8), 0);
  EXPECT_EQ(g_tested.HotPages(), 2u);
  g_tested.Rewind();
  for (size_t i = 0; i < 2 * kPage; ++i) ASSERT_EQ(pages[i], 0);
}

TEST_F(SnapshotTest, TheKernelWritesAfterMakeWritable) {
  Pages pages(8);
  Add(pages);
  g_tested.Take();
  const int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  Write(pages.At(0), 0);  // one hot page among the cold
  EXPECT_EQ(read(zero, pages.At(100), 3 * kPage), 4096 - 100)
      << "the kernel stops at the first cold page";
  g_tested.MakeWritable(pages.Begin() + 100, 3 * kPage);
  EXPECT_EQ(g_tested.HotPages(), 4u);
  EXPECT_EQ(read(zero, pages.At(100), 3 * kPage), static_cast<ssize_t>(3 * kPage));
  close(zero);
}

TEST_F(SnapshotTest, AlwaysHotMemoryNeverFaults) {
  Pages pages(4);
  Add(pages);
  pages[2 * kPage - 10] = 7;
  g_tested.AddAlwaysHot(pages.Begin() + 2 * kPage - 10, pages.Begin() + 2 * kPage + 10);
  g_tested.Take();
  EXPECT_EQ(g_tested.HotPages(), 2u);
  Write(pages.At(2 * kPage - 10), 8);
  Write(pages.At(2 * kPage + 100), 8);
  EXPECT_EQ(g_faults, 0);
  g_tested.Rewind();
  EXPECT_EQ(pages[2 * kPage - 10], 7);
  EXPECT_EQ(pages[2 * kPage + 100], 0);
}

TEST_F(SnapshotTest, OtherFaultsAreNotOurs) {
  Pages pages(1);
  Add(pages);
  g_tested.Take();
  EXPECT_FALSE(g_tested.HandleWriteFault(pages.End()));
  EXPECT_FALSE(g_tested.HandleWriteFault(pages.Begin() - 1));
  EXPECT_FALSE(g_tested.HandleWriteFault(0));
  EXPECT_TRUE(g_tested.HandleWriteFault(pages.Begin()));
  EXPECT_FALSE(g_tested.HandleWriteFault(pages.Begin())) << "hot already: not because of us";
}

// A process may have 65,530 mappings. When they are used up a page cannot change alone any more.
TEST_F(SnapshotTest, RunsOutOfMappings) {
  Pages pages(16);
  Add(pages);
  g_tested.Take();
  Pages filler(size_t{1} << 18);
  size_t made = 0;
  while (mprotect(filler.At(made * 2 * kPage), kPage, PROT_READ) == 0 &&
         made < (size_t{1} << 17) - 1)
    ++made;
  if (made == (size_t{1} << 17) - 1) GTEST_SKIP() << "vm.max_map_count is raised here";
  Write(pages.At(5 * kPage), 1);
  EXPECT_EQ(g_tested.HotPages(), 16u);
  g_tested.Rewind();
  EXPECT_EQ(pages[5 * kPage], 0);
  EXPECT_EQ(g_faults, 1);
}

// The whole process. libc and the C++ library are rewound too, so this happens in a child that does
// nothing else.
TEST(RewindDeathTest, TheProcessComesBack) {
  const auto child = [] {
    CatchFaults();
    bool reused = false;
    auto* early = static_cast<int*>(g_program_heap.Take(0, 64, 16, false, &reused));
    auto* freed = static_cast<int*>(g_program_heap.Take(0, 64, 16, false, &reused));
    auto* large = static_cast<char*>(g_program_heap.Take(0, 64 << 20, 16, false, &reused));
    memset(large, 5, 64 << 20);
    *early = 1;
    srand(7);
    char extra[3 * kPage] = {};
    AddRegion(reinterpret_cast<uintptr_t>(extra) + 1,
              reinterpret_cast<uintptr_t>(extra) + sizeof extra - 1);
    char* const broken = static_cast<char*>(sbrk(kPage));
    *broken = 3;
    char words[] = "one two three";
    char* const first_word = strtok(words, " ");

    int failures = first_word == nullptr;
    int expected = 0;
    for (int round = 0; round < 2; ++round) {  // taken, dropped, and taken again
      TakeSnapshot();
      for (int execution = 0; execution < 5; ++execution) {
        auto* fresh = static_cast<int*>(g_program_heap.Take(0, 64, 16, false, &reused));
        const int drawn = rand();  // state in libc's data
        if (expected == 0) expected = drawn;
        failures += drawn != expected;
        failures += strcmp(strtok(nullptr, " "), "two") != 0;  // a static pointer in libc's bss
        words[7] = ' ';                                        // the stack is not part of it
        failures += *early != 1 || *broken != 3 || large[12345678] != 5 || extra[2 * kPage] != 0;
        failures += g_program_heap.GiveBack(freed) != FreeResult::kOk;  // comes back alive
        *early = 2;
        *broken = 4;
        large[12345678] = 6;
        extra[2 * kPage] = 1;
        extra[0] = static_cast<char>(execution + 1);
        *fresh = 3;
        RewindMemory();
        failures += extra[0] != execution + 1;  // just outside
      }
      failures += GetRewindStatistics().hot_pages > 40;
      DropSnapshot();
    }
    failures += GetRewindStatistics().rewinds != 12;
    _exit(failures);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace heddle::runtime
