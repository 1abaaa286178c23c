#include "report/weak_execution.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "explain/forbid.h"
#include "explain/relations.h"
#include "explain/stale.h"
#include "report/atomic_places.h"
#include "report/step_words.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

using explain::EventId;
using explain::Recorded;
using explain::Relation;
using model::EventKind;
using space::MemoryModel;

constexpr uint32_t kMostLocations = 1 << 20;  // a graph has room for each
constexpr size_t kMostDrawn = 24;             // events; of more on cycles, only those of one cycle

model::Action ActionOf(const channel::GraphEvent& raw) {
  if ((raw.flags & (channel::kGraphOfUpdate | channel::kGraphFailedUpdate)) != 0)
    return model::Action::kUpdate;
  switch (static_cast<EventKind>(raw.kind)) {
    case EventKind::kLoad:
      return model::Action::kLoad;
    case EventKind::kStore:
      return model::Action::kStore;
    case EventKind::kCreate:
      return model::Action::kCreate;
    case EventKind::kJoin:
      return model::Action::kJoin;
    case EventKind::kFence:
    case EventKind::kUse:
      break;
  }
  return model::Action::kFence;
}

// Does the event read from what it may, and is it half of an update if it says so?
bool FitsIn(const Recorded& recorded, const explain::Event& e) {
  if (e.IsLoad() && e.reads_from < 0) return e.reads_from == model::InitialOf(e.location);
  if (e.IsLoad()) {
    const explain::Event& write = recorded.At(e.reads_from);
    return write.IsStore() && write.location == e.location;
  }
  if (!e.IsStore() || !e.of_update) return true;
  const auto last = std::find_if(recorded.events.rbegin() + 1, recorded.events.rend(),
                                 [&](const explain::Event& one) { return one.thread == e.thread; });
  return last != recorded.events.rend() && last->IsLoad() && last->of_update &&
         last->location == e.location;
}

// Empty if it cannot be a graph: the process that wrote it was damaged.
Recorded RecordedOf(const RawFinding& raw) {
  const size_t threads = raw.graph_head.threads;
  Recorded recorded;
  recorded.threads = static_cast<model::ThreadId>(threads);
  for (const channel::GraphEvent& e : raw.graph) {
    const EventId number = recorded.Size();
    explain::Event& event = recorded.events.emplace_back();
    event.kind = static_cast<EventKind>(e.kind);
    event.action = ActionOf(e);
    event.order = static_cast<model::Order>(e.order);
    event.of_update = (e.flags & channel::kGraphOfUpdate) != 0;
    event.continues_own_sequences = (e.flags & channel::kGraphContinues) != 0;
    event.thread = e.thread;
    event.other = e.other;
    if (event.IsAccess()) event.location = e.location;
    if (event.IsStore()) event.position = e.position;
    if (event.IsLoad()) event.reads_from = e.reads_from;
    const bool sound = e.kind <= static_cast<uint8_t>(EventKind::kUse) &&
                       e.order <= static_cast<uint8_t>(model::Order::kSeqCst) &&
                       e.thread < threads && e.other < threads &&
                       event.location <= kMostLocations && event.reads_from < number &&
                       (e.known == 0 || e.known - 1 + threads <= raw.known.size());
    if (!sound || !FitsIn(recorded, event)) return {};
    if (e.known == 0) continue;
    const auto begin = raw.known.begin() + (e.known - 1);
    event.known.assign(begin, begin + static_cast<std::ptrdiff_t>(threads));
    event.known[e.thread] = 0;
  }
  return recorded;
}

op::Kind KindOf(const channel::StepRecord& step) {
  return static_cast<op::Kind>(std::min(step.op_kind, static_cast<uint8_t>(op::Kind::kCount)));
}

bool HasOrder(op::Kind kind) {
  return kind < op::Kind::kCount && (op::IsAtomic(kind) || kind == op::Kind::kAtomicFence);
}

const char* NameOf(Relation relation) {
  switch (relation) {
    case Relation::kProgramOrder:
      return "po";
    case Relation::kReadsFrom:
      return "rf";
    case Relation::kModificationOrder:
      return "mo";
    case Relation::kFromRead:
      return "fr";
    case Relation::kSynchronises:
      break;
  }
  return "sync";
}

