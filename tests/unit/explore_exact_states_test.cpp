// --exact (explore/visited/exact_states.h, visited_states.cpp): states whose hashes are the same
// are told apart. Hashes of 128 bits do not collide in a test, so here they are cut down to a few.
#include "explore/visited/exact_states.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "explore/visited/visited_states.h"

namespace heddle::explore {
namespace {

// A state of three records, in any order.
class Text {
 public:
  Text(uint64_t a, uint64_t b, uint64_t c) {
    transcript_.word_room = words_;
    transcript_.end_room = ends_;
    for (const uint64_t part : {a, b, c}) {
      for (uint64_t i = 0; i <= part % 3; ++i) transcript_.Put(part);
      transcript_.EndRecord();
    }
  }
  const base::Transcript& Get() const { return transcript_; }

 private:
  uint64_t words_[16];
  uint32_t ends_[4];
  base::Transcript transcript_;
};

TEST(ExactStates, AreTheSameIfTheirRecordsAre) {
  ExactStates states;
  states.Reserve();
  ASSERT_TRUE(states.Take(Text(1, 2, 3).Get(), 0));
  ASSERT_TRUE(states.Keep());
  EXPECT_TRUE(states.IsSame(0));
  ASSERT_TRUE(states.Take(Text(3, 1, 2).Get(), 0));
  EXPECT_TRUE(states.IsSame(0)) << "in another order";
  ASSERT_TRUE(states.Take(Text(1, 2, 2).Get(), 0));
  EXPECT_FALSE(states.IsSame(0));
  ASSERT_TRUE(states.Take(Text(1, 2, 3).Get(), 7));
  EXPECT_FALSE(states.IsSame(0)) << "another thread goes on at no cost";
}

TEST(ExactStates, RecordsAreKeptOnce) {
  ExactStates states;
  states.Reserve();
  ASSERT_TRUE(states.Take(Text(1, 2, 3).Get(), 0));
  ASSERT_TRUE(states.Keep());
  const auto records = states.Records();
  ASSERT_TRUE(states.Take(Text(1, 2, 4).Get(), 0));
  ASSERT_TRUE(states.Keep());
  EXPECT_EQ(states.Records(), records + 1);
  states.Truncate(1, records);
  EXPECT_EQ(states.Size(), 1u);
  EXPECT_EQ(states.Records(), records);
  ASSERT_TRUE(states.Take(Text(1, 2, 4).Get(), 0));
  EXPECT_FALSE(states.IsSame(0));
  ASSERT_TRUE(states.Keep());
  EXPECT_TRUE(states.IsSame(1));
}

TEST(ExactStates, SayWhenThereIsNoRoom) {
  ExactStates states;
  EXPECT_FALSE(states.Take(Text(1, 2, 3).Get(), 0)) << "none was made";
  states.Reserve();
  std::vector<uint64_t> words(1u << 21, 5);
  uint32_t end = 0;
  base::Transcript large;
  large.word_room = words;
  large.end_room = {&end, 1};
  large.words = words.size();
  large.EndRecord();
  EXPECT_FALSE(states.Take(large, 0));
}

// A program that goes from state n to 2n and 2n + 1, below `kStates`, searched depth first as an
// explorer does: every execution asks for each state on its way.
struct Found {
  std::set<uint64_t> states;  // that were not known
  uint64_t collisions = 0;
  uint64_t in_table = 0;
};

Found SearchWith(unsigned bits, bool exact) {
  constexpr uint64_t kStates = 600;
  VisitedStates::State state;
  Options options;
  options.exact = exact;
  Found found;
  std::vector<uint64_t> open = {1};
  while (!open.empty()) {
    EXPECT_TRUE(VisitedStates::Prepare(state, options, 0));
    const plan::Visiting visiting = VisitedStates::Of(state);
    EXPECT_EQ(visiting.exact, exact);
    visiting.by->Begin(visiting.search);
    uint64_t at = open.back();
    open.pop_back();
    for (uint32_t step = 1; at < kStates; ++step, at = 2 * at) {
      const Text text(at, at % 7, 1000);
      const uint64_t hash = bits == 64 ? base::Mix(at) : base::Mix(at) % (uint64_t{1} << bits);
      const plan::StateVisit visit = {.key = {{hash, 0}}, .step = step, .text = &text.Get()};
      if (visiting.by->Visit(visiting.search, visit).known) break;
      EXPECT_TRUE(found.states.insert(at).second) << at << " is explored twice";
      open.push_back(2 * at + 1);
    }
    VisitedStates::Commit(state);
  }
  found.collisions = VisitedStates::CountOf(state).collisions;
  found.in_table = VisitedStates::CountOf(state).states;
  return found;
}

TEST(ExactStates, NoStateIsLostByACollision) {
  const Found hashed = SearchWith(64, false);
  EXPECT_EQ(hashed.states.size(), 599u);
  EXPECT_EQ(hashed.collisions, 0u);
  EXPECT_LT(SearchWith(4, false).states.size(), 17u) << "what a collision does without --exact";
  for (const unsigned bits : {0u, 1u, 4u, 8u, 64u}) {
    const Found exact = SearchWith(bits, true);
    EXPECT_EQ(exact.states, hashed.states) << bits;
    EXPECT_EQ(exact.in_table, 599u) << bits;
    if (bits <= 4) {
      EXPECT_EQ(exact.collisions, 599u - (1u << bits)) << bits;
    }
    if (bits == 64) {
      EXPECT_EQ(exact.collisions, 0u);
    }
  }
}

}  // namespace
}  // namespace heddle::explore
