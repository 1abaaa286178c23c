// Atomics in an execution: results as on the machine, events as the explorers need them, and the
// synchronisation that the standards give to each memory order.
#include "runtime/objects/atomic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "fake_runtime.h"
#include "runtime/objects/annotated.h"
#include "runtime/objects/atomic_bytes.h"
#include "runtime/objects/plain.h"

namespace heddle::runtime {
namespace {

class AtomicTest : public testing::Test {
 protected:
  void SetUp() override { BeginFakeExecution(3); }
  void TearDown() override { EndFakeExecution(); }

  // Thread `thread` writes or reads the plain variable.
  void WriteData(unsigned thread) { RunAs(thread), Plain(&data_, sizeof data_, true, 0); }
  void ReadData(unsigned thread) { RunAs(thread), Plain(&data_, sizeof data_, false, 0); }
  void Store(unsigned thread, uint32_t value, int order) {
    RunAs(thread), AtomicStore(&flag_, value, order, 0);
  }
  // The same in a unit that is compiled as C.
  void C11Store(unsigned thread, uint32_t value, int order) {
    Store(thread, value, order | kC11Store);
  }
  void Load(unsigned thread, int order) { RunAs(thread), AtomicLoad(&flag_, order, 0); }
  void Add(unsigned thread, int order) {
    RunAs(thread), AtomicFetch(Fetch::kAdd, &flag_, 1u, order, 0);
  }
  void Fence(unsigned thread, int order) { RunAs(thread), AtomicFence(order, 0); }
  bool Raced() const {
    return std::any_of(g_fake.races.begin(), g_fake.races.end(),
                       [](const check::Race& race) { return !race.allowed; });
  }

