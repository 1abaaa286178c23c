// Livelocks in a graph of states: closed walks that a fair scheduler may repeat for ever, as
// docs/algorithms/spinning.md (Joint cycles) has it, and runtime/loops/cycle.h decides of an
// execution that has made one.
//
// A walk is fair if every thread that could go on somewhere on it goes on somewhere on it. That is
// a condition on the set of its edges alone, and holds of more the more edges there are: so look at
// each strongly connected component as a whole. If a thread could go on and never does there, no
// fair walk comes by the states in which it could; without these there may be smaller components.
// So on until nothing is left or a component is fair (Emerson and Lei, "Modalities for model
// checking: branching time strikes back", POPL'85: emptiness under strong fairness).
//
// A thread that only waits (it runs, and changes nothing) is fair to only if no object that it
// looks at has a value there that it does not find. If one has, a fair walk does without that
// value, or without these looks: both are tried.
//
// Of a thread that backs off politely (cycle.h) a walk is looked for in which it does not fail. A
// fair walk on which all threads make progress (runtime/loops/loop_progress.h) is no livelock, so
// others are looked for: on which one of them stays in a loop, or never gets what it tries to.
//
// The walk that is answered is short, not the whole component: one edge of each thread, what those
// that only wait have to find, and the ways between.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/visited/state_graph.h"

namespace heddle::explore {

// It ends where it begins. One that is not fair keeps threads out that could go on, and those that
// go round change something and do not yield: starvation.
struct StateWalk {
  std::vector<StateEdge> edges;
  bool fair = true;
};

class FairCycles {
 public:
  using Edges = StateEdges;

  explicit FairCycles(const StepLabels& labels) : labels_(labels) {}

  // A fair walk of each component that has one; with `starving`, one that starves others of each
  // other component. REQUIRES: the labels of all edges are known.
  std::vector<StateWalk> Find(Edges edges, bool starving);
  // There may be more, but it would take too long to find out.
  bool GaveUp() const { return gave_up_; }

 private:
  struct Facts;  // of a set of edges

  std::optional<Edges> FindFair(Edges component);
  std::optional<Edges> FindStarving(const Edges& component) const;
  Facts FactsOf(const Edges& edges) const;
  bool Split(const Edges& component, const Facts& facts, std::vector<Edges>& rest) const;
  std::optional<plan::Met> Missed(const Facts& facts, op::ThreadId* by) const;
  template <typename Which>
  bool AnyMet(StepLabels::Id label, Which which) const;
  bool HasMet(StepLabels::Id label, op::ThreadId thread, uint32_t object, op::Level level) const;
  template <typename Drop>
  Edges Without(const Edges& edges, Drop drop) const;
  Edges WalkThrough(const Edges& component, op::ThreadId all_of = op::kNoThread) const;
  bool RecordsBackOff(StepLabels::Id label, op::ThreadId thread) const;
  std::optional<op::ThreadId> Polite(const Edges& walk) const;
  Edges WithoutFailuresOf(op::ThreadId thread, const Edges& part) const;
  bool AllMakeProgress(const Edges& walk) const;
  void NonProgressParts(const Edges& part, std::vector<Edges>& rest) const;
  std::vector<uint32_t> LoopsOf(const Edges& edges, op::ThreadId thread) const;
  static bool Gets(const Facts& facts, op::ThreadId thread, uint32_t object);

  static constexpr uint32_t kMostParts = 1024;  // of a component, looked at
  static constexpr size_t kLongest = 16'384;    // edges of a walk

  const StepLabels& labels_;
  bool gave_up_ = false;
};

}  // namespace heddle::explore
