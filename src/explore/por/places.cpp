// Leaving the execution in flight for a branch elsewhere, and coming back: what is still to be run
// beyond the state where the two part is kept in the execution tree
// (docs/algorithms/dpor_rules.md, R2 .. R4; dpor_extensions.md, R23).
//
//   path        root ........ a ......... b ........      nodes of the tree in flight
//   steps       0 1 2 3 4 5 6 7 8 9 ...                    a is the step made from node 6
//   nodes      0 1 2 3 4 5 6 7 ...
//
// A node is reached by the last node of the tree before it; from there on its execution took
// defaults, but for the branches that are kept. So what is kept is, for each node of the tree, the
// steps of its own execution and the places on it. A depth-first search leaves nothing open behind,
// and keeps nothing.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "explore/por/reduction.h"
#include "trace/cost.h"

namespace heddle::explore {

// R2, R3: goes to the place that the walk says, or else to the deepest of the execution in flight;
// false if nothing is open. The script leads there. When what was left takes more memory than it
// may, the deepest comes first, so that what is left does not grow.
bool Reduction::GoToNext() {
  const bool is_full = in_any_order_ && s_.trees.Size() > memory_limit_ / kBytesPerBranch;
  if (is_full && GoToDeepest()) return true;
  const Id branch = walk_->Next(*this);
  if (branch == WakeupTrees::kNone) return GoToDeepest();
  GoTo(branch);
  return true;
}

bool Reduction::GoToDeepest() {
  StepIndex k = static_cast<StepIndex>(s_.nodes.size());
  while (k != 0 && s_.nodes[k - 1].tree == WakeupTrees::kNone) --k;
  if (k == 0) return false;
  Leave(k - 1);
  return true;
}

bool Reduction::IsOpen(Id branch) const {
  return s_.trees.IsOpen(branch) && !s_.trees.IsOpen(s_.trees.At(branch).parent);
}

// Goes to the place of `branch`: along the path as far as the way there is the same, and then by
// what was kept.
void Reduction::GoTo(Id branch) {
  const StepIndex to = s_.trees.At(branch).step;
  way_.clear();
  for (Id id = s_.trees.At(branch).parent; id != WakeupTrees::kNone; id = s_.trees.At(id).parent) {
    way_.push_back(id);
  }
  std::ranges::reverse(way_);
  const auto [in_path, in_way] = std::ranges::mismatch(s_.path, way_);
  const auto step_of = [&](auto it, auto end, StepIndex last) {
    return it != end ? s_.trees.At(*it).step : last;
  };
  const auto last = static_cast<StepIndex>(s_.nodes.size() - 1);
  auto next = in_way - way_.begin();
  Leave(std::min(step_of(in_path, s_.path.end(), last), step_of(in_way, way_.end(), to)));
  if (stop_token_.IsRequested()) return;
  while (s_.nodes.size() - 1 < to || next < std::ssize(way_)) {
    const auto at = static_cast<StepIndex>(s_.nodes.size() - 1);
    const bool enters = next < std::ssize(way_) && s_.trees.At(way_[next]).step == at;
    GoOn(enters ? way_[next++] : kItself);
  }
}

// Comes back: pushes the node after the step that was run from the last node and left (`away`).
void Reduction::GoOn(Id away) {
  const auto k = static_cast<StepIndex>(s_.nodes.size() - 1);
  const auto begin = s_.done.begin() + s_.nodes[k].done;
  const auto at =
      std::find_if(begin, s_.done.end(), [&](const Label& l) { return l.away == away; });
  HEDDLE_CHECK(at != s_.done.end());
  const Label label = std::move(*at);
  for (auto younger = at + 1; younger != s_.done.end(); ++younger) {
    s_.later_siblings.push_back({k, std::move(*younger)});
  }
  s_.done.erase(at, s_.done.end());
  --s_.away;
  s_.nodes[k].ends = label.ends;
  s_.nodes[k].cut = !label.covers;
  if (away != kItself) s_.path.push_back(away);
  AddToScript(label.thread, label.options);
  DescendBy(k, label, WakeupTrees::kNone);
  const auto left = s_.left.find(s_.path.back());
  if (left == s_.left.end()) return;
  std::vector<ParkedNode>& places = left->second;
  if (places.back().node != k + 1) return;
  ParkedNode& place = places.back();
  std::ranges::move(place.done, std::back_inserter(s_.done));
  s_.nodes.back().tree = place.tree;
  if (place.closed) s_.closed = k + 2;
  for (uint64_t signature : place.vain_paths) s_.vain_paths.push_back({k + 1, signature});
  for (Label& other : place.alternatives) s_.alternatives.push_back({k + 1, std::move(other)});
  places.pop_back();
  if (places.empty()) s_.left.erase(left);
}

// Goes back to `node`, and keeps what is open beyond. The script leads there.
void Reduction::Leave(StepIndex node) {
  bool open = false;
  while (s_.nodes.size() - 1 > node) {
    if (stop_token_.IsRequested()) return;
    open = LeaveLast(open);
  }
  if (s_.graph.Size() > node) FinishStep(node, open);
  s_.graph.Truncate(node);
  s_.closed = std::min(s_.closed, node + 1);
  std::erase_if(s_.vain_paths, [node](const VainPath& path) { return path.node > node; });
  std::erase_if(s_.alternatives, [node](const Alternative& other) { return other.node > node; });
  for (StepIndex i = 0; i < node; ++i) {  // R4
    AddToScript(s_.graph.At(i).thread, s_.graph.OptionsOf(i));
  }
}

// The beginning is nobody's step, but may have options.
void Reduction::AddToScript(op::ThreadId thread, std::span<const plan::ScriptOption> options) {
  if (thread != op::kNoThread) s_.script.push_back(thread);
  if (!options.empty()) s_.options.insert(s_.options.end(), options.begin(), options.end());
}

// Takes the last node off, and keeps it if something is open from it on. `beyond`: something is
// beyond the step made from it. Returns true if it was kept.
bool Reduction::LeaveLast(bool beyond) {
  const auto k = static_cast<StepIndex>(s_.nodes.size() - 1);
  bool keep = beyond || s_.nodes[k].tree != WakeupTrees::kNone || SleepsAway(k);
  if (keep || s_.away != 0) {
    FinishStep(k, beyond);
    keep |= SomethingAway(k);
    if (keep) KeepPlace(k);
  } else if (s_.path.size() > 1 && s_.trees.At(s_.path.back()).step == k) {
    s_.trees.Free(s_.path.back());
    s_.path.pop_back();
  }
  DropLast();
  return keep;
}

// Takes the last node off, with what is kept of it beside the node.
void Reduction::DropLast() {
  const Node& node = s_.nodes.back();
  DropLaterSiblings(static_cast<StepIndex>(s_.nodes.size() - 1));
  s_.done.resize(node.done);
  s_.sleepers.resize(node.sleep);
  s_.stale.resize(node.stale);
  s_.open_sets.resize(std::min<size_t>(s_.open_sets.size(), node.open));
  s_.nodes.pop_back();
}

// R3: the step made from the node, if there is one, joins `done`. `beyond`: something is still to
// be run after it.
void Reduction::FinishStep(StepIndex k, bool beyond) {
  Node& node = s_.nodes[k];
  if (s_.graph.Size() > k) {
    Label label = LabelOf(s_.graph, k);
    label.ends |= node.ends;
    label.covers = !node.ends && !node.cut;
    node.ends = node.cut = false;
    const Id id = s_.path.back();
    const bool begins = s_.path.size() > 1 && s_.trees.At(id).step == k;
    if (begins) s_.path.pop_back();
    if (beyond) {
      label.away = begins ? id : kItself;
      ++s_.away;
    } else if (begins) {
      s_.trees.Free(id);
    }
    s_.done.push_back(std::move(label));
  }
  for (LaterSibling& younger : LaterSiblingsAt(k)) s_.done.push_back(std::move(younger.label));
  DropLaterSiblings(k);
  if (s_.away != 0) CloseBegun(k);
}

// REQUIRES: k is the last node.
void Reduction::DropLaterSiblings(StepIndex k) {
  while (!s_.later_siblings.empty() && s_.later_siblings.back().node == k)
    s_.later_siblings.pop_back();
}

void Reduction::KeepPlace(StepIndex k) {
  ParkedNode place = {k, {}, s_.nodes[k].tree, {}, {}, IsClosed(k)};
  place.done.assign(std::make_move_iterator(s_.done.begin() + s_.nodes[k].done),
                    std::make_move_iterator(s_.done.end()));
  for (const VainPath& path : s_.vain_paths) {
    if (path.node == k) place.vain_paths.push_back(path.signature);
  }
  for (const Alternative& other : s_.alternatives) {
    const bool known = other.node != k || std::ranges::count(place.alternatives, other.label) != 0;
    if (!known) place.alternatives.push_back(other.label);
  }
  s_.left[s_.nodes[k].reached].push_back(std::move(place));
}

// Was a step run from the node and left before all that follows it was explored?
bool Reduction::SomethingAway(StepIndex node) const {
  return s_.away != 0 && AnyBegun(node, &Label::IsAway);
}

// Is the node within a wakeup sequence in which a step may sleep that was run from an earlier node
// and left? When the search comes back there, it may find more that has to be run from this node.
bool Reduction::SleepsAway(StepIndex node) const {
  const Id reached = s_.nodes[node].reached;
  if (s_.away == 0 || reached == ExecutionTree::kRoot || s_.trees.WasLeaf(reached)) return false;
  return SomethingAwayAbove(node);
}

bool Reduction::SomethingAwayAbove(StepIndex node) const {
  return std::ranges::any_of(std::span(s_.done).first(s_.nodes[node].done), &Label::IsAway);
}

// Steps of the last node may be kept only because of SleepsAway. When no earlier node has a step
// that was left, they are freed, unless something is open beyond them.
void Reduction::CloseBegun(StepIndex node) {
  if (SomethingAwayAbove(node)) return;
  for (Label& label : std::span(s_.done).subspan(s_.nodes[node].done)) {
    if (!label.IsAway()) continue;
    if (HasOpen(label.away == kItself ? s_.nodes[node].reached : label.away)) return;
    GiveUp(label, s_.nodes[node].reached);
    label.away = ExecutionTree::kNone;
  }
}

// Is something open in what is kept of the execution of `id`?
bool Reduction::HasOpen(Id id) const {
  const auto left = s_.left.find(id);
  if (left == s_.left.end()) return false;
  const auto is_open = [this](const Label& label) {
    return label.IsAway() && label.away != kItself && HasOpen(label.away);
  };
  return std::ranges::any_of(left->second, [&](const ParkedNode& place) {
    return place.tree != WakeupTrees::kNone || std::ranges::any_of(place.done, is_open);
  });
}

void Reduction::Forget(Id id) {
  const auto left = s_.left.find(id);
  if (left == s_.left.end()) return;
  const std::vector<ParkedNode> places = std::move(left->second);
  s_.left.erase(left);
  for (const ParkedNode& place : places) {
    s_.trees.FreeAll(place.tree);
    for (const Label& label : place.done) {
      if (label.IsAway()) GiveUp(label, id);
    }
  }
}

// `label` is away; its step was made from a state that was reached by `reached`.
void Reduction::GiveUp(const Label& label, Id reached) {
  --s_.away;
  const bool itself = label.away == kItself;
  Forget(itself ? reached : label.away);
  if (!itself) s_.trees.Free(label.away);
}

// The execution ended earlier than its script: what was to be run from nodes beyond the first
// `count`, and what was kept of them, is given up.
void Reduction::GiveUpBeyond(size_t count) {
  while (s_.nodes.size() > count) {
    const auto k = static_cast<StepIndex>(s_.nodes.size() - 1);
    const Node& node = s_.nodes[k];
    s_.trees.FreeAll(node.tree);
    for (const Label& label : DoneAt(k)) {
      if (label.IsAway()) GiveUp(label, node.reached);
    }
    for (const LaterSibling& younger : LaterSiblingsAt(k)) {
      if (younger.label.IsAway()) GiveUp(younger.label, node.reached);
    }
    DropLast();
  }
  while (s_.path.size() > 1 && s_.trees.At(s_.path.back()).step >= s_.graph.Size()) {
    s_.trees.Free(s_.path.back());
    s_.path.pop_back();
  }
  const auto is_beyond = [count](const auto& at) { return at.node >= count; };
  std::erase_if(s_.vain_paths, is_beyond);
  std::erase_if(s_.alternatives, is_beyond);
}

Reduction::ParkedNode* Reduction::Within(const Label& label) {
  if (!label.IsAway() || label.away == kItself) return nullptr;
  if (s_.trees.WasLeaf(label.away)) return nullptr;
  const auto left = s_.left.find(label.away);
  HEDDLE_CHECK(left != s_.left.end());
  return &left->second.back();
}

// ---- new branches ----

Reduction::Id Reduction::AppendTo(Id& tree, Id reached, StepIndex node, const Label& label,
                                  Asked asked) {
  const bool first = tree == WakeupTrees::kNone;
  const Id id = s_.trees.Append(reached, node, tree, label);
  Rank(id, node, label, asked);
  if (first) {
    walk_->Open(id);
  } else {
    walk_->Joins(tree, id);
  }
  return id;
}

Reduction::Id Reduction::AppendAt(StepIndex node, const Label& label, Asked asked) {
  return AppendTo(s_.nodes[node].tree, s_.nodes[node].reached, node, label, asked);
}

Reduction::Id Reduction::AppendAt(Id reached, ParkedNode& place, const Label& label) {
  return AppendTo(place.tree, reached, place.node, label, Asked::kPrecisely);
}

Reduction::Id Reduction::PrependAt(StepIndex node, const Label& label) {
  const Id id = s_.trees.Prepend(s_.nodes[node].reached, node, s_.nodes[node].tree, label);
  Rank(id, node, label, Asked::kPrecisely);
  OpenPlace(id);
  return id;
}

Reduction::Id Reduction::AppendChild(Id parent, StepIndex node, const Label& label) {
  const Id id = s_.trees.AppendChild(parent, label);
  Rank(id, node, label, Asked::kPrecisely);
  return id;
}

void Reduction::OpenPlace(Id eldest) {
  walk_->Open(eldest);
  if (walk_->Ranks() == nullptr) return;
  for (Id id = s_.trees.Next(eldest); id != WakeupTrees::kNone; id = s_.trees.Next(id)) {
    walk_->Joins(eldest, id);
  }
}

// ---- what a ranked walk wants to know of a branch (best/priority.h) ----

// The costs of the steps before step i, which is new, and which threads cost one more there.
void Reduction::KeepCosts(const trace::Execution& execution, StepIndex i) {
  uint32_t cost = 0;
  if (i != 0) {
    cost = s_.costs[i - 1];
    for (const trace::Choice& choice : execution.ChoicesOf(i - 1)) {
      cost += trace::Costs(execution, choice, choice.chosen) ? 1 : 0;
    }
  }
  s_.costs.resize(i);
  s_.costs.push_back(cost);
  s_.costly_sets.resize(s_.nodes[i].open);
  const trace::Choice* const choice = execution.ThreadChoiceOf(i);
  if (choice == nullptr) return;
  const trace::CostlyOptions costly(execution, *choice);
  for (uint32_t w = 0; w < choice->set_words; ++w) s_.costly_sets.push_back(costly.Word(w));
}

// As NextFocus of best/best_first.cpp.
Focus Reduction::FocusAfter(StepIndex node, op::ThreadId thread) const {
  if (thread >= s_.graph.Threads()) return {};
  const StepIndex next = s_.graph.FirstStepOf(thread, node);
  if (next != kNoStep) return FocusOf(s_.graph.At(next).focus);
  return thread < s_.focus_at_end.size() ? FocusOf(s_.focus_at_end[thread]) : Focus();
}

// `node`: from which the branch goes out, or, within a sequence or in an execution that was left,
// one nearby: then the cost is a guess.
void Reduction::Rank(Id branch, StepIndex node, const Label& label, Asked asked) {
  if (walk_->Ranks() == nullptr) return;
  BacktrackingPoint facts;
  facts.name = Sign(branch, label);
  facts.asked = asked;
  if (walk_->Ranks()->WantsFocus() && node < s_.graph.Size()) {
    facts.preempted = FocusOf(s_.graph.At(node).focus);
    facts.preempting = FocusAfter(node, label.thread);
  }
  if (!s_.costs.empty()) {
    const auto known = std::min<size_t>(node, s_.costs.size() - 1);
    facts.cost = s_.costs[known];
    if (known == node) {
      const Node& n = s_.nodes[node];
      facts.cost += op::ThreadSet(s_.costly_sets.data() + n.open, n.open_words).Has(label.thread);
    } else {
      ++facts.cost;
    }
  }
  walk_->Add(branch, facts);
}

}  // namespace heddle::explore
