#include "explore/hook_count.h"

#include <vector>

namespace heddle::explore {
namespace {

// The first event that is not a repetition.
uint32_t FirstNewEvent(const plan::Plan& plan, const trace::Execution& execution) {
  if (!plan.deviations.empty()) {
    const uint32_t choice = plan.deviations.back().choice;
    return choice < execution.choices.size() ? execution.choices[choice].event : 0;
  }
  // Steps of the script are numbered from 1.
  const size_t last = plan.script.size();
  return last < execution.steps.size() ? execution.steps[last].event : 0;
}

bool IsHook(const trace::Event& event) {
  return event.kind == op::Kind::kHook && event.object == trace::kNoObject;
}

}  // namespace

uint64_t NewHooks(const plan::Plan& plan, const trace::Execution& execution) {
  if (execution.hooks == 0) return 0;
  const uint32_t first = FirstNewEvent(plan, execution);
  if (first == 0) return execution.hooks;
  std::vector<uint32_t> before(execution.threads);  // of each thread, the event that led to it
  uint32_t repeated = 0;
  uint32_t standing = execution.hooks;  // calls that have not returned
  for (uint32_t i = 0; i < execution.events.size(); ++i) {
    const trace::Event& event = execution.events[i];
    if (IsHook(event)) {
      --standing;
      if (before[event.thread] < first) ++repeated;
    }
    before[event.thread] = i;
    if (event.kind == op::Kind::kThreadCreate) before[event.other] = i;
  }
  // Whoever ended the execution may have returned from where it stood last.
  const auto stands = [&](op::ThreadId thread) {
    return execution.pending[thread].kind == op::Kind::kHook;
  };
  uint32_t pending = 0;
  for (op::ThreadId thread = 0; thread < execution.pending.size(); ++thread)
    pending += stands(thread) ? 1 : 0;
  const bool stale = pending != standing;
  for (op::ThreadId thread = 0; thread < execution.pending.size(); ++thread) {
    if (!stands(thread) || (stale && thread == execution.ending.thread)) continue;
    if (before[thread] < first) ++repeated;
  }
  return execution.hooks - repeated;
}

}  // namespace heddle::explore
