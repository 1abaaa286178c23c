#include "explore/sample/surw.h"

namespace heddle::explore {

using op::ThreadId;

void SurwState::Prepare(const explore::Options&) {
  made.Reserve();
  index_of.Reserve();
  if (objects.empty()) objects.emplace_back();
  by_weight = executions != 0;
  begins_with.assign(parents.size(), 0);
  left.resize(parents.size());
  born.resize(parents.size());
  if (!by_weight) return;
  uint64_t stream = base::Mix(seed + 2);
  const uint32_t drawn = base::NextBelow(stream, static_cast<uint32_t>(shared.size()) + 1);
  interesting = drawn == 0 ? 0 : shared[drawn - 1];
  for (const Thread& thread : objects[interesting].threads) {
    if (thread.thread < begins_with.size())
      begins_with[thread.thread] = (thread.steps + executions / 2) / executions;
  }
  // A parent's number is lower: it was met first.
  for (size_t thread = parents.size(); thread-- > 1;) {
    if (parents[thread] < thread) begins_with[parents[thread]] += begins_with[thread];
  }
}

void SurwState::BeginExecution() {
  made.Begin();
  left.assign(begins_with.begin(), begins_with.end());
  born.assign(born.size(), false);
  intended = op::kNoThread;
}

void SurwState::NoteBirths(const plan::SchedulerView& view) {
  view.open.ForEach([&](ThreadId id) {
    if (id >= born.size() || born[id]) return;
    born[id] = true;
    const ThreadId parent = parents[id];
    if (parent < left.size()) left[parent] -= std::min(left[parent], begins_with[id]);
  });
}

// One that stands before an interesting operation has it left, whatever was learnt.
uint64_t SurwState::WeightOf(const plan::SchedulerView& view, ThreadId thread) const {
  const uint64_t learnt = thread < left.size() ? left[thread] : 0;
  if (learnt != 0) return learnt;
  return IsInteresting(view.stands.Before(thread)) ? 1 : 0;
}

void SurwState::Intend(const plan::SchedulerView& view, const op::ThreadSet& options) {
  uint64_t sum = 0;
  options.ForEach([&](ThreadId id) { sum += WeightOf(view, id); });
  intended = op::kNoThread;
  if (sum == 0) return;
  uint64_t drawn = base::NextRandom(random) % sum;
  options.ForEach([&](ThreadId id) {
    if (intended != op::kNoThread) return;
    const uint64_t weight = WeightOf(view, id);
    if (drawn < weight) intended = id;
    drawn -= weight;
  });
}

// The intended thread, or one that does not stand before an interesting
// operation.
ThreadId SurwState::Draw(const plan::SchedulerView& view, const op::ThreadSet& options) {
  if (intended == op::kNoThread || !options.Has(intended)) Intend(view, options);
  const auto may = [&](ThreadId id) {
    return id == intended || !IsInteresting(view.stands.Before(id));
  };
  uint32_t count = 0;
  options.ForEach([&](ThreadId id) { count += may(id); });
  uint32_t drawn = Below(count);
  ThreadId thread = op::kNoThread;
  options.ForEach([&](ThreadId id) {
    if (thread == op::kNoThread && may(id) && drawn-- == 0) thread = id;
  });
  return thread;
}

ThreadId SurwState::Choose(const plan::SchedulerView& view) {
  NoteBirths(view);
  const op::ThreadSet options = Options(view);
  const ThreadId thread = by_weight ? Draw(view, options) : options.Nth(Below(options.Count()));
  const op::Operation& operation = view.stands.Before(thread);
  if (IsInteresting(operation)) {
    if (thread < left.size() && left[thread] != 0) --left[thread];
    if (thread == intended) intended = op::kNoThread;
  }
  Count(operation, 0, thread);
  if (operation.object != 0) Count(operation, operation.object, thread);
  return thread;
}

void SurwState::Count(const op::Operation& operation, uintptr_t address, ThreadId thread) {
  Steps* steps = made.Add(base::MixTwo(address, thread));
  if (steps == nullptr) return;  // more than there is room for: after this execution there is
  steps->address = address;
  steps->thread = thread;
  steps->writes |= op::Info(operation.kind).access == op::Access::kWrite ||
                   op::Info(operation.kind).access == op::Access::kShared;
  ++steps->count;
}

void SurwState::Learn(const trace::Execution& execution) {
  parents.resize(std::max<size_t>(parents.size(), execution.threads), op::kNoThread);
  for (const trace::Event& event : execution.events) {
    if (event.kind == op::Kind::kThreadCreate && event.other < parents.size())
      parents[event.other] = event.thread;
  }
  made.ForEach([&](uint64_t, const Steps& steps) { LearnSteps(steps); });
}

void SurwState::LearnSteps(const Steps& steps) {
  uint32_t index = 0;
  if (steps.address != 0) {
    uint32_t* const known = index_of.Add(steps.address);
    if (known == nullptr) return;
    if (*known == 0) {
      *known = static_cast<uint32_t>(objects.size());
      objects.emplace_back();
      objects.back().address = steps.address;
    }
    index = *known;
  }
  Object& object = objects[index];
  const auto races = [&] { return index != 0 && object.written && object.threads.size() > 1; };
  const bool before = races();
  object.written |= steps.writes;
  auto thread = object.threads.begin();
  while (thread != object.threads.end() && thread->thread != steps.thread) ++thread;
  if (thread == object.threads.end())
    object.threads.push_back({steps.thread, steps.count});
  else
    thread->steps += steps.count;
  if (races() && !before) shared.push_back(index);
}

}  // namespace heddle::explore
