#include "search/graph_record.h"

#include <string.h>

#include "channel/records.h"
#include "explain/recorded.h"
#include "runtime/control.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/runtime.h"

namespace heddle::search {
namespace {

using model::EventId;

// Of a graph of more, nothing is told: what the report makes of it takes too long.
constexpr EventId kMostEvents = 10'000;

channel::GraphEvent RecordOf(const explain::Event& e) {
  channel::GraphEvent event = {};
  event.kind = static_cast<uint8_t>(e.kind);
  event.order = static_cast<uint8_t>(e.order);
  if (e.of_update)
    event.flags |= channel::kGraphOfUpdate;
  else if (e.action == model::Action::kUpdate)
    event.flags |= channel::kGraphFailedUpdate;
  if (e.continues_own_sequences) event.flags |= channel::kGraphContinues;
  event.thread = e.thread;
  event.other = e.other;
  event.location = e.location;
  event.position = e.position;
  event.reads_from = e.reads_from;
  return event;
}

template <typename T>
void Put(std::vector<std::byte>& to, const T* from, size_t count) {
  const size_t at = to.size();
  to.resize(at + count * sizeof *from);
  if (count != 0) memcpy(&to[at], from, count * sizeof *from);
}

}  // namespace

std::vector<std::byte> GraphOfLastExecution() {
  std::vector<std::byte> graph;
  if (runtime::ChannelHeader().settings.memory_model == space::MemoryModel::kSc) return graph;
  const model::ExecutionGraph& made = runtime::g_weak->Graph();
  explain::Recorded recorded;
  if (made.Size() <= kMostEvents) recorded = explain::RecordedOf(made);
  channel::WeakGraphRecord record = {};
  record.head.kind = channel::RecordKind::kGraph;
  record.threads = made.Threads();
  record.count = static_cast<uint32_t>(recorded.Size());
  record.model = runtime::ChannelHeader().settings.memory_model;
  Put(graph, &record, 1);
  std::vector<uint16_t> known;
  for (const explain::Event& e : recorded.events) {
    channel::GraphEvent event = RecordOf(e);
    if (!e.known.empty()) event.known = static_cast<uint32_t>(known.size()) + 1;
    known.insert(known.end(), e.known.begin(), e.known.end());
    Put(graph, &event, 1);
  }
  Put(graph, known.data(), known.size());
  return graph;
}

void WriteGraph(const std::vector<std::byte>& graph) {
  if (graph.empty()) return;
  channel::WeakGraphRecord record;
  memcpy(&record, graph.data(), sizeof record);
  runtime::AppendRecord(&record.head, sizeof record, graph.data() + sizeof record,
                        static_cast<unsigned>(graph.size() - sizeof record));
}

}  // namespace heddle::search
