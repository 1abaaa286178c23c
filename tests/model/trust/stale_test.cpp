// Bounds on stale accesses: of each graph of a random program the least number of them, by all
// orders in which its events can be made, against src/model/stale; and TruSt that drops graphs
// which cost more against TruSt that does not, graph by graph. No stale access is sequential
// consistency.
//
// HEDDLE_AGREE_PROGRAMS and HEDDLE_AGREE_SEED as in agree_test.cpp.
#include "model/stale.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "agree/from_environment.h"
#include "explore.h"
#include "generate.h"
#include "litmus_text.h"

namespace heddle::litmus {
namespace {

using model::EventId;
using model::ExecutionGraph;

// The least number of stale accesses, by the numbers of events that each thread has made.
class LeastStale {
 public:
  explicit LeastStale(const ExecutionGraph& graph) : graph_(graph) {}

  uint32_t Of() { return From(std::vector<uint16_t>(graph_.Threads(), 0)); }

 private:
  uint32_t From(const std::vector<uint16_t>& made) {
    const auto known = known_.find(made);
    if (known != known_.end()) return known->second;
    uint32_t least = UINT32_MAX;
    bool all = true;
    for (model::ThreadId thread = 0; thread < graph_.Threads(); ++thread) {
      const std::span<const EventId> events = graph_.EventsOf(thread);
      if (made[thread] == events.size()) continue;
      all = false;
      const EventId next = events[made[thread]];
      if (!MayCome(next, made)) continue;
      std::vector<uint16_t> then = made;
      then[thread] += graph_.At(next).of_update ? 2 : 1;
      least = std::min(least, From(then) + IsStale(next, made));
    }
    return known_[made] = all ? 0 : least;
  }

  bool MayCome(EventId event, const std::vector<uint16_t>& made) const {
    for (model::ThreadId thread = 0; thread < graph_.Threads(); ++thread)
      if (thread != graph_.At(event).thread && graph_.Porf(event)[thread] > made[thread])
        return false;
    return true;
  }

  // Some newer write than the one that it reads, or is, was made.
  uint32_t IsStale(EventId event, const std::vector<uint16_t>& made) const {
    const model::Event& e = graph_.At(event);
    if (!e.IsAccess()) return 0;
    const model::LocationId location = e.label.location;
    model::Position p = e.IsStore() ? e.position : graph_.At(e.reads_from).position;
    for (++p; p <= graph_.NewestPosition(location); ++p) {
      const model::Event& write = graph_.At(graph_.WriteAt(location, p));
      if (write.index < made[write.thread]) return 1;
    }
    return 0;
  }

  const ExecutionGraph& graph_;
  std::map<std::vector<uint16_t>, uint32_t> known_ = {};
};

// False: it failed.
bool Compare(const Program& program, uint64_t seed) {
  SCOPED_TRACE("HEDDLE_AGREE_SEED=" + std::to_string(seed) + " HEDDLE_AGREE_PROGRAMS=1\n" +
               ToText(program));
  for (const auto make : {model::MakeTso, model::MakeC11}) {
    const std::unique_ptr<model::Consistency> model = make();
    std::map<uint32_t, uint64_t> graphs;  // by cost
    model::StaleAccesses stale;
    ExploreOptions options;
    options.with_main = seed % 2 == 0;
    options.random_threads = seed % 3 == 0 ? seed : 0;
    options.look = [&](const ExecutionGraph& graph, const Outcome&) {
      const uint32_t cost = LeastStale(graph).Of();
      ++graphs[cost];
      EXPECT_TRUE(stale.AtMost(graph, cost));
      EXPECT_TRUE(cost == 0 || !stale.AtMost(graph, cost - 1));
    };
    Explore(program, *model, options);
    uint64_t within = 0;
    for (uint32_t most = 0; most <= graphs.rbegin()->first; ++most) {
      within += graphs[most];
      ExploreOptions bounded = options;
      bounded.look = {};
      bounded.keep_graphs = true;
      bounded.most_stale = most;
      const Explored found = Explore(program, *model, bounded);
      EXPECT_EQ(found.executions, within) << "at most " << most;
      EXPECT_EQ(found.graphs.size(), within) << "at most " << most;
    }
    const std::unique_ptr<model::Consistency> sequential = model::MakeSequential();
    options.look = {};
    EXPECT_EQ(Explore(program, *sequential, options).executions, graphs[0]);
    if (::testing::Test::HasFailure()) return false;
  }
  return true;
}

TEST(StaleAgrees, OnRandomPrograms) {
  const uint64_t programs = agree::FromEnvironment("HEDDLE_AGREE_PROGRAMS", 150);
  const uint64_t first = agree::FromEnvironment("HEDDLE_AGREE_SEED", 1);
  for (uint64_t seed = first; seed < first + programs; ++seed)
    if (!Compare(GenerateProgram(seed), seed)) return;
}

TEST(StaleAgrees, OnProgramsWithObjects) {
  const uint64_t programs = agree::FromEnvironment("HEDDLE_AGREE_PROGRAMS", 100);
  const uint64_t first = agree::FromEnvironment("HEDDLE_AGREE_SEED", 1);
  for (uint64_t seed = first; seed < first + programs; ++seed)
    if (!Compare(GenerateProgramWithObjects(seed, {.graphs = 20'000}), seed)) return;
}

// Of a program all of whose loads read 0: the cost of the graph in which they do.
uint32_t CostOfZeros(const char* text) {
  const Program program = ParseProgram(text);
  const std::unique_ptr<model::Consistency> c11 = model::MakeC11();
  std::optional<uint32_t> least;
  ExploreOptions options;
  options.look = [&](const ExecutionGraph& graph, const Outcome& outcome) {
    for (const int value : outcome)
      if (value != 0) return;
    least = std::min(least.value_or(UINT32_MAX), LeastStale(graph).Of());
  };
  Explore(program, *c11, options);
  return least.value_or(UINT32_MAX);
}

TEST(Stale, CostsOfShapes) {
  EXPECT_EQ(CostOfZeros("W x 1 rlx | R x a rlx"), 0u);
  EXPECT_EQ(CostOfZeros("W x 1 rlx; R y a rlx | W y 1 rlx; R x b rlx"), 1u);
  EXPECT_EQ(CostOfZeros("W x 1 rlx; R y a rlx | W y 1 rlx; R z b rlx | W z 1 rlx; R x c rlx"), 1u);
  // Two store bufferings at different places are two cycles.
  EXPECT_EQ(CostOfZeros("W x 1 rlx; R y a rlx | W y 1 rlx; R x b rlx | W z 1 rlx; R w c rlx | "
                        "W w 1 rlx; R z d rlx"),
            2u);
}

}  // namespace
}  // namespace heddle::litmus
