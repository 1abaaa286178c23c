// The race check against a naive reference that keeps every access of every byte, on random traces;
// and its promises about ranges, freeing, forgetting and rewinding one by one.
#include "check/data_race.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>
#include <random>
#include <tuple>
#include <vector>

namespace heddle::check {
namespace {

void* Map(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}
void Discard(void* begin, size_t bytes) { madvise(begin, bytes, MADV_DONTNEED); }

std::vector<Race> found;

// The address space of these tests is never touched, so any number will do. Close to the end of a
// chunk, so that ranges cross granules, pages and chunks.
constexpr uintptr_t kBase = (uintptr_t{5} << kChunkShift) - 24;

class DataRaceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (g_shadow.root == nullptr) SetUpShadow({Map, Discard});
  }

  void SetUp() override {
    g_race_sink = [](const Race& race) { found.push_back(race); };
    bump_.begin = memory_.get();
    bump_.end = bump_.begin + kBumpBytes;
    Begin(2);
  }

  // A new execution with `threads` concurrent threads.
  void Begin(unsigned threads) {
    BeginExecution();
    bump_.Reset();
    clocks_.assign(threads, trace::Clock());
    ticks_.assign(threads, 1);
    for (unsigned thread = 0; thread < threads; ++thread) clocks_[thread].Set(thread, 1, bump_);
    found.clear();
  }

  Accessor Who(unsigned thread) { return {thread, ticks_[thread], clocks_[thread]}; }
  void Read(unsigned thread, uintptr_t address, unsigned size) {
    Access(Who(thread), address, size, false, 1);
  }
  void Write(unsigned thread, uintptr_t address, unsigned size) {
    Access(Who(thread), address, size, true, 2);
  }

  void Release(unsigned thread, trace::Clock& clock) {
    clock.Join(clocks_[thread], bump_);
    clocks_[thread].Set(thread, ++ticks_[thread], bump_);
  }
  void Acquire(unsigned thread, const trace::Clock& clock) { clocks_[thread].Join(clock, bump_); }
  void Order(unsigned before, unsigned after) {
    trace::Clock clock;
    Release(before, clock);
    Acquire(after, clock);
  }

  // Accesses of three threads close together, of all modes, and order between some of them.
  void MakeAccesses(unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 40; ++i) {
      const unsigned thread = random() % 3;
      const uintptr_t address = kBase + random() % 48;
      const unsigned size = 1 + random() % 8;
      const bool write = random() % 3 == 0;
      if (random() % 8 == 0)
        Order(thread, (thread + 1) % 3);
      else if (random() % 4 == 0)
        AtomicAccess(Who(thread), address / 8 * 8, 8, write, 3);
      else if (write)
        Write(thread, address, size);
      else
        Read(thread, address, size);
    }
  }

  static constexpr size_t kBumpBytes = size_t{1} << 27;
  std::unique_ptr<char[]> memory_ = std::make_unique_for_overwrite<char[]>(kBumpBytes);
  trace::Bump bump_;
  std::vector<trace::Clock> clocks_;
  std::vector<uint32_t> ticks_;
};

// What was told of the accesses, as far as it tells one race from another.
using Told =
    std::vector<std::tuple<uintptr_t, uint64_t, op::ThreadId, uint32_t, op::ThreadId, uint32_t>>;
Told TakeFound() {
  Told told;
  for (const Race& race : found)
    told.emplace_back(race.address, race.size, race.first_thread, race.first_tick,
                      race.second_thread, race.second_tick);
  found.clear();
  return told;
}

