// Wakeup trees (Abdulla, Aronis, Jonsson, Sagonas, JACM 2017, section 6): at every state from which
// something is still to be run, the beginnings of executions that are, as an ordered tree of steps.
// A path from the root to a leaf is a wakeup sequence. They hang in the execution tree: a step is a
// child of the one before it, and the first of a sequence is a child of the node by which the state
// was reached.
//
// A list of siblings hangs on its first. Plain data on heddle's heap (explorer.h).
#pragma once

#include <cstdint>

#include "explore/execution_tree.h"
#include "explore/paged_array.h"
#include "explore/por/label_table.h"

namespace heddle::explore {

class WakeupTrees {
 public:
  using Id = ExecutionTree::Id;
  static constexpr Id kNone = ExecutionTree::kNone;

  // Takes the first child off the list: answers it, and leaves its siblings in `list`.
  Id TakeFirst(Id& list);
  // A new last (first) sibling in `list`, whose steps are made at `step`, from a state that was
  // reached by `parent`.
  Id Append(Id parent, StepIndex step, Id& list, const Label& label);
  Id Prepend(Id parent, StepIndex step, Id& list, const Label& label);
  Id AppendChild(Id parent, const Label& label);
  // Takes the list of children off.
  Id TakeChildren(Id id);
  // Lets a node go that was taken off: it stays as long as it has children.
  void Free(Id id);
  // The same for a list and everything below it.
  void FreeAll(Id list);

  ExecutionTree::Node At(Id id) const { return tree_.At(id); }
  const Label& LabelOf(Id id) const { return labels_[kept_[id].label]; }
  Id Next(Id id) const { return kept_[id].next; }
  Id Children(Id id) const { return kept_[id].children; }
  bool IsLeaf(Id id) const { return kept_[id].children == kNone; }
  // Is it still to be run?
  bool IsOpen(Id id) const { return id < kept_.Size() && kept_[id].open; }
  // Of one that was taken off: was it a leaf then?
  bool WasLeaf(Id id) const { return kept_[id].was_leaf; }
  bool Tentative(Id id) const { return kept_[id].tentative; }
  void SetTentative(Id id) { kept_.Edit(id).tentative = true; }
  // Another sequence was left out because this leaf is compatible with it.
  bool CoversMore(Id id) const { return kept_[id].covers_more; }
  void SetCoversMore(Id id) { kept_.Edit(id).covers_more = true; }

  // As in ExecutionTree.
  void SetSpill(Spill* spill);
  bool Lost() const { return tree_.Lost() || kept_.Lost(); }

  // Nodes in use, and the most there were.
  uint64_t Size() const { return tree_.Size(); }
  uint64_t Peak() const { return tree_.Peak(); }

 private:
  Id New(Id parent, StepIndex step, const Label& label);
  Id LastOf(Id list) const;

  // What the reduction keeps at a node of the tree.
  struct Kept {
    LabelTable::Number label;
    Id next;
    Id children;
    bool open;
    bool was_leaf;
    bool tentative;
    bool covers_more;
  };
  static_assert(sizeof(Kept) == 16);

  ExecutionTree tree_;
  PagedArray<Kept> kept_{ExecutionTree::kSpillEnd};
  LabelTable labels_;
};

}  // namespace heddle::explore
