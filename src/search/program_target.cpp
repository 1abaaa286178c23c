#include "search/program_target.h"

#include <stdio.h>

#include "runtime/control.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/rewind.h"
#include "runtime/rewind_mode.h"

namespace heddle::search {

const trace::Execution& ProgramTarget::RunOnce(const plan::Plan& plan) {
  if (runtime::RewindsByFork()) return forks_.Run(plan);
  const trace::Execution& execution = fibers_.Run(plan);
  if (execution.ending.kind != trace::EndKind::kRestart) return execution;
  char note[600];
  snprintf(note, sizeof note, "every execution runs in a process of its own (slower): %s", execution.ending.message);
  runtime::AppendNote(channel::NoteKind::kInfo, note);
  runtime::DropSnapshot();
  runtime::RewindByFork();
  return forks_.Run(plan);
}

const trace::Execution& ProgramTarget::Run(const plan::Plan& plan) {
  const trace::Execution& first = RunOnce(plan);
  if (!verify_) return first;
  dense_.clear();
  for (const trace::Choice& choice : first.choices)
    dense_.push_back({static_cast<uint32_t>(dense_.size()), choice.chosen});
  const uint64_t steps = first.steps_hash;
  const trace::EndKind kind = first.ending.kind;
  const size_t events = first.events.size();
  plan::Plan again = plan;
  again.deviations = dense_;
  again.tail = plan::Tail::kDefault;
  execution_ = RunOnce(again);
  // How far a hang comes before the clock ends it, says nothing.
  const bool same_steps = execution_.steps_hash == steps || kind == trace::EndKind::kHang;
  if (!same_steps || execution_.ending.kind != kind) {
    const size_t events_again = execution_.events.size();
    const auto kind_again = static_cast<unsigned>(execution_.ending.kind);
    execution_.ending = {};
    execution_.ending.kind = trace::EndKind::kDiverged;
    snprintf(execution_.ending.message, sizeof execution_.ending.message,
             "the same schedule did different things when it was run a second time: %zu operations and ending %u, then"
             " %zu and %u",
             events, static_cast<unsigned>(kind), events_again, kind_again);
  }
  return execution_;
}

}  // namespace heddle::search
