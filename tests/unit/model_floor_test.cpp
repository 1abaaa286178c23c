// In executions too long for the enumeration: the floor of each access under sequential
// consistency, against all that reaches it by po, rf, mo and fr.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "model/consistency.h"

namespace heddle::model {
namespace {

// What leads to `event` in one step; for the newest event of a thread by program order only, as
// what else does is to be chosen.
std::vector<EventId> Before(const ExecutionGraph& graph, EventId event, bool is_new) {
  std::vector<EventId> before = {graph.Before(event)};
  const Event& e = graph.At(event);
  if (is_new) return before;
  if (e.IsLoad()) before.push_back(e.reads_from);
  if (!e.IsStore()) return before;
  const EventId write = graph.WriteAt(e.label.location, e.position - 1);
  before.push_back(write);
  for (EventId r = graph.At(write).first_reader; r != kNoEvent; r = graph.At(r).next_reader)
    before.push_back(r);
  return before;
}

Position FloorOf(const ExecutionGraph& graph, EventId access) {
  std::vector<bool> seen(static_cast<size_t>(graph.Size()));
  std::vector<EventId> open = {access};
  seen[access] = true;
  Position floor = 0;
  while (!open.empty()) {
    const EventId event = open.back();
    open.pop_back();
    const Event& e = graph.At(event);
    if (event != access && e.IsStore() && e.label.location == graph.At(access).label.location)
      floor = std::max(floor, e.position);
    for (const EventId before : Before(graph, event, event == access)) {
      if (before < 0 || seen[before]) continue;
      seen[before] = true;
      open.push_back(before);
    }
  }
  return floor;
}

// Every access reads, or goes behind, a write that it may: the newest one half of the time.
void ExpectFloors(const std::unique_ptr<Consistency>& model, unsigned seed) {
  constexpr ThreadId kThreads = 3;
  constexpr uint32_t kLocations = 4;
  constexpr int kEvents = 600;
  std::mt19937 random(seed);
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  ExecutionGraph graph(kThreads);
  for (int i = 0; i < kEvents; ++i) {
    const auto thread = static_cast<ThreadId>(below(kThreads));
    Label label = {.order = Order::kSeqCst, .location = below(kLocations), .operand = Value(i) + 1};
    const bool loads = below(2) == 0;
    label.action = loads ? Action::kLoad : Action::kStore;
    const Position newest =
        label.location < graph.Locations() ? graph.NewestPosition(label.location) : 0;
    const EventId event =
        loads ? graph.AppendLoad(thread, label,
                                 label.location < graph.Locations() ? graph.Newest(label.location)
                                                                    : InitialOf(label.location))
              : graph.AppendStore(thread, label, newest);
    const Position floor = model->Floor(graph, event);
    ASSERT_EQ(floor, FloorOf(graph, event)) << "seed " << seed << " event " << i;
    const Position chosen = below(2) == 0 ? newest : floor + below(newest - floor + 1);
    if (loads)
      graph.SetReadsFrom(event, graph.WriteAt(label.location, chosen));
    else
      graph.Move(event, chosen);
  }
}

TEST(Floor, IsWhatReachesTheAccess) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ExpectFloors(MakeSequential(), seed);
    ExpectFloors(MakeC11(), seed);
  }
}

}  // namespace
}  // namespace heddle::model