TEST_F(DataRaceTest, GoesOnAfterWhatWasSavedAsIfNothingHadComeBetween) {
  unsigned with_races = 0;
  std::vector<char> memory(size_t{16} << 20);
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Begin(3);
    MakeAccesses(seed);
    base::SavedBytes saved(memory);
    const auto keep = [&](auto visit) {
      visit(&bump_, 1);
      visit(&g_shadow_bump, 1);
      visit(&g_allowed, 1);
      visit(&g_accessed_count, 1);
      visit(ticks_.data(), ticks_.size());
      visit(clocks_.data(), clocks_.size());
    };
    keep([&](auto* from, size_t count) { saved.Put(from, count); });
    saved.Put(bump_.begin, static_cast<size_t>(bump_.cursor - bump_.begin));
    SaveAccesses(saved);
    const auto go_back = [&] {
      base::SavedBytesReader from(saved.Bytes());
      keep([&](auto* to, size_t count) { from.Get(to, count); });
      from.Get(bump_.begin, static_cast<size_t>(bump_.cursor - bump_.begin));
      RestoreAccesses(from);
      ASSERT_TRUE(from.AtEnd());
      found.clear();
    };
    found.clear();
    MakeAccesses(seed + 1000);
    const Told one_way = TakeFound();

    Begin(3);
    MakeAccesses(seed);
    found.clear();
    MakeAccesses(seed + 2000);
    const Told other_way = TakeFound();

    go_back();
    MakeAccesses(seed + 2000);
    ASSERT_EQ(TakeFound(), other_way) << "seed " << seed;
    go_back();
    MakeAccesses(seed + 1000);
    ASSERT_EQ(TakeFound(), one_way) << "seed " << seed;
    with_races += !one_way.empty();
  }
  EXPECT_GT(with_races, 100u);
}

TEST_F(DataRaceTest, UnorderedWritesRace) {
  Write(0, kBase, 4);
  Write(1, kBase, 4);
  ASSERT_EQ(found.size(), 1u);
  const Race& race = found[0];
  EXPECT_EQ(race.address, kBase);
  EXPECT_EQ(race.size, 4u);
  EXPECT_EQ(race.first_thread, 0u);
  EXPECT_EQ(race.first_tick, 1u);
  EXPECT_TRUE(race.first_write);
  EXPECT_EQ(race.second_thread, 1u);
  EXPECT_TRUE(race.second_write);
  EXPECT_EQ(race.second_pc, 2u);
}

TEST_F(DataRaceTest, OrderedWritesDoNot) {
  Write(0, kBase, 4);
  Order(0, 1);
  Write(1, kBase, 4);
  EXPECT_TRUE(found.empty());
}

TEST_F(DataRaceTest, ReadersDoNotRaceButEachRacesWithTheWriter) {
  Begin(3);
  Read(0, kBase, 8);
  Read(1, kBase, 8);
  EXPECT_TRUE(found.empty());
  Order(1, 2);
  Write(2, kBase, 8);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first_thread, 0u);
  EXPECT_FALSE(found[0].first_write);
}

TEST_F(DataRaceTest, NeighboursInOneWordDoNotRace) {
  for (unsigned offset = 0; offset < 8; ++offset) Write(offset % 2, kBase + offset, 1);
  for (unsigned offset = 0; offset < 8; ++offset) Read(offset % 2, kBase + offset, 1);
  EXPECT_TRUE(found.empty());
  Read(0, kBase, 8);  // the bytes of thread 1, which lie apart
  EXPECT_EQ(found.size(), 4u);
}

TEST_F(DataRaceTest, AtomicsRaceOnlyWithPlainAccesses) {
  AtomicAccess(Who(0), kBase, 8, true, 3);
  AtomicAccess(Who(1), kBase, 8, true, 3);
  AtomicAccess(Who(1), kBase, 4, false, 3);
  EXPECT_TRUE(found.empty());
  Read(1, kBase, 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first_thread, 0u);
  EXPECT_TRUE(found[0].first_atomic);
  EXPECT_FALSE(found[0].second_atomic);
}

TEST_F(DataRaceTest, SixteenByteAtomicReachesIntoTheNextWord) {
  AtomicAccess(Who(0), kBase, 16, true, 3);
  Read(1, kBase + 15, 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].address, kBase + 15);
}

TEST_F(DataRaceTest, ANewExecutionKnowsNothing) {
  Write(0, kBase, 8);
  Begin(2);
  Write(1, kBase, 8);
  EXPECT_TRUE(found.empty());
}

TEST_F(DataRaceTest, SerialWrapsAround) {
  Write(0, kBase, 8);  // leaves the stamp of this execution, which comes again after 2^32 of them
  const uint64_t stamp = g_shadow.stamp;
  g_shadow.stamp = uint64_t{0xffffffff} << 32;
  while (g_shadow.stamp != stamp) BeginExecution();
  Write(1, kBase, 8);
  EXPECT_TRUE(found.empty());
}

