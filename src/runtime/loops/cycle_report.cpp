#include "runtime/loops/cycle_report.h"

#include <iterator>

#include "base/hash.h"
#include "runtime/bounded_text.h"
#include "runtime/control.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/switch.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/record.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// Where a thread goes round in the cycle, in the order of the code. Of long ones not all.
struct Places {
  uintptr_t at[6];
  uint32_t count;
};

Places PlacesOf(const StepLog& log, const Cycle& cycle, op::ThreadId id) {
  const TraceBuffers& t = *g_trace;
  Places places = {};
  uint32_t step = cycle.first_step;
  if (t.step_count > step + log.kept) step = static_cast<uint32_t>(t.step_count - log.kept);
  for (; step < t.step_count && places.count < std::size(places.at); ++step) {
    const uintptr_t pc = log.at[step % log.kept];
    if (t.steps[step].thread != id) continue;
    uint32_t at = 0;
    while (at < places.count && places.at[at] < pc) ++at;
    if (at < places.count && places.at[at] == pc) continue;
    for (uint32_t i = places.count++; i > at; --i) places.at[i] = places.at[i - 1];
    places.at[at] = pc;
  }
  return places;
}

void DescribeLoops(BoundedText& text, const StepLog& log, const Cycle& cycle) {
  const char* separator = "";
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    if ((cycle.ran & BitOf(id)) == 0) continue;
    const Places places = PlacesOf(log, cycle, id);
    text.Add("%s%%T%u%% loops through", separator, id);
    for (uint32_t i = 0; i < places.count; ++i)
      text.Add("%s %%L%lx%%", i == 0 ? "" : ",", places.at[i]);
    separator = "; ";
  }
}

void RecordLoops(const StepLog& log, const Cycle& cycle, bool fair) {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (fiber.state != FiberState::kPublished) continue;
    RecordStanding(id, channel::kStepBlocked, fiber.pending.object, op::kNoThread);
    if ((cycle.ran & BitOf(id)) == 0) continue;
    const Places places = PlacesOf(log, cycle, id);
    uintptr_t others[3] = {};
    uint32_t count = 0;
    for (uint32_t i = 0; i < places.count && count < 3; ++i)
      if (places.at[i] != fiber.pending.pc) others[count++] = places.at[i];
    RecordLoop(channel::kFactTogether | (fair ? 0u : uint32_t{channel::kFactUnfair}), others);
  }
}

}  // namespace

void EndAsLivelock(const StepLog& log, const Cycle& cycle, uint64_t kept_out) {
  trace::Ending& ending = g_trace->ending;
  ending.kind = trace::EndKind::kLivelock;
  ending.status = trace::kOthersCouldGoOn;
  BoundedText text = {ending.message, ending.message + sizeof ending.message};
  if (kept_out == 0)
    text.Add("the same %u operations again and again, in a fair schedule: ",
             g_trace->event_count - cycle.first_event);
  else
    text.Add("starvation, in an unfair schedule: ");
  DescribeLoops(text, log, cycle);
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if ((kept_out & BitOf(id)) != 0)
      text.Add("; %%T%u%% is kept out at %%L%lx%%", id, g_fibers[id].pending.pc);
  // Identity: where the threads go round, whoever came first.
  ending.address = kept_out == 0 ? 0 : 1;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    if ((cycle.ran & BitOf(id)) == 0) continue;
    const Places places = PlacesOf(log, cycle, id);
    for (uint32_t i = 0; i < places.count; ++i) ending.address += base::Spread(places.at[i]);
    ending.pc = places.count != 0 ? places.at[0] : g_fibers[id].pending.pc;
    ending.thread = id;
  }
  if (g_state.recording) RecordLoops(log, cycle, kept_out == 0);
  LeaveToLoop();
}

void EndAsGoingOn() {
  EndExecution(trace::EndKind::kGoesOn, 0, 0, 0, "every thread makes progress for ever");
}

void TellStarvation(const StepLog& log, const Cycle& cycle, uint64_t kept_out) {
  if (kept_out == 0 || GivesWay(cycle)) return;
  if (ChannelHeader().settings.strict != 0) EndAsLivelock(log, cycle, kept_out);
  uint64_t key = 1;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if ((kept_out & BitOf(id)) != 0) key += base::Spread(g_fibers[id].pending.pc);
  if (!IsFirstWarning(key)) return;
  char message[sizeof(trace::Ending::message)];
  BoundedText text = {message, message + sizeof message};
  text.Add("a loop that never yields: ");
  DescribeLoops(text, log, cycle);
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if ((kept_out & BitOf(id)) != 0)
      text.Add("; %%T%u%% could go on at %%L%lx%%", id, g_fibers[id].pending.pc);
  text.Add(", if the scheduler lets it");
  AppendNote(channel::NoteKind::kWarning, message);
}

}  // namespace heddle::runtime