  alignas(16) uint32_t flag_ = 0;
  uint64_t data_ = 0;
};

TEST_F(AtomicTest, ReleaseAndAcquirePublish) {
  for (int acquire : {__ATOMIC_ACQUIRE, __ATOMIC_CONSUME, __ATOMIC_SEQ_CST}) {
    for (int release : {__ATOMIC_RELEASE, __ATOMIC_SEQ_CST}) {
      BeginFakeExecution(3);
      WriteData(0);
      Store(0, 1, release);
      Load(1, acquire);
      ReadData(1);
      EXPECT_FALSE(Raced());
    }
  }
}

TEST_F(AtomicTest, RelaxedOnEitherSideDoesNot) {
  WriteData(0);
  Store(0, 1, __ATOMIC_RELAXED);
  Load(1, __ATOMIC_ACQUIRE);
  ReadData(1);
  EXPECT_TRUE(Raced());

  BeginFakeExecution(3);
  WriteData(0);
  Store(0, 1, __ATOMIC_RELEASE);
  Load(1, __ATOMIC_RELAXED);
  ReadData(1);
  EXPECT_TRUE(Raced());
}

TEST_F(AtomicTest, WhatComesAfterTheReleaseIsNotPublished) {
  Store(0, 1, __ATOMIC_RELEASE);
  WriteData(0);
  Load(1, __ATOMIC_ACQUIRE);
  ReadData(1);
  EXPECT_TRUE(Raced());
}

TEST_F(AtomicTest, FencesMakeRelaxedAccessesPublish) {
  WriteData(0);
  Fence(0, __ATOMIC_RELEASE);
  Store(0, 1, __ATOMIC_RELAXED);
  Load(1, __ATOMIC_RELAXED);
  Fence(1, __ATOMIC_ACQUIRE);
  ReadData(1);
  EXPECT_FALSE(Raced());
}

TEST_F(AtomicTest, FencesOnTheWrongSideDoNot) {
  WriteData(0);
  Store(0, 1, __ATOMIC_RELAXED);
  Fence(0, __ATOMIC_RELEASE);
  Fence(1, __ATOMIC_ACQUIRE);
  Load(1, __ATOMIC_RELAXED);
  ReadData(1);
  EXPECT_TRUE(Raced());
}

TEST_F(AtomicTest, WhatComesAfterAReleaseFenceIsNotPublished) {
  Fence(0, __ATOMIC_SEQ_CST);
  WriteData(0);
  Store(0, 1, __ATOMIC_RELAXED);
  Load(1, __ATOMIC_ACQUIRE);
  ReadData(1);
  EXPECT_TRUE(Raced());
}

TEST_F(AtomicTest, ReadModifyWritesContinueAReleaseSequence) {
  WriteData(0);
  Store(0, 1, __ATOMIC_RELEASE);
  Add(1, __ATOMIC_RELAXED);
  Load(2, __ATOMIC_ACQUIRE);
  ReadData(2);
  EXPECT_FALSE(Raced());
}

TEST_F(AtomicTest, StoresEndAReleaseSequence) {
  for (int order : {__ATOMIC_RELAXED, __ATOMIC_RELEASE}) {
    BeginFakeExecution(3);
    WriteData(0);
    Store(0, 1, __ATOMIC_RELEASE);
    Store(1, 2, order);
    Load(2, __ATOMIC_ACQUIRE);
    ReadData(2);
    EXPECT_TRUE(Raced());
  }
}

TEST_F(AtomicTest, ARelaxedStoreOfItsThreadContinuesAReleaseSequenceInCOnly) {
  for (bool c11 : {false, true}) {
    BeginFakeExecution(3);
    WriteData(0);
    Store(0, 1, __ATOMIC_RELEASE);
    c11 ? C11Store(0, 2, __ATOMIC_RELAXED) : Store(0, 2, __ATOMIC_RELAXED);
    Load(2, __ATOMIC_ACQUIRE);
    ReadData(2);
    EXPECT_EQ(Raced(), !c11);
  }
}

TEST_F(AtomicTest, TheRuleMayBeOneForAllUnits) {
  for (bool c11 : {false, true}) {
    BeginFakeExecution(3);
    g_state.c11_continues = g_state.others_continue = c11;
    WriteData(0);
    Store(0, 1, __ATOMIC_RELEASE);
    c11 ? Store(0, 2, __ATOMIC_RELAXED) : C11Store(0, 2, __ATOMIC_RELAXED);
    Load(2, __ATOMIC_ACQUIRE);
    ReadData(2);
    EXPECT_EQ(Raced(), !c11);
  }
}

TEST_F(AtomicTest, AStoreOfAnotherThreadEndsAReleaseSequenceInC) {
  WriteData(0);
  C11Store(0, 1, __ATOMIC_RELEASE);
  C11Store(1, 2, __ATOMIC_RELAXED);
  C11Store(0, 3, __ATOMIC_RELAXED);
  Load(2, __ATOMIC_ACQUIRE);
  ReadData(2);
  EXPECT_TRUE(Raced());
}

TEST_F(AtomicTest, AStoreContinuesTheSequencesOfItsOwnThreadOnly) {
  for (unsigned storing : {0u, 1u}) {
    BeginFakeExecution(3);
    g_state.shares_apart = true;
    WriteData(0);
    C11Store(0, 1, __ATOMIC_RELEASE);
    Add(1, __ATOMIC_RELEASE);
    C11Store(storing, 5, __ATOMIC_RELAXED);
    Load(2, __ATOMIC_ACQUIRE);
    ReadData(2);
    EXPECT_EQ(Raced(), storing == 1);
  }
}

// The old object's sequences are not those of the new one.
TEST_F(AtomicTest, NewMemoryIsInNoReleaseSequence) {
  for (bool update : {false, true}) {
    for (bool fresh : {false, true}) {
      BeginFakeExecution(3);
      WriteData(0);
      C11Store(0, 1, __ATOMIC_RELEASE);
      RunAs(0);
      if (fresh) AnnotatedNewMemory(&flag_, sizeof flag_);
      update ? Add(0, __ATOMIC_RELAXED) : C11Store(0, 2, __ATOMIC_RELAXED);
      Load(2, __ATOMIC_ACQUIRE);
      ReadData(2);
      EXPECT_EQ(Raced(), fresh);
    }
  }
}

TEST_F(AtomicTest, AStoreOfAByteContinuesTheSequenceOfItsByte) {
  for (unsigned byte : {0u, 1u}) {
    BeginFakeExecution(3);
    WriteData(0);
    auto* bytes = reinterpret_cast<uint8_t*>(&flag_);
    RunAs(1), AtomicLoad(bytes + 1, __ATOMIC_RELAXED, 0);
    C11Store(0, 1, __ATOMIC_RELEASE);
    RunAs(0), AtomicStore(bytes + 1, uint8_t{2}, __ATOMIC_RELAXED, 0);  // as in C++20
    RunAs(0), AtomicStore(bytes, uint8_t{2}, __ATOMIC_RELAXED | kC11Store, 0);
    RunAs(2), AtomicLoad(bytes + byte, __ATOMIC_ACQUIRE, 0);
    ReadData(2);
    EXPECT_EQ(Raced(), byte == 1);
  }
}

TEST_F(AtomicTest, ReadModifyWritesOfTwoThreadsAreBothLearnt) {
  WriteData(0);
  Add(0, __ATOMIC_RELEASE);
  Add(1, __ATOMIC_RELEASE);
  Load(2, __ATOMIC_ACQUIRE);
  ReadData(2);
  EXPECT_FALSE(Raced());
}

TEST_F(AtomicTest, FailedCompareExchangeIsALoadWithTheFailureOrder) {
  for (int failure : {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE}) {
    BeginFakeExecution(3);
    flag_ = 0;
    WriteData(0);
    Store(0, 1, __ATOMIC_RELEASE);
    RunAs(1);
    EXPECT_EQ(AtomicCompareExchange(&flag_, 7u, 8u, __ATOMIC_SEQ_CST, failure, 0), 1u);
    EXPECT_EQ(g_fake.events.back().access, op::Access::kRead);
    EXPECT_EQ(g_fake.events.back().operation.order, failure);
    ReadData(1);
    EXPECT_EQ(Raced(), failure == __ATOMIC_RELAXED);
    RunAs(1);
    EXPECT_EQ(AtomicCompareExchange(&flag_, 1u, 8u, __ATOMIC_SEQ_CST, failure, 0), 1u);
    EXPECT_EQ(g_fake.events.back().access, op::Access::kWrite);
    EXPECT_EQ(flag_, 8u);
  }
}

TEST_F(AtomicTest, InitialisationIsOrderedByTheStoreThatFollowsIt) {
  RunAs(0);
  Plain(&flag_, sizeof flag_, true, 0);
  Store(0, 1, __ATOMIC_RELEASE);
  Load(1, __ATOMIC_ACQUIRE);
  EXPECT_FALSE(Raced());
  Load(2, __ATOMIC_RELAXED);
  ASSERT_TRUE(Raced());
  EXPECT_TRUE(g_fake.races[0].second_atomic);
  EXPECT_FALSE(g_fake.races[0].first_atomic);
}

TEST_F(AtomicTest, EveryOperationIsPublishedAndCommittedOnce) {
  Store(0, 5, __ATOMIC_RELEASE);
  Load(1, __ATOMIC_ACQUIRE);
  Add(2, __ATOMIC_RELAXED);
  Fence(0, __ATOMIC_ACQ_REL);
  ASSERT_EQ(g_fake.reached.size(), 4u);
  ASSERT_EQ(g_fake.events.size(), 4u);
  EXPECT_EQ(g_fake.reached[0].kind, op::Kind::kAtomicStore);
  EXPECT_EQ(g_fake.reached[0].operand, 5u);
  EXPECT_EQ(g_fake.reached[0].size, 4u);
  EXPECT_EQ(g_fake.reached[0].object, reinterpret_cast<uintptr_t>(&flag_));
  EXPECT_EQ(g_fake.events[1].value, 5u);
  EXPECT_EQ(g_fake.events[1].access, op::Access::kRead);
  EXPECT_EQ(g_fake.events[2].value, 5u);
  EXPECT_EQ(g_fake.events[2].operation.detail, static_cast<uint8_t>(Fetch::kAdd));
  EXPECT_EQ(g_fake.events[3].access, op::Access::kNone);
}

// The same operations on two objects, one in an execution and one outside.
template <typename T>
void CompareWithHost(std::mt19937_64& random) {
  alignas(16) T controlled = 0;
  alignas(16) T host = 0;
  auto both = [&](auto operation) {
    const auto a = operation(&controlled);
    g_state.in_execution = false;
    const auto b = operation(&host);
    g_state.in_execution = true;
    ASSERT_TRUE(a == b);
    ASSERT_TRUE(controlled == host);
  };
  for (int step = 0; step < 500; ++step) {
    const T value = static_cast<T>(static_cast<Word128>(random()) << 64 | random());
    const T wanted = random() % 2 == 0 ? host : value;
    const int order = static_cast<int>(random() % 6);
    const auto fetch = static_cast<Fetch>(random() % 6);
    both([&](T* at) { return AtomicFetch(fetch, at, value, order, 0); });
    both([&](T* at) {
      return AtomicCompareExchange(at, wanted, value, order, __ATOMIC_ACQUIRE, 0);
    });
    both([&](T* at) { return AtomicExchange(at, static_cast<T>(value + 1), order, 0); });
    both([&](T* at) { return AtomicStore(at, static_cast<T>(value ^ 3), order, 0), T(0); });
    both([&](T* at) { return AtomicLoad(at, order, 0); });
  }
}

TEST_F(AtomicTest, ResultsAreThoseOfTheMachine) {
  const auto seed = static_cast<uint64_t>(std::random_device{}());
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 4; ++round) {
    BeginFakeExecution(1);
    CompareWithHost<uint8_t>(random);
    CompareWithHost<uint16_t>(random);
    CompareWithHost<uint32_t>(random);
    CompareWithHost<uint64_t>(random);
    CompareWithHost<Word128>(random);
  }
}

TEST_F(AtomicTest, ObjectsOfAnySizeAreExchangedWhole) {
  for (bool in_execution : {true, false}) {
    for (size_t size : {1, 2, 3, 4, 5, 8, 12, 16, 24, 300}) {
      BeginFakeExecution(2);
      g_state.in_execution = in_execution;
      alignas(16) char object[301] = {};
      char value[301], other[301], result[301];
      std::memset(value, 1, sizeof value);
      std::memset(other, 2, sizeof other);
      AtomicStoreBytes(size, object, value, __ATOMIC_RELEASE, 0);
      AtomicLoadBytes(size, object, result, __ATOMIC_ACQUIRE, 0);
      EXPECT_EQ(std::memcmp(result, value, size), 0);
      EXPECT_FALSE(AtomicCompareExchangeBytes(size, object, other, value, __ATOMIC_SEQ_CST,
                                              __ATOMIC_RELAXED, 0));
      EXPECT_EQ(std::memcmp(other, value, size), 0);
      std::memset(other, 2, sizeof other);
      EXPECT_TRUE(AtomicCompareExchangeBytes(size, object, value, other, __ATOMIC_SEQ_CST,
                                             __ATOMIC_RELAXED, 0));
      AtomicExchangeBytes(size, object, value, result, __ATOMIC_ACQ_REL, 0);
      EXPECT_EQ(std::memcmp(result, other, size), 0);
      EXPECT_EQ(std::memcmp(object, value, size), 0);
      EXPECT_EQ(object[size], 0);
      EXPECT_EQ(g_fake.events.size(), in_execution ? 5u : 0u);
    }
  }
}

TEST_F(AtomicTest, PlainAccessesAreRecordedWhenAsked) {
  g_state.recording = true;
  WriteData(0);
  PlainRange(&data_, 3, false, 0);
  ASSERT_EQ(g_fake.records.size(), 2u);
  EXPECT_TRUE(g_fake.records[0].write);
  EXPECT_EQ(g_fake.records[1].size, 3u);
  ReadData(1);
  EXPECT_TRUE(Raced());  // recording does not switch the check off
}

TEST_F(AtomicTest, PlainAccessesAreSchedulingPointsWhenAsked) {
  g_state.all_points = true;
  WriteData(0);
  ASSERT_EQ(g_fake.reached.size(), 1u);
  EXPECT_EQ(g_fake.reached[0].kind, op::Kind::kPlainWrite);
  alignas(16) char range[32] = {};
  PlainRange(range + 4, 16, false, 0);
  EXPECT_EQ(g_fake.reached.size(), 2u);
  ASSERT_EQ(g_fake.events.size(), 2u);
  EXPECT_EQ(g_fake.events[0].touches.size(), 1u);
  EXPECT_EQ(g_fake.events[1].touches.size(), 2u);  // up to a boundary of 16 bytes, and from it on
}

TEST_F(AtomicTest, NothingIsCheckedForOneThread) {
  g_state.several_threads = false;
  WriteData(0);
  ReadData(1);
  EXPECT_FALSE(Raced());
}

TEST_F(AtomicTest, AnnotationsOrder) {
  WriteData(0);
  AnnotatedRelease(&flag_);
  RunAs(1);
  AnnotatedAcquire(&flag_);
  ReadData(1);
  EXPECT_FALSE(Raced());
}

TEST_F(AtomicTest, AnnotatedReadersDoNotLearnFromEachOther) {
  AnnotatedLocked(&flag_, kAnnotatedReadLock);
  WriteData(0);
  AnnotatedUnlocking(&flag_, kAnnotatedReadLock);
  RunAs(1);
  AnnotatedLocked(&flag_, 0);  // a writer learns from readers
  ReadData(1);
  EXPECT_FALSE(Raced());
  RunAs(2);
  AnnotatedLocked(&flag_, kAnnotatedReadLock);
  ReadData(2);
  EXPECT_TRUE(Raced());
}

TEST_F(AtomicTest, IgnoredAccessesAreNotChecked) {
  WriteData(0);
  RunAs(1);
  IgnoreBegin();
  IgnoreBegin();
  IgnoreEnd();
  WriteData(1);
  IgnoreEnd();
  IgnoreEnd();
  EXPECT_FALSE(Raced());
  WriteData(1);
  EXPECT_TRUE(Raced());
}

TEST_F(AtomicTest, AnnouncedBenignRacesAreNotReported) {
  AnnotatedBenignRace(&data_, sizeof data_);
  WriteData(0);
  WriteData(1);
  EXPECT_FALSE(Raced());
  AnnotatedNewMemory(&data_, sizeof data_);
  WriteData(0);
  WriteData(1);
  EXPECT_TRUE(Raced());
}

}  // namespace
}  // namespace heddle::runtime
