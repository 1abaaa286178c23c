// Several searches over happens-before graphs that make one (docs/algorithms/parallel.md): they
// have one table (shared_states.h), and between them explore what one would.
//
// By itself a search enters each state once: when it leaves it, the state is in H. Here, too, each
// state is entered by one of them only, who *claims* it when he has learnt that an execution of his
// came there; whoever comes later turns round. And each step from a state is *begun* once: by who
// makes it, by who parts with it as a branch, or, if that takes long, by who has claimed the state
// that it leads to, whichever way he came.
//
// So a state may be left while others are at what follows it. It enters H when the last step from
// it is closed, by whoever closes that: Mark goes to all predecessors of a state, whoever has met
// them. Who leaves a state knows which steps need not be made there (their thread cannot go on, or
// the bound leaves it out), and closes those: then the state is done with if all 64 are closed.
//
// Only steps within the bound are begun, and Mark closes those.
//
// Nothing is missed: a step that was begun leads to a state that somebody has claimed, is in a
// branch on its way, or is being made. Who has claimed a state takes all steps from it that nobody
// else began. Successors are larger, so when all searches have nothing left, the first state is in
// H.
//
// What may be run twice: two executions that are in flight at the same moment may come to one
// state, from different ones, as that is claimed when they are over. The second one to be learnt
// counts as run again, if it came to its end in the same graph.
#include <algorithm>
#include <utility>

#include "explore/branch.h"
#include "explore/hb/cb_por.h"
#include "explore/hb/steering.h"