TEST_F(DataRaceTest, FreeingRacesWithAccessesBeforeAndThoseAfterAreTold) {
  Write(0, kBase + 40, 4);
  FreeRange(Who(1), kBase, 64, 4);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].address, kBase + 40);
  EXPECT_TRUE(found[0].second_write);
  EXPECT_TRUE(found[0].second_frees);
  found.clear();
  EXPECT_TRUE(Access(Who(0), kBase + 8, 8, false, 5));
  EXPECT_TRUE(AccessRange(Who(1), kBase + 60, 20, true, 5));
  EXPECT_TRUE(VisibleAccess(Who(0), kBase, 1, true, 5));
  EXPECT_TRUE(AnyIsFreed(kBase - 3, 4));
  EXPECT_FALSE(AnyIsFreed(kBase + 64, 8));
  EXPECT_FALSE(Access(Who(1), kBase + 64, 8, false, 5));
  EXPECT_TRUE(found.empty());
  ForgetRange(kBase, 64);
  EXPECT_FALSE(AnyIsFreed(kBase, 64));
  EXPECT_FALSE(Access(Who(0), kBase + 8, 8, false, 5));
}

TEST_F(DataRaceTest, OfWhatWasFreedSomeIsUsedAgain) {
  constexpr size_t kSize = size_t{1} << 20;  // most of it whole pages that nobody has accessed
  FreeRange(Who(1), kBase, kSize, 4, AccessMode::kPlain, GivenBack::kPoisoned);
  const uintptr_t middle = kBase + kSize / 2 + 64;
  EXPECT_FALSE(ReuseRange(Who(0), middle, 32, 5)) << "nothing orders it behind the other thread";
  EXPECT_TRUE(AnyIsFreed(middle, 32));
  EXPECT_TRUE(ReuseRange(Who(1), middle, 32, 5));
  EXPECT_FALSE(AnyIsFreed(middle, 32));
  EXPECT_TRUE(AnyIsFreed(middle - 8, 8));
  EXPECT_TRUE(AnyIsFreed(middle + 32, 8));
  EXPECT_TRUE(AnyIsFreed(kBase, 8));
  EXPECT_TRUE(AnyIsFreed(kBase + kSize - 8, 8));
  EXPECT_FALSE(Access(Who(1), middle + 8, 8, true, 6));
  EXPECT_TRUE(found.empty());
  Read(0, middle, 4);
  EXPECT_EQ(found.size(), 1u) << "it was taken by who is not ordered with this thread";
  EXPECT_EQ(FreedBlockAt(middle - 8, 8).how, GivenBack::kPoisoned);
}

TEST_F(DataRaceTest, AFreeIsNotForgottenWhereItsMemoryIsHandedOutAgain) {
  Begin(4);
  Write(1, kBase + 8, 8);
  FreeRange(Who(1), kBase, 64, 4);
  HandOutAgain(Who(1), kBase, 64);
  EXPECT_FALSE(AnyIsFreed(kBase, 64));
  EXPECT_FALSE(Access(Who(1), kBase + 8, 8, true, 5)) << "who has it now";
  Order(1, 2);
  EXPECT_FALSE(ComesBeforeReuse(Who(2), kBase, 64));
  EXPECT_FALSE(Access(Who(2), kBase + 8, 4, true, 5)) << "what is ordered cannot be told from that";
  EXPECT_TRUE(ComesBeforeReuse(Who(0), kBase, 64));
  EXPECT_FALSE(ComesBeforeReuse(Who(0), kBase + 64, 8));
  EXPECT_TRUE(Access(Who(0), kBase + 8, 8, false, 6));
  EXPECT_TRUE(Access(Who(0), kBase + 40, 1, true, 6)) << "nobody has accessed this";
  EXPECT_TRUE(AtomicAccess(Who(0), kBase + 16, 4, false, 6));
  EXPECT_TRUE(UseObject(Who(0), kBase + 24, 6));
  EXPECT_TRUE(found.empty()) << "told as late uses, and not as races";
  EXPECT_EQ(FreedBlockAt(kBase + 8, 8).thread, 1u);
  Order(2, 0);
  EXPECT_FALSE(Access(Who(0), kBase + 8, 8, false, 6));
  Read(3, kBase + 64, 8);
  EXPECT_TRUE(found.empty());
}

