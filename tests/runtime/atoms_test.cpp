// Memory as atoms: which objects an access touches, with which levels, and when finer ones are
// wanted; and what atomics of different sizes learn from each other.
#include "runtime/fibers/atoms.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "one_by_one.h"
#include "runtime/objects/table.h"
#include "runtime/primitives/atomic.h"
#include "runtime/primitives/atomic_bytes.h"
#include "runtime/primitives/plain.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"

namespace heddle::runtime {
namespace {

class AtomsTest : public testing::Test {
 protected:
  void SetUp() override { Begin(); }
  void TearDown() override { EndOneByOne(); }

  void Begin() {
    BeginOneByOne(3);
    memory_ = static_cast<char*>(FreshMemory(kBytes));
  }

  // The bytes of `memory_` that the last event touched, as (begin, size) of its atoms.
  using Ranges = std::vector<std::pair<uintptr_t, unsigned>>;
  Ranges Touched() const {
    Ranges ranges;
    for (const trace::Access& touch : LastAccesses()) {
      const Object& object = ObjectOfNumber(touch.object);
      ranges.emplace_back(object.address - reinterpret_cast<uintptr_t>(memory_), object.atom_bytes);
    }
    return ranges;
  }
  static trace::Access Touch(size_t i) { return LastAccesses().at(i); }
  static bool IsOfAPart() { return (SoFar().events.back().detail & op::kOfAPart) != 0; }
  template <typename T>
  T* At(size_t offset) {
    return reinterpret_cast<T*>(memory_ + offset);
  }
  template <typename T>
  void Store(op::ThreadId thread, size_t at, T value = 1, int order = __ATOMIC_SEQ_CST) {
    As(thread, [&] { AtomicStore(At<T>(at), value, order, FreshPlace()); });
  }
  void Store1(size_t at) { Store<uint8_t>(0, at); }
  void Store4(size_t at) { Store<uint32_t>(0, at); }
  void Store8(size_t at) { Store<uint64_t>(0, at); }
  template <typename T>
  T Load(op::ThreadId thread, size_t at) {
    T value;
    As(thread, [&] { value = AtomicLoad(At<T>(at), __ATOMIC_ACQUIRE, FreshPlace()); });
    return value;
  }
  template <typename T>
  T CompareExchange(T expected, T wanted) {
    T found;
    As(0, [&] {
      found = AtomicCompareExchange(At<T>(0), expected, wanted, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST,
                                    FreshPlace());
    });
    return found;
  }
  static void Access(op::ThreadId thread, void* at, unsigned size, bool write) {
    As(thread, [=] { Plain(at, size, write, FreshPlace()); });
  }

