// Atomics in an execution: results as on the machine, events as the explorers need them, and the
// synchronisation that the standards give to each memory order.
#include "runtime/primitives/atomic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "one_by_one.h"
#include "runtime/fibers/table.h"
#include "runtime/primitives/annotated.h"
#include "runtime/primitives/atomic_bytes.h"
#include "runtime/primitives/plain.h"
#include "runtime/record.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

class AtomicTest : public testing::Test {
 protected:
  void SetUp() override { Begin(); }
  void TearDown() override { EndOneByOne(); }

  void Begin(uint32_t threads = 3) {
    BeginOneByOne(threads);
    flag_ = static_cast<uint32_t*>(FreshMemory(sizeof *flag_));
    data_ = static_cast<uint64_t*>(FreshMemory(sizeof *data_));
  }

  // Thread `thread` writes or reads the plain variable.
  void WriteData(unsigned thread) {
    As(thread, [this] { Plain(data_, sizeof *data_, true, FreshPlace()); });
  }
  void ReadData(unsigned thread) {
    As(thread, [this] { Plain(data_, sizeof *data_, false, FreshPlace()); });
  }
  void Store(unsigned thread, uint32_t value, int order) {
    As(thread, [=, this] { AtomicStore(flag_, value, order, FreshPlace()); });
  }
  // The same in a unit that is compiled as C.
  void C11Store(unsigned thread, uint32_t value, int order) {
    Store(thread, value, order | kC11Store);
  }
  void Load(unsigned thread, int order) {
    As(thread, [=, this] { AtomicLoad(flag_, order, FreshPlace()); });
  }
  void Add(unsigned thread, int order) {
    As(thread, [=, this] { AtomicFetch(Fetch::kAdd, flag_, 1u, order, FreshPlace()); });
  }
  // Nobody looks at what it found.
  void AddUnseen(unsigned thread, int order) {
    As(thread, [=, this] { AtomicAdd(Fetch::kAdd, flag_, 1u, order, FreshPlace()); });
  }
  void Fence(unsigned thread, int order) {
    As(thread, [=] { AtomicFence(order, FreshPlace()); });
  }
  uint32_t CompareExchange(unsigned thread, uint32_t expected, uint32_t wanted, int failure) {
    uint32_t found = 0;
    As(thread, [&] {
      found =
          AtomicCompareExchange(flag_, expected, wanted, __ATOMIC_SEQ_CST, failure, FreshPlace());
    });
    return found;
  }

  uint32_t* flag_;
  uint64_t* data_;
};

TEST_F(AtomicTest, ReleaseAndAcquirePublish) {
  for (int acquire : {__ATOMIC_ACQUIRE, __ATOMIC_CONSUME, __ATOMIC_SEQ_CST}) {
    for (int release : {__ATOMIC_RELEASE, __ATOMIC_SEQ_CST}) {
      Begin();
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

  Begin();
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
    Begin();
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
    Begin();
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
    Begin();
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
    Begin();
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
      Begin();
      WriteData(0);
      C11Store(0, 1, __ATOMIC_RELEASE);
      if (fresh) As(0, [this] { AnnotatedNewMemory(flag_, sizeof *flag_); });
      update ? Add(0, __ATOMIC_RELAXED) : C11Store(0, 2, __ATOMIC_RELAXED);
      Load(2, __ATOMIC_ACQUIRE);
      ReadData(2);
      EXPECT_EQ(Raced(), fresh);
    }
  }
}

