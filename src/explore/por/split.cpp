// Parting with a branch, and taking one (docs/algorithms/dpor_extensions.md, R24 .. R26).
//
// A race that is found in one part of the tree may ask for a branch in another: its reversal
// belongs to the node before the first of its two steps, and that may lie above where the two
// searches part. So before they do, the nodes down to that one are closed: all threads that are
// open there are explored from them, as with sleep sets alone (Godefroid, 1996), and no reversal
// can ask for more. What is lost is reduction at a few nodes, not correctness: a thread that
// nothing asked for sleeps in what follows, and most of what begins with it is cut short.
//
//     0 ----- 1 ----- 2 ---p--- 3 ...      the execution in flight
//                     +---q                Split: q and r, which are to be run from node 2, go; p
//                     +---r                and what is beyond it stay. 0 to 2 are closed.
//
// Whoever takes the branch runs q; when q's step is known, it may part with r in turn. So no
// execution is run only to learn what a step does, and what sleeps is known when it is needed.
//
// A search that took a branch has steps asleep that others explore. A reversal is left out because
// of one only if that step is an initial of the sequence asked for. Optimal DPOR leaves it out,
// too, if the step is not in the sequence and independent of all of it. Here that would be wrong:
// what begins with the sequence need not begin with the step, and whoever explores the step cannot
// ask for the rest, because the node to ask is closed (SleepsOn).
//
// Invariants: nodes below State::closed have nothing in their trees but single steps, and only the
// last of them may have something; nothing is deferred for them.
#include <utility>

#include "explore/branch.h"
#include "explore/por/reduction.h"

namespace heddle::explore {

using op::ThreadId;

// R24: the shallowest node that has something to part with.
std::optional<Branch> Reduction::Split() {
  if (s_.exhausted || s_.trees.Lost() || s_.beyond || s_.alone) return std::nullopt;
  for (StepIndex k = FirstOwn(); k < s_.graph.Size(); ++k) {
    if (!IsClosed(k)) Close(k);
    if (s_.nodes[k].tree == WakeupTrees::kNone) continue;
    Branch branch;
    branch.node = k;
    for (StepIndex i = 0; i < k; ++i) {
      if (s_.graph.At(i).thread != op::kNoThread) branch.script.push_back(s_.graph.At(i).thread);
      const auto options = s_.graph.OptionsOf(i);
      branch.options.insert(branch.options.end(), options.begin(), options.end());
    }
    for (uint32_t index : SleepAt(k)) branch.asleep.push_back(s_.done[index]);
    branch.begun.assign(DoneAt(k).begin(), DoneAt(k).end());
    Label in_flight = LabelOf(s_.graph, k);
    in_flight.ends |= s_.nodes[k].ends;
    in_flight.covers = !s_.nodes[k].ends && !s_.nodes[k].cut;
    branch.begun.push_back(std::move(in_flight));
    for (const LaterSibling& younger : LaterSiblingsAt(k)) branch.begun.push_back(younger.label);
    for (Label& label : branch.begun) label.away = ExecutionTree::kNone;
    const uint32_t stale = k + 1 < s_.nodes.size() ? s_.nodes[k + 1].stale : 0;
    for (uint32_t at = s_.nodes[k].stale; at < stale; ++at) {
      branch.stale.push_back(s_.done[s_.stale[at]]);
    }
    for (Id id = s_.nodes[k].tree; id != WakeupTrees::kNone; id = s_.trees.Next(id)) {
      branch.next.push_back(s_.trees.LabelOf(id));
    }
    s_.trees.FreeAll(std::exchange(s_.nodes[k].tree, WakeupTrees::kNone));
    if (in_any_order_) NoteParted(k, branch.next);
    return branch;
  }
  return std::nullopt;
}

// The search may leave the step in flight and come back, and then looks at what is open there anew.
void Reduction::NoteParted(StepIndex node, const std::vector<Label>& parted) {
  auto at = std::ranges::upper_bound(s_.later_siblings, node, {}, &LaterSibling::node);
  for (const Label& label : parted) {
    at = s_.later_siblings.insert(at, {node, label}) + 1;
    at[-1].label.covers = false;
    at[-1].label.parted = true;
  }
}

// R25: all that is open at the node is to be run from it, step by step: what was to follow is found
// again. Options of steps that were run from it, or sleep there, come before other threads (R6).
void Reduction::Close(StepIndex node) {
  s_.closed = node + 1;
  std::erase_if(s_.deferred, [node](const Deferred& d) { return d.reversal.j <= node; });
  s_.trees.FreeAll(std::exchange(s_.nodes[node].tree, WakeupTrees::kNone));
  const Label in_flight = LabelOf(s_.graph, node);
  for (const Alternative& other : s_.alternatives) {
    if (other.node > node || (other.node < node && !SleepsSince(node, other))) continue;
    const auto same = [&](const Label& label) {
      return label.thread == other.label.thread &&
             SameOptions(label, other.label.options, other.label.open);
    };
    if (same(in_flight) || AnyBegun(node, same) || AnyNext(node, same)) continue;
    if (Sleeps(node, other.label)) continue;
    s_.trees.SetCoversMore(AppendAt(node, other.label));
  }
  AddAllOpen(node);
}

// Is the step asleep at the node that did not take the option? Optimal DPOR may have the option in
// another sequence, so it need not sleep as well.
bool Reduction::SleepsSince(StepIndex node, const Alternative& other) const {
  const uint32_t begin = s_.nodes[other.node].done;
  return std::ranges::any_of(SleepAt(node), [&](uint32_t index) {
    return index - begin < DoneAt(other.node).size() && s_.done[index].thread == other.label.thread;
  });
}

// R26: what sleeps there and what is stale is known by the first node, which is closed, too.
bool Reduction::Take(const Branch& branch) {
  if (s_.started || branch.next.empty()) return false;
  for (const Label& label : branch.asleep) {
    s_.sleepers.push_back(static_cast<uint32_t>(s_.done.size()));
    s_.done.push_back(label);
  }
  for (const Label& label : branch.stale) {
    s_.stale.push_back(static_cast<uint32_t>(s_.done.size()));
    s_.done.push_back(label);
  }
  const auto begun = static_cast<uint32_t>(s_.done.size());
  s_.done.insert(s_.done.end(), branch.begun.begin(), branch.begun.end());
  s_.nodes.assign(branch.node + 1, {});
  for (StepIndex i = 1; i <= branch.node; ++i) s_.nodes[i].done = begun;
  s_.closed = branch.node + 1;
  s_.root = branch.node;
  for (const Label& label : branch.next) s_.trees.SetCoversMore(AppendAt(branch.node, label));
  s_.script = branch.script;
  s_.options = branch.options;
  return true;
}

}  // namespace heddle::explore
