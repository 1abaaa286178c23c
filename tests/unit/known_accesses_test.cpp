// The finite form of what the race check remembers: it is the same where no race can tell two
// executions apart, however often threads have met, and another one where some race can.
#include "check/known_accesses.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>
#include <random>
#include <vector>

#include "check/data_race.h"

namespace heddle::check {
namespace {

void* Map(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}
void Discard(void* begin, size_t bytes) { madvise(begin, bytes, MADV_DONTNEED); }

constexpr uintptr_t kBase = uintptr_t{7} << kChunkShift;

class KnownAccessesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (g_shadow.root == nullptr) SetUpShadow({Map, Discard});
  }
  void SetUp() override { Begin(2); }
  void TearDown() override { g_accessed_once = false; }

  void Begin(unsigned threads) {
    BeginExecution();
    g_accessed_once = true;
    bump_ = {memory_.get(), memory_.get(), memory_.get() + kBumpBytes};
    clocks_.assign(threads, trace::Clock());
    ticks_.assign(threads, 1);
    for (unsigned thread = 0; thread < threads; ++thread) clocks_[thread].Set(thread, 1, bump_);
  }
  Accessor Who(unsigned thread) { return {thread, ticks_[thread], clocks_[thread]}; }
  void Write(unsigned thread, uintptr_t address, unsigned size) {
    Access(Who(thread), address, size, true, 2);
  }
  void Read(unsigned thread, uintptr_t address, unsigned size) {
    Access(Who(thread), address, size, false, 1);
  }
  void Order(unsigned before, unsigned after) {
    trace::Clock clock;
    clock.Join(clocks_[before], bump_);
    clocks_[before].Set(before, ++ticks_[before], bump_);
    clocks_[after].Join(clock, bump_);
  }

  // Of all accesses, and of what each thread knows.
  base::WideHash Form() {
    std::vector<const trace::Clock*> live;
    for (const trace::Clock& clock : clocks_) live.push_back(&clock);
    EXPECT_TRUE(known_->Begin(live, {}));
    known_->Sort();
    base::WideHash form = known_->HashAccesses();
    for (const trace::Clock& clock : clocks_) form.Put(known_->HashClock(clock));
    return form;
  }

  static constexpr size_t kBumpBytes = size_t{1} << 24;
  std::unique_ptr<char[]> memory_ = std::make_unique<char[]>(kBumpBytes);
  std::unique_ptr<KnownAccesses> known_ = std::make_unique<KnownAccesses>();
  trace::Bump bump_;
  std::vector<trace::Clock> clocks_;
  std::vector<uint32_t> ticks_;
};

TEST_F(KnownAccessesTest, WhatEverybodyKnowsIsForgotten) {
  const base::WideHash nothing = Form();
  Write(0, kBase, 8);
  EXPECT_NE(Form(), nothing);
  Order(0, 1);
  EXPECT_EQ(Form(), nothing);
  Read(1, kBase + 4, 4);
  EXPECT_NE(Form(), nothing);
}

TEST_F(KnownAccessesTest, ClocksThatGrowSayNothing) {
  Write(0, kBase, 8);
  const base::WideHash before = Form();
  for (int round = 0; round < 5; ++round) Order(1, 0);  // thread 1 learns nothing
  EXPECT_EQ(Form(), before);
  Order(0, 1);
  EXPECT_NE(Form(), before);
}

TEST_F(KnownAccessesTest, WhoKnowsWhichOfTwoAccesses) {
  // Thread 1 knows the first of two writes, or both.
  Begin(3);
  Write(0, kBase, 4);
  Order(0, 1);
  Write(0, kBase + 8, 4);
  const base::WideHash first = Form();
  Order(0, 1);
  EXPECT_NE(Form(), first);
}

TEST_F(KnownAccessesTest, CellsThatAreCutSayNothing) {
  Write(0, kBase, 8);
  const base::WideHash whole = Form();
  Begin(2);
  Write(0, kBase, 4);
  Write(0, kBase + 4, 4);
  EXPECT_EQ(Form(), whole);
}

TEST_F(KnownAccessesTest, ForgottenMemoryWasNeverAccessed) {
  const base::WideHash nothing = Form();
  Write(0, kBase, 8);
  Write(0, kBase + 8, 2);
  ForgetRange(kBase, 16);
  EXPECT_EQ(Form(), nothing);
  Write(1, kBase, 8);
  const base::WideHash again = Form();
  Begin(2);
  Write(1, kBase, 8);
  EXPECT_EQ(Form(), again);
}

TEST_F(KnownAccessesTest, AReadIsNoWriteAndAByteIsNoOther) {
  Read(0, kBase, 4);
  const base::WideHash read = Form();
  Begin(2);
  Write(0, kBase, 4);
  const base::WideHash write = Form();
  Begin(2);
  Write(0, kBase + 4, 4);
  EXPECT_NE(read, write);
  EXPECT_NE(write, Form());
}

// Rounds in which threads meet, put in anywhere where they tell nobody anything new, change
// nothing: a thread that has learnt from another one learns from it again.
TEST_F(KnownAccessesTest, OnRandomTraces) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    base::WideHash forms[2];
    for (int with : {0, 1}) {
      std::mt19937 random(seed);
      Begin(3);
      for (int i = 0; i < 30; ++i) {
        const unsigned thread = random() % 3;
        const unsigned other = (thread + 1 + random() % 2) % 3;
        const uintptr_t address = kBase + random() % 24;
        const unsigned size = 1 + random() % 8;
        switch (random() % 4) {
          case 0:
            Order(thread, other);
            if (with != 0) Order(thread, other);
            break;
          case 1:
            Write(thread, address, size);
            break;
          default:
            Read(thread, address, size);
        }
      }
      forms[with] = Form();
    }
    EXPECT_EQ(forms[0], forms[1]) << "seed " << seed;
  }
}

}  // namespace
}  // namespace heddle::check
