#include "explore/visited/visited_states.h"

namespace heddle::explore {

using plan::Key;
using plan::StateVisit;
using plan::VisitResult;

namespace {

using State = VisitedStates::State;
using Id = KeyTable::Id;

// As many as an execution may visit anew. One that visits more is not remembered from there on,
// which loses nothing but time.
constexpr uint32_t kRoom = 1u << 16;

Key ItemOf(const State& s, const StateVisit& visit) {
  return s.bounded ? plan::ItemOf(visit) : visit.key;
}

// The step at which the execution came by `item`; kNever if it did not.
uint32_t SinceWhen(const State& s, Id item, uint32_t now) {
  if (s.items[item].step >= now) return VisitResult::kNever;
  Id at = s.at;
  while (at != KeyTable::kNone && s.items[at].step > s.items[item].step) at = s.items[at].parent;
  return at == item ? s.items[item].step : VisitResult::kNever;
}

// The step that led from where the execution was to where it is; null: there were several.
const plan::MadeStep* MadeTo(const State& s, const StateVisit& visit) {
  const bool next = visit.step == s.at_step + 1;
  return visit.made != nullptr && (visit.made->is_start || next) ? visit.made : nullptr;
}

// Where an item is, or belongs.
struct TableSlot {
  Key key;
  Id known = KeyTable::kNone;
  uint64_t collisions = 0;  // on the way there
  bool lacks_room = false;
};

// The n-th state with one hash has the n-th of these keys.
Key Next(const Key& key) {
  return {{base::MixTwo(key.words[0], 1), base::MixTwo(key.words[1], 2)}};
}

TableSlot Look(State& s, const StateVisit& visit) {
  TableSlot place = {.key = ItemOf(s, visit)};
  place.known = s.items.Find(place.key);
  if (!s.compares) return place;
  place.lacks_room = !s.exact.Take(*visit.text, s.bounded ? visit.cost_key : 0);
  if (place.lacks_room) {
    place.known = KeyTable::kNone;
    return place;
  }
  while (place.known != KeyTable::kNone && !s.exact.IsSame(place.known)) {
    ++place.collisions;
    place.key = Next(place.key);
    place.known = s.items.Find(place.key);
  }
  return place;
}

Id Add(State& s, const TableSlot& place, const StateVisit& visit) {
  if (place.lacks_room || (s.compares && !s.exact.Keep())) return KeyTable::kNone;
  const Id id = s.items.Add(place.key, s.at, visit.step);
  if (id == KeyTable::kNone) {
    s.exact.Truncate(s.items.Size(), s.exact.Records());
    return id;
  }
  s.collisions += place.collisions != 0;
  if (!s.bounded) return id;
  const Key state = place.collisions == 0 ? visit.key : Next(place.key);
  if (s.states.Find(state) == KeyTable::kNone) s.states.Add(state, KeyTable::kNone, visit.step);
  return id;
}

class States final : public plan::Visited {
 public:
  void Begin(void* search) const override {
    State& s = *static_cast<State*>(search);
    s.items.Truncate(s.committed);
    s.states.Truncate(s.committed_states);
    if (s.compares) s.exact.Truncate(s.committed, s.committed_records);
    s.collisions = s.committed_collisions;
    s.at = KeyTable::kNone;
    Livelocks::Begin(s.livelocks, s.committed);
  }

  void Pass(void* search, const StateVisit& visit) const override {
    State& s = *static_cast<State*>(search);
    s.at = Look(s, visit).known;
    s.at_step = visit.step;
  }

  VisitResult Visit(void* search, const StateVisit& visit) const override {
    State& s = *static_cast<State*>(search);
    const plan::MadeStep* const made = MadeTo(s, visit);
    const Id from = s.at;
    const TableSlot place = Look(s, visit);
    if (place.known != KeyTable::kNone) {
      const VisitResult result = {true, SinceWhen(s, place.known, visit.step)};
      Livelocks::NoteKnown(s.livelocks, from, place.known, made, result.IsCycle());
      return result;
    }
    s.at = Add(s, place, visit);
    s.at_step = visit.step;
    if (s.at != KeyTable::kNone)
      Livelocks::NoteNew(s.livelocks, s.items, from, made);
    else
      s.livelocks.lost = true;
    s.had_room &= s.at != KeyTable::kNone;
    return {};
  }
};

constexpr States kStates;

}  // namespace

bool VisitedStates::Prepare(State& s, const Options& options, uint32_t bound) {
  s.bounded = options.iterates;
  s.bound = bound;
  s.compares = options.exact;
  uint64_t bytes = s.items.BytesWith(kRoom) + (s.bounded ? s.states.BytesWith(kRoom) : 0);
  if (s.compares) bytes += s.exact.BytesThen();
  if (bytes > options.memory_limit) s.full = true;
  if (s.full) return false;
  s.livelocks.depth_first = !s.bounded;
  Livelocks::Prepare(s.livelocks, s.items, kRoom, bytes, options.memory_limit);
  s.items.Reserve(kRoom);
  if (s.bounded) s.states.Reserve(kRoom);
  if (s.compares) s.exact.Reserve();
  s.bytes = s.items.Bytes() + s.states.Bytes() + Livelocks::Bytes(s.livelocks) + s.exact.Bytes();
  return true;
}

plan::Visiting VisitedStates::Of(State& s) {
  return {.by = &kStates, .search = &s, .kind = plan::KeyKind::kStates, .exact = s.compares};
}

void VisitedStates::Commit(State& s) {
  if (s.by_bound.size() <= s.bound) s.by_bound.resize(s.bound + 1);
  const Id before = s.bounded ? s.committed_states : s.committed;
  s.committed = s.items.Size();
  s.committed_states = s.states.Size();
  s.committed_records = s.exact.Records();
  s.committed_collisions = s.collisions;
  s.by_bound[s.bound] += CountOf(s).states - before;
  Livelocks::Commit(s.livelocks);
}

}  // namespace heddle::explore
