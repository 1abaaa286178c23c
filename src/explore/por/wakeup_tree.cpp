#include "explore/por/wakeup_tree.h"

#include <utility>

namespace heddle::explore {

WakeupTrees::Id WakeupTrees::TakeFirst(Id& list) {
  const Id first = list;
  list = pool_[first].next;
  pool_[first].next = kNone;
  return first;
}

WakeupTrees::Id WakeupTrees::New(Label label) {
  if (free_.empty()) {
    pool_.emplace_back();
    free_.push_back(static_cast<Id>(pool_.size() - 1));
  }
  const Id id = free_.back();
  free_.pop_back();
  pool_[id].label = std::move(label);
  return id;
}

WakeupTrees::Id WakeupTrees::LastOf(Id list) const {
  while (list != kNone && pool_[list].next != kNone) list = pool_[list].next;
  return list;
}

WakeupTrees::Id WakeupTrees::Append(Id& root, Label label) {
  const Id id = New(std::move(label));
  (root == kNone ? root : pool_[LastOf(root)].next) = id;
  return id;
}

WakeupTrees::Id WakeupTrees::Prepend(Id& root, Label label) {
  const Id id = New(std::move(label));
  pool_[id].next = root;
  return root = id;
}

WakeupTrees::Id WakeupTrees::AppendChild(Id parent, Label label) {
  const Id id = New(std::move(label));
  const Id children = pool_[parent].children;
  (children == kNone ? pool_[parent].children : pool_[LastOf(children)].next) = id;
  return id;
}

void WakeupTrees::Free(Id id) {
  pool_[id] = Node();
  free_.push_back(id);
}

void WakeupTrees::FreeAll(Id list) {
  std::vector<Id> open;
  for (Id id = list; id != kNone; id = pool_[id].next) open.push_back(id);
  while (!open.empty()) {
    const Id id = open.back();
    open.pop_back();
    for (Id child = pool_[id].children; child != kNone; child = pool_[child].next) {
      open.push_back(child);
    }
    Free(id);
  }
}

}  // namespace heddle::explore
