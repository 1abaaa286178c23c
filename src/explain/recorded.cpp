#include "explain/recorded.h"

#include <algorithm>
#include <map>

namespace heddle::explain {

using model::Action;
using model::EventKind;
using model::Label;
using model::Order;
using model::Position;

namespace {

// Builds the graph again, and asks at each event.
class Rebuilding {
 public:
  Rebuilding(const Recorded& execution, model::Consistency& model, const Changes& changes)
      : execution_(execution),
        model_(model),
        changes_(changes),
        graph_(execution.threads),
        number_(execution.events.size()),
        made_(execution.threads, std::vector<uint16_t>(1)),
        view_(execution.threads) {}

  bool IsAllowed() {
    for (EventId event = 0; event < execution_.Size(); ++event) {
      const Event& e = execution_.At(event);
      for (const Change& change : changes_)
        if (change.fence && change.place == e.place && e.place != kNoPlace && !IsSecondHalf(e))
          graph_.AppendFence(e.thread, {.order = change.order});
      if (!Append(e)) return false;
      number_[static_cast<size_t>(event)] = graph_.Size() - 1;
      made_[e.thread].push_back(static_cast<uint16_t>(graph_.EventsOf(e.thread).size()));
    }
    return true;
  }

 private:
  static bool IsSecondHalf(const Event& e) { return e.IsStore() && e.of_update; }

  Order OrderOf(const Event& e) const {
    Order order = e.order;
    for (const Change& change : changes_)
      if (!change.fence && change.place == e.place && e.place != kNoPlace)
        order = Joined(order, For(e, change.order));
    return order;
  }

  bool Append(const Event& e) {
    switch (e.kind) {
      case EventKind::kLoad:
        return AppendLoad(e);
      case EventKind::kStore:
        return e.of_update ? AppendSecondHalf(e) : AppendStore(e);
      case EventKind::kCreate:
        graph_.AppendCreate(e.thread, {.action = Action::kCreate, .other = e.other});
        break;
      case EventKind::kJoin:
        graph_.AppendJoin(e.thread, {.action = Action::kJoin, .other = e.other});
        break;
      case EventKind::kFence:
      case EventKind::kUse:
        graph_.AppendFence(e.thread, {.order = OrderOf(e)});
        break;
    }
    Learn(e);
    return true;
  }

  void Learn(const Event& e) {
    if (e.known.empty()) return;
    std::ranges::fill(view_, 0);
    for (model::ThreadId t = 0; t < execution_.threads; ++t) {
      const uint16_t known = made_[t][std::min<size_t>(e.known[t], made_[t].size() - 1)];
      // With stronger orders they have come to know more.
      if (known != 0)
        model::Join(view_.data(), graph_.HappensBefore(graph_.EventsOf(t)[known - 1u]),
                    execution_.threads);
    }
    graph_.Learn(graph_.Size() - 1, view_.data());
  }

  // All values are 0, as only whether an update succeeds depends on them.
  bool AppendLoad(const Event& e) {
    Label label = {.action = e.action, .order = OrderOf(e), .location = e.location};
    if (e.action == Action::kUpdate && !e.of_update) {
      label.update = model::Update::kCompareExchange;
      label.failure = label.order;
      label.expected = 1;
    }
    const EventId write = e.reads_from < 0 ? e.reads_from : number_[size_t(e.reads_from)];
    const EventId load = graph_.AppendLoad(e.thread, label, write);
    return graph_.At(write).position >= model_.Floor(graph_, load) && model_.Allows(graph_, load);
  }

  // Directly after what its load reads, so its floor holds.
  bool AppendSecondHalf(const Event& e) {
    const EventId store = graph_.AppendStoreOf(graph_.LastOf(e.thread));
    Placed(e);
    return model_.Allows(graph_, store);
  }

