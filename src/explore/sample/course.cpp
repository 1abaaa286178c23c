#include "explore/sample/course.h"

#include "explore/only_schedule.h"
#include "op/dependence.h"

namespace heddle::explore {

void Course::Prepare(uint64_t search_seed) {
  uint64_t stream = base::Mix(search_seed) + executions;
  seed = base::NextRandom(stream);
  waits.Reserve(2 * most_threads);
  patience.resize(std::max<size_t>(patience.size(), op::WidthFor(2 * most_threads) + 1));
}

void Course::BeginExecution() {
  // Not the stream that values and the like are drawn from (plan::Plan::seed).
  random = base::Mix(seed + 1);
  waits.Begin();
}

void Course::Learn(const trace::Execution& execution) {
  if (executions == 0) only_one = IsOnlySchedule(execution);
  uint32_t choices = 0;
  for (const trace::Choice& choice : execution.choices)
    choices += choice.kind == trace::ChoiceKind::kThread;
  most_choices = std::max(most_choices, choices);
  most_threads = std::max(most_threads, execution.threads);
  ++executions;
}

op::ThreadSet Course::Options(const plan::SchedulerView& view) {
  bool impatient = false;
  view.open.ForEach([&](op::ThreadId id) { impatient |= IsImpatient(view, id); });
  if (!impatient || view.open.Width() > patience.size()) return view.open;
  op::ThreadSetRef stay(patience.data(), view.open.Width());
  stay.Clear();
  view.open.ForEach([&](op::ThreadId id) {
    if (!IsImpatient(view, id) || Toss()) stay.Add(id);
  });
  return stay.Empty() ? view.open : stay.Operand();
}

namespace {

bool Overlap(uintptr_t a, size_t a_size, uintptr_t b, size_t b_size) {
  return a != 0 && b != 0 && a < b + b_size && b < a + a_size;
}

// Of its object; what is no memory has no size, and an address all the same.
size_t BytesOf(const op::Operation& operation) { return operation.size == 0 ? 1 : operation.size; }

}  // namespace

bool Race(const op::Operation& a, const op::Operation& b) {
  if (op::Commute(op::Info(a.kind).access, op::Info(b.kind).access)) return false;
  return Overlap(a.object, BytesOf(a), b.object, BytesOf(b)) ||
         Overlap(a.object2, 1, b.object, BytesOf(b)) ||
         Overlap(a.object, BytesOf(a), b.object2, 1) || Overlap(a.object2, 1, b.object2, 1);
}

}  // namespace heddle::explore
