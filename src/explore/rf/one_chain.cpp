// A wait for a condition variable is a use of the condition and one of its mutex, in one step. Two
// events of a graph can have others between them: an attempt to lock that comes after a signal for
// the wait, and before the wait has given the mutex up. That is in no execution. Nothing else is
// harmed by it: whoever is blocked until the mutex is free comes after that.
//
// So where a mutex that waits give up is attempted, too, the operations on the condition become
// uses of the mutex, and the wait is one use. All operations on the two are one chain then: there
// are as many graphs as orders of them, also of those that commute (a signal and a lock). Each
// execution is in one of them, as its operations were made in some order.
//
// That this is needed shows when both have been met. What was explored until then has two chains,
// so the search begins anew. Once others have a part of it, it cannot.
#include <algorithm>
#include <utility>

#include "explore/rf/labels.h"
#include "explore/rf/reads_from.h"

namespace heddle::explore {

namespace {

constexpr uint8_t kBoth = ReadsFrom::kGivenUpByWait | ReadsFrom::kAttempted;

}  // namespace

void ReadsFrom::BeginAnew() {
  if (s_.parted)
    s_.gap = claim::Incomplete::kReadsFromOperation;
  else
    begins_anew_ = true;
}

bool ReadsFrom::HasConditions(uint32_t mutex) const {
  return mutex < s_.roles.size() && (s_.roles[mutex] & kBoth) == kBoth;
}

// A condition that waits use with several mutexes cannot be in the chain of each.
void ReadsFrom::NoteWait(uint32_t condition, uint32_t mutex) {
  if (condition >= s_.given_up.size()) s_.given_up.resize(condition + 1);
  const uint32_t known = std::exchange(s_.given_up[condition], mutex + 1);
  if (known == mutex + 1) return;
  if (known != 0 && (HasConditions(mutex) || HasConditions(known - 1)))
    s_.gap = claim::Incomplete::kReadsFromOperation;
  if (HasConditions(mutex)) BeginAnew();
}

// The mutex whose chain the operations on the condition are in, or kNoMutex.
uint32_t ReadsFrom::ChainOf(uint32_t condition) const {
  if (condition >= s_.given_up.size() || s_.given_up[condition] == 0) return kNoMutex;
  const uint32_t mutex = s_.given_up[condition] - 1;
  return HasConditions(mutex) ? mutex : kNoMutex;
}

// The labels of the event: uses of a condition become uses of its mutex, whose level they do not
// change. It is tracked; a mutex that its owner may lock again has more levels than that.
void ReadsFrom::PutInOneChain(const trace::Event& made) {
  for (model::Label& label : labels_) {
    if (label.action != model::Action::kUse) continue;
    const uint32_t mutex = ChainOf(label.location);
    if (mutex == kNoMutex) continue;
    if (mutex >= held_.size()) held_.resize(mutex + 1);
    label.location = mutex;
    label.level = held_[mutex];
    label.needs = model::Needs::kNothing;
  }
  const bool is_wait = made.kind == op::Kind::kCondWait;
  if (is_wait && labels_.size() == 2 && labels_[0].location == labels_[1].location)
    labels_.erase(labels_.begin());
  const model::Label& use = labels_.back();
  if (use.action != model::Action::kUse || !HasConditions(use.location)) return;
  if (use.location >= held_.size()) held_.resize(use.location + 1);
  if (use.needs == model::Needs::kUnknown) s_.gap = claim::Incomplete::kReadsFromOperation;
  if (use.needs == model::Needs::kZero && made.access != op::Access::kRead) held_[use.location] = 1;
  if (is_wait || made.kind == op::Kind::kMutexUnlock) held_[use.location] = 0;
}

// What was learnt of objects stays.
void ReadsFrom::Forget() {
  s_.trust.reset();
  s_.locations.clear();
  s_.location_count = 0;
  s_.cut = s_.begun = false;
  s_.ran_again += std::exchange(s_.ran, 0);
}

}  // namespace heddle::explore
