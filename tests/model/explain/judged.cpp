#include "judged.h"

#include <algorithm>

#include "explore.h"
#include "litmus_text.h"

namespace heddle::litmus {
namespace {

Order OrderOf(model::Order order) {
  switch (order) {
    case model::Order::kPlain:
      return Order::kPlain;
    case model::Order::kRelaxed:
      return Order::kRelaxed;
    case model::Order::kAcquire:
      return Order::kAcquire;
    case model::Order::kRelease:
      return Order::kRelease;
    case model::Order::kAcqRel:
      return Order::kAcqRel;
    case model::Order::kSeqCst:
      return Order::kSeqCst;
  }
  return Order::kRelaxed;
}

bool Acquires(Order order) {
  return order == Order::kAcquire || order == Order::kAcqRel || order == Order::kSeqCst;
}
bool Releases(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}

// Written by what a change means, not by explain::Joined.
Order Strengthened(const explain::Event& e, const explain::Changes& changes) {
  Order order = OrderOf(e.order);
  if (order == Order::kPlain) return order;
  bool acquires = Acquires(order), releases = Releases(order), seq_cst = order == Order::kSeqCst;
  const bool may_acquire = !e.IsStore() || e.of_update;
  const bool may_release = !e.IsLoad() || e.of_update;
  for (const explain::Change& change : changes) {
    if (change.fence || change.place != e.place) continue;
    const Order by = OrderOf(change.order);
    acquires |= may_acquire && Acquires(by);
    releases |= may_release && Releases(by);
    seq_cst |= by == Order::kSeqCst;
  }
  if (seq_cst) return Order::kSeqCst;
  if (acquires && releases) return Order::kAcqRel;
  return acquires ? Order::kAcquire : releases ? Order::kRelease : Order::kRelaxed;
}

Type TypeOf(const explain::Event& e) {
  return e.IsLoad() ? Type::kRead : e.IsStore() ? Type::kWrite : Type::kFence;
}

}  // namespace

bool Allows(const explain::Recorded& recorded, Model model, const explain::Changes& changes) {
  Execution execution;
  model::LocationId locations = 0;
  for (const explain::Event& e : recorded.events) locations = std::max(locations, e.location + 1);
  execution.modification_orders.resize(locations);
  for (int l = 0; l < static_cast<int>(locations); ++l) {
    Event& write = execution.events.emplace_back();
    write = {.type = Type::kWrite, .name = {kInitial, l}, .location = l};
    execution.modification_orders[l] = {l};
  }
  std::vector<int> number(recorded.events.size());
  for (model::ThreadId t = 0; t < recorded.threads; ++t) {
    for (explain::EventId id = 0; id < recorded.Size(); ++id) {
      const explain::Event& e = recorded.At(id);
      if (e.thread != t) continue;
      const bool second_half = e.IsStore() && e.of_update;
      for (const explain::Change& change : changes)
        if (change.fence && change.place == e.place && !second_half)
          execution.events.push_back({.type = Type::kFence,
                                      .name = {t, static_cast<int>(id)},
                                      .order = OrderOf(change.order)});
      number[id] = static_cast<int>(execution.events.size());
      Event& event = execution.events.emplace_back();
      event.type = TypeOf(e);
      event.name = {t, static_cast<int>(id)};
      event.order = Strengthened(e, changes);
      if (e.IsAccess()) event.location = static_cast<int>(e.location);
      event.locked = e.action == model::Action::kUpdate;
      if (!second_half) continue;
      event.partner = number[id] - 1;
      execution.events[number[id] - 1].partner = number[id];
    }
  }
  execution.reads_from.assign(execution.events.size(), -1);
  std::vector<std::pair<model::Position, explain::EventId>> stores;
  for (explain::EventId id = 0; id < recorded.Size(); ++id) {
    const explain::Event& e = recorded.At(id);
    if (e.IsLoad())
      execution.reads_from[number[id]] = e.reads_from < 0 ? ~e.reads_from : number[e.reads_from];
    if (e.IsStore()) stores.push_back({e.position, id});
  }
  std::ranges::sort(stores);
  for (const auto& [position, id] : stores)
    execution.modification_orders[recorded.At(id).location].push_back(number[id]);
  Question question;
  question.model = model;
  return Judge(execution, question).consistent;
}

std::vector<explain::Recorded> ExecutionsOf(const Program& program, const std::string& outcome) {
  std::vector<explain::Recorded> all;
  ExploreOptions options;
  options.look = [&](const model::ExecutionGraph& graph, const Outcome& ends) {
    if (outcome.empty() || ToText(ends) == outcome) all.push_back(explain::RecordedOf(graph));
  };
  Explore(program, *model::MakeC11(), options);
  for (explain::Recorded& execution : all) PlaceEach(execution);
  return all;
}

void PlaceEach(explain::Recorded& execution) {
  std::vector<explain::Place> made(execution.threads);
  for (explain::Event& e : execution.events) {
    if (!(e.IsStore() && e.of_update)) ++made[e.thread];
    e.place = 10u * e.thread + made[e.thread];
  }
}

}  // namespace heddle::litmus
