#include "runtime/fibers/trace_view.h"

#include <algorithm>

#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/races.h"
#include "runtime/record.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

void ViewTrace(uint32_t threads, trace::Execution& view) {
  view.events = {g_trace->events, g_trace->event_count};
  view.atomics = {};
  if (g_state.tells_atomics)
    view.atomics = {g_trace->atomics, std::min(g_trace->event_count, g_trace->atomic_capacity)};
  view.touches = {g_trace->touches, g_trace->touch_count};
  view.choices = {g_trace->choices, g_trace->choice_count};
  view.words = {g_trace->words, g_trace->word_count};
  view.steps = {g_trace->steps, g_trace->step_count};
  view.let_go = {g_trace->let_go, g_trace->let_go_count};
  view.pending = {g_trace->pending, threads};
  CopyEnding(g_trace->ending, view.ending);
  view.threads = threads;
  view.created = g_trace->created;
  view.hooks = g_trace->hooks;
  view.stalled = {g_trace->stalled, g_trace->stalled_count};
  view.vain_steps = g_trace->vain_steps;
  view.preemptions = g_trace->cost.preemptions;
  view.early_timeouts = g_trace->cost.early_timeouts;
  view.switches = g_trace->switches;
  view.happens_before = g_state.weak ? g_weak->GraphHash() : g_trace->happens_before;
  view.state = g_trace->state;
  view.steps_hash = g_trace->steps_hash;
  view.races = RacesOfExecution();
  view.weak_pairs = WeakPairsOfExecution();
  view.leaks = {g_trace->leaks, g_trace->leak_count};
  view.outcome = g_trace->outcome;
  view.reducible = IsReducible();
  view.recorded = RecordedSteps();
  view.recorded_ticks = RecordedTicks();
  view.recorded_blocks = RecordedBlocks();
}

trace::Execution ViewOfTrace(uint32_t threads) {
  trace::Execution view;
  ViewTrace(threads, view);
  return view;
}

}  // namespace heddle::runtime
