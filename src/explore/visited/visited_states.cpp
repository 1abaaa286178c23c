#include "explore/visited/visited_states.h"

namespace heddle::explore {

using plan::Key;
using plan::Meeting;
using plan::Moment;

namespace {

using State = VisitedStates::State;
using Id = KeyTable::Id;

// As many as an execution may visit anew. One that visits more is not remembered from there on,
// which loses nothing but time.
constexpr uint32_t kRoom = 1u << 16;

Key ItemOf(const State& s, const Moment& moment) {
  return s.bounded ? plan::ItemOf(moment) : moment.key;
}

// The step at which the execution came by `item`; kNever if it did not.
uint32_t SinceWhen(const State& s, Id item, uint32_t now) {
  if (s.items[item].step >= now) return Meeting::kNever;
  Id at = s.at;
  while (at != KeyTable::kNone && s.items[at].step > s.items[item].step) at = s.items[at].parent;
  return at == item ? s.items[item].step : Meeting::kNever;
}

// The step that led from where the execution was to where it is; null: there were several.
const plan::MadeStep* MadeTo(const State& s, const Moment& moment) {
  const bool next = moment.step == s.at_step + 1;
  return moment.made != nullptr && (moment.made->is_start || next) ? moment.made : nullptr;
}

class States final : public plan::Visited {
 public:
  void Begin(void* search) const override {
    State& s = *static_cast<State*>(search);
    s.items.Truncate(s.committed);
    s.states.Truncate(s.committed_states);
    s.at = KeyTable::kNone;
    Livelocks::Begin(s.livelocks, s.committed);
  }

  void Pass(void* search, const Moment& moment) const override {
    State& s = *static_cast<State*>(search);
    s.at = s.items.Find(ItemOf(s, moment));
    s.at_step = moment.step;
  }

  Meeting Visit(void* search, const Moment& moment) const override {
    State& s = *static_cast<State*>(search);
    const Key item = ItemOf(s, moment);
    const plan::MadeStep* const made = MadeTo(s, moment);
    const Id from = s.at;
    if (const Id known = s.items.Find(item); known != KeyTable::kNone) {
      const Meeting meeting = {true, SinceWhen(s, known, moment.step)};
      Livelocks::NoteKnown(s.livelocks, from, known, made, meeting.IsCycle());
      return meeting;
    }
    s.at = s.items.Add(item, from, moment.step);
    s.at_step = moment.step;
    if (s.at != KeyTable::kNone)
      Livelocks::NoteNew(s.livelocks, s.items, from, made);
    else
      s.livelocks.lost = true;
    if (s.bounded && s.at != KeyTable::kNone && s.states.Find(moment.key) == KeyTable::kNone)
      s.states.Add(moment.key, KeyTable::kNone, moment.step);
    s.had_room &= s.at != KeyTable::kNone;
    return {};
  }
};

constexpr States kStates;

}  // namespace

bool VisitedStates::Prepare(State& s, const Options& options, uint32_t bound) {
  s.bounded = options.iterates;
  s.bound = bound;
  const uint64_t bytes = s.items.BytesWith(kRoom) + (s.bounded ? s.states.BytesWith(kRoom) : 0);
  if (bytes > options.memory_limit) s.full = true;
  if (s.full) return false;
  s.livelocks.depth_first = !s.bounded;
  Livelocks::Prepare(s.livelocks, s.items, kRoom, bytes, options.memory_limit);
  s.items.Reserve(kRoom);
  if (s.bounded) s.states.Reserve(kRoom);
  s.bytes = s.items.Bytes() + s.states.Bytes() + Livelocks::Bytes(s.livelocks);
  return true;
}

plan::Visiting VisitedStates::Of(State& s) {
  return {.by = &kStates, .search = &s, .kind = plan::KeyKind::kStates};
}

void VisitedStates::Commit(State& s) {
  if (s.by_bound.size() <= s.bound) s.by_bound.resize(s.bound + 1);
  const Id before = s.bounded ? s.committed_states : s.committed;
  s.committed = s.items.Size();
  s.committed_states = s.states.Size();
  s.by_bound[s.bound] += CountOf(s).states - before;
  Livelocks::Commit(s.livelocks);
}

}  // namespace heddle::explore
