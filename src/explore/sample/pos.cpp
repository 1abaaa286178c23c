#include "explore/sample/pos.h"

namespace heddle::explore {

void PosState::Prepare(const explore::Options&) { priorities.Reserve(2 * most_threads); }

void PosState::BeginExecution() { priorities.Begin(); }

op::ThreadId PosState::TakeHighest(const plan::SchedulerView& view, const op::ThreadSet& among) {
  op::ThreadId best = op::kNoThread;
  uint64_t highest = 0;
  view.open.ForEach([&](op::ThreadId id) {
    uint64_t& priority = priorities[id];
    if (priority == 0) priority = base::NextRandom(random) | 1;
    if (priority <= highest || !among.Has(id)) return;
    highest = priority;
    best = id;
  });
  return Take(view, best);
}

op::ThreadId PosState::Take(const plan::SchedulerView& view, op::ThreadId thread) {
  const op::Operation& made = view.stands.Before(thread);
  view.open.ForEach([&](op::ThreadId id) {
    if (id == thread || Race(made, view.stands.Before(id))) priorities[id] = 0;
  });
  return thread;
}

}  // namespace heddle::explore
