#include "explore/choice_stack.h"

#include "trace/cost.h"

namespace heddle::explore {

using trace::Choice;
using trace::ChoiceKind;

ChoiceStack::Extension ChoiceStack::Extend(ExecutionTree::Id id, const trace::Execution& execution,
                                           uint32_t first, uint32_t bound) {
  Extension extension;
  const auto count = static_cast<uint32_t>(execution.choices.size());
  if (first >= count) return extension;  // it ended before, having diverged
  const size_t frames = frames_.size();
  const trace::Cost before = trace::CostOf(execution, first);
  uint32_t cost = before.preemptions + before.early_timeouts;
  for (uint32_t i = first; i < count; ++i) {
    const Choice& choice = execution.choices[i];
    if (choice.kind == ChoiceKind::kThread) {
      extension.all &= ExtendByThreads(id, execution, i, cost < bound);
      cost += trace::Costs(execution, choice, choice.chosen);
    } else if (choice.option_count > 1) {
      frames_.push_back({id, i, 0, 1, choice.option_count});
    }
  }
  extension.any = frames_.size() > frames;
  return extension;
}

// Pushes the frame of a choice of threads, with the options that cost a preemption only if
// `costly`. ENSURES: the answer is true if none was left out.
bool ChoiceStack::ExtendByThreads(ExecutionTree::Id id, const trace::Execution& execution,
                                  uint32_t index, bool costly) {
  const Choice& choice = execution.choices[index];
  const auto others = execution.Open(choice) - op::OnlyThread(choice.chosen);
  const trace::CostlyOptions costs(execution, choice);
  const auto begin = static_cast<uint32_t>(words_.size());
  words_.resize(begin + choice.set_words);
  uint64_t* const untried = words_.data() + begin;
  if (costly)
    others.CopyTo(untried);
  else
    (others - costs).CopyTo(untried);
  if (op::ThreadSet(untried, choice.set_words).Empty()) {
    words_.resize(begin);
  } else {
    frames_.push_back({id, index, choice.set_words, begin, 0});
  }
  return costly || (others & costs).Empty();
}

std::optional<OpenOption> ChoiceStack::Take() {
  if (frames_.empty()) return std::nullopt;
  Frame& frame = frames_.back();
  OpenOption taken = {frame.execution, frame.choice};
  bool last = false;
  if (frame.set_words == 0) {
    taken.option = frame.next++;
    last = frame.next == frame.end;
  } else {
    taken.option = TakeThread(frame, &last);
  }
  if (last) {
    frames_.pop_back();
    taken.last = frames_.empty() || frames_.back().execution != taken.execution;
  }
  return taken;
}

// Takes the lowest thread out of the set of `frame`, and the set off words_ when that was the last.
// REQUIRES: `frame` is the top, and its set is not empty.
uint32_t ChoiceStack::TakeThread(const Frame& frame, bool* last) {
  op::ThreadSetRef untried(words_.data() + frame.next, frame.set_words);
  const uint32_t option = untried.TakeFirst();
  *last = untried.Empty();
  if (*last) words_.resize(frame.next);
  return option;
}

}  // namespace heddle::explore