  bool AppendStore(const Event& e) {
    const Position after = Placed(e);
    const Label label = {.action = Action::kStore,
                         .order = OrderOf(e),
                         .continues_own_sequences = e.continues_own_sequences,
                         .location = e.location};
    const EventId store = graph_.AppendStore(e.thread, label, graph_.NewestPosition(e.location));
    if (after < model_.Floor(graph_, store)) return false;
    graph_.Move(store, after);
    return model_.Allows(graph_, store);
  }

  // How many stores that are here already are before it in modification order.
  Position Placed(const Event& store) {
    std::vector<Position>& placed = placed_[store.location];
    const auto at = std::ranges::lower_bound(placed, store.position);
    const auto after = static_cast<Position>(at - placed.begin());
    placed.insert(at, store.position);
    return after;
  }

  const Recorded& execution_;
  model::Consistency& model_;
  const Changes& changes_;
  model::ExecutionGraph graph_;
  std::vector<EventId> number_;  // in graph_, by event
  // By thread, and by how many events it has here: how many it has in graph_.
  std::vector<std::vector<uint16_t>> made_;
  std::map<model::LocationId, std::vector<Position>> placed_;  // their positions in execution_
  std::vector<uint16_t> view_;
};

}  // namespace

Recorded RecordedOf(const model::ExecutionGraph& graph) {
  Recorded recorded;
  recorded.threads = graph.Threads();
  recorded.events.reserve(static_cast<size_t>(graph.Size()));
  std::vector<EventId> number(static_cast<size_t>(graph.Size()));
  for (const EventId event : graph.ReplayOrder()) {
    const model::Event& e = graph.At(event);
    number[static_cast<size_t>(event)] = recorded.Size();
    Event& made = recorded.events.emplace_back();
    made.kind = e.kind;
    made.action = e.label.action;
    made.order = e.order;
    made.of_update = e.of_update || (e.IsStore() && e.label.action == Action::kUpdate);
    made.continues_own_sequences = e.label.continues_own_sequences;
    made.thread = e.thread;
    made.other = e.label.other;
    if (e.IsAccess()) made.location = e.label.location;
    if (e.IsStore()) made.position = e.position;
    if (e.IsLoad())
      made.reads_from = e.reads_from < 0 ? e.reads_from : number[static_cast<size_t>(e.reads_from)];
    // What a relaxed fence knows, it was made for (WeakMemory::CatchUp), or it does no harm.
    if (e.kind == EventKind::kFence && e.order == Order::kRelaxed) {
      const model::ConstView view = graph.HappensBefore(event);
      made.known.assign(view, view + graph.Threads());
      made.known[e.thread] = 0;
    }
  }
  return recorded;
}

Order Joined(Order a, Order b) {
  if (a == b || b == Order::kPlain || b == Order::kRelaxed) return a;
  if (a == Order::kRelaxed || a == Order::kPlain) return a == Order::kPlain ? a : b;
  return a == Order::kSeqCst || b == Order::kSeqCst ? Order::kSeqCst : Order::kAcqRel;
}

Order For(const Event& event, Order order) {
  if (order == Order::kSeqCst) return order;
  if (event.IsLoad() && !(event.action == Action::kUpdate && event.of_update))
    return model::IsAcquire(order) ? Order::kAcquire : Order::kRelaxed;
  if (event.IsStore() && !event.of_update)
    return model::IsRelease(order) ? Order::kRelease : Order::kRelaxed;
  return order;
}

Order OrderAfter(const Recorded& execution, const Change& change) {
  Order after = Order::kRelaxed;
  if (change.fence) return change.order;
  for (const Event& e : execution.events) {
    const Order order = Joined(e.order, For(e, change.order));
    if (e.place == change.place && order != e.order) after = Joined(after, order);
  }
  return after;
}

bool IsAllowed(const Recorded& execution, model::Consistency& model, const Changes& changes) {
  return Rebuilding(execution, model, changes).IsAllowed();
}

}  // namespace heddle::explain
