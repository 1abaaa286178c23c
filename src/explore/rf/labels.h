// What an execution did, as labels of an execution graph (model/label.h).
#pragma once

#include <vector>

#include "model/label.h"
#include "trace/execution.h"

namespace heddle::explore::rf {

// The labels of an event, in program order: of an operation on several objects one for each, of one
// that touches none a fence that orders nothing. Locations are numbers of objects.
void LabelsOf(const trace::Execution& execution, size_t event, std::vector<model::Label>& labels);

// Of the operation that a thread stands before: the use that it waits to make. kFence: it does not
// wait for an object.
model::Label LabelOf(const trace::Pending& pending);

// Is all that the event means in its labels, under `weak` memory too?
bool IsModelled(const trace::Execution& execution, size_t event, bool weak);

// It accesses an atomic word as a whole.
bool IsAccess(const trace::Execution& execution, size_t event);
// REQUIRES: of such an event.
model::Action ActionOf(op::Kind kind);

}  // namespace heddle::explore::rf