TEST_F(AtomicTest, AStoreOfAByteContinuesTheSequenceOfItsByte) {
  for (unsigned byte : {0u, 1u}) {
    Begin();
    WriteData(0);
    auto* bytes = reinterpret_cast<uint8_t*>(flag_);
    As(1, [&] { AtomicLoad(bytes + 1, __ATOMIC_RELAXED, FreshPlace()); });
    C11Store(0, 1, __ATOMIC_RELEASE);
    As(0, [&] {
      AtomicStore(bytes + 1, uint8_t{2}, __ATOMIC_RELAXED, FreshPlace());  // as in C++20
      AtomicStore(bytes, uint8_t{2}, __ATOMIC_RELAXED | kC11Store, FreshPlace());
    });
    As(2, [&] { AtomicLoad(bytes + byte, __ATOMIC_ACQUIRE, FreshPlace()); });
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

// In the other order nothing orders the two accesses, and that order is not explored.
TEST_F(AtomicTest, UnseenAdditionsDoNotLearnFromEachOther) {
  for (bool fence : {false, true}) {
    Begin();
    WriteData(0);
    AddUnseen(0, __ATOMIC_SEQ_CST);
    AddUnseen(1, fence ? __ATOMIC_RELAXED : __ATOMIC_SEQ_CST);
    if (fence) Fence(1, __ATOMIC_ACQUIRE);
    ReadData(1);
    EXPECT_TRUE(Raced());
  }
}

TEST_F(AtomicTest, UnseenAdditionsAreLearntByOthers) {
  for (bool seen : {false, true}) {
    Begin();
    WriteData(0);
    AddUnseen(0, __ATOMIC_RELEASE);
    AddUnseen(1, __ATOMIC_RELEASE);
    seen ? Add(2, __ATOMIC_ACQUIRE) : Load(2, __ATOMIC_ACQUIRE);
    ReadData(2);
    EXPECT_FALSE(Raced());
  }
}

TEST_F(AtomicTest, UnseenAdditionsLearnFromWhatComesBeforeTheirGroup) {
  WriteData(0);
  AddUnseen(0, __ATOMIC_RELEASE);
  Load(2, __ATOMIC_RELAXED);  // ends the group
  AddUnseen(2, __ATOMIC_RELAXED);
  AddUnseen(1, __ATOMIC_ACQUIRE);
  ReadData(1);
  EXPECT_FALSE(Raced());
}

TEST_F(AtomicTest, UnseenAdditionsAreShared) {
  Store(0, 5, __ATOMIC_RELAXED);
  AddUnseen(1, __ATOMIC_RELAXED);
  AddUnseen(2, __ATOMIC_RELAXED);
  EXPECT_EQ(*flag_, 7u);
  const trace::Event& event = SoFar().events.back();
  EXPECT_EQ(event.access, op::Access::kShared);
  EXPECT_EQ(event.level, 6u);
  EXPECT_EQ(event.expected, 1u);
}

TEST_F(AtomicTest, FailedCompareExchangeIsALoadWithTheFailureOrder) {
  for (int failure : {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE}) {
    Begin();
    WriteData(0);
    Store(0, 1, __ATOMIC_RELEASE);
    EXPECT_EQ(CompareExchange(1, 7, 8, failure), 1u);
    EXPECT_EQ(SoFar().events.back().access, op::Access::kRead);
    EXPECT_EQ(SoFar().events.back().order, failure);
    ReadData(1);
    EXPECT_EQ(Raced(), failure == __ATOMIC_RELAXED);
    EXPECT_EQ(CompareExchange(1, 1, 8, failure), 1u);
    EXPECT_EQ(SoFar().events.back().access, op::Access::kWrite);
    EXPECT_EQ(*flag_, 8u);
  }
}

TEST_F(AtomicTest, InitialisationIsOrderedByTheStoreThatFollowsIt) {
  As(0, [this] { Plain(flag_, sizeof *flag_, true, FreshPlace()); });
  Store(0, 1, __ATOMIC_RELEASE);
  Load(1, __ATOMIC_ACQUIRE);
  EXPECT_FALSE(Raced());
  Load(2, __ATOMIC_RELAXED);
  ASSERT_TRUE(Raced());
  EXPECT_TRUE(SoFar().races[0].second_atomic);
  EXPECT_FALSE(SoFar().races[0].first_atomic);
}

TEST_F(AtomicTest, EveryOperationIsAStepAndAnEvent) {
  Store(0, 5, __ATOMIC_RELEASE);
  const op::Operation stored = FiberAt(0).pending;
  Load(1, __ATOMIC_ACQUIRE);
  Add(2, __ATOMIC_RELAXED);
  Fence(0, __ATOMIC_ACQ_REL);
  const trace::Execution execution = SoFar();
  ASSERT_EQ(execution.steps.size(), 1 + 4u);  // the first is what comes before all steps
  ASSERT_EQ(execution.events.size(), 4u);
  EXPECT_EQ(stored.kind, op::Kind::kAtomicStore);
  EXPECT_EQ(stored.operand, 5u);
  EXPECT_EQ(stored.size, 4u);
  EXPECT_EQ(stored.object, reinterpret_cast<uintptr_t>(flag_));
  EXPECT_EQ(execution.events[1].thread, 1u);
  EXPECT_EQ(execution.events[1].value, 5u);
  EXPECT_EQ(execution.events[1].access, op::Access::kRead);
  EXPECT_EQ(execution.events[2].value, 5u);
  EXPECT_EQ(execution.events[2].detail, static_cast<uint8_t>(Fetch::kAdd));
  EXPECT_EQ(execution.events[3].access, op::Access::kNone);
}

// The same operations on two objects, one in an execution and one outside.
template <typename T>
void CompareWithHost(std::mt19937_64& random) {
  T& controlled = *static_cast<T*>(FreshMemory(sizeof(T)));
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
    both([&](T* at) { return AtomicFetch(fetch, at, value, order, FreshPlace()); });
    both([&](T* at) {
      return AtomicCompareExchange(at, wanted, value, order, __ATOMIC_ACQUIRE, FreshPlace());
    });
    both([&](T* at) { return AtomicExchange(at, static_cast<T>(value + 1), order, FreshPlace()); });
    both([&](T* at) {
      return AtomicStore(at, static_cast<T>(value ^ 3), order, FreshPlace()), T(0);
    });
    both([&](T* at) { return AtomicLoad(at, order, FreshPlace()); });
  }
}

TEST_F(AtomicTest, ResultsAreThoseOfTheMachine) {
  const auto seed = static_cast<uint64_t>(std::random_device{}());
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 4; ++round) {
    Begin(1);
    As(0, [&] { CompareWithHost<uint8_t>(random); });
    As(0, [&] { CompareWithHost<uint16_t>(random); });
    As(0, [&] { CompareWithHost<uint32_t>(random); });
    As(0, [&] { CompareWithHost<uint64_t>(random); });
    As(0, [&] { CompareWithHost<Word128>(random); });
  }
}

