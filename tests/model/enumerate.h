// All executions of a small program under a memory model, by brute force: every control flow, every
// write for every read, every order of the writes of each location; what the axioms allow is kept.
// Of objects: every thread blocked at every use that can be, every order of the uses of each object
// in which each succeeds, or fails, as supposed and those that are blocked cannot succeed at the
// end. Nothing is shared with src/model.
//
// A read-modify-write is two events here, as in the papers, and one for those who ask.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "graph.h"
#include "program.h"

namespace heddle::litmus {

enum class Model {
  kSc,   // po, rf, mo and fr have no cycle together
  kTso,  // x86, of what compilers make of the orders: see IsTso in axioms.cpp
  kC11,  // RC11: Lahav et al., PLDI'17
};

enum class ReleaseSequences {
  kCxx20,  // a store and the read-modify-writes that read from it, one from the other
  // And stores by the thread of the first; consecutive in modification order, as the text of C11
  // has it.
  kC11,
  // And later stores by that thread, whatever is between, and their read-modify-writes: the paper
  // of RC11.
  kRc11Paper,
};

// What the axioms are made of. A test leaves one out to see that it matters.
enum class Part {
  kSynchronisation,  // sw in hb
  kReleaseFences,    // ([F];po)? in sw
  kAcquireFences,
  kReleaseSequences,  // rs beyond its first store
  kNoThinAir,         // po and rf have no cycle together
  kAtomicity,
  // Coherence, by what leads back against hb.
  kCoherenceRf,
  kCoherenceMo,
  kCoherenceFr,
  kCoherenceMoRf,
  kCoherenceFrRf,
  kPsc,
  // Of psc.
  kPscBase,
  kPscBetweenFences,
  kPscHbToBase,  // [Fsc];hb? and hb?;[Fsc] in psc's base: po alone is left
  kPscHbOfFences,
  kPscEcoOfFences,
  kScbPo,
  kScbPoHbPo,
  kScbHbLoc,
  kScbMo,
  kScbFr,
  kScAcyclic,
  kTsoPerLocation,
  kTsoGlobal,
  kTsoFences,
  kTsoSeqCst,  // a fence between a seq_cst store and a seq_cst load
  kTsoLocked,
  kTsoFailedLocked,  // a compare-exchange that fails is a locked instruction
  kTsoOwnWritesEarly,
  kCount,
};

struct Question {
  Model model = Model::kC11;
  ReleaseSequences sequences = ReleaseSequences::kCxx20;
  std::optional<Part> without;
  // Graphs that break an axiom in an obvious way are not built.
  bool prune = true;
  bool keep_graphs = false;
  uint64_t most_graphs = 10'000'000;  // that are looked at, consistent or not
};

struct Executions {
  uint64_t graphs = 0;
  uint64_t deadlocks = 0;  // of the graphs: some thread is blocked for ever
  uint64_t looked_at = 0;
  uint64_t refused_by_psc = 0;  // and by nothing else
  std::set<Outcome> outcomes;
  std::set<uint64_t> hashes;
  std::set<Graph> kept;
  // Some execution has two accesses of different threads to one location that are not ordered by
  // hb, one of which writes and one of which is plain.
  bool race = false;
  bool complete = true;  // no more than most_graphs
};

Executions Enumerate(const Program& program, const Question& question);

}  // namespace heddle::litmus
