// Memory as atoms: which objects an access touches, with which levels, and when finer ones are
// wanted; and what atomics of different sizes learn from each other.
#include "runtime/objects/atoms.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "fake_runtime.h"
#include "runtime/objects/atomic.h"
#include "runtime/objects/atomic_bytes.h"
#include "runtime/objects/plain.h"
#include "runtime/objects/table.h"

namespace heddle::runtime {
namespace {

class AtomsTest : public testing::Test {
 protected:
  void SetUp() override { BeginFakeExecution(3); }
  void TearDown() override { EndFakeExecution(); }

  // The bytes of `memory_` that the last event touched, as (begin, size) of its atoms.
  using Ranges = std::vector<std::pair<uintptr_t, unsigned>>;
  Ranges Touched() const {
    Ranges ranges;
    for (const trace::Touch& touch : g_fake.events.back().touches) {
      const Object& object = ObjectOfNumber(touch.object);
      ranges.emplace_back(object.address - reinterpret_cast<uintptr_t>(memory_), object.atom_bytes);
    }
    return ranges;
  }
  const trace::Touch& Touch(size_t i) const { return g_fake.events.back().touches.at(i); }
  template <typename T>
  T* At(size_t offset) {
    return reinterpret_cast<T*>(memory_ + offset);
  }
  void Store1(size_t at) { AtomicStore(At<uint8_t>(at), uint8_t{1}, __ATOMIC_SEQ_CST, 0); }
  void Store4(size_t at) { AtomicStore(At<uint32_t>(at), 1u, __ATOMIC_SEQ_CST, 0); }
  void Store8(size_t at) { AtomicStore(At<uint64_t>(at), uint64_t{1}, __ATOMIC_SEQ_CST, 0); }