const char* NameOf(model::Order order) {
  switch (order) {
    case model::Order::kPlain:
    case model::Order::kRelaxed:
      return "relaxed";
    case model::Order::kAcquire:
      return "acquire";
    case model::Order::kRelease:
      return "release";
    case model::Order::kAcqRel:
      return "acq_rel";
    case model::Order::kSeqCst:
      break;
  }
  return "seq_cst";
}

}  // namespace

WeakTeller::WeakTeller(const FindingContext& in) : in_(in), execution_(RecordedOf(in.raw)) {
  if (execution_.events.empty()) return;
  FindSteps();
  const bool tso = in.raw.graph_head.model == MemoryModel::kTso;
  for (const auto& [event, passed] : explain::StaleIn(execution_)) {
    if (!HasStep(event)) continue;
    const std::string write = WriteInWords(passed);
    std::string& remark = remarks_[step_of_[static_cast<size_t>(event)]];
    if (execution_.At(event).IsStore())
      remark = "before what " + write + ", in modification order";
    else if (tso)
      remark = "stale: " + write + ", which is in its store buffer still";
    else
      remark = "stale: " + write + "; nothing orders that store before this load";
  }
}

bool WeakTeller::HasStep(EventId event) const {
  return step_of_[static_cast<size_t>(event)] != kNoStep;
}

std::string WeakTeller::Remark(size_t step) const {
  const auto at = remarks_.find(step);
  return at == remarks_.end() ? "" : at->second;
}

// A step names its last event, or the last one of its thread if it made none. A round of a loop
// that was taken out of the graph has steps that name events which others have got since.
void WeakTeller::FindSteps() {
  const auto count = static_cast<size_t>(execution_.Size());
  step_of_.assign(count, kNoStep);
  for (size_t i = 0; i < in_.raw.steps.size(); ++i) {
    const channel::StepRecord& step = in_.raw.steps[i];
    if (step.event == 0 || step.event > count) continue;
    const size_t number = step.event - 1;
    const explain::Event& e = execution_.events[number];
    const op::Kind kind = KindOf(step);
    const bool fence = kind == op::Kind::kAtomicFence;
    if (e.thread != step.thread || (HasOrder(kind) && e.IsAccess() == fence)) continue;
    if (step_of_[number] != kNoStep && !HasOrder(kind)) continue;
    step_of_[number] = i;
    if (e.IsStore() && e.of_update && number != 0) step_of_[number - 1] = i;
  }
}

// "T1 has stored 1 at mp.cpp:6"
std::string WeakTeller::WriteInWords(EventId write) const {
  const std::string thread = in_.threads.Name(execution_.At(write).thread);
  if (!HasStep(write)) return thread + " has stored another value";
  const Step step = StepInWords(in_, step_of_[static_cast<size_t>(write)]);
  return thread + " has stored " + (step.written.empty() ? "another value" : step.written) +
         (step.location.file.empty() ? "" : " at " + PlaceText(step.location));
}

GraphEvent WeakTeller::EventInWords(EventId event) const {
  GraphEvent told;
  told.thread = in_.threads.Name(execution_.At(event).thread);
  // Made where a thread has come to know of others by locks and the like.
  told.text = "has waited for others";
  if (!HasStep(event)) return told;
  const Step step = StepInWords(in_, step_of_[static_cast<size_t>(event)]);
  told.text = step.text;
  told.order = step.order;
  told.location = step.location;
  return told;
}

// Events whose order can be changed, by the line that has it.
void WeakTeller::SetPlaces(const std::vector<bool>& on_cycles) {
  std::map<std::pair<std::string, uint32_t>, explain::Place> numbers;
  for (EventId event = 0; event < execution_.Size(); ++event) {
    if (!on_cycles[static_cast<size_t>(event)] || !HasStep(event)) continue;
    const channel::StepRecord& step = in_.raw.steps[step_of_[static_cast<size_t>(event)]];
    if (!HasOrder(KindOf(step))) continue;
    const std::vector<Frame> stack =
        in_.symbolizer.Stack(in_.modules, {step.pc, step.frames}, step.exact != 0);
    if (!IsOrderOfProgram(stack)) continue;
    const Location at = ProgramsOwn(stack);
    const auto [number, is_new] =
        numbers.emplace(std::pair(at.file, at.line), static_cast<explain::Place>(places_.size()));
    if (is_new) places_.push_back(at);
    execution_.events[static_cast<size_t>(event)].place = number->second;
  }
}

