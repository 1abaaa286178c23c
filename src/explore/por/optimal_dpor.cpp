#include "explore/por/optimal_dpor.h"

#include <algorithm>
#include <utility>

namespace heddle::explore {

using op::ThreadId;
using Match = Sequence::Match;

Reduction::Answer OptimalDpor::Consider(const Reversal& reversal) {
  const StepIndex j = reversal.j;
  Sequence v(s_.graph, reversal, taken_);  // O1
  asleep_.clear();                         // O2
  // Does the answer stay the same however the execution continues after step `since`? Not if it
  // rests on a step after that one, or on the label being independent of all of v: with another
  // option of a choice, for example, v has other steps.
  const auto holds = [&](const Sequence::Found& found) {
    return (found.match == Match::kLast && !reversal.grows) ||
           (found.match == Match::kStep && found.step <= reversal.since);
  };
  // O3: does v begin with a step that sleeps before step j, or was run from there?
  for (uint32_t index : SleepAt(j)) {
    if (StopRequested()) return Answer::kSettled;
    const Label& label = s_.done[index];
    const Sequence::Found found = v.WeakInitial(label);
    // What begins with v may begin with the label then, or not: only the former is somebody else's.
    const bool passes = found.match == Match::kIndependent && SleepsOn(index);
    if (found.match != Match::kNo && !passes) {
      return holds(found) ? Answer::kSettled : Answer::kBlocked;
    }
    asleep_.push_back(&label);
  }
  bool fixed = true;
  const auto enter = [&](const Label& label, const Sequence::Found& found) {
    fixed &= holds(found);
    v.Take(label, found);  // O6
    signature_ = Sign(signature_, label);
    WakeAsleep(label);
  };
  signature_ = 0;
  begun_.clear();
  for (const Label& label : DoneAt(j)) begun_.push_back(&label);
  for (const LaterSibling& younger : LaterSiblingsAt(j)) begun_.push_back(&younger.label);
  Where where = {s_.nodes[j].reached, nullptr};
  Id child = s_.nodes[j].tree;
  for (bool further = true; further;) {  // down sequences that were run, and left
    further = false;
    for (const Label* label : begun_) {
      if (StopRequested()) return Answer::kSettled;
      if (!label->covers) continue;
      const Sequence::Found found = v.WeakInitial(*label);
      if (found.match == Match::kNo) {
        asleep_.push_back(label);
        continue;
      }
      ParkedNode* const within = Within(*label);
      if (within == nullptr) return fixed && holds(found) ? Answer::kSettled : Answer::kBlocked;
      enter(*label, found);
      where = {label->away, within};
      child = within->tree;
      further = true;
      break;
    }
    if (!further) break;
    begun_.clear();
    for (const Label& label : where.place->done) begun_.push_back(&label);
  }
  // O4: down the tree, by the first child that could begin what is left.
  while (child != WakeupTrees::kNone) {
    if (StopRequested()) return Answer::kSettled;
    const Label& label = s_.trees.LabelOf(child);
    const Sequence::Found found = v.WeakInitial(label);
    if (found.match == Match::kNo) {
      asleep_.push_back(&label);
      child = s_.trees.Next(child);
      continue;
    }
    if (s_.trees.IsLeaf(child)) {  // O5
      if (found.match != Match::kLast) s_.trees.SetCoversMore(child);
      return fixed && holds(found) ? Answer::kSettled : Answer::kAsLong;
    }
    enter(label, found);
    where = {child, nullptr};
    child = s_.trees.Children(child);
  }
  const bool stays = Insert(v, where);
  return fixed && stays ? Answer::kSettled : Answer::kAsLong;
}

// What depends on `label` sleeps no more, and with an option the others of the same step.
void OptimalDpor::WakeAsleep(const Label& label) {
  woken_.clear();
  for (const Label* other : asleep_) {
    if (other->alone && Depend(*other, label)) woken_.push_back(other->thread);
  }
  std::erase_if(asleep_, [&](const Label* other) {
    return Depend(*other, label) ||
           (other->alone && std::ranges::count(woken_, other->thread) != 0);
  });
}

// Adds to `need`, per thread, the steps of v that `clock` knows.
void OptimalDpor::Include(const Sequence& v, Clock clock) {
  for (ThreadId t = 0; t < clock.size(); ++t) {
    if (clock[t] <= need_[t]) continue;
    const auto steps = v.StepsOf(t, clock[t]);
    if (!steps.empty()) need_[t] = std::max(need_[t], steps.back() + 1);
  }
}

// Does the part of v that is needed wake `label`?
bool OptimalDpor::Wakes(const Sequence& v, const Label& label) const {
  if (label.unknown || label.thread == op::kNoThread) return true;
  if (v.ContainsLast() && Depend(label, v.Of().last)) return true;
  const StepIndex own = v.FirstStepOf(label.thread);
  if (own != kNoStep && own < need_[label.thread]) return true;
  return std::ranges::any_of(label.touches, [&](const Touch& touch) {
    return s_.graph.FirstDependent(touch, v.Of().j + 1, [&](StepIndex f) {
      return v.Contains(f) && f < need_[s_.graph.At(f).thread];
    }) != kNoStep;
  });
}

// Was the operation of the reversal run from there already, and ended the execution?
bool OptimalDpor::EndedBefore(const Reversal& reversal) const {
  return AnyBegun(reversal.j, [&](const Label& label) {
    return label.ends && label.thread == reversal.last.thread &&
           SameOptions(label, reversal.last.options, reversal.last.open);
  });
}

// O7: appends the least part of what is left of v that contains the last operation and wakes what
// would sleep after the path walked, as a new last branch from `where`. Returns true if it is part
// of v however the execution continues.
bool OptimalDpor::Insert(const Sequence& v, const Where& where) {
  const Reversal& reversal = v.Of();
  need_.assign(s_.graph.Threads(), 0);
  if (v.ContainsLast()) Include(v, reversal.clock);
  for (const Label* label : asleep_) {
    if (Wakes(v, *label)) continue;
    StepIndex waker = v.FirstDependent(*label);
    if (waker == kNoStep) waker = v.FirstStepOf(label->thread);
    if (waker != kNoStep) Include(v, s_.graph.ClockOf(waker));
  }
  sequence_.clear();
  for (ThreadId t = 0; t < s_.graph.Threads(); ++t) {
    if (need_[t] == 0) continue;
    const auto steps = v.StepsOf(t, need_[t]);
    sequence_.insert(sequence_.end(), steps.begin(), steps.end());
  }
  std::ranges::sort(sequence_);
  const bool alone = sequence_.empty() && where.reached == s_.nodes[reversal.j].reached;
  if (alone && EndedBefore(reversal)) return true;
  if (reversal.tentative) {
    for (StepIndex f : sequence_) signature_ = Sign(signature_, LabelOf(s_.graph, f));
    if (v.ContainsLast()) signature_ = Sign(signature_, reversal.last);
    if (EndsInVain(reversal.j, signature_)) return true;
  }
  const bool grows = reversal.grows && v.ContainsLast();
  const bool stays = !grows && (sequence_.empty() || sequence_.back() <= reversal.since);
  Id at = WakeupTrees::kNone;
  const auto append = [&](const Label& label) {
    if (at != WakeupTrees::kNone || s_.trees.IsOpen(where.reached)) {
      at = AppendChild(at != WakeupTrees::kNone ? at : where.reached, reversal.j, label);
    } else if (where.place != nullptr) {
      at = AppendAt(where.reached, *where.place, label);
    } else {
      at = AppendAt(reversal.j, label);
    }
  };
  for (StepIndex f : sequence_) append(LabelOf(s_.graph, f));
  if (v.ContainsLast()) append(reversal.last);
  if (reversal.tentative) s_.trees.SetTentative(at);
  return stays;
}

}  // namespace heddle::explore
