#include "explore/visited/livelocks.h"

#include <algorithm>

#include "base/hash.h"

namespace heddle::explore {

namespace {

using Id = KeyTable::Id;
using State = Livelocks::State;

// Beyond that of one execution, labels are lost.
constexpr uint32_t kLabelRoom = 1u << 15;
// A look takes time in proportion to the edges, so each comes after that many more of them.
constexpr size_t kFirstLook = 64;
// Bytes for each edge while cycles are looked for: the edge twice, its ends, its place by state.
constexpr uint64_t kBytesOfLook = 40;

uint64_t NameOf(const StateWalk& walk) {
  std::vector<StepLabels::Id> labels;
  for (const StateEdge& edge : walk.edges) labels.push_back(edge.label);
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  uint64_t name = labels.size();
  for (const StepLabels::Id label : labels) name = base::MixTwo(name + base::kGolden, label);
  return name;
}

}  // namespace

uint64_t Livelocks::Bytes(const State& s) {
  return s.labels.Bytes() + s.made_by.capacity() * sizeof(StepLabels::Id) +
         s.closing.capacity() * sizeof(StateEdge);
}

void Livelocks::Prepare(State& s, const KeyTable& items, uint32_t room, uint64_t beside,
                        uint64_t limit) {
  if (s.dropped) return;
  // Each grows by half, or by what is needed.
  const uint64_t edges = items.Size() + s.closing.size();
  const uint64_t bytes = 2 * Bytes(s) + room * sizeof(StepLabels::Id) + edges * kBytesOfLook;
  if (beside + bytes > limit) {
    s.dropped = true;
    s.labels = {};
    s.made_by = {};
    s.closing = {};
    s.committed_labels = 0;
    s.committed_closing = 0;
    return;
  }
  s.labels.Reserve(kLabelRoom);
  MakeRoom(s.made_by, room);
  MakeRoom(s.closing, 1);
}

void Livelocks::Begin(State& s, Id committed) {
  if (s.dropped) return;
  s.labels.Truncate(s.committed_labels);
  s.made_by.resize(committed);
  s.closing.resize(s.committed_closing);
}

void Livelocks::NoteNew(State& s, const KeyTable& items, Id from, const plan::MadeStep* made) {
  if (s.dropped) return;
  const bool is_start = made != nullptr && made->is_start;
  StepLabels::Id label = StepLabels::kNone;
  if (made != nullptr && (from != KeyTable::kNone || is_start)) label = s.labels.Add(*made);
  s.lost |= label == StepLabels::kNone;
  if (s.made_by.size() < s.made_by.capacity()) s.made_by.push_back(label);
  s.lost |= s.made_by.size() != items.Size();
}

void Livelocks::NoteKnown(State& s, Id from, Id to, const plan::MadeStep* made, bool closes_own) {
  s.has_cycle |= closes_own;
  s.to_look |= closes_own;
  if (s.dropped || (made != nullptr && made->is_start)) return;
  StepLabels::Id label = StepLabels::kNone;
  if (made != nullptr && from != KeyTable::kNone) label = s.labels.Add(*made);
  if (label == StepLabels::kNone || s.closing.size() == s.closing.capacity())
    s.lost = true;
  else
    s.closing.push_back({from, to, label});
}

void Livelocks::Commit(State& s) {
  s.committed_labels = s.labels.Size();
  s.committed_closing = s.closing.size();
}

// Depth first, no state has a way back to a later one but through one of its own way: so without an
// execution that came to a state of its own way there is no cycle.
bool Livelocks::IsDue(const State& s, const KeyTable& items, bool at_end) {
  if (s.dropped || (s.depth_first && !s.has_cycle)) return false;
  const size_t edges = items.Size() + s.closing.size();
  if (at_end) return !s.looked_at_end;
  const bool many = edges >= std::max(kFirstLook, s.looked_at + s.looked_at / 2);
  return s.to_look ? many || s.looked_at == 0 : many && edges >= 2 * s.looked_at;
}

void Livelocks::Look(State& s, const KeyTable& items, bool at_end) {
  s.looked_at_end = at_end;
  s.looked_at = items.Size() + s.closing.size();
  s.to_look = false;
  FairCycles::Edges edges = s.closing;
  edges.reserve(s.looked_at);
  for (Id id = 0; id < items.Size() && id < s.made_by.size(); ++id) {
    const bool known = items[id].parent != KeyTable::kNone && s.made_by[id] != StepLabels::kNone;
    if (known) edges.push_back({items[id].parent, id, s.made_by[id]});
  }
  FairCycles cycles(s.labels);
  s.found = cycles.Find(std::move(edges), at_end);
  s.unclear |= cycles.GaveUp();
  std::erase_if(s.found, [&](const StateWalk& walk) {
    const uint64_t name = NameOf(walk);
    if (std::ranges::find(s.gone, name) != s.gone.end()) return true;
    s.gone.push_back(name);
    return false;
  });
}

bool Livelocks::Append(State& s, StepLabels::Id label, uint32_t steps) {
  if (label == StepLabels::kNone) return false;
  s.script.insert(s.script.end(), steps, s.labels.ThreadOf(label));
  for (uint32_t i = 0; i < s.labels.TakenCount(label); ++i) {
    const plan::Taken taken = s.labels.Taken(label, i);
    s.options.push_back({taken.thread, taken.option});
  }
  return true;
}

// The way on which the state was met first.
bool Livelocks::GoThere(State& s, const KeyTable& items, Id state) {
  std::vector<Id> way;
  for (Id id = state; id != KeyTable::kNone; id = items[id].parent) way.push_back(id);
  std::ranges::reverse(way);
  const StepLabels::Id start = s.made_by[way.front()];
  if (start == StepLabels::kNone || !s.labels.IsStart(start)) return false;
  if (!Append(s, start, items[way.front()].step - 1)) return false;
  return std::all_of(way.begin() + 1, way.end(),
                     [&](Id id) { return Append(s, s.made_by[id], 1); });
}

std::optional<plan::Plan> Livelocks::NextPlan(State& s, const KeyTable& items, bool at_end) {
  s.in_flight = false;
  if (s.found.empty() && IsDue(s, items, at_end)) Look(s, items, at_end);
  while (!s.found.empty()) {
    const StateWalk walk = std::move(s.found.back());
    s.found.pop_back();
    s.script.clear();
    s.options.clear();
    const bool known = GoThere(s, items, walk.edges.front().from);
    s.unclear |= !known && walk.fair;
    if (!known) continue;
    for (const StateEdge& edge : walk.edges) Append(s, edge.label, 1);
    s.in_flight = true;
    s.fair = walk.fair;
    return plan::Plan{.deviations = {},
                      .script = s.script,
                      .options = s.options,
                      .tentative = true,
                      .end_if_vain = true};
  }
  return std::nullopt;
}

bool Livelocks::Learn(State& s, const trace::Execution& execution) {
  if (!s.in_flight) return false;
  s.in_flight = false;
  s.unclear |= s.fair && execution.ending.kind != trace::EndKind::kLivelock;
  return true;
}

std::optional<claim::Incomplete> Livelocks::Gap(const State& s) {
  if (s.lost || s.unclear || (s.dropped && !(s.depth_first && !s.has_cycle)))
    return claim::Incomplete::kWaysUnknown;
  return std::nullopt;
}

}  // namespace heddle::explore
