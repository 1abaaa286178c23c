#include "explore/choice_stack.h"

#include "trace/cost.h"

namespace heddle::explore {

using trace::Choice;
using trace::ChoiceKind;

void ChoiceStack::Start(std::span<const plan::Deviation> deviations) {
  deviations_.assign(deviations.begin(), deviations.end());
  frames_.clear();
  words_.clear();
}

bool ChoiceStack::Extend(const trace::Execution& execution, uint32_t bound) {
  bool all = true;
  const auto count = static_cast<uint32_t>(execution.choices.size());
  if (FirstNew() >= count) return all;  // it ended before, having diverged
  const trace::Cost before = trace::CostOf(execution, FirstNew());
  uint32_t cost = before.preemptions + before.early_timeouts;
  for (uint32_t i = FirstNew(); i < count; ++i) {
    const Choice& choice = execution.choices[i];
    if (choice.kind == ChoiceKind::kThread) {
      all &= ExtendByThreads(execution, i, cost < bound);
      cost += trace::Costs(execution, choice, choice.chosen);
    } else if (choice.option_count > 1) {
      frames_.push_back({i, static_cast<uint32_t>(deviations_.size()), 0, 1, choice.option_count});
    }
  }
  return all;
}

// Pushes the frame of a choice of threads, with the options that cost a preemption only if
// `costly`. ENSURES: the answer is true if none was left out.
bool ChoiceStack::ExtendByThreads(const trace::Execution& execution, uint32_t index, bool costly) {
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
    frames_.push_back(
        {index, static_cast<uint32_t>(deviations_.size()), choice.set_words, begin, 0});
  }
  return costly || (others & costs).Empty();
}

bool ChoiceStack::Advance() {
  if (frames_.empty()) return false;
  Frame& frame = frames_.back();
  bool last = false;
  uint32_t option;
  if (frame.set_words == 0) {
    option = frame.next++;
    last = frame.next == frame.end;
  } else {
    option = TakeThread(frame, &last);
  }
  deviations_.resize(frame.deviations);
  deviations_.push_back({frame.choice, option});
  if (last) frames_.pop_back();
  return true;
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
