#include "explore/order/vain.h"

namespace heddle::explore {

uint32_t WithoutVain::Kept(uint32_t event) const { return kept_[event]; }

const trace::Execution& WithoutVain::Of(const trace::Execution& execution) {
  looks_.clear();
  if (execution.vain_steps == 0) return execution;
  steps_.clear();
  events_.clear();
  atomics_.clear();
  kept_.clear();
  std::vector<uint32_t> step_number(execution.steps.size() + 1);
  for (size_t i = 0; i < execution.steps.size(); ++i) {
    const trace::Step& step = execution.steps[i];
    step_number[i] = static_cast<uint32_t>(steps_.size());
    if (step.vain == 0) {
      steps_.push_back(step);
      steps_.back().event = static_cast<uint32_t>(events_.size());
    } else if (!execution.EventsOf(i).empty()) {
      const trace::Event& read = execution.events[step.event];
      looks_.push_back({static_cast<uint32_t>(steps_.size()), step.thread, read.object, read.level,
                        step.await, step.repeatable != 0});
    }
    for (const trace::Event& event : execution.EventsOf(i)) {
      kept_.push_back(static_cast<uint32_t>(events_.size()));
      const size_t index = kept_.size() - 1;
      if (step.vain == 0 && index < execution.atomics.size())
        atomics_.push_back(execution.atomics[index]);
      if (step.vain == 0) events_.push_back(event);
    }
  }
  kept_.push_back(static_cast<uint32_t>(events_.size()));
  // A vain round reads one object, lets nobody go, and lets no time pass.
  touches_.assign(execution.touches.begin(), execution.touches.end());
  for (trace::Touch& touch : touches_) touch.event = Kept(touch.event);
  choices_.assign(execution.choices.begin(), execution.choices.end());
  for (trace::Choice& choice : choices_) choice.event = Kept(choice.event);
  let_go_.assign(execution.let_go.begin(), execution.let_go.end());
  for (trace::LetGo& let_go : let_go_) let_go.event = Kept(let_go.event);
  stalled_.assign(execution.stalled.begin(), execution.stalled.end());
  for (trace::Stalled& stalled : stalled_) stalled.step = step_number[stalled.step];
  copy_ = execution;
  copy_.steps = steps_;
  copy_.events = events_;
  copy_.atomics = atomics_;
  copy_.touches = touches_;
  copy_.choices = choices_;
  copy_.let_go = let_go_;
  copy_.stalled = stalled_;
  return copy_;
}

}  // namespace heddle::explore
