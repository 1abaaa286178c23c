// The execution tree: what every search keeps of the executions that are still to be run.
//
// Source: Coons, Burckhardt, Musuvathi, "GAMBIT: effective unit testing for concurrency libraries",
// PPoPP'10, section 3.2 and Algorithm 2. A node is a delta: "as the parent, but with `option` at
// `step`". What follows is the default, so a node is 16 bytes however long its execution is. Nodes
// that nobody holds any more free themselves and their childless ancestors; so memory follows the
// work that is left, and not what was done.
//
// Our difference: `successors` counts what keeps a node, its children and one for every hold (of a
// search that has it open, or in flight), so that interior nodes and leaves are one thing. What a
// reduction keeps at a node stands in arrays of its own, by the same number (por/wakeup_tree.h).
//
// Plain data: part of a State that outlives the process (explorer.h).
#pragma once

#include <cstdint>

#include "explore/paged_array.h"

namespace heddle::explore {

class ExecutionTree {
 public:
  using Id = uint32_t;
  static constexpr Id kNone = 0;
  static constexpr Id kRoot = 1;  // the execution by defaults; never freed

  struct Node {
    Id parent = kNone;
    uint32_t step = 0;        // where it differs from the parent: a step, or a choice point
    uint32_t option = 0;      // what it does there: a thread, or the number of an option
    uint32_t successors = 0;  // children and holds
  };
  static_assert(sizeof(Node) == 16);

  // `memory_limit` in bytes: of what stays in memory when there is a spill.
  explicit ExecutionTree(uint64_t memory_limit = PagedArray<Node>::kMemoryLimit);

  // A new child of `parent`, held once.
  Id Add(Id parent, uint32_t step, uint32_t option);
  // One more hold.
  void Hold(Id id) { ++nodes_.Edit(id).successors; }
  // Gives one hold back. Calls freed(id) for each node that is freed: this one, and then ancestors
  // that had no other successor.
  template <typename Freed>
  void Drop(Id id, const Freed& freed);
  void Drop(Id id) {
    Drop(id, [](Id) {});
  }

  // Valid until the next call of any of these.
  const Node& At(Id id) const { return nodes_[id]; }
  // Nodes in use, the root not counted, and the most there ever were.
  uint64_t Size() const { return size_; }
  uint64_t Peak() const { return peak_; }

  // Where to put what does not fit in memory, in this process; null: nowhere.
  void SetSpill(Spill* spill) { nodes_.SetSpill(spill); }
  // Something could not be read back.
  bool Lost() const { return nodes_.Lost(); }

  static constexpr uint64_t kSpillAt = 0;
  static constexpr uint64_t kSpillEnd = uint64_t{sizeof(Node)} << 32;  // offsets in the spill

 private:
  PagedArray<Node> nodes_;
  Id free_ = kNone;  // a list, linked by `parent`
  uint64_t size_ = 0;
  uint64_t peak_ = 0;
};

template <typename Freed>
void ExecutionTree::Drop(Id id, const Freed& freed) {
  while (--nodes_.Edit(id).successors == 0) {
    const Id parent = nodes_[id].parent;
    nodes_.Edit(id) = {free_, 0, 0, 0};
    free_ = id;
    --size_;
    freed(id);
    id = parent;
  }
}

}  // namespace heddle::explore
