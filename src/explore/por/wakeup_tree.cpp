#include "explore/por/wakeup_tree.h"

#include <utility>
#include <vector>

namespace heddle::explore {

void WakeupTrees::SetSpill(Spill* spill) {
  tree_.SetSpill(spill);
  kept_.SetSpill(spill);
}

WakeupTrees::Id WakeupTrees::TakeFirst(Id& list) {
  const Id first = list;
  Kept& kept = kept_.Edit(first);
  list = std::exchange(kept.next, kNone);
  kept.open = false;
  kept.was_leaf = kept.children == kNone;
  return first;
}

WakeupTrees::Id WakeupTrees::New(Id parent, StepIndex step, const Label& label) {
  const Id id = tree_.Add(parent, step, label.thread);
  while (id >= kept_.Size()) kept_.Grow();
  kept_.Edit(id) = {.label = labels_.NumberOf(label),
                    .next = kNone,
                    .children = kNone,
                    .open = true,
                    .was_leaf = false,
                    .tentative = false,
                    .covers_more = false};
  return id;
}

WakeupTrees::Id WakeupTrees::LastOf(Id list) const {
  while (list != kNone && kept_[list].next != kNone) list = kept_[list].next;
  return list;
}

WakeupTrees::Id WakeupTrees::Append(Id parent, StepIndex step, Id& list, const Label& label) {
  const Id id = New(parent, step, label);
  if (list == kNone) {
    list = id;
  } else {
    kept_.Edit(LastOf(list)).next = id;
  }
  return id;
}

WakeupTrees::Id WakeupTrees::Prepend(Id parent, StepIndex step, Id& list, const Label& label) {
  const Id id = New(parent, step, label);
  kept_.Edit(id).next = list;
  return list = id;
}

WakeupTrees::Id WakeupTrees::AppendChild(Id parent, const Label& label) {
  Id children = kept_[parent].children;
  const Id id = Append(parent, tree_.At(parent).step + 1, children, label);
  kept_.Edit(parent).children = children;
  return id;
}

WakeupTrees::Id WakeupTrees::TakeChildren(Id id) {
  return std::exchange(kept_.Edit(id).children, kNone);
}

void WakeupTrees::Free(Id id) {
  tree_.Drop(id, [this](Id freed) { kept_.Edit(freed).open = false; });
}

void WakeupTrees::FreeAll(Id list) {
  std::vector<Id> all;
  for (Id id = list; id != kNone; id = kept_[id].next) all.push_back(id);
  for (size_t k = 0; k < all.size(); ++k) {
    for (Id id = kept_[all[k]].children; id != kNone; id = kept_[id].next) all.push_back(id);
  }
  for (const Id id : all) Free(id);
}

}  // namespace heddle::explore