TEST_F(DataRaceTest, MemoryIsHandedOutAgainAndAgain) {
  for (g_accessed_once = false;; g_accessed_once = true) {
    for (unsigned round = 0; round < 3; ++round) {
      Write(1, kBase, 8);
      FreeRange(Who(1), kBase, 64, 4);
      HandOutAgain(Who(1), kBase, 64);
      Order(1, 0);
      EXPECT_FALSE(ComesBeforeReuse(Who(0), kBase, 64));
      EXPECT_FALSE(Access(Who(0), kBase, 8, true, 5));
      EXPECT_TRUE(found.empty());
      Order(0, 1);
    }
    HandOutAgain(Who(1), kBase, 64);
    EXPECT_TRUE(ComesBeforeReuse(Who(0), kBase, 64)) << "of the last time";
    if (g_accessed_once) break;
    Begin(2);
  }
  g_accessed_once = false;
  Begin(2);
  EXPECT_FALSE(ComesBeforeReuse(Who(0), kBase, 64)) << "another execution";
}

TEST_F(DataRaceTest, WhatWasNotFreedIsNotForgotten) {
  Write(0, kBase, 8);
  EXPECT_TRUE(ReuseRange(Who(1), kBase, 64, 5));
  Write(1, kBase, 8);
  EXPECT_EQ(found.size(), 1u);
}

TEST_F(DataRaceTest, FreeingALargeBlockMeetsAccessesFarInside) {
  const size_t size = size_t{1} << 30;
  Write(0, kBase + size - 8, 8);
  EXPECT_FALSE(FreeRange(Who(1), kBase, size, 4));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].address, kBase + size - 8);
}

TEST_F(DataRaceTest, ForgottenMemoryIsNew) {
  for (uintptr_t address = kBase; address < kBase + 64; address += 8) Write(0, address, 8);
  ForgetRange(kBase + 3, 40);
  for (uintptr_t address = kBase + 3; address < kBase + 43; ++address) Write(1, address, 1);
  EXPECT_TRUE(found.empty());
  Write(1, kBase + 2, 1);
  Write(1, kBase + 43, 1);
  EXPECT_EQ(found.size(), 2u);
}

TEST_F(DataRaceTest, AllowedRacesAreToldAsSuchUntilTheMemoryIsReused) {
  AllowRaces(kBase, 4);
  Write(0, kBase, 4);
  Write(1, kBase, 4);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].allowed);
  ForgetRange(kBase, 16);
  Write(0, kBase, 4);
  Write(1, kBase, 4);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_FALSE(found[1].allowed);
}

TEST_F(DataRaceTest, WildAddressesAreLeftToTheProgramToCrashOn) {
  Write(0, ~uintptr_t{0} - 2, 8);
  Write(0, uintptr_t{1} << 63, 8);
  AccessRange(Who(0), (uintptr_t{1} << runtime::kUserAddressBits) - 4, 16, true, 2);
  AtomicAccess(Who(0), ~uintptr_t{0} - 7, 8, true, 2);
  FreeRange(Who(0), uintptr_t{1} << 60, 100, 2);
  ForgetRange(uintptr_t{1} << 60, 100);
  EXPECT_TRUE(found.empty());
}

TEST_F(DataRaceTest, ManyThreadsReadOneWord) {
  constexpr unsigned kThreads = 3000;
  Begin(kThreads);
  for (unsigned thread = 0; thread < kThreads; ++thread) Read(thread, kBase, 4);
  EXPECT_TRUE(found.empty());
  for (unsigned thread = 1; thread < kThreads; ++thread)
    clocks_[0].Set(thread, thread == 2900 ? 0 : 1, bump_);
  Write(0, kBase, 4);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first_thread, 2900u);
}

// ---- random traces ----

struct PastAccess {
  unsigned thread;
  uint32_t tick;
  bool write;
  bool atomic;
};

// Every access of every byte, forever.
class Reference {
 public:
  explicit Reference(size_t bytes) : history_(bytes), raced_(bytes) {}