  static constexpr size_t kBytes = 48;
  char* memory_;
};

TEST_F(AtomsTest, EqualAccessesAreOneAtom) {
  Store4(0);
  EXPECT_EQ(Touched(), (Ranges{{0, 4}}));
  Store4(4);
  EXPECT_EQ(Touched(), (Ranges{{4, 4}}));
  Store4(0);
  EXPECT_EQ(Touched(), (Ranges{{0, 4}}));
  EXPECT_FALSE(VisibleGrew());
}

TEST_F(AtomsTest, ALargerAccessTouchesAllOfItsParts) {
  Store1(1);
  Store4(0);
  EXPECT_EQ(Touched(), (Ranges{{0, 1}, {1, 1}, {2, 2}}));
  EXPECT_FALSE(VisibleGrew());
}

TEST_F(AtomsTest, APartOfAnAtomTouchesAllOfItUntilItIsCut) {
  Store4(0);
  Store1(1);
  EXPECT_EQ(Touched(), (Ranges{{0, 4}}));
  EXPECT_TRUE(VisibleGrew());
  EXPECT_TRUE(IsOfAPart());
  CutAtoms();
  Store1(1);
  EXPECT_EQ(Touched(), (Ranges{{1, 1}}));
  EXPECT_FALSE(IsOfAPart());
  Store4(0);
  EXPECT_EQ(Touched(), (Ranges{{0, 1}, {1, 1}, {2, 2}}));
}

TEST_F(AtomsTest, AtomsEndAtBoundaries) {
  Store8(12);
  EXPECT_EQ(Touched(), (Ranges{{12, 4}, {16, 4}}));
  char bytes[40] = {};
  As(0, [&] { AtomicStoreBytes(sizeof bytes, memory_, bytes, __ATOMIC_SEQ_CST, FreshPlace()); });
  EXPECT_EQ(Touched(), (Ranges{{0, 12}, {12, 4}, {16, 4}, {20, 12}, {32, 8}}));
  EXPECT_FALSE(VisibleGrew());
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
  EXPECT_EQ(CompareExchange<uint16_t>(0x0907, 0x0505), 0x0907);
  EXPECT_EQ(Touched(), (Ranges{{0, 1}, {1, 1}}));
  EXPECT_EQ(SoFar().events.back().access, op::Access::kWrite);
  EXPECT_EQ(Touch(0).level, op::Fold(7));
  EXPECT_EQ(Touch(1).level, op::Fold(9));
  EXPECT_EQ(Touch(0).expected, op::Fold(7));
  EXPECT_EQ(Touch(1).expected, op::Fold(9));
  // One of them differs: it fails.
  CompareExchange<uint16_t>(0x0605, 0);
  EXPECT_EQ(SoFar().events.back().access, op::Access::kRead);
  EXPECT_EQ(Touch(0).level, Touch(0).expected);
  EXPECT_NE(Touch(1).level, Touch(1).expected);
}

TEST_F(AtomsTest, BothHalvesOf16BytesCount) {
  const Word128 first = Word128{1} << 64 | 2;
  *At<Word128>(0) = first;
  const Word128 other = Word128{3} << 64 | 2;  // the high half differs
  CompareExchange<Word128>(other, 0);
  EXPECT_EQ(Touched(), (Ranges{{0, 16}}));
  EXPECT_NE(Touch(0).level, Touch(0).expected);
  CompareExchange<Word128>(first, 0);
  EXPECT_EQ(Touch(0).level, Touch(0).expected);
}

TEST_F(AtomsTest, PlainAccessesSeeWhatIsThere) {
  g_state.all_points = true;
  memory_[0] = 5;
  Access(0, memory_, 1, true);
  EXPECT_EQ(Touch(0).level, op::Fold(5));
  memory_[0] = 6;
  Access(0, memory_, 1, true);
  EXPECT_EQ(Touch(0).level, op::Fold(6));
  Access(0, memory_ + 1, 1, true);
  EXPECT_EQ(Touched(), (Ranges{{1, 1}}));
}

// What is stored to a byte with release order is learnt by who loads the word, and not by who
// loads another byte.
TEST_F(AtomsTest, ReleasesAreKeptForEachAtom) {
  for (const bool whole : {true, false}) {
    Begin();
    void* const data = FreshMemory(8);
    Store1(0);
    Store1(1);
    Access(1, data, 8, true);
    Store<uint8_t>(1, 1);
    if (whole)
      Load<uint32_t>(2, 0);
    else
      Load<uint8_t>(2, 0);
    Access(2, data, 8, false);
    EXPECT_EQ(Raced(), !whole);
  }
}

// A release store to the word is learnt from any of its bytes; a relaxed store to one of them ends
// that for this byte only.
TEST_F(AtomsTest, AStoreReleasesToAllItsAtoms) {
  for (const size_t byte : {size_t{0}, size_t{3}}) {
    Begin();
    void* const data = FreshMemory(8);
    Store1(0);
    Store1(3);
    Access(1, data, 8, true);
    Store<uint32_t>(1, 0);
    Store<uint8_t>(0, 0, 2, __ATOMIC_RELAXED);
    Load<uint8_t>(2, byte);
    Access(2, data, 8, false);
    EXPECT_EQ(Raced(), byte == 0);
  }
}

}  // namespace
}  // namespace heddle::runtime
