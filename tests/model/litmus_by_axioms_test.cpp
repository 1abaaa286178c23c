// The oracle itself: the litmus table, that each part of the axioms matters, and machines that make
// the same graphs. HEDDLE_AGREE_PROGRAMS says on how many generated programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "enumerate.h"
#include "generate.h"
#include "litmus_text.h"
#include "machines.h"

namespace heddle::litmus {
namespace {

const std::vector<LitmusRow>& Rows() {
  static const std::vector<LitmusRow> rows =
      ReadLitmusTable(HEDDLE_SOURCE_DIR "/tests/model/litmus.csv");
  return rows;
}

uint64_t ProgramsOr(uint64_t standard) {
  const char* given = std::getenv("HEDDLE_AGREE_PROGRAMS");
  return given == nullptr ? standard : std::strtoull(given, nullptr, 10);
}

Executions Ask(const Program& program, Model model, std::optional<Part> without = {}) {
  Question question;
  question.model = model;
  question.without = without;
  return Enumerate(program, question);
}

std::set<std::string> Texts(const std::set<Outcome>& outcomes) {
  std::set<std::string> texts;
  for (const Outcome& outcome : outcomes) texts.insert(ToText(outcome));
  return texts;
}

TEST(LitmusByAxioms, EveryRow) {
  ASSERT_EQ(Rows().size(), 40u);
  for (const LitmusRow& row : Rows()) {
    SCOPED_TRACE(row.name + ": " + row.text);
    const Executions sc = Ask(row.program, Model::kSc);
    EXPECT_EQ(sc.graphs, static_cast<uint64_t>(row.sc_executions));
    EXPECT_EQ(Texts(sc.outcomes), row.sc_outcomes);
    const Executions tso = Ask(row.program, Model::kTso);
    EXPECT_EQ(tso.graphs, static_cast<uint64_t>(row.tso_executions));
    EXPECT_EQ(Texts(tso.outcomes), row.tso_outcomes);
    const Executions c11 = Ask(row.program, Model::kC11);
    EXPECT_EQ(c11.graphs, static_cast<uint64_t>(row.c11_executions));
    EXPECT_EQ(Texts(c11.outcomes), row.c11_outcomes);
    EXPECT_EQ(c11.race, row.c11_race);
    for (const ReleaseSequences old : {ReleaseSequences::kC11, ReleaseSequences::kRc11Paper}) {
      Question question;
      question.sequences = old;
      EXPECT_EQ(Enumerate(row.program, question).graphs,
                static_cast<uint64_t>(row.c11_executions_old_release_sequences));
    }
  }
}

TEST(LitmusByAxioms, TextIsReadBack) {
  for (const LitmusRow& row : Rows()) EXPECT_EQ(ParseProgram(ToText(row.program)), row.program);
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const Program program = GenerateProgram(seed);
    EXPECT_EQ(ParseProgram(ToText(ParseProgram(ToText(program)))), ParseProgram(ToText(program)))
        << ToText(program);
    const Program objects = GenerateProgramWithObjects(seed);
    EXPECT_EQ(ParseProgram(ToText(ParseProgram(ToText(objects)))), ParseProgram(ToText(objects)))
        << ToText(objects);
  }
}

TEST(LitmusByAxioms, PruningLosesNothing) {
  for (uint64_t seed = 0; seed < ProgramsOr(60); ++seed) {
    const Limits limits = {.events = 7, .graphs = 2000};
    const Program program =
        seed % 2 == 0 ? GenerateProgram(seed, limits) : GenerateProgramWithObjects(seed, limits);
    for (const Model model : {Model::kSc, Model::kTso, Model::kC11}) {
      Question question;
      question.model = model;
      const Executions pruned = Enumerate(program, question);
      question.prune = false;
      EXPECT_EQ(pruned.hashes, Enumerate(program, question).hashes) << ToText(program);
      EXPECT_EQ(pruned.hashes.size(), pruned.graphs) << ToText(program);
    }
  }
}

// What SC allows every model allows; release sequences that are longer forbid more.
TEST(LitmusByAxioms, ModelsAreOrdered) {
  const auto includes = [](const Executions& more, const Executions& less) {
    return std::includes(more.hashes.begin(), more.hashes.end(), less.hashes.begin(),
                         less.hashes.end());
  };
  for (uint64_t seed = 0; seed < ProgramsOr(60); ++seed) {
    const Program program = GenerateProgram(seed);
    SCOPED_TRACE(ToText(program));
    const Executions sc = Ask(program, Model::kSc);
    EXPECT_TRUE(includes(Ask(program, Model::kTso), sc));
    const Executions c11 = Ask(program, Model::kC11);
    EXPECT_TRUE(includes(c11, sc));
    for (const ReleaseSequences old : {ReleaseSequences::kC11, ReleaseSequences::kRc11Paper}) {
      Question question;
      question.sequences = old;
      EXPECT_TRUE(includes(c11, Enumerate(program, question)));
    }
  }
}

// Axioms and machines have little in common. What psc adds is not in the machine.
TEST(LitmusByAxioms, MachinesMakeTheSameGraphs) {
  const auto compare = [](const Program& program) {
    SCOPED_TRACE(ToText(program));
    for (const Model model : {Model::kSc, Model::kTso})
      EXPECT_EQ(GraphsOfMachine(program, model), Ask(program, model).hashes);
    EXPECT_EQ(GraphsOfMachine(program, Model::kC11), Ask(program, Model::kC11, Part::kPsc).hashes);
    return !HasFailure();
  };
  for (const LitmusRow& row : Rows()) compare(row.program);
  for (uint64_t seed = 0; seed < ProgramsOr(40); ++seed)
    if (!compare(GenerateProgram(seed))) break;
  for (uint64_t seed = 0; seed < ProgramsOr(100); ++seed)
    if (!compare(GenerateProgramWithObjects(seed, {.graphs = 20'000}))) break;
}

TEST(LitmusByAxioms, StrongerOrdersAllowNoMore) {
  for (uint64_t seed = 0; seed < ProgramsOr(60); ++seed) {
    const Program program = GenerateProgram(seed);
    Program stronger = program;
    Thread& thread = stronger.threads[seed % stronger.threads.size()];
    for (Instruction& instruction : thread)
      if (instruction.order != Order::kPlain) instruction.order = Order::kSeqCst;
    SCOPED_TRACE(ToText(program));
    for (const Model model : {Model::kTso, Model::kC11}) {
      const std::set<uint64_t> more = Ask(program, model).hashes;
      const std::set<uint64_t> less = Ask(stronger, model).hashes;
      EXPECT_TRUE(std::includes(more.begin(), more.end(), less.begin(), less.end()));
    }
  }
}

// Two theorems on RC11, which say what psc must achieve: seq_cst accesses alone, or relaxed ones
// with a seq_cst fence between any two of a thread, are sequentially consistent.
TEST(LitmusByAxioms, SeqCstEverywhereIsSc) {
  for (uint64_t seed = 0; seed < ProgramsOr(60); ++seed) {
    Program accesses = GenerateProgram(seed, {.events = 7, .graphs = 20000});
    Program fences = accesses;
    for (size_t t = 0; t < accesses.threads.size(); ++t) {
      fences.threads[t].clear();
      for (Instruction& instruction : accesses.threads[t]) {
        instruction.order = instruction.failure = Order::kSeqCst;
        Instruction relaxed = instruction;
        Instruction fence;
        fence.order = Order::kSeqCst;
        if (relaxed.kind == Kind::kFence) continue;
        relaxed.order = relaxed.failure = Order::kRelaxed;
        relaxed.skip *= 2;
        fences.threads[t].push_back(relaxed);
        if (relaxed.kind != Kind::kSkipIf) fences.threads[t].push_back(fence);
      }
    }
    EXPECT_EQ(Ask(accesses, Model::kC11).hashes, Ask(accesses, Model::kSc).hashes)
        << ToText(accesses);
    EXPECT_EQ(Ask(fences, Model::kC11).hashes, Ask(fences, Model::kSc).hashes) << ToText(fences);
  }
}

// A shape each that the table lacks. A part that is left out changes it, or a row of the table.
const char* const kMoreShapes[] = {
    // Release fences.
    "W x 1 rlx; F rel; W y 1 rlx | R y a acq; R x b rlx",
    // psc: hb beside a fence; po;hb;po between accesses.
    "W x 1 rlx; F sc; W y 2 sc | R y a sc; W y 4 sc | U y b 2 sc; R x c sc",
    "W y 2 sc; F sc; W x 1 rlx | R x a rlx; F sc; R y b rlx",
    "W z 4 sc; W x 1 rel | W z 3 sc; R x b acq; R z a sc",
    // x86: mfence; a failed compare-exchange.
    "W x 1 rlx; F sc; R y a rlx | W y 1 rlx; F sc; R x b rlx",
    "W x 1 rlx; C z c 1 2 rlx rlx; R y a rlx | W y 1 rlx; F sc; R x b rlx",
};

bool Matters(Part part, const Program& program) {
  Model model = Model::kC11;
  if (part == Part::kScAcyclic) model = Model::kSc;
  if (part >= Part::kTsoPerLocation) model = Model::kTso;
  return Ask(program, model).hashes != Ask(program, model, part).hashes;
}

std::string WhatNeeds(Part part, uint64_t programs) {
  for (const LitmusRow& row : Rows())
    if (Matters(part, row.program)) return row.name;
  for (const char* shape : kMoreShapes)
    if (Matters(part, ParseProgram(shape))) return shape;
  for (uint64_t seed = 0; seed < programs; ++seed) {
    const Program program = GenerateProgram(seed, {.events = 7, .graphs = 3000});
    if (Matters(part, program)) return "seed " + std::to_string(seed) + ": " + ToText(program);
  }
  return "";
}

// Two parts say what others say already:
// * hb and then rf back: hb is within po, rf and main's beginning, so po and rf have a cycle.
// * hb from fence to fence in psc: what leads into the first fence, or away from the second, may
// begin or end with hb itself.
TEST(LitmusByAxioms, EveryPartMatters) {
  const std::set<Part> said_by_others = {Part::kCoherenceRf, Part::kPscHbOfFences};
  for (int i = 0; i < static_cast<int>(Part::kCount); ++i) {
    const Part part = static_cast<Part>(i);
    if (said_by_others.count(part) != 0)
      EXPECT_EQ(WhatNeeds(part, 50), "") << "part " << i;
    else
      EXPECT_NE(WhatNeeds(part, 2000), "") << "part " << i;
  }
}

// How often the generator makes what it is for, in percent; the bounds are half of what it was.
TEST(LitmusByAxioms, GeneratedProgramsTellModelsApart) {
  const uint64_t programs = ProgramsOr(200);
  std::map<std::string, uint64_t> met;
  for (uint64_t seed = 0; seed < programs; ++seed) {
    const Program program = GenerateProgram(seed);
    const Executions sc = Ask(program, Model::kSc);
    const Executions tso = Ask(program, Model::kTso);
    const Executions c11 = Ask(program, Model::kC11);
    Question question;
    question.sequences = ReleaseSequences::kC11;
    const Executions old = Enumerate(program, question);
    met["tso has more than sc"] += tso.hashes != sc.hashes;
    met["c11 has more than tso"] += c11.hashes != tso.hashes;
    met["weak outcomes"] += c11.outcomes != sc.outcomes;
    met["psc refuses"] += c11.refused_by_psc > 0;
    met["old release sequences refuse"] += old.hashes != c11.hashes;
    met["race"] += c11.race;
  }
  for (const auto& [what, count] : met)
    std::cout << what << ": " << 100.0 * static_cast<double>(count) / static_cast<double>(programs)
              << " %\n";
  if (programs < 200) return;  // too few to say
  EXPECT_GT(met["tso has more than sc"] * 100, programs * 9);
  EXPECT_GT(met["c11 has more than tso"] * 100, programs * 15);
  EXPECT_GT(met["psc refuses"] * 100, programs * 4);
  EXPECT_GT(met["race"] * 100, programs * 10);
}

}  // namespace
}  // namespace heddle::litmus
