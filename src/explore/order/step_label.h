// The steps of the execution in flight by name.
#pragma once

#include "explore/label.h"
#include "explore/order/step_graph.h"

namespace heddle::explore {

// Step i of the execution in flight.
Label LabelOf(const StepGraph& graph, StepIndex i);
// The same in place, in the memory that `label` has.
void Describe(const StepGraph& graph, StepIndex i, Label& label);
bool Depend(const Label& label, const StepGraph& graph, StepIndex i);

// May the options of the two be those of one step of a thread?
bool SameOptions(const Label& label, std::span<const plan::ScriptOption> options, bool open);

}  // namespace heddle::explore
