#include "search/program_target.h"

#include <stdio.h>

#include "channel/channel.h"
#include "channel/records.h"
#include "runtime/bounded_text.h"
#include "runtime/control.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/rewind.h"
#include "runtime/rewind_mode.h"

namespace heddle::search {

const trace::Execution& ProgramTarget::RunOnce(const plan::Plan& plan) {
  const bool only_one = runtime::ChannelHeader().settings.debugger != 0;
  if (runtime::RewindsByFork() && !only_one) return forks_.Run(plan);
  const trace::Execution& execution = fibers_.Run(plan);
  if (only_one || execution.ending.kind != trace::EndKind::kRestart) return execution;
  char note[600];
  snprintf(note, sizeof note, "every execution runs in a process of its own (slower): %s",
           execution.ending.message);
  runtime::AppendNote(channel::NoteKind::kInfo, note);
  runtime::DropSnapshot();
  runtime::RewindByFork();
  runtime::ChannelHeader().settings.maps_memory = 1;
  // The next process of this search, the report and replays of its schedules do it from the start.
  channel::Rewind& rewind = runtime::ChannelHeader().settings.rewind;
  rewind =
      channel::HasCheckpoints(rewind) ? channel::Rewind::kForkCheckpoint : channel::Rewind::kFork;
  return forks_.Run(plan);
}

void ProgramTarget::ForgetCheckpoints() {
  fibers_.ForgetCheckpoints();
  forks_.ForgetCheckpoints();
}

const trace::Execution& ProgramTarget::Run(const plan::Plan& plan) {
  const trace::Execution& first = RunOnce(plan);
  const auto is_internal = [](const trace::Execution& execution) {
    return trace::ClassOf(execution.ending.kind) == trace::EndClass::kInternal;
  };
  if (!verify_ || is_internal(first)) return first;
  dense_.clear();
  for (const trace::Choice& choice : first.choices)
    dense_.push_back({static_cast<uint32_t>(dense_.size()), choice.InSchedule(choice.chosen)});
  events_.assign(first.events.begin(), first.events.end());
  const uint64_t steps = first.steps_hash;
  const trace::EndKind kind = first.ending.kind;
  plan::Plan again = plan;
  again.deviations = dense_;
  again.tail = plan::Tail::kDefault;
  // The first may have gone on from one. This one begins at the beginning.
  ForgetCheckpoints();
  execution_ = RunOnce(again);
  if (is_internal(execution_)) return execution_;
  // How far a hang comes before the clock ends it, says nothing.
  const bool same_steps = execution_.steps_hash == steps || kind == trace::EndKind::kHang;
  if (!same_steps || execution_.ending.kind != kind) SayWhereItDiverged(again);
  return execution_;
}

namespace {

bool IsSame(const trace::Event& a, const trace::Event& b) {
  return a.thread == b.thread && a.kind == b.kind && a.access == b.access;
}

// How many events are the same from the first one on.
size_t Common(std::span<const trace::Event> a, std::span<const trace::Event> b) {
  size_t at = 0;
  while (at < a.size() && at < b.size() && IsSame(a[at], b[at])) ++at;
  return at;
}

// What was recorded of event number `at`, or nothing. The two are in one order, but plain accesses
// are no events, and not every event is recorded.
const channel::StepRecord* RecordOf(const trace::Execution& execution, size_t at) {
  size_t event = 0;
  for (const channel::StepRecord& step : execution.recorded) {
    const auto kind = static_cast<op::Kind>(step.op_kind);
    if (op::IsPlain(kind) && (step.facts & channel::kFactPoint) == 0) continue;
    while (event < execution.events.size() &&
           (execution.events[event].thread != step.thread || execution.events[event].kind != kind))
      ++event;
    if (event == at && event < execution.events.size()) return &step;
    ++event;
  }
  return nullptr;
}

// `event`, with its object and line if `recorded` is known.
void Describe(runtime::BoundedText& text, const trace::Event& event,
              const channel::StepRecord* recorded) {
  text.Add("%%T%u%% %s", event.thread, op::Info(event.kind).text);
  if (recorded == nullptr) return;
  if (recorded->object != 0 && op::Info(op::FamilyOf(event.kind)).letter != 0)
    text.Add(" %%O%llx%%", static_cast<unsigned long long>(recorded->object));
  if (recorded->frames != 0)
    text.Add(" at %%L%llx%%", static_cast<unsigned long long>(recorded->pc[0]));
}

}  // namespace

void ProgramTarget::SayWhereItDiverged(plan::Plan again) {
  const std::vector<trace::Event> second(execution_.events.begin(), execution_.events.end());
  const size_t at = Common(events_, second);
  again.record = true;
  again.lenient = true;  // it may go a third way
  const trace::Execution third = RunOnce(again);
  const size_t like_first = Common(events_, third.events);
  const size_t like_second = Common(second, third.events);

  trace::Ending ending;
  ending.kind = trace::EndKind::kDiverged;
  runtime::BoundedText text = {ending.message, ending.message + sizeof ending.message};
  text.Add(
      "the same schedule did different things when it was run a second time, after %zu "
      "operations",
      at);
  if (at != 0 && (like_first >= at || like_second >= at)) {
    text.Add(" (the last: ");
    Describe(text, second[at - 1], RecordOf(third, at - 1));
    text.Add(")");
  }
  const auto describe = [&](std::span<const trace::Event> events, size_t like) {
    if (at >= events.size())
      text.Add("the execution ended");
    else
      Describe(text, events[at], like > at ? RecordOf(third, at) : nullptr);
  };
  text.Add(": at first ");
  describe(events_, like_first);
  text.Add(", then ");
  describe(second, like_second);
  execution_ = third;
  execution_.ending = ending;
}

}  // namespace heddle::search
