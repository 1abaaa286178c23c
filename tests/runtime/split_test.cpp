// Searches that part with branches, on the real runtime: what a plan says of sleeping threads, and
// of the script to a node that another search met, has to mean there what it means to the fake
// target (agree/split_agree_test.cpp). Loops that wait are here only.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "base/hash.h"
#include "explore/branch.h"
#include "explore/compose/registry.h"
#include "runtime/visible.h"
#include "small_program.h"

namespace heddle::runtime {
namespace {

struct Found {
  std::multiset<uint64_t> graphs;  // of executions that were run to their end
  bool complete = true;
  int searches = 0;
};

class SplitTest : public testing::TestWithParam<space::Reduction> {
 protected:
  SplitTest() { BeginSearch(); }
  ~SplitTest() override { BeginSearch(); }

  // `seed`: of the moments at which searches part with branches; 0: never.
  Found Explore(const std::vector<Body>& threads, uint64_t seed) {
    Found found;
    std::vector<std::vector<uint8_t>> waiting = {{}};
    while (!waiting.empty() && found.complete) {
      const std::vector<uint8_t> bytes = std::move(waiting.back());
      waiting.pop_back();
      Search(threads, bytes, seed, waiting, found);
    }
    return found;
  }

  // `once`: no trace may be run twice when searches part with branches.
  void Expect(const std::vector<Body>& threads, size_t traces, bool once = true) {
    while (true) {  // until all places are known at which threads wait
      const Found whole = Explore(threads, 0);
      if (VisibleGrew()) {
        GrowVisible();
        continue;
      }
      EXPECT_TRUE(whole.complete);
      EXPECT_EQ(std::set(whole.graphs.begin(), whole.graphs.end()).size(), traces);
      int searches = 0;
      for (uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        const Found parts = Explore(threads, seed);
        EXPECT_TRUE(parts.complete);
        searches += parts.searches;
        EXPECT_EQ(std::set(parts.graphs.begin(), parts.graphs.end()),
                  std::set(whole.graphs.begin(), whole.graphs.end()));
        if (once) {
          EXPECT_EQ(parts.graphs.size(), traces);
        }
      }
      EXPECT_GT(searches, 2 * 20);
      return;
    }
  }

  Memory memory_;

 private:
  void Search(const std::vector<Body>& threads, const std::vector<uint8_t>& bytes, uint64_t seed,
              std::vector<std::vector<uint8_t>>& waiting, Found& found) {
    ++found.searches;
    const auto entry = explore::Find({space::Order::kDepthFirst, GetParam()});
    ASSERT_TRUE(entry);
    void* const state = entry->make_state();
    const auto explorer = entry->Attach(state, 1, nullptr);
    if (!bytes.empty()) {
      const auto branch = explore::LoadBranch(bytes);
      ASSERT_TRUE(branch && explorer->Take(*branch));
    }
    uint64_t random = seed + waiting.size();
    while (const auto plan = explorer->NextPlan()) {
      memory_ = {};
      const trace::Execution& execution = RunOnce(threads, *plan);
      if (VisibleGrew()) break;
      ASSERT_NE(execution.ending.kind, trace::EndKind::kDiverged);
      if (execution.ending.kind != trace::EndKind::kRedundant) {
        found.graphs.insert(execution.happens_before);
      }
      explorer->Learn(execution);
      while (seed != 0 && base::NextBelow(random, 2) == 0) {
        const auto branch = explorer->Split();
        if (!branch) break;
        waiting.push_back(explore::Save(*branch));
      }
    }
    found.complete &= explorer->Complete();
    entry->free_state(state);
  }
};

// Who has the lock first, second and third: 3! traces, and 2 more places for the store of y, which
// T3 reads when it has the lock: before or after it. 6 * 2.
TEST_P(SplitTest, Locks) {
  const auto section = [this] {
    Lock(memory_.m);
    Store(memory_.x, 1);
    Unlock(memory_.m);
  };
  const auto reads = [this] {
    Lock(memory_.m);
    Load(memory_.y);
    Unlock(memory_.m);
  };
  Expect({section, section, reads, [this] { Store(memory_.y, 1); }}, 6 * 2);
}

// T1 waits for x, and reads y. T2 sets y and then x; T3 sets y, too: before T2 does, between that
// and T1's read, or after it. When T1 looks in vain is no difference.
TEST_P(SplitTest, ALoopThatWaits) {
  const auto waits = [this] {
    while (Load(memory_.x) == 0) {
    }
    Load(memory_.y);
  };
  const auto sets = [this] {
    Store(memory_.y, 1);
    Store(memory_.x, 1);
  };
  Expect({waits, sets, [this] { Store(memory_.y, 2); }}, 3, false);
}

// A mutex that T1 takes within a time limit or not: T1 before T2 and after it, and its limit passes
// while T2 has it. T3 and T4 store: 2 more traces for each.
TEST_P(SplitTest, ATimeLimit) {
  const auto within = [this] {
    if (LockWithin(memory_.m, 1000)) Unlock(memory_.m);
  };
  const auto section = [this] {
    Lock(memory_.m);
    Unlock(memory_.m);
  };
  const auto stores = [this] { Store(memory_.x, 1); };
  Expect({within, section, stores, stores}, 3 * 2);
}

INSTANTIATE_TEST_SUITE_P(Reductions, SplitTest,
                         testing::Values(space::Reduction::kSource, space::Reduction::kOptimal),
                         [](const auto& reduction) {
                           return reduction.param == space::Reduction::kSource ? "source"
                                                                               : "optimal";
                         });

}  // namespace
}  // namespace heddle::runtime
