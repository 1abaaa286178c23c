#include "explore/enumerate/choice_stack.h"

#include <algorithm>

#include "explore/own_options.h"

namespace heddle::explore {

using trace::Choice;
using trace::ChoiceKind;

ChoiceStack::Extension ChoiceStack::Extend(ExecutionTree::Id id, const trace::Execution& execution,
                                           uint32_t deviation, space::Bound bound) {
  Extension extension;
  const auto count = static_cast<uint32_t>(execution.choices.size());
  const uint32_t first = FirstOwn(deviation, bound.unit);
  if (first >= count) return extension;  // it ended before, having diverged
  const size_t frames = frames_.size();
  uint32_t cost = CostOf(execution, first, bound.unit);
  for (uint32_t i = first; i < count; ++i) {
    const Choice& choice = execution.choices[i];
    cost += CostOf(execution, choice, bound.unit);
    const bool costly = CostOfOther(cost, bound.unit) <= bound.most;
    if (choice.kind == ChoiceKind::kThread) {
      extension.all &= ExtendByThreads(id, execution, i, bound.unit, costly);
    } else if (choice.option_count > 1 && i != deviation) {
      if (CostsStale(choice, bound.unit) && !costly) {
        extension.all = false;
        continue;
      }
      frames_.push_back({id, i, 0, 1, choice.option_count});
    }
  }
  extension.any = frames_.size() > frames;
  return extension;
}

// Pushes the frame of a choice of threads, with the options that cost one more only if `costly`.
// ENSURES: the answer is true if none was left out.
bool ChoiceStack::ExtendByThreads(ExecutionTree::Id id, const trace::Execution& execution,
                                  uint32_t index, space::Unit unit, bool costly) {
  const Choice& choice = execution.choices[index];
  const OwnOptions own(execution, choice, unit);
  const auto begin = static_cast<uint32_t>(words_.size());
  words_.resize(begin + choice.set_words);
  uint64_t* const untried = words_.data() + begin;
  if (costly)
    (own.Free() | own.Costly()).CopyTo(untried);
  else
    own.Free().CopyTo(untried);
  if (op::ThreadSet(untried, choice.set_words).Empty()) {
    words_.resize(begin);
  } else {
    const uint32_t mark = choice.running_waits ? trace::kLeavesWaiting : 0;
    frames_.push_back({id, index, choice.set_words, begin, mark});
  }
  return costly || own.Costly().Empty();
}

std::optional<OpenOption> ChoiceStack::Take() {
  if (frames_.empty()) return std::nullopt;
  Frame& frame = frames_.back();
  bool last;
  OpenOption taken = {frame.execution, frame.choice, TakeFrom(frame, &last)};
  if (last) {
    if (frame.set_words != 0) words_.resize(frame.next);
    frames_.pop_back();
    taken.last = frames_.empty() || frames_.back().execution != taken.execution;
  }
  return taken;
}

std::optional<OpenOption> ChoiceStack::TakeEldest() {
  if (frames_.empty()) return std::nullopt;
  Frame& frame = frames_.front();
  bool last;
  OpenOption taken = {frame.execution, frame.choice, TakeFrom(frame, &last)};
  if (last) {
    frames_.erase(frames_.begin());
    taken.last = frames_.empty() || frames_.front().execution != taken.execution;
  }
  return taken;
}

// Takes the lowest option out of `frame`. REQUIRES: it has one.
uint32_t ChoiceStack::TakeFrom(Frame& frame, bool* last) {
  if (frame.set_words == 0) {
    *last = frame.next + 1 == frame.end;
    return frame.next++;
  }
  op::ThreadSetRef untried(words_.data() + frame.next, frame.set_words);
  const uint32_t option = untried.TakeFirst();
  *last = untried.Empty();
  return option | frame.end;
}

}  // namespace heddle::explore