  bool Races(size_t byte, const PastAccess& now, const trace::Clock& clock) const {
    for (const PastAccess& past : history_[byte])
      if (Conflict(past, now, clock)) return true;
    return false;
  }
  // Is there such an access, and does it race with the one made now?
  bool Confirms(size_t byte, const Race& race, const PastAccess& now,
                const trace::Clock& clock) const {
    for (const PastAccess& past : history_[byte])
      if (past.thread == race.first_thread && past.tick == race.first_tick &&
          past.write == race.first_write && past.atomic == race.first_atomic &&
          Conflict(past, now, clock))
        return true;
    return false;
  }
  void Add(size_t byte, const PastAccess& now) { history_[byte].push_back(now); }
  void Forget(size_t byte) {
    history_[byte].clear();
    raced_[byte] = false;
  }
  bool Raced(size_t byte) const { return raced_[byte]; }
  void SetRaced(size_t byte) { raced_[byte] = true; }

 private:
  static bool Conflict(const PastAccess& past, const PastAccess& now, const trace::Clock& clock) {
    return (past.write || now.write) && !(past.atomic && now.atomic) &&
           past.tick > clock.At(past.thread);
  }
  std::vector<std::vector<PastAccess>> history_;
  std::vector<bool> raced_;
};

class RandomTraceTest : public DataRaceTest {
 protected:
  static constexpr size_t kBytes = 56;

  unsigned Pick(unsigned limit) {
    return std::uniform_int_distribution<unsigned>(0, limit - 1)(random_);
  }

  void AccessBoth(unsigned thread, size_t offset, size_t size, bool write, bool atomic) {
    const PastAccess now{thread, ticks_[thread], write, atomic};
    const trace::Clock& clock = clocks_[thread];
    found.clear();
    const uintptr_t at = kBase + offset;
    const auto bytes = static_cast<unsigned>(size);
    const bool freed = std::any_of(freed_ + offset, freed_ + offset + size, std::identity());
    EXPECT_EQ(AnyIsFreed(at, size), freed);
    if (atomic)
      EXPECT_EQ(AtomicAccess(Who(thread), at, bytes, write, 7), freed);
    else if (size <= 16)
      EXPECT_EQ(Access(Who(thread), at, bytes, write, 7), freed);
    else
      EXPECT_EQ(AccessRange(Who(thread), at, size, write, 7), freed);
    Compare(offset, size, now, clock, false);
  }

  void Compare(size_t offset, size_t size, const PastAccess& now, const trace::Clock& clock,
               bool frees) {
    std::vector<bool> reported(kBytes);
    for (const Race& race : found) {
      ASSERT_GE(race.address, kBase + offset);
      ASSERT_LE(race.address + race.size, kBase + offset + size);
      EXPECT_EQ(race.second_thread, now.thread);
      EXPECT_EQ(race.second_write, now.write);
      EXPECT_EQ(race.second_atomic, now.atomic);
      for (size_t byte = race.address - kBase; byte < race.address - kBase + race.size; ++byte) {
        EXPECT_TRUE(reference_->Confirms(byte, race, now, clock)) << "false alarm on byte " << byte;
        reported[byte] = true;
      }
    }
    for (size_t byte = offset; byte < offset + size; ++byte) {
      if (!frees && freed_[byte]) continue;  // that is told
      if (reference_->Races(byte, now, clock)) {
        ++races_;
        EXPECT_TRUE(reported[byte] || reference_->Raced(byte))
            << "missed the first race on byte " << byte;
        reference_->SetRaced(byte);
      }
      reference_->Add(byte, now);
    }
  }

  void Step(std::vector<trace::Clock>& locks) {
    constexpr size_t kSizes[] = {1, 2, 4, 8, 16};
    const unsigned thread = Pick(static_cast<unsigned>(clocks_.size()));
    const unsigned what = Pick(100);
    size_t size = kSizes[Pick(5)];
    if (what >= 60 && what < 70) size = 1 + Pick(kBytes);
    size_t offset = Pick(static_cast<unsigned>(kBytes - size + 1));
    if (Pick(2) == 0 && size <= 16) offset &= ~(size - 1);
    if (what < 70) {
      AccessBoth(thread, offset, size, Pick(3) == 0, false);
    } else if (what < 82) {
      AccessBoth(thread, offset, size, Pick(2) == 0, true);
    } else if (what < 90) {
      Release(thread, locks[Pick(static_cast<unsigned>(locks.size()))]);
    } else if (what < 97) {
      Acquire(thread, locks[Pick(static_cast<unsigned>(locks.size()))]);
    } else if (what == 97) {
      ForgetRange(kBase + offset, size);
      for (size_t byte = offset; byte < offset + size; ++byte) reference_->Forget(byte);
      for (size_t byte = offset / 8 * 8; byte < (offset + size + 7) / 8 * 8; ++byte)
        freed_[byte] = false;
    } else {
      found.clear();
      const size_t end = (offset + size + 7) / 8 * 8;
      offset = offset / 8 * 8;
      FreeRange(Who(thread), kBase + offset, end - offset, 7);
      Compare(offset, end - offset, {thread, ticks_[thread], true, false}, clocks_[thread], true);
      for (size_t byte = offset; byte < end; ++byte) freed_[byte] = true;
    }
  }

