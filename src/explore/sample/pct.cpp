#include "explore/sample/pct.h"

namespace heddle::explore {
namespace {

// How many choices of threads there may be, before an execution has shown it.
constexpr uint32_t kFirstGuess = 64;

// Priorities: from kFirst on those that threads begin with, from kChanged on those of change
// points, and below it those of threads that waited, the last of them lowest.
constexpr uint64_t kFirst = uint64_t{1} << 63;
constexpr uint64_t kChanged = uint64_t{1} << 32;

}  // namespace

void PctState::Prepare(const explore::Options& options) {
  priorities.Reserve(2 * most_threads);
  change_points.resize(options.depth - 1);
}

void PctState::BeginExecution() {
  priorities.Begin();
  choices = 0;
  fallen_behind = 0;
  const uint32_t k = executions == 0 ? kFirstGuess : std::max(most_choices, 1u);
  for (uint32_t& point : change_points) point = 1 + Below(k);
}

op::ThreadId PctState::Highest(const op::ThreadSet& open) {
  op::ThreadId best = op::kNoThread;
  uint64_t highest = 0;
  open.ForEach([&](op::ThreadId id) {
    uint64_t& priority = priorities[id];
    if (priority == 0) priority = kFirst | base::NextRandom(random);
    if (priority <= highest) return;
    highest = priority;
    best = id;
  });
  return best;
}

op::ThreadId PctState::Choose(const plan::SchedulerView& view) {
  op::ThreadId thread = Highest(view.open);
  if (view.open.NextAfter(thread) == thread) return thread;  // the only one
  ++choices;
  for (size_t i = 0; i < change_points.size(); ++i) {
    if (change_points[i] != choices) continue;
    priorities[thread] = kChanged + i;
    thread = Highest(view.open);
  }
  // Each may fall behind once; one that has and is the highest again is the last that waits.
  const uint32_t before = fallen_behind;
  while (IsImpatient(view, thread) && Toss()) {
    if (priorities[thread] < kChanged - before) break;
    priorities[thread] = kChanged - ++fallen_behind;
    thread = Highest(view.open);
  }
  return thread;
}

}  // namespace heddle::explore