namespace heddle::explore {

using op::ThreadId;

// Returns true if nobody else has begun it.
bool CbPor::BeginMember(uint64_t key, uint32_t member) {
  return s_.Edit(key, [&](StateEntry& entry) {
    const ThreadBits bit = op::BitOf(member);
    const bool was = (entry.NotNeeded() & bit) != 0;
    entry.begun |= bit;
    return !was;
  });
}

// Step i, made from the state `graph`, with the options that it took. The step itself is begun when
// all its options are.
void CbPor::BeginStep(uint64_t graph, StepIndex i) {
  const ThreadId thread = s_.prefixes.Graph().At(i).thread;
  const auto taken = s_.prefixes.Graph().OptionsOf(i);
  const auto counts = s_.prefixes.OptionCountsOf(i);
  for (size_t j = taken.size(); j-- > 0;) {
    const uint64_t key = OptionsKey(graph, thread, taken.first(j));
    if (counts[j] > kMostThreads) return;
    BeginMember(key, taken[j].option);
    const StateEntry entry = s_.EntryOf(key);
    if ((AllBelow(counts[j]) & ~entry.NotNeeded()) != 0) return;
  }
  if (thread != op::kNoThread) BeginMember(graph, thread);
}

// Claims the state. False: others are there, or have been.
bool CbPor::Enter(const Prefix& state) {
  if (every_state_) return Visit(state) || !IsShared();
  if (!IsShared()) return true;
  return s_.Edit(state.hash, [](StateEntry& entry) {
    const bool was = entry.claimed || entry.in_table;
    entry.claimed = true;
    return !was;
  });
}

// All steps that lead to the state, whoever would make them.
void CbPor::BeginAllTo(Prefix& state) {
  s_.prefixes.ForEachLast(state, [&](StepIndex last) {
    if (IsWithin(state, last)) BeginStep(state.hash, last);
  });
}

// Most states are left soon after they were entered. Of those that are not, the steps that lead
// there are begun, so that nobody makes them only to turn round.
void CbPor::TellOld() {
  constexpr uint32_t kOld = 64;  // executions
  s_.told = std::max(s_.told, s_.base);
  const auto is_next_old = [&] {
    return s_.told + 1 < s_.nodes.size() && s_.learnt - s_.nodes[s_.told + 1].born >= kOld;
  };
  if (!is_next_old()) return;
  Prefix state = s_.prefixes.Before(s_.told + 1);
  while (is_next_old()) {
    ++s_.told;
    BeginAllTo(state);
    if (s_.told < s_.prefixes.Size())
      s_.prefixes.PutBack(state, s_.prefixes.Graph().At(s_.told).thread);
  }
}

// Nobody has anything left to begin there.
void CbPor::Leave(const Prefix& state, const Node& node) {
  bool forever = false;
  const bool enters = s_.Edit(node.hash, [&](StateEntry& entry) {
    const ThreadBits beyond = node.open & ~entry.NotNeeded();
    entry.closed |= ~node.open | beyond;
    entry.forever |= ~node.open;
    entry.left = true;
    forever = ~entry.forever == 0;
    return ~entry.Closed() == 0 && PutIn(entry, &forever);
  });
  if (enters) MarkBefore(state, forever);
}

// The shallowest step that is not begun. Those of nodes below `all_begun` are.
std::optional<Branch> CbPor::Split() {
  if (!IsShared() || !s_.started || s_.exhausted || s_.ready || s_.wide || s_.full)
    return std::nullopt;
  StepIndex& k = s_.all_begun;
  k = std::max(k, s_.base);
  if (k >= s_.nodes.size()) return std::nullopt;
  Prefix state = k == 0 ? Prefix() : s_.prefixes.Before(k);
  for (; k < s_.nodes.size() && !stop_token_.IsRequested(); ++k) {
    if (k != s_.base) {
      bool cut = false;  // who leaves the node knows
      if (const auto thread = ThreadLeft(k, state, &cut)) return BranchOf(k, *thread);
    }
    if (const auto option = OptionLeft(k)) {
      Branch branch = BranchOf(k, s_.prefixes.Graph().At(k).thread);
      WriteOption(k, *option);
      branch.options = s_.options;
      return branch;
    }
    if (k == 0)
      state = s_.prefixes.Before(1);
    else if (k < s_.prefixes.Size())
      s_.prefixes.PutBack(state, s_.prefixes.Graph().At(k).thread);
  }
  return std::nullopt;
}

Branch CbPor::BranchOf(StepIndex k, ThreadId thread) {
  WriteWay(k, thread);
  Branch branch;
  branch.node = k;
  branch.cost = s_.bound;
  branch.script = s_.script;
  branch.options = s_.options;
  return branch;
}

bool CbPor::Take(const Branch& branch) {
  if (!IsShared() || (s_.started && !s_.exhausted) || s_.ready) return false;
  s_.bound = branch.cost;
  s_.base = branch.node;
  s_.base_options = 0;  // known when the way there was made: BaseOptions
  s_.script = branch.script;
  s_.options = branch.options;
  s_.prefixes.Truncate(0);
  s_.nodes.clear();
  s_.all_begun = s_.told = 0;
  s_.exhausted = false;
  s_.started = s_.ready = s_.taken = true;
  return true;
}

// Of the first execution of a branch: how many options its last step was given.
void CbPor::NoteBaseOptions() {
  if (!std::exchange(s_.taken, false)) return;
  auto given = static_cast<uint32_t>(s_.options.size());
  for (StepIndex i = 0; i < s_.base && i < s_.prefixes.Size(); ++i)
    given -= static_cast<uint32_t>(s_.prefixes.Graph().OptionsOf(i).size());
  s_.base_options = given;
}

// Who began at the beginning does so with each bound, and others get branches of that.
bool CbPor::AwaitsBound() const {
  return s_.is_first && s_.exhausted && !s_.full && HasNextBound();
}

bool CbPor::RaiseBound() {
  if (!s_.is_first || !HasNextBound()) return false;
  EndTogether();
  s_.ended = false;
  GoToNextBound();
  s_.script.clear();
  s_.options.clear();
  s_.ready = TakeFirst();
  s_.exhausted = !s_.ready;
  return s_.ready;
}

void CbPor::EndTogether() {
  if (!IsShared() || !s_.is_first) return;
  s_.ended = true;
  s_.mistaken |= !every_state_ && s_.nodes.size() > 1 && !IsInTable(s_.nodes[1].hash, false);
}

}  // namespace heddle::explore
