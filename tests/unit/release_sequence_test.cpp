// Release sequences against their definition: every write of an object is kept, and what its last
// write releases is looked up in all of them.
#include "trace/release_sequence.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace heddle::trace {
namespace {

constexpr size_t kBumpBytes = 1 << 22;
using Ticks = std::vector<uint32_t>;

// One write to the object, in modification order.
struct Written {
  op::ThreadId thread;
  bool update;                  // a read-modify-write
  bool continues_own;           // a plain store by C11's rule
  std::optional<Ticks> headed;  // what an acquire that synchronises with it learns
};

// Is the last write in the sequence that `first` heads?
bool IsInSequence(const std::vector<Written>& writes, size_t first) {
  for (size_t i = first + 1; i < writes.size(); ++i) {
    const bool own = writes[i].continues_own && writes[i].thread == writes[first].thread;
    if (!writes[i].update && !own) return false;
  }
  return true;
}

Ticks ReleasedByLast(const std::vector<Written>& writes, unsigned threads) {
  Ticks ticks(threads);
  for (size_t i = 0; i < writes.size(); ++i) {
    if (!writes[i].headed || !IsInSequence(writes, i)) continue;
    for (unsigned t = 0; t < threads; ++t) ticks[t] = std::max(ticks[t], (*writes[i].headed)[t]);
  }
  return ticks;
}

struct Thread {
  Ticks knows;
  std::optional<Ticks> fence;  // what it knew at its last release fence
};

class ReleaseSequenceTest : public testing::Test {
 protected:
  ReleaseSequenceTest() {
    bump_.begin = memory_.get();
    bump_.end = bump_.begin + kBumpBytes;
    bump_.Reset();
  }
  Clock ClockOf(const std::optional<Ticks>& ticks) {
    Clock clock;
    for (op::ThreadId t = 0; ticks && t < ticks->size(); ++t)
      if ((*ticks)[t] != 0) clock.Set(t, (*ticks)[t], bump_);
    return clock;
  }
  Ticks TicksOf(const Clock& clock, unsigned threads) {
    Ticks ticks;
    for (op::ThreadId t = 0; t < threads; ++t) ticks.push_back(clock.At(t));
    return ticks;
  }

  std::unique_ptr<char[]> memory_ = std::make_unique<char[]>(kBumpBytes);
  Bump bump_;
};

// Random operations of `threads` threads on one object. `keep_apart` as in ContinueSequences; a
// round ends where the answer would need it. Answers how many rounds ended so.
unsigned Compare(Bump& bump, auto clock_of, auto ticks_of, unsigned threads, bool keep_apart) {
  unsigned unanswered = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    bump.Reset();
    std::vector<Thread> all(threads);
    for (unsigned t = 0; t < threads; ++t) {
      all[t].knows.resize(threads);
      all[t].knows[t] = 1;
    }
    std::vector<Written> writes;
    Clock release;
    Heads heads = {};
    for (unsigned step = 0; step < 20; ++step) {
      const op::ThreadId t = random() % threads;
      Thread& self = all[t];
      const bool releases = random() % 2 == 0;
      const std::optional<Ticks> headed = releases ? self.knows : self.fence;
      const Clock released = clock_of(headed);
      switch (random() % 5) {
        case 0:  // a release fence
          self.fence = self.knows;
          ++self.knows[t];
          continue;
        case 1: {  // an acquire load
          const Ticks learnt = ReleasedByLast(writes, threads);
          for (unsigned i = 0; i < threads; ++i) self.knows[i] = std::max(self.knows[i], learnt[i]);
          continue;
        }
        case 2:
          ContinueSequences(release, heads, t, released, bump, keep_apart);
          writes.push_back({t, true, false, headed});
          break;
        case 3:
          EndSequences(release, heads, t, released, bump);
          writes.push_back({t, false, false, headed});
          break;
        default:
          if (releases) {
            EndSequences(release, heads, t, released, bump);
          } else if (!ContinueOwnSequences(release, heads, t, released, bump)) {
            EXPECT_FALSE(keep_apart);
            ++unanswered;
            step = 20;
            continue;
          }
          writes.push_back({t, false, true, headed});
      }
      EXPECT_EQ(ticks_of(release, threads), ReleasedByLast(writes, threads))
          << "seed " << seed << " step " << step;
      if (releases) ++self.knows[t];
    }
  }
  return unanswered;
}

TEST_F(ReleaseSequenceTest, AreAsDefined) {
  const auto clock_of = [this](const std::optional<Ticks>& ticks) { return ClockOf(ticks); };
  const auto ticks_of = [this](const Clock& clock, unsigned n) { return TicksOf(clock, n); };
  for (unsigned threads : {1u, 2u, 3u, 5u, 70u}) {
    EXPECT_EQ(Compare(bump_, clock_of, ticks_of, threads, true), 0u);
    const unsigned unanswered = Compare(bump_, clock_of, ticks_of, threads, false);
    EXPECT_EQ(unanswered == 0, threads == 1) << threads << " threads: " << unanswered;
    EXPECT_LT(unanswered, 3000u);
  }
}

// The example at the top of release_sequence.h, and the other way round.
TEST_F(ReleaseSequenceTest, AStoreContinuesWhatItsOwnThreadHeads) {
  for (op::ThreadId storing : {1u, 2u}) {
    Clock release;
    Heads heads = {};
    Clock first, second;
    first.Set(1, 5, bump_);
    second.Set(2, 7, bump_);
    EndSequences(release, heads, 1, first, bump_);
    ContinueSequences(release, heads, 2, second, bump_, true);
    EXPECT_EQ(TicksOf(release, 3), (Ticks{0, 5, 7}));
    ASSERT_TRUE(ContinueOwnSequences(release, heads, storing, {}, bump_));
    EXPECT_EQ(TicksOf(release, 3), storing == 1 ? (Ticks{0, 5, 0}) : (Ticks{0, 0, 7}));
  }
}

// Whoever heads none ends them all, and need not be told apart from the others.
TEST_F(ReleaseSequenceTest, AThreadWithoutAHeadIsKnown) {
  Clock release;
  Heads heads = {};
  Clock first, second;
  first.Set(1, 5, bump_);
  second.Set(2, 7, bump_);
  ContinueSequences(release, heads, 1, first, bump_, false);
  ContinueSequences(release, heads, 2, second, bump_, false);
  ASSERT_TRUE(ContinueOwnSequences(release, heads, 3, {}, bump_));
  EXPECT_TRUE(release.Empty());
}

}  // namespace
}  // namespace heddle::trace
