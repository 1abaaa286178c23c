// TruSt on programs with mutexes, read-write locks and semaphores, against the axioms as in
// agree_test.cpp: each graph once, those with a deadlock included. And numbers of graphs that are
// known.
//
// HEDDLE_AGREE_PROGRAMS and HEDDLE_AGREE_SEED as in agree_test.cpp.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include "enumerate.h"
#include "explore.h"
#include "generate.h"
#include "litmus_text.h"
#include "shrink.h"

namespace heddle::litmus {
namespace {

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Side {
  const char* name;
  Model model;
  std::unique_ptr<model::Consistency> (*make)();
};

const Side kSides[] = {
    {"sc", Model::kSc, model::MakeSequential},
    {"tso", Model::kTso, model::MakeTso},
    {"c11", Model::kC11, model::MakeC11},
};

// What is wrong; nothing if they agree.
std::string Difference(const Explored& found, const Executions& all) {
  std::set<uint64_t> graphs;
  std::string text;
  for (const auto& [graph, times] : found.graphs) {
    if (times != 1) text += "a graph " + std::to_string(times) + " times; ";
    if (all.hashes.count(graph) == 0) text += "a graph too many; ";
    graphs.insert(graph);
  }
  for (const uint64_t graph : all.hashes)
    if (graphs.count(graph) == 0) text += "a graph is missing; ";
  if (found.executions != all.graphs) text += "executions; ";
  if (found.deadlocks != all.deadlocks) text += "deadlocks; ";
  if (found.outcomes != all.outcomes) text += "outcomes; ";
  if (found.race != all.race) text += "race; ";
  return text;
}

struct Totals {
  uint64_t graphs = 0, deadlocks = 0, refused = 0, programs_with_deadlocks = 0;
};

std::string Disagreement(const Program& program, const Side& side, uint64_t seed, Totals* totals) {
  Question question;
  question.model = side.model;
  const Executions all = Enumerate(program, question);
  const std::unique_ptr<model::Consistency> model = side.make();
  ExploreOptions options;
  options.keep_graphs = true;
  std::string text = Difference(Explore(program, *model, options), all);
  options.random_threads = seed + 1;
  options.with_main = seed % 2 == 0;
  const std::string other = Difference(Explore(program, *model, options), all);
  if (!other.empty()) text += "threads in random order: " + other;
  options.random_threads = seed + 2;
  options.with_main = seed % 2 == 1;
  options.needs_unknown = true;
  const Explored trying = Explore(program, *model, options);
  const std::string unknown = Difference(trying, all);
  if (!unknown.empty()) text += "needs unknown: " + unknown;
  if (totals != nullptr) {
    totals->graphs += all.graphs;
    totals->deadlocks += all.deadlocks;
    totals->refused += trying.refused;
    totals->programs_with_deadlocks += all.deadlocks > 0;
  }
  return text;
}

// False: it failed.
bool Compare(const Program& program, uint64_t seed, Totals* totals = nullptr) {
  for (const Side& side : kSides) {
    const std::string wrong = Disagreement(program, side, seed, totals);
    if (wrong.empty() && !::testing::Test::HasFailure()) continue;
    const Program small = Shrink(program, [&](const Program& smaller) {
      return !Disagreement(smaller, side, seed, nullptr).empty();
    });
    ADD_FAILURE() << "HEDDLE_AGREE_SEED=" << seed << " HEDDLE_AGREE_PROGRAMS=1, " << side.name
                  << ": " << wrong << "\n"
                  << ToText(program) << "\nsmaller: " << ToText(small) << ": "
                  << Disagreement(small, side, seed, nullptr);
    return false;
  }
  return true;
}

TEST(ObjectsAgree, OnRandomPrograms) {
  const uint64_t programs = FromEnvironment("HEDDLE_AGREE_PROGRAMS", 3000);
  const uint64_t first = FromEnvironment("HEDDLE_AGREE_SEED", 1);
  Totals totals;
  for (uint64_t seed = first; seed < first + programs; ++seed)
    if (!Compare(GenerateProgramWithObjects(seed, {.graphs = 20'000}), seed, &totals)) return;
  if (programs < 100) return;
  // That the programs are worth it.
  RecordProperty("graphs", static_cast<int>(totals.graphs));
  EXPECT_GT(totals.programs_with_deadlocks, programs / 2);  // of each under three models
  EXPECT_GT(totals.graphs, 10 * programs);
  EXPECT_GT(totals.refused, programs / 10);
}

}  // namespace
}  // namespace heddle::litmus
