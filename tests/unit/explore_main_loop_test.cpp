#include "explore/main_loop.h"

#include <gtest/gtest.h>

#include "explore/registry.h"
#include "target/fake_target.h"

namespace heddle::explore {
namespace {

using target::FakeTarget;
using target::FetchAdd;

FakeTarget ThreeThreads() {
  return FakeTarget({.threads = {{FetchAdd(0, 1)}, {FetchAdd(0, 1)}, {FetchAdd(0, 1)}},
                     .variables = {0},
                     .semaphores = {}});
}

// Counts, and stops after a given number.
class Counter final : public Observer {
 public:
  explicit Counter(uint64_t stop_at = UINT64_MAX) : stop_at_(stop_at) {}
  Verdict OnExecution(const plan::Plan&, const trace::Execution&) override {
    return ++count % stop_at_ == 0 ? Verdict::kStop : Verdict::kContinue;
  }
  uint64_t count = 0;

 private:
  const uint64_t stop_at_;
};

TEST(Registry, EveryEntryExplores) {
  EXPECT_EQ(Entries().size(), 7u);
  EXPECT_EQ(FindEntry("breadth-first"), nullptr);
  for (const Entry& entry : Entries()) {
    ASSERT_EQ(FindEntry(entry.name), &entry);
    FakeTarget target = ThreeThreads();
    Counter counter;
    Observer* const observers[] = {&counter};
    ExecutionBudget budget(100);
    void* state = entry.make_state();
    const auto explorer = entry.attach(state, {}, nullptr);
    const SearchEnd end = RunSearch(*explorer, target, observers, budget);
    const bool ends = entry.name != "random";
    EXPECT_EQ(end, ends ? SearchEnd::kExhausted : SearchEnd::kBudget) << entry.name;
    EXPECT_EQ(counter.count, ends ? 6u : 100u) << entry.name;
    EXPECT_EQ(explorer->Complete(), ends) << entry.name;
    entry.free_state(state);
  }
}

TEST(MainLoop, GoesOnAfterAStop) {
  const Entry* entry = FindEntry("context-bounded");
  FakeTarget target = ThreeThreads();
  Counter stops(4);
  Counter all;
  Observer* const observers[] = {&stops, &all};
  ExecutionBudget budget(100);
  void* state = entry->make_state();
  const auto explorer = entry->attach(state, {}, nullptr);
  EXPECT_EQ(RunSearch(*explorer, target, observers, budget), SearchEnd::kStopped);
  EXPECT_EQ(all.count, 4u);  // every observer saw the execution that stopped the search
  EXPECT_EQ(RunSearch(*explorer, target, observers, budget), SearchEnd::kExhausted);
  EXPECT_EQ(all.count, 6u);
  entry->free_state(state);
}

TEST(MainLoop, BudgetOfExecutions) {
  const Entry* entry = FindEntry("depth-first");
  FakeTarget target = ThreeThreads();
  Counter counter;
  Observer* const observers[] = {&counter};
  void* state = entry->make_state();
  const auto explorer = entry->attach(state, {}, nullptr);
  for (uint64_t expected : {2u, 4u}) {
    ExecutionBudget budget(2);
    EXPECT_EQ(RunSearch(*explorer, target, observers, budget), SearchEnd::kBudget);
    EXPECT_EQ(counter.count, expected);
  }
  entry->free_state(state);
}

}  // namespace
}  // namespace heddle::explore