TEST_F(AtomicTest, ObjectsOfAnySizeAreExchangedWhole) {
  for (bool in_execution : {true, false}) {
    for (size_t size : {1, 2, 3, 4, 5, 8, 12, 16, 24, 300}) {
      Begin(2);
      auto* const object = static_cast<char*>(FreshMemory(size + 1));
      char value[301], other[301], result[301];
      std::memset(value, 1, sizeof value);
      std::memset(other, 2, sizeof other);
      As(0, [&] {
        g_state.in_execution = in_execution;
        const uintptr_t pc = FreshPlace();
        AtomicStoreBytes(size, object, value, __ATOMIC_RELEASE, pc);
        AtomicLoadBytes(size, object, result, __ATOMIC_ACQUIRE, pc);
        EXPECT_EQ(std::memcmp(result, value, size), 0);
        EXPECT_FALSE(AtomicCompareExchangeBytes(size, object, other, value, __ATOMIC_SEQ_CST,
                                                __ATOMIC_RELAXED, pc));
        EXPECT_EQ(std::memcmp(other, value, size), 0);
        std::memset(other, 2, sizeof other);
        EXPECT_TRUE(AtomicCompareExchangeBytes(size, object, value, other, __ATOMIC_SEQ_CST,
                                               __ATOMIC_RELAXED, pc));
        AtomicExchangeBytes(size, object, value, result, __ATOMIC_ACQ_REL, pc);
        g_state.in_execution = true;
      });
      EXPECT_EQ(std::memcmp(result, other, size), 0);
      EXPECT_EQ(std::memcmp(object, value, size), 0);
      EXPECT_EQ(object[size], 0);
      EXPECT_EQ(SoFar().events.size(), in_execution ? 5u : 0u);
    }
  }
}

