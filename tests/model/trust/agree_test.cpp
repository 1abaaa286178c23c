// TruSt against the axioms: on random programs src/model must find the graphs that brute force
// (enumerate.h, which shares nothing with it) does, each once, the same outcomes, and a data race
// where there is one. Under every model, whichever thread goes on first, and with main as a thread
// that creates and joins the others or without.
//
// HEDDLE_AGREE_PROGRAMS sets how many programs (default 500), HEDDLE_AGREE_SEED the first seed; a
// failure prints the seed of its program.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "agree/from_environment.h"
#include "enumerate.h"
#include "explore.h"
#include "generate.h"
#include "litmus_text.h"

namespace heddle::litmus {
namespace {

struct Side {
  const char* name;
  Model model;
  ReleaseSequences sequences;
  std::unique_ptr<model::Consistency> (*make)();
};

constexpr auto kCxx20 = ReleaseSequences::kCxx20;
const Side kSides[] = {
    {"sc", Model::kSc, kCxx20, model::MakeSequential},
    {"tso", Model::kTso, kCxx20, model::MakeTso},
    {"c11", Model::kC11, kCxx20, model::MakeC11},
    {"c11, RC11's release sequences", Model::kC11, ReleaseSequences::kRc11Paper, model::MakeC11},
};

void ExpectSame(const Explored& found, const Executions& all) {
  EXPECT_EQ(found.executions, all.graphs);
  std::set<uint64_t> graphs;
  for (const auto& [graph, times] : found.graphs) {
    EXPECT_EQ(times, 1u);
    graphs.insert(graph);
  }
  EXPECT_EQ(graphs, all.hashes);
  EXPECT_EQ(found.outcomes, all.outcomes);
  EXPECT_EQ(found.race, all.race);
}

// False: it failed.
bool Compare(const Program& program, uint64_t seed) {
  for (const Side& side : kSides) {
    SCOPED_TRACE("HEDDLE_AGREE_SEED=" + std::to_string(seed) + " HEDDLE_AGREE_PROGRAMS=1, " +
                 side.name + "\n" + ToText(program));
    Question question;
    question.model = side.model;
    question.sequences = side.sequences;
    const Executions all = Enumerate(program, question);
    EXPECT_TRUE(all.complete);
    const std::unique_ptr<model::Consistency> model = side.make();
    ExploreOptions options;
    options.keep_graphs = true;
    options.continue_own_sequences = side.sequences != kCxx20;
    ExpectSame(Explore(program, *model, options), all);
    options.random_threads = seed;
    options.with_main = seed % 2 == 0;
    ExpectSame(Explore(program, *model, options), all);
    if (::testing::Test::HasFailure()) return false;
  }
  return true;
}

template <typename Change>
void EachProgram(uint64_t otherwise, const Change& change) {
  const uint64_t programs = agree::FromEnvironment("HEDDLE_AGREE_PROGRAMS", otherwise);
  const uint64_t first = agree::FromEnvironment("HEDDLE_AGREE_SEED", 1);
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    Program program = GenerateProgram(seed);
    change(program);
    if (!Compare(program, seed)) return;
  }
}

TEST(TrustAgrees, OnRandomPrograms) {
  EachProgram(500, [](Program&) {});
}

// All accesses seq_cst: c11 takes another way then (c11.cpp). Some failures of compare-exchanges
// are not.
TEST(TrustAgrees, OnSeqCstPrograms) {
  EachProgram(100, [](Program& program) {
    for (Thread& thread : program.threads)
      for (Instruction& instruction : thread)
        if (instruction.kind != Kind::kFence) instruction.order = Order::kSeqCst;
  });
}

// What random programs seldom are.
TEST(TrustAgrees, OnShapesWithFences) {
  const char* const shapes[] = {
      // A cycle of two fences, each before the other by fr and rf: psc's eco is not mo and fr
      // alone.
      "W x 1 rlx | W y 1 rlx | R x a rlx; F sc; R y b rlx | R y c rlx; F sc; R x d rlx",
      "W x 1 rlx | R x a rlx; F sc; R y b rlx | W y 1 rlx; F sc; R x c rlx",
      // From a fence to a load that reads from what happens after it there is no edge.
      "W y 1 rlx; F sc; W z 1 rlx | R z a acq; W x 1 rlx | R x b sc; R y c sc",
      "R y b sc; R x c rlx | W x 1 rlx; W w 1 rlx | R w a rlx; F sc; W y 1 rlx",
      // Two seq_cst accesses with happens-before in between by other locations.
      "W x 1 sc; W z 1 rel | R z a acq; R y b sc | W y 1 sc; R x c sc",
      // Fences and seq_cst accesses of several kinds in one cycle.
      "W x 1 sc; F sc; R y a rlx | W y 1 rlx; F sc; R z b rlx | W z 1 sc; R x c sc",
      "X x a 1 rlx; F sc; R y b rlx | X y c 1 sc; R x d sc",
  };
  uint64_t seed = 0;
  for (const char* const shape : shapes) EXPECT_TRUE(Compare(ParseProgram(shape), ++seed));
}

}  // namespace
}  // namespace heddle::litmus
