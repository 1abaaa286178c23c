// How many graphs TruSt finds of programs of which the number is known.
#include "model/trust.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heddle::model {
namespace {

// The next operation of a thread, by the values of those it has made (0 of stores).
using Thread = std::function<std::optional<Label>(const std::vector<Value>&)>;
using Threads = std::vector<Thread>;

Label Load(LocationId location, Order order) {
  return {.action = Action::kLoad, .order = order, .location = location};
}
Label Store(LocationId location, Value value, Order order) {
  return {.action = Action::kStore, .order = order, .location = location, .operand = value};
}
Label Add(LocationId location, Order order) {
  return {.action = Action::kUpdate,
          .order = order,
          .update = Update::kAdd,
          .location = location,
          .operand = 1};
}

Thread Straight(std::vector<Label> labels) {
  return [labels](const std::vector<Value>& made) -> std::optional<Label> {
    if (made.size() == labels.size()) return std::nullopt;
    return labels[made.size()];
  };
}

struct Counted {
  uint64_t executions = 0;
  Trust::Counts counts;
};

// Runs the threads from what the graph has.
void Extend(Trust& trust, const Threads& threads) {
  std::vector<std::vector<Value>> made(threads.size());
  const auto note = [&](EventId event) {
    const Event& e = trust.Graph().At(event);
    made[e.thread].push_back(e.IsLoad() ? e.value : 0);
  };
  for (const EventId event : trust.Graph().ReplayOrder())
    if (!trust.Graph().At(event).IsStore() || !trust.Graph().At(event).of_update) note(event);
  for (ThreadId t = 0; t < threads.size(); ++t)
    while (const std::optional<Label> next = threads[t](made[t])) note(trust.Extend(t, *next));
}

Trust Begin(const Threads& threads, Consistency& model) {
  return Trust(model, ExecutionGraph(static_cast<ThreadId>(threads.size())));
}

Counted Count(const Threads& threads, Consistency& model) {
  Trust trust = Begin(threads, model);
  Counted counted;
  for (; trust.Next(); ++counted.executions) Extend(trust, threads);
  counted.counts = trust.Count();
  return counted;
}

struct Parted {
  uint64_t executions = 0;
  uint64_t parts = 0;
};

// After every execution, so many alternatives go to searches of their own.
Parted CountParted(const Threads& threads, Consistency& model, int each, uint64_t least = 1) {
  std::vector<std::vector<uint64_t>> parted;
  uint64_t executions = 0;
  uint64_t parts = 0;
  const auto explore = [&](Trust& trust) {
    for (; trust.Next(); ++executions) {
      Extend(trust, threads);
      for (int i = 0; i < each; ++i) {
        std::vector<uint64_t> part;
        if (trust.Split(part, least)) parted.push_back(std::move(part));
      }
    }
  };
  Trust first = Begin(threads, model);
  explore(first);
  while (!parted.empty()) {
    const std::vector<uint64_t> part = std::move(parted.back());
    parted.pop_back();
    ++parts;
    Trust trust(model, ExecutionGraph(0));
    Numbers from(part);
    EXPECT_TRUE(trust.Take(from) && from.AtEnd());
    explore(trust);
  }
  return {executions, parts};
}

uint64_t Executions(const Threads& threads, const std::unique_ptr<Consistency>& model) {
  return Count(threads, *model).executions;
}

void ExpectInEachModel(const Threads& threads, uint64_t sc, uint64_t tso, uint64_t c11) {
  EXPECT_EQ(Executions(threads, MakeSequential()), sc);
  EXPECT_EQ(Executions(threads, MakeTso()), tso);
  EXPECT_EQ(Executions(threads, MakeC11()), c11);
}

TEST(Trust, NothingToExploreIsOneExecution) {
  ExpectInEachModel({}, 1, 1, 1);
  ExpectInEachModel({Straight({}), Straight({Store(0, 1, Order::kSeqCst)})}, 1, 1, 1);
}

// The example of docs/algorithms/weak_memory.md.
TEST(Trust, StoreRevisitsALoadOnceForEachGraph) {
  const Order order = Order::kRelaxed;
  const Threads threads = {Straight({Load(0, order), Store(1, 1, order)}),
                           Straight({Store(0, 1, order), Store(0, 2, order)})};
  const Counted counted = Count(threads, *MakeC11());
  EXPECT_EQ(counted.executions, 3u);
  EXPECT_EQ(counted.counts.backward, 2u);
  EXPECT_EQ(counted.counts.forward, 0u);
}

TEST(Trust, EachReaderReadsBeforeOrAfter) {
  for (const Order order : {Order::kRelaxed, Order::kSeqCst}) {
    Threads threads = {Straight({Store(0, 1, order)})};
    threads.insert(threads.end(), 10, Straight({Load(0, order)}));
    ExpectInEachModel(threads, 1024, 1024, 1024);
    // Wherever the writer is.
    std::swap(threads.front(), threads.back());
    ExpectInEachModel(threads, 1024, 1024, 1024);
  }
}

TEST(Trust, StoresToOneLocationComeInEveryOrder) {
  Threads threads;
  for (Value value = 1; value <= 6; ++value)
    threads.push_back(Straight({Store(0, value, Order::kRelaxed)}));
  ExpectInEachModel(threads, 720, 720, 720);
}

TEST(Trust, UpdatesComeInEveryOrder) {
  const Threads threads(4, Straight({Add(0, Order::kRelaxed), Add(0, Order::kRelaxed)}));
  ExpectInEachModel(threads, 2520, 2520, 2520);  // 8! / 2!^4
}

TEST(Trust, StoreBufferingInARing) {
  constexpr LocationId kThreads = 8;
  for (const Order order : {Order::kRelaxed, Order::kSeqCst}) {
    Threads threads;
    for (LocationId t = 0; t < kThreads; ++t)
      threads.push_back(Straight({Store(t, 1, order), Load((t + 1) % kThreads, order)}));
    const uint64_t weak = order == Order::kSeqCst ? 255 : 256;
    ExpectInEachModel(threads, 255, weak, weak);
  }
}

// A ring of two slots: each side looks 2n times for room, or for a number. Peers' counts.
Threads Ring(Value n, Order load, Order store) {
  const auto side = [=](bool produces) {
    return [=](const std::vector<Value>& made) -> std::optional<Label> {
      Value own = 0, looked = 0;
      for (size_t i = 0; i < made.size(); ++i) {
        ++looked;
        const bool can = produces ? own - made[i] < 2 : made[i] > own;
        if (!can) continue;
        if (++i == made.size()) return Store(produces ? 1 : 0, own + 1, store);
        ++own;
      }
      if (looked == 2 * n) return std::nullopt;
      return Load(produces ? 0 : 1, load);
    };
  };
  return {side(false), side(true)};
}

TEST(Trust, RingOfTwoSlots) {
  const Threads weak = Ring(3, Order::kAcquire, Order::kRelease);
  ExpectInEachModel(weak, 6321, 8082, 8082);
  const Threads strong = Ring(3, Order::kSeqCst, Order::kSeqCst);
  ExpectInEachModel(strong, 6321, 6321, 6321);
}

// Whoever writes first, each fills a slot from the one before, and one looks for the last empty
// one.
TEST(Trust, LastZero) {
  constexpr LocationId kSlots = 8;
  for (const Order order : {Order::kRelaxed, Order::kSeqCst}) {
    Threads threads = {[=](const std::vector<Value>& made) -> std::optional<Label> {
      if (!made.empty() && made.back() == 0) return std::nullopt;
      return Load(kSlots - static_cast<LocationId>(made.size()), order);
    }};
    for (LocationId t = 1; t <= kSlots; ++t)
      threads.push_back([=](const std::vector<Value>& made) -> std::optional<Label> {
        if (made.empty()) return Load(t - 1, order);
        if (made.size() == 1) return Store(t, made[0] + 1, order);
        return std::nullopt;
      });
    EXPECT_EQ(Executions(threads, MakeSequential()), 704u);  // (n + 3) 2^(n - 2)
    EXPECT_EQ(Executions(threads, MakeC11()), order == Order::kSeqCst ? 704u : 1152u);
  }
}

TEST(Trust, KeepsFewGraphs) {
  const Counted counted = Count(Ring(3, Order::kAcquire, Order::kRelease), *MakeC11());
  EXPECT_LE(counted.counts.most_graphs, 12u);  // as many as there are loads
  EXPECT_EQ(counted.counts.inconsistent, 0u);
  EXPECT_EQ(counted.counts.pending, 0u);
}

// Each store revisits the load in the graph that the one before has made.
TEST(Trust, DropsGraphsOfWhichNothingIsLeft) {
  std::vector<Label> stores;
  for (Value value = 1; value <= 50; ++value) stores.push_back(Store(0, value, Order::kRelaxed));
  const Threads threads = {Straight({Load(0, Order::kRelaxed)}), Straight(stores)};
  const Counted counted = Count(threads, *MakeC11());
  EXPECT_EQ(counted.executions, 51u);
  EXPECT_EQ(counted.counts.most_graphs, 1u);
}

TEST(Trust, PartsWithAlternatives) {
  const Order order = Order::kRelaxed;
  const Threads updates(3, Straight({Add(0, order), Add(0, order), Store(1, 1, order)}));
  const Threads ring = Ring(2, Order::kAcquire, Order::kRelease);
  for (const Threads& threads : {updates, ring}) {
    for (const auto make : {MakeSequential, MakeTso, MakeC11}) {
      const auto model = make();
      const uint64_t all = Executions(threads, model);
      for (const int each : {1, 2, 1000})
        EXPECT_EQ(CountParted(threads, *model, each).executions, all);
    }
  }
}

TEST(Trust, KeepsSmallAlternatives) {
  const Threads ring = Ring(3, Order::kAcquire, Order::kRelease);
  const auto model = MakeC11();
  const Parted large = CountParted(ring, *model, 1000, 100);
  EXPECT_EQ(large.executions, Executions(ring, model));
  EXPECT_GT(large.parts, 1u);
  EXPECT_LT(large.parts, large.executions / 50);
}

TEST(Trust, TakesNothingButWhatWasPartedWith) {
  const Threads threads = Ring(1, Order::kAcquire, Order::kRelease);
  const auto model = MakeC11();
  Trust first = Begin(threads, *model);
  ASSERT_TRUE(first.Next());
  Extend(first, threads);
  std::vector<uint64_t> part;
  ASSERT_TRUE(first.Split(part));
  for (size_t length = 0; length < part.size(); ++length) {
    Numbers from(std::span<const uint64_t>(part.data(), length));
    EXPECT_FALSE(Trust(*model, ExecutionGraph(0)).Take(from));
  }
}

// A table of compare-exchanges: two updates of one write are there for a moment, and in no graph.
TEST(Trust, OneCompareExchangeOfOneValueSucceeds) {
  Label take = {.action = Action::kUpdate,
                .order = Order::kAcqRel,
                .failure = Order::kRelaxed,
                .update = Update::kCompareExchange,
                .location = 0,
                .operand = 1,
                .expected = 0};
  ExpectInEachModel(Threads(2, Straight({take})), 2, 2, 2);
  // The others read from it; three ways to be the one.
  ExpectInEachModel(Threads(3, Straight({take})), 3, 3, 3);
}

}  // namespace
}  // namespace heddle::model