TEST_F(AtomicTest, PlainAccessesAreRecordedWhenAsked) {
  g_state.recording = true;
  WatchAccesses(reinterpret_cast<uintptr_t>(data_), sizeof *data_);
  WriteData(0);
  As(0, [this] { Plain(flag_, sizeof *flag_, true, FreshPlace()); });  // not watched
  As(0, [this] { PlainRange(data_, 3, false, FreshPlace()); });
  const auto recorded = SoFar().recorded;
  ASSERT_EQ(recorded.size(), 2u);
  EXPECT_EQ(static_cast<op::Kind>(recorded[0].op_kind), op::Kind::kPlainWrite);
  EXPECT_EQ(static_cast<op::Kind>(recorded[1].op_kind), op::Kind::kPlainRead);
  EXPECT_EQ(recorded[1].size, 3u);
  ReadData(1);
  EXPECT_TRUE(Raced());  // recording does not switch the check off
}

TEST_F(AtomicTest, PlainAccessesAreSchedulingPointsWhenAsked) {
  g_state.all_points = true;
  WriteData(0);
  EXPECT_EQ(SoFar().steps.size(), 1 + 1u);
  ASSERT_EQ(SoFar().events.size(), 1u);
  EXPECT_EQ(SoFar().events[0].kind, op::Kind::kPlainWrite);
  EXPECT_EQ(LastAccesses().size(), 1u);
  auto* const range = static_cast<char*>(FreshMemory(32));
  As(0, [&] { PlainRange(range + 4, 16, false, FreshPlace()); });
  EXPECT_EQ(SoFar().steps.size(), 1 + 2u);
  ASSERT_EQ(SoFar().events.size(), 2u);
  EXPECT_EQ(LastAccesses().size(), 2u);  // up to a boundary of 16 bytes, and from it on
}

TEST_F(AtomicTest, NothingIsCheckedForOneThread) {
  g_state.several_threads = false;
  WriteData(0);
  ReadData(1);
  EXPECT_FALSE(Raced());
}

TEST_F(AtomicTest, AnnotationsOrder) {
  WriteData(0);
  As(0, [this] { AnnotatedRelease(flag_); });
  As(1, [this] { AnnotatedAcquire(flag_); });
  ReadData(1);
  EXPECT_FALSE(Raced());
}

TEST_F(AtomicTest, AnnotatedReadersDoNotLearnFromEachOther) {
  As(0, [this] { AnnotatedLocked(flag_, kAnnotatedReadLock); });
  WriteData(0);
  As(0, [this] { AnnotatedUnlocking(flag_, kAnnotatedReadLock); });
  As(1, [this] { AnnotatedLocked(flag_, 0); });  // a writer learns from readers
  ReadData(1);
  EXPECT_FALSE(Raced());
  As(2, [this] { AnnotatedLocked(flag_, kAnnotatedReadLock); });
  ReadData(2);
  EXPECT_TRUE(Raced());
}

TEST_F(AtomicTest, IgnoredAccessesAreNotChecked) {
  WriteData(0);
  As(1, [] {
    IgnoreBegin();
    IgnoreBegin();
    IgnoreEnd();
  });
  WriteData(1);
  As(1, IgnoreEnd);
  As(1, IgnoreEnd);
  EXPECT_FALSE(Raced());
  WriteData(1);
  EXPECT_TRUE(Raced());
}

TEST_F(AtomicTest, AnnouncedBenignRacesAreNotReported) {
  As(0, [this] { AnnotatedBenignRace(data_, sizeof *data_); });
  WriteData(0);
  WriteData(1);
  EXPECT_FALSE(Raced());
  As(1, [this] { AnnotatedNewMemory(data_, sizeof *data_); });
  WriteData(0);
  WriteData(1);
  EXPECT_TRUE(Raced());
}

}  // namespace
}  // namespace heddle::runtime
