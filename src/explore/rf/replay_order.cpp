#include "explore/rf/replay_order.h"

#include <algorithm>

#include "model/stale.h"

namespace heddle::explore::rf {

using model::Event;
using model::EventId;
using model::ExecutionGraph;
using Done = std::vector<uint8_t>;

namespace {

// Writes of the location that were made and are newer than `position`.
uint32_t NewerThan(const ExecutionGraph& graph, model::LocationId location,
                   model::Position position, const Script& script) {
  uint32_t newer = 0;
  for (model::Position p = position + 1; p <= script.newest[location]; ++p)
    newer += script.done[graph.WriteAt(location, p)];
  return newer;
}

void Add(const ExecutionGraph& graph, EventId event, Script& script) {
  const Event& e = graph.At(event);
  script.done[event] = 1;
  if (e.IsStore() || e.IsUse()) {
    model::Position& newest = script.newest[e.label.location];
    newest = std::max(newest, e.position);
  }
  if (e.IsStore() && e.of_update) return;  // its load has the same label
  const bool is_next_there = e.index + 1u < graph.EventsOf(e.thread).size();
  if (e.label.begins_step && !(e.label.leaves_step && is_next_there)) {
    uint32_t newer = 0;
    if (e.IsLoad())
      newer = NewerThan(graph, e.label.location, graph.At(e.reads_from).position, script);
    if (e.IsStore()) newer = NewerThan(graph, e.label.location, e.position, script);
    script.threads.push_back(e.thread);
    script.newer.push_back(newer);
  }
  if (e.label.options > 1) script.options.push_back({e.thread, e.label.option});
}

// A use whose other half (rf::LabelsOf) the graph does not have: with it, that will come, at the
// end of its object's chain. Is all of the chain made?
bool MayFinish(const ExecutionGraph& graph, const Event& e, const Done& done) {
  if (!e.IsUse() || e.label.operand == 0) return true;
  if (e.index + 1u < graph.EventsOf(e.thread).size()) return true;
  const auto object = static_cast<model::LocationId>(e.label.operand - 1);
  for (model::Position p = graph.NewestPosition(object); p > 0; --p)
    if (!done[graph.WriteAt(object, p)]) return false;
  return true;
}

bool HasSecondUse(const ExecutionGraph& graph, EventId use) {
  const Event& e = graph.At(use);
  return e.IsUse() && e.label.operand != 0 && e.index + 1u < graph.EventsOf(e.thread).size();
}

bool MayBeStale(const Script& script, EventId access) {
  return static_cast<size_t>(access) < script.stale.size() && script.stale[access] != 0;
}

// May it come now, under sequential consistency? After what leads to it. `own`: the other half of
// its update, which comes with it.
bool MayCome(const ExecutionGraph& graph, EventId event, const Script& script,
             const std::vector<uint16_t>& made, EventId own = model::kNoEvent) {
  const Event& e = graph.At(event);
  const model::ConstView porf = graph.Porf(event);
  for (uint32_t thread = 0; thread < graph.Threads(); ++thread)
    if (thread != e.thread && porf[thread] > made[thread]) return false;
  if (!e.IsStore()) return MayFinish(graph, e, script.done);
  return model::ToBeOverwritten(
             graph, e, own, [&](EventId other) { return script.done[other] != 0; },
             [&](EventId access) { return MayBeStale(script, access); }) == model::kNoEvent;
}

}  // namespace

bool MakeScript(const ExecutionGraph& graph, bool sequential, Script& script) {
  script.threads.clear();
  script.newer.clear();
  script.options.clear();
  script.done.assign(static_cast<size_t>(graph.Size()), 0);
  script.newest.assign(graph.Locations(), 0);
  if (!sequential) {
    for (const EventId event : graph.ReplayOrder()) Add(graph, event, script);
    return true;
  }
  std::vector<uint16_t> made(graph.Threads());
  for (EventId left = graph.Size(); left > 0;) {
    const EventId before = left;
    for (model::ThreadId thread = 0; thread < graph.Threads(); ++thread) {
      const std::span<const EventId> events = graph.EventsOf(thread);
      while (made[thread] < events.size()) {
        const EventId next = events[made[thread]];
        // The load of an update, and its store; the two uses of one step.
        const bool pair = graph.At(next).of_update || HasSecondUse(graph, next);
        if (!MayCome(graph, next, script, made)) break;
        if (graph.At(next).label.ends_program && left > 1) break;
        if (pair && !MayCome(graph, events[made[thread] + 1], script, made, next)) break;
        for (int half = 0; half < (pair ? 2 : 1); ++half, ++made[thread], --left)
          Add(graph, events[made[thread]], script);
      }
    }
    if (left == before) return false;
  }
  return true;
}

}  // namespace heddle::explore::rf
