#include "explore/order/step_label.h"

#include <algorithm>

namespace heddle::explore {

Label LabelOf(const StepGraph& graph, StepIndex i) {
  Label label;
  Describe(graph, i, label);
  return label;
}

void Describe(const StepGraph& graph, StepIndex i, Label& label) {
  label.thread = graph.At(i).thread;
  label.covers = true;
  label.ends = graph.EndsProgram(i);
  label.unknown = graph.At(i).fence;
  label.open = false;
  label.touches.clear();
  for (const StepGraph::AccessRecord& access : graph.AccessesOf(i)) {
    label.touches.push_back(access.touch);
  }
  const auto options = graph.OptionsOf(i);
  label.options.assign(options.begin(), options.end());
  label.alone = graph.IsOption(i);
}

bool Depend(const Label& label, const StepGraph& graph, StepIndex i) {
  const StepGraph::Step& step = graph.At(i);
  if (label.thread == step.thread || label.unknown || step.fence) return true;
  for (const StepGraph::AccessRecord& access : graph.AccessesOf(i))
    for (const Touch& touch : label.touches)
      if (Depend(touch, access.touch)) return true;
  return false;
}

bool SameOptions(const Label& label, std::span<const plan::ScriptOption> options, bool open) {
  const size_t both = std::min(label.options.size(), options.size());
  for (size_t k = 0; k < both; ++k) {
    const plan::ScriptOption& a = label.options[k];
    if (a.thread != options[k].thread || a.option != options[k].option) return false;
  }
  if (label.options.size() >= options.size()) {
    return label.options.size() == options.size() || open;
  }
  // It will be run with defaults, and then with others only if they are new.
  return label.open && std::ranges::all_of(options.subspan(both), [](const plan::ScriptOption& o) {
           return o.option == 0;
         });
}

}  // namespace heddle::explore
