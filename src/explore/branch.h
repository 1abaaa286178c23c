// A branch: a part of what a search has left, by itself. It holds all that another search of the
// same kind needs to explore it, in this process or in another one, and nothing of it is explored
// by anybody else: so a search may part with branches at any time, and whoever takes one may part
// with branches of it in turn (Explorer::Split, Explorer::Take).
//
// Of a search without a reduction it is an execution that is still to be run, and all that is made
// from it (enumeration.h). With a reduction it is a state, what sleeps there, and the steps with
// which to go on (por/split.cpp); with reads-from, an execution graph.
//
// Objects are named by their number within the search, threads by theirs, code not at all. So a
// process that takes a branch has to give the same objects the same numbers, as the processes of
// one search do (runtime.h, SyncObjects), and has to run the same program with the same input.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "explore/label.h"
#include "plan/plan.h"

namespace heddle::explore {

struct Branch {
  // Without a reduction: where the execution deviates from defaults; and what it costs, if the
  // search is by bound.
  std::vector<plan::Deviation> deviations;
  uint32_t cost = 0;

  // With a reduction: how many steps lead to the state, and what they are, as in a plan.
  StepIndex node = 0;
  std::vector<op::ThreadId> script;
  std::vector<plan::ScriptOption> options;
  std::vector<Label> asleep;  // there
  std::vector<Label> begun;   // what others have run from there, or are running
  std::vector<Label> stale;   // what is awake there only because nothing was put to sleep (R18)
  std::vector<Label> next;    // what is to be run, in this order

  // With reads-from: a graph, what is to be changed in it, and what its locations are
  // (rf/split.cpp).
  std::vector<uint64_t> graph;

  friend bool operator==(const Branch&, const Branch&) = default;
};

// As bytes, to be written down or sent.
std::vector<uint8_t> Save(const Branch& branch);
// Nothing if that is no branch of this version, as it was saved: other bytes are never taken for
// one, whatever they are.
std::optional<Branch> LoadBranch(std::span<const uint8_t> bytes);

}  // namespace heddle::explore
