// TruSt on programs with mutexes, read-write locks and semaphores, against the axioms as in
// agree_test.cpp: each graph once, those with a deadlock included. And numbers of graphs that are
// known.
//
// HEDDLE_AGREE_PROGRAMS and HEDDLE_AGREE_SEED as in agree_test.cpp.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "agree/from_environment.h"
#include "enumerate.h"
#include "explore.h"
#include "generate.h"
#include "litmus_text.h"
#include "shrink.h"

namespace heddle::litmus {
namespace {

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

// c11 takes another way if all accesses are seq_cst.
TEST(ObjectsAgree, OnSeqCstPrograms) {
  const uint64_t programs = agree::FromEnvironment("HEDDLE_AGREE_PROGRAMS", 1000);
  const uint64_t first = agree::FromEnvironment("HEDDLE_AGREE_SEED", 1);
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    Program program = GenerateProgramWithObjects(seed, {.graphs = 20'000});
    for (Thread& thread : program.threads)
      for (Instruction& instruction : thread)
        if (instruction.kind != Kind::kFence && instruction.kind != Kind::kUse)
          instruction.order = instruction.failure = Order::kSeqCst;
    if (!Compare(program, seed)) return;
  }
}

// What random programs seldom are.
TEST(ObjectsAgree, OnShapes) {
  const char* const shapes[] = {
      // Store buffering beside an object: no order by it, under c11; locked instructions under tso.
      "W x 1 sc; post m rel; R y a sc | W y 1 sc; post m rel; R x b sc",
      "W x 1 sc; post m rlx; R y a sc | W y 1 sc; post m rlx; R x b sc",
      "W x 1 rlx; lock m acq; unlock m rel; R y a rlx | W y 1 rlx; lock m acq; unlock m rel; R x b "
      "rlx",
      // What a post has released is acquired past another, by a wait and by a try.
      "W x 1 na; post m rel | post m rel | wait m acq; wait m acq; R x a na",
      "W x 1 na; post m rel | post m rel | trywait m a acq rlx; trywait m b acq rlx; ?b R x c na",
      // Readers learn from writers, not from readers; writers from both.
      "W x 1 rlx; rdlock m acq; rwunlock m rel; R y a rlx | W y 1 rlx; rdlock m acq; rwunlock m "
      "rel; R x b rlx",
      "W x 1 sc; rdlock m acq; rwunlock m rel; R y a sc | W y 1 sc; wrlock m acq; rwunlock m rel; "
      "R x b sc",
      "W x 1 na; wrlock m acq; rwunlock m rel | rdlock m acq; rwunlock m rel | rdlock m acq; R x a "
      "na; rwunlock m rel",
      "W x 1 sc; rdlock m acq; rwunlock m rel | rdlock m ar; rwunlock m rel | wrlock m acq; "
      "rwunlock m rel; R x a sc | W x 2 sc",
      // Updates that read one write for a moment, in and beside a critical section.
      "lock m acq; U x a rlx; unlock m rel | U x b rlx; lock m acq; unlock m rel | U x c rlx",
      // A load that is revisited from behind a use that has come before others.
      "R x a rlx; lock m acq | lock m acq; W x 1 rlx; unlock m rel | lock m acq; W x 2 rlx",
      // Deadlocks, of which one lets a third thread go on.
      "lock m acq; lock n acq; unlock n rel; unlock m rel | lock n acq; lock m acq; W x 1 rlx; "
      "unlock m "
      "rel; unlock n rel | R x a rlx",
      "wait m acq; post n rel | wait n acq; post m rel | R x a rlx | W x 1 rlx @ 0 0",
  };
  uint64_t seed = 0;
  for (const char* const shape : shapes) EXPECT_TRUE(Compare(ParseProgram(shape), ++seed));
}

struct Known {
  std::string text;
  uint64_t graphs, deadlocks;
};

std::string Times(int threads, const std::string& thread) {
  std::string text = thread;
  for (int i = 1; i < threads; ++i) text += " | " + thread;
  return text;
}

// A ring of forks; all take the left one first.
std::string Philosophers(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) {
    const std::string left(1, static_cast<char>('m' + i));
    const std::string right(1, static_cast<char>('m' + (i + 1) % n));
    text += (i == 0 ? "lock " : " | lock ") + left + " acq; lock " + right + " acq; unlock " +
            right + " rel; unlock " + left + " rel";
  }
  return text;
}

TEST(Objects, KnownNumbers) {
  const std::string section = "lock m acq; R x a rlx; W x a+1 rlx; unlock m rel";
  std::vector<Known> all = {
      {Times(2, "try m a acq rlx; ?a unlock m rel"), 4, 0},
      {Times(3, "wait m acq; post m rel") + " @ 2", 54, 0},  // 6! / 2!^3 without 3! 3!
      {Times(3, "wait m acq") + " @ 2", 6, 6},               // one stays blocked: 3 2
      {Times(3, "lock m acq"), 3, 3},
      {Times(2, "lock m acq; unlock m rel; lock m acq; unlock m rel"), 6, 0},
      {"post m rel; post m rel; post m rel; post m rel | wait m acq; wait m acq; wait m acq; wait "
       "m acq",
       14, 0},                                           // Catalan's number
      {Times(2, "rdlock m acq; rwunlock m rel"), 6, 0},  // readers in any order
      {Times(2, "wrlock m acq; rwunlock m rel") + " | rdlock m acq; rwunlock m rel", 6, 0},
      {"lock m acq; lock n acq | lock n acq; lock m acq", 3, 3},
  };
  uint64_t factorial = 1;
  for (int n = 1; n <= 6; ++n) {
    factorial *= n;
    all.push_back({Times(n, "lock m acq; unlock m rel"), factorial, 0});
    all.push_back({Times(n, section), factorial, 0});
    all.push_back({Times(n, "wait m acq; post m rel") + " @ 1", factorial, 0});
    if (n > 1) all.push_back({Philosophers(n), (uint64_t{1} << n) - 1, 1});
  }
  for (const Known& known : all) {
    const Program program = ParseProgram(known.text);
    for (const Side& side : kSides)
      for (const uint64_t seed : {0, 1, 2}) {
        const Explored found = Explore(program, *side.make(),
                                       {.keep_graphs = true,
                                        .with_main = seed == 1,
                                        .needs_unknown = seed == 2,
                                        .random_threads = seed});
        EXPECT_EQ(found.executions, known.graphs) << known.text << ", " << side.name;
        EXPECT_EQ(found.graphs.size(), known.graphs) << known.text << ", " << side.name;
        EXPECT_EQ(found.deadlocks, known.deadlocks) << known.text << ", " << side.name;
        EXPECT_EQ(found.counts.inconsistent, 0u);
      }
  }
}

TEST(ObjectsAgree, OnRandomPrograms) {
  const uint64_t programs = agree::FromEnvironment("HEDDLE_AGREE_PROGRAMS", 3000);
  const uint64_t first = agree::FromEnvironment("HEDDLE_AGREE_SEED", 1);
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
