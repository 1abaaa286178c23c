#include "target/common_prefix.h"

#include <algorithm>
#include <vector>

#include "trace/memory_choice.h"

namespace heddle::target {
namespace {

// Does the plan leave what it does not name to the default, and not to chance or somebody?
bool LeavesToDefault(const plan::Plan& plan) {
  return plan.tail == plan::Tail::kDefault && plan.steering.by == nullptr && !plan.looks_first &&
         plan.sleepers.empty();
}

// The options of a script are listed in the order in which each thread takes them.
class OptionsOfScript {
 public:
  explicit OptionsOfScript(const plan::Plan& plan) : plan_(plan) {}

  // Does the plan name `chosen` as the next option of the thread, or leave it to be 0?
  bool IsNext(op::ThreadId thread, uint32_t chosen) {
    if (next_.size() <= thread) next_.resize(thread + 1);
    for (size_t& at = next_[thread]; at < plan_.options.size();) {
      const plan::ScriptOption& planned = plan_.options[at++];
      if (planned.thread == thread) return planned.option == chosen;
    }
    const bool is_default = plan_.tail == plan::Tail::kDefault && plan_.steering.by == nullptr;
    return is_default && chosen == 0;
  }

 private:
  const plan::Plan& plan_;
  std::vector<size_t> next_;  // by thread: entries that have been looked at
};

// How many writes are newer than the one that this step is to read, or comes before.
uint32_t NewerOf(const plan::Plan& plan, uint32_t step) {
  return step > 0 && step <= plan.newer.size() ? plan.newer[step - 1] : 0;
}

CommonPrefix OfScript(const plan::Plan& plan, const trace::Execution& last) {
  const size_t most = std::min(plan.script.size(), last.steps.size()) - 1;
  size_t same = 0;
  while (same < most && plan.script[same] == last.steps[same + 1].thread) ++same;
  OptionsOfScript options(plan);
  uint32_t choice = 0;
  uint32_t step = 0;
  for (; choice < last.choices.size(); ++choice) {
    const trace::Choice& made = last.choices[choice];
    if (made.kind == trace::ChoiceKind::kThread) continue;  // the script's
    if (trace::IsOfMemory(made.kind)) {
      while (step + 1 < last.steps.size() && last.steps[step + 1].choice <= choice) ++step;
      if (made.chosen != NewerOf(plan, step)) break;
    } else if (!options.IsNext(made.running, made.chosen)) {
      break;
    }
  }
  return {static_cast<uint32_t>(same + 1), choice};
}

uint32_t ChoicesBefore(const trace::Step& step) { return step.choice; }

CommonPrefix OfDeviations(const plan::Plan& plan, const trace::Execution& last) {
  const bool to_default = LeavesToDefault(plan);
  auto next = plan.deviations.begin();
  uint32_t choice = 0;
  for (; choice < last.choices.size(); ++choice) {
    const trace::Choice& made = last.choices[choice];
    if (next == plan.deviations.end() && !to_default) break;
    const bool named = next != plan.deviations.end() && next->choice == choice;
    if (made.chosen != (named ? next->option : made.fallback)) break;
    if (named) ++next;
  }
  // The first step that was begun after more choices.
  const auto end = std::ranges::upper_bound(last.steps.subspan(1), choice, {}, &ChoicesBefore);
  return {static_cast<uint32_t>(end - last.steps.begin()), choice};
}

}  // namespace

CommonPrefix CommonPrefixOf(const plan::Plan& plan, const trace::Execution& last) {
  const bool both = !plan.script.empty() && !plan.deviations.empty();
  if (plan.record || both || last.steps.empty()) return {};
  return plan.script.empty() ? OfDeviations(plan, last) : OfScript(plan, last);
}

}  // namespace heddle::target
