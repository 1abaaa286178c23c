// Wakeup trees (Abdulla, Aronis, Jonsson, Sagonas, JACM 2017, section 6): at every state of the
// execution in flight, the beginnings of executions that are still to be run from there, as an
// ordered tree of steps. A path from the root to a leaf is a wakeup sequence.
//
// All trees share one pool of nodes; a list of siblings hangs on its first. Plain data on heddle's
// heap (explorer.h).
#pragma once

#include <cstdint>
#include <vector>

#include "explore/por/label.h"

namespace heddle::explore {

class WakeupTrees {
 public:
  using Id = uint32_t;
  static constexpr Id kNone = 0;

  // Takes the first child off the list: answers it, and leaves its siblings in `list`.
  Id TakeFirst(Id& list);
  // Appends a new last sibling to a list of a tree's root, or child of a node.
  Id Append(Id& root, Label label);
  Id Prepend(Id& root, Label label);
  Id AppendChild(Id parent, Label label);
  // Gives back a node that was taken off, without its children.
  void Free(Id id);
  // Gives back a list and everything below it.
  void FreeAll(Id list);

  const Label& LabelOf(Id id) const { return pool_[id].label; }
  Id Next(Id id) const { return pool_[id].next; }
  Id Children(Id id) const { return pool_[id].children; }
  bool IsLeaf(Id id) const { return pool_[id].children == kNone; }
  bool Tentative(Id id) const { return pool_[id].tentative; }
  void SetTentative(Id id) { pool_[id].tentative = true; }
  // Another sequence was left out because this leaf is compatible with it.
  bool CoversMore(Id id) const { return pool_[id].covers_more; }
  void SetCoversMore(Id id) { pool_[id].covers_more = true; }

  // Nodes in use.
  uint64_t Size() const { return pool_.size() - 1 - free_.size(); }

 private:
  Id New(Label label);
  Id LastOf(Id list) const;

  struct Node {
    Label label;
    Id next = kNone;
    Id children = kNone;
    bool tentative = false;
    bool covers_more = false;
  };
  std::vector<Node> pool_ = std::vector<Node>(1);
  std::vector<Id> free_;
};

}  // namespace heddle::explore