void WeakTeller::Draw(const std::vector<bool>& on_cycles, const std::vector<EventId>& cycle,
                      WeakExecution& told) {
  const explain::Relations relations(execution_);
  std::vector<bool> shown(execution_.events.size());
  const auto nodes = static_cast<size_t>(std::ranges::count(on_cycles, true));
  for (EventId event = 0; event < execution_.Size(); ++event)
    if (on_cycles[static_cast<size_t>(event)] && nodes <= kMostDrawn)
      shown[static_cast<size_t>(relations.NodeOf(event))] = true;
  for (const EventId node : cycle) shown[static_cast<size_t>(node)] = true;
  const std::vector<bool> within = shown;
  for (EventId event = 0; event < execution_.Size(); ++event) {
    const explain::Event& e = execution_.At(event);
    if (within[static_cast<size_t>(event)] && e.IsLoad() && e.reads_from >= 0)
      shown[static_cast<size_t>(relations.NodeOf(e.reads_from))] = true;
  }
  for (EventId node = 0; node < execution_.Size(); ++node) {
    if (!shown[static_cast<size_t>(node)]) continue;
    drawn_[node] = told.events.size();
    told.events.push_back(EventInWords(node));
  }
  for (const auto& [node, index] : drawn_) {
    const explain::Event& e = execution_.At(node);
    if (e.IsLoad() && e.reads_from >= 0)
      if (const auto from = drawn_.find(relations.NodeOf(e.reads_from)); from != drawn_.end())
        told.edges.push_back({"rf", from->second, index});
  }
  // Each write with the next one that is drawn.
  std::map<model::LocationId, std::map<model::Position, size_t>> writes;
  for (EventId event = 0; event < execution_.Size(); ++event)
    if (const auto at = drawn_.find(relations.NodeOf(event));
        at != drawn_.end() && execution_.At(event).IsStore())
      writes[execution_.At(event).location][execution_.At(event).position] = at->second;
  for (const auto& [location, order] : writes)
    for (auto at = order.begin(); at != order.end(); ++at)
      if (const auto next = std::next(at); next != order.end())
        told.edges.push_back({"mo", at->second, next->second});
}

OrderChange WeakTeller::ChangeInWords(const explain::Change& change) const {
  return {NameOf(explain::OrderAfter(execution_, change)), change.fence, places_[change.place]};
}

std::vector<WeakExecution> WeakTeller::Tell() {
  if (execution_.events.empty()) return {};
  const std::unique_ptr<model::Consistency> c11 = model::MakeC11(), tso = model::MakeTso();
  const bool searched_tso = in_.raw.graph_head.model == MemoryModel::kTso;
  WeakExecution told;
  const std::vector<explain::Edge> cycle = explain::ShortestCycle(execution_);
  told.sequential = cycle.empty();
  if (told.sequential) return {told};
  const std::vector<bool> on_cycles = explain::OnCycles(execution_);
  SetPlaces(on_cycles);
  const Recorded part = explain::CyclesOf(execution_).execution;
  // What is not modelled (docs/claims.md) may have left out something.
  if (!explain::IsAllowed(part, searched_tso ? *tso : *c11)) return {};
  told.x86 = searched_tso || explain::IsAllowed(part, *tso);
  std::vector<EventId> nodes;
  for (const explain::Edge& edge : cycle) nodes.push_back(edge.from);
  for (const EventId node : nodes)
    if (HasStep(node)) of_cycle_.insert(step_of_[static_cast<size_t>(node)]);
  Draw(on_cycles, nodes, told);
  for (const explain::Edge& edge : cycle)
    told.cycle.push_back({NameOf(edge.relation), drawn_.at(edge.from), drawn_.at(edge.to)});
  std::vector<model::Consistency*> models = {c11.get()};
  if (searched_tso) models.push_back(tso.get());
  const explain::Remedies remedies = explain::WhatForbids(execution_, models);
  for (const explain::Changes& set : remedies.sets) {
    std::vector<OrderChange>& changes = told.forbidden_by.emplace_back();
    for (const explain::Change& change : set) changes.push_back(ChangeInWords(change));
  }
  told.all_tried = remedies.all_tried;
  return {told};
}

}  // namespace heddle::report
