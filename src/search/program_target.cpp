#include "search/program_target.h"

#include <stdio.h>

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
  // The next process of this search, the report and replays of its schedules do it from the start.
  runtime::ChannelHeader().settings.rewind = channel::Rewind::kFork;
  return forks_.Run(plan);
}

const trace::Execution& ProgramTarget::Run(const plan::Plan& plan) {
  const trace::Execution& first = RunOnce(plan);
  if (!verify_ || first.ending.kind == trace::EndKind::kGrew) return first;
  dense_.clear();
  for (const trace::Choice& choice : first.choices)
    dense_.push_back({static_cast<uint32_t>(dense_.size()), choice.chosen});
  events_.assign(first.events.begin(), first.events.end());
  const uint64_t steps = first.steps_hash;
  const trace::EndKind kind = first.ending.kind;
  plan::Plan again = plan;
  again.deviations = dense_;
  again.tail = plan::Tail::kDefault;
  execution_ = RunOnce(again);
  // How far a hang comes before the clock ends it, says nothing.
  const bool same_steps = execution_.steps_hash == steps || kind == trace::EndKind::kHang;
  if (!same_steps || execution_.ending.kind != kind) SayWhereItDiverged();
  return execution_;
}

void ProgramTarget::SayWhereItDiverged() {
  const std::span<const trace::Event> again = execution_.events;
  size_t at = 0;
  while (at < events_.size() && at < again.size() && events_[at].thread == again[at].thread &&
         events_[at].kind == again[at].kind && events_[at].access == again[at].access)
    ++at;
  char first[96], second[96];
  const auto describe = [at](std::span<const trace::Event> events, char(&text)[96]) {
    if (at >= events.size())
      snprintf(text, sizeof text, "the execution ended");
    else
      snprintf(text, sizeof text, "%%T%u%% %s", events[at].thread, op::Info(events[at].kind).text);
  };
  describe(events_, first);
  describe(again, second);
  trace::Ending& ending = execution_.ending;
  ending = {};
  ending.kind = trace::EndKind::kDiverged;
  snprintf(ending.message, sizeof ending.message,
           "the same schedule did different things when it was run a second time, after %zu "
           "operations: at first %s, then"
           " %s",
           at, first, second);
}

}  // namespace heddle::search