  alignas(16) char memory_[48] = {};
};

TEST_F(AtomsTest, EqualAccessesAreOneAtom) {
  Store4(0);
  EXPECT_EQ(Touched(), (Ranges{{0, 4}}));
  Store4(4);
  EXPECT_EQ(Touched(), (Ranges{{4, 4}}));
  Store4(0);
  EXPECT_EQ(Touched(), (Ranges{{0, 4}}));
  EXPECT_FALSE(g_fake.wants_finer_atoms);
}

TEST_F(AtomsTest, ALargerAccessTouchesAllOfItsParts) {
  Store1(1);
  Store4(0);
  EXPECT_EQ(Touched(), (Ranges{{0, 1}, {1, 1}, {2, 2}}));
  EXPECT_FALSE(g_fake.wants_finer_atoms);
}

TEST_F(AtomsTest, APartOfAnAtomTouchesAllOfItUntilItIsCut) {
  Store4(0);
  Store1(1);
  EXPECT_EQ(Touched(), (Ranges{{0, 4}}));
  EXPECT_TRUE(g_fake.wants_finer_atoms);
  EXPECT_TRUE(g_fake.events.back().of_a_part);
  CutAtoms();
  Store1(1);
  EXPECT_EQ(Touched(), (Ranges{{1, 1}}));
  EXPECT_FALSE(g_fake.events.back().of_a_part);
  Store4(0);
  EXPECT_EQ(Touched(), (Ranges{{0, 1}, {1, 1}, {2, 2}}));
}

TEST_F(AtomsTest, AtomsEndAtBoundaries) {
  Store8(12);
  EXPECT_EQ(Touched(), (Ranges{{12, 4}, {16, 4}}));
  char bytes[40] = {};
  AtomicStoreBytes(sizeof bytes, memory_, bytes, __ATOMIC_SEQ_CST, 0);
  EXPECT_EQ(Touched(), (Ranges{{0, 12}, {12, 4}, {16, 4}, {20, 12}, {32, 8}}));
  EXPECT_FALSE(g_fake.wants_finer_atoms);
}

TEST_F(AtomsTest, OverlappingAccessesAreCutOnBothSides) {
  Store4(0);
  Store4(2);
  EXPECT_EQ(Touched(), (Ranges{{0, 4}, {4, 2}}));
  CutAtoms();
  Store4(2);
  EXPECT_EQ(Touched(), (Ranges{{2, 2}, {4, 2}}));
  Store4(0);
  EXPECT_EQ(Touched(), (Ranges{{0, 2}, {2, 2}}));
}

TEST_F(AtomsTest, LevelsAreThoseOfThePartsBefore) {
  Store1(0);
  Store1(1);
  memory_[0] = 7;
  memory_[1] = 9;
  const uint16_t found = AtomicCompareExchange(At<uint16_t>(0), uint16_t{0x0907}, uint16_t{0x0505},
                                               __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, 0);
  EXPECT_EQ(found, 0x0907);
  EXPECT_EQ(Touched(), (Ranges{{0, 1}, {1, 1}}));
  EXPECT_EQ(g_fake.events.back().access, op::Access::kWrite);
  EXPECT_EQ(Touch(0).level, op::Fold(7));
  EXPECT_EQ(Touch(1).level, op::Fold(9));
  EXPECT_EQ(Touch(0).expected, op::Fold(7));
  EXPECT_EQ(Touch(1).expected, op::Fold(9));
  // One of them differs: it fails.
  AtomicCompareExchange(At<uint16_t>(0), uint16_t{0x0605}, uint16_t{0}, __ATOMIC_SEQ_CST,
                        __ATOMIC_SEQ_CST, 0);
  EXPECT_EQ(g_fake.events.back().access, op::Access::kRead);
  EXPECT_EQ(Touch(0).level, Touch(0).expected);
  EXPECT_NE(Touch(1).level, Touch(1).expected);
}

TEST_F(AtomsTest, BothHalvesOf16BytesCount) {
  const Word128 first = Word128{1} << 64 | 2;
  *At<Word128>(0) = first;
  const Word128 other = Word128{3} << 64 | 2;  // the high half differs
  AtomicCompareExchange(At<Word128>(0), other, Word128{0}, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, 0);
  EXPECT_EQ(Touched(), (Ranges{{0, 16}}));
  EXPECT_NE(Touch(0).level, Touch(0).expected);
  AtomicCompareExchange(At<Word128>(0), first, Word128{0}, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, 0);
  EXPECT_EQ(Touch(0).level, Touch(0).expected);
}

TEST_F(AtomsTest, PlainAccessesSeeWhatIsThere) {
  g_state.all_points = true;
  memory_[0] = 5;
  Plain(memory_, 1, true, 0);
  EXPECT_EQ(Touch(0).level, op::Fold(5));
  memory_[0] = 6;
  Plain(memory_, 1, true, 0);
  EXPECT_EQ(Touch(0).level, op::Fold(6));
  Plain(memory_ + 1, 1, true, 0);
  EXPECT_EQ(Touched(), (Ranges{{1, 1}}));
}

// What is stored to a byte with release order is learnt by who loads the word, and not by who
// loads another byte.
TEST_F(AtomsTest, ReleasesAreKeptForEachAtom) {
  uint64_t data = 0;
  for (const bool whole : {true, false}) {
    BeginFakeExecution(3);
    Store1(0);
    Store1(1);
    RunAs(1);
    Plain(&data, sizeof data, true, 0);
    Store1(1);
    RunAs(2);
    if (whole) {
      AtomicLoad(At<uint32_t>(0), __ATOMIC_ACQUIRE, 0);
    } else {
      AtomicLoad(At<uint8_t>(0), __ATOMIC_ACQUIRE, 0);
    }
    Plain(&data, sizeof data, false, 0);
    EXPECT_EQ(g_fake.races.empty(), whole);
  }
}

// A release store to the word is learnt from any of its bytes; a relaxed store to one of them ends
// that for this byte only.
TEST_F(AtomsTest, AStoreReleasesToAllItsAtoms) {
  uint64_t data = 0;
  for (const size_t byte : {size_t{0}, size_t{3}}) {
    BeginFakeExecution(3);
    Store1(0);
    Store1(3);
    RunAs(1);
    Plain(&data, sizeof data, true, 0);
    Store4(0);
    RunAs(0);
    AtomicStore(At<uint8_t>(0), uint8_t{2}, __ATOMIC_RELAXED, 0);
    RunAs(2);
    AtomicLoad(At<uint8_t>(byte), __ATOMIC_ACQUIRE, 0);
    Plain(&data, sizeof data, false, 0);
    EXPECT_EQ(g_fake.races.empty(), byte == 3);
  }
}

}  // namespace
}  // namespace heddle::runtime
