// What an execution did, as labels of an execution graph (model/label.h).
#pragma once

#include <vector>

#include "model/label.h"
#include "trace/execution.h"

namespace heddle::explore::rf {

// Locations of labels: an object, and the queue of those who sleep at a futex whose word it is.
constexpr uint32_t KeyOf(uint32_t object) { return 2 * object; }
constexpr uint32_t QueueOf(uint32_t word) { return 2 * word + 1; }

// The labels of an event, in program order: of an operation on several objects one for each, of one
// that touches none a fence that orders nothing.
void LabelsOf(const trace::Execution& execution, size_t event, std::vector<model::Label>& labels);

// Of the operation that a thread stands before: the use that it waits to make. kFence: it does not
// wait for an object.
model::Label LabelOf(const trace::Pending& pending);

// Is all that the event means in its labels?
bool IsModelled(const trace::Execution& execution, size_t event);

// Does it begin an atomic section, or is its thread done? Nobody else goes on in what follows.
inline bool KeepsOthersOut(op::Kind kind) {
  return kind == op::Kind::kAtomicBegin || kind == op::Kind::kDone;
}

// It accesses an atomic word as a whole.
bool IsAccess(const trace::Execution& execution, size_t event);
// REQUIRES: of such an event.
model::Action ActionOf(op::Kind kind);

}  // namespace heddle::explore::rf