  std::mt19937_64 random_;
  std::unique_ptr<Reference> reference_;
  bool freed_[kBytes] = {};  // memory is given back in whole granules
  uint64_t races_ = 0;
};

TEST_F(RandomTraceTest, AgreesWithTheReference) {
  const auto seed = static_cast<uint64_t>(std::random_device{}());
  SCOPED_TRACE("seed " + std::to_string(seed));
  RecordProperty("seed", std::to_string(seed));
  random_.seed(seed);
  for (int trace = 0; trace < 20000 && !HasFailure(); ++trace) {
    Begin(2 + Pick(5));
    reference_ = std::make_unique<Reference>(kBytes);
    std::ranges::fill(freed_, false);
    std::vector<trace::Clock> locks(1 + Pick(3));
    const unsigned steps = 10 + Pick(80);
    for (unsigned step = 0; step < steps && !HasFailure(); ++step) Step(locks);
  }
  EXPECT_GT(races_, 10000u);  // the traces are worth something
}

// ---- other modes ----

std::vector<Race> pairs;

TEST_F(DataRaceTest, VisibleAccessesRaceAndHideNothing) {
  Access(Who(0), kBase, 4, true, 1);
  VisibleAccess(Who(0), kBase, 4, true, 2);
  VisibleAccess(Who(1), kBase, 4, true, 3);
  ASSERT_EQ(found.size(), 2u);  // with each of the two
  EXPECT_NE(found[0].first_visible, found[1].first_visible);
  found.clear();
  AtomicAccess(Who(1), kBase, 4, false, 4, AccessMode::kWeak);
  EXPECT_EQ(found.size(), 2u);
  for (const Race& race : found) EXPECT_TRUE(race.second_atomic);
}

TEST_F(DataRaceTest, WeakPairs) {
  pairs.clear();
  WatchWeakPairs([](const Race& pair) { pairs.push_back(pair); });
  const auto access = [this](unsigned thread, uintptr_t at, bool write, AccessMode mode) {
    AtomicAccess(Who(thread), at, 4, write, 5, mode);
  };
  access(0, kBase, true, AccessMode::kSeqCst);
  access(1, kBase, false, AccessMode::kSeqCst);
  EXPECT_TRUE(pairs.empty());  // both seq_cst
  access(1, kBase, false, AccessMode::kWeak);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_TRUE(pairs[0].first_write && !pairs[0].second_write);
  access(0, kBase + 4, false, AccessMode::kWeak);
  access(1, kBase + 4, false, AccessMode::kWeak);
  EXPECT_EQ(pairs.size(), 1u);  // two loads
  access(1, kBase + 4, true, AccessMode::kSeqCst);
  EXPECT_EQ(pairs.size(), 2u);
  Order(0, 1);
  access(0, kBase + 8, true, AccessMode::kWeak);
  Order(0, 1);
  access(1, kBase + 8, true, AccessMode::kWeak);
  EXPECT_EQ(pairs.size(), 2u);  // ordered
  AtomicAccess(Who(0), kBase + 16, 8, true, 5, AccessMode::kSeqCst);
  AtomicAccess(Who(1), kBase + 16, 4, true, 5, AccessMode::kSeqCst);
  EXPECT_EQ(pairs.size(), 3u);  // of different size
  EXPECT_TRUE(found.empty());
  WatchWeakPairs(nullptr);
  access(0, kBase, true, AccessMode::kWeak);
  EXPECT_EQ(pairs.size(), 3u);
}

}  // namespace
}  // namespace heddle::check
