#include "explore/visited/visited_counters.h"

#include <algorithm>

#include "base/hash.h"
#include "explore/visited/word_records.h"

namespace heddle::explore {

using plan::Key;
using plan::StateVisit;
using plan::VisitResult;

namespace {

using State = VisitedCounters::State;
using Id = KeyTable::Id;

// As many as an execution may visit anew. What one visits beyond is not remembered.
constexpr uint32_t kRoom = 1u << 16;
constexpr size_t kMostTold = VisitedCounters::kMostTold;

Key Both(const Key& a, const Key& b) {
  return {{base::MixTwo(a.words[0], b.words[0]), base::MixTwo(a.words[1], b.words[1])}};
}

class Counters final : public plan::Visited {
 public:
  void Begin(void* search) const override {
    State& s = *static_cast<State*>(search);
    s.counters.Truncate(s.committed);
    s.shared.resize(s.committed);
    s.states.Truncate(s.committed_states);
    s.differs = KeyTable::kNone;
  }

  // Known, unless this is the same execution once more, to see whether it does the same: then it is
  // taken up now.
  void Pass(void* search, const StateVisit& visit) const override {
    State& s = *static_cast<State*>(search);
    if (s.states.Find(Both(visit.key, visit.state)) == KeyTable::kNone) Take(s, visit);
  }

  VisitResult Visit(void* search, const StateVisit& visit) const override {
    State& s = *static_cast<State*>(search);
    const Id counters = s.counters.Find(visit.key);
    if (counters != KeyTable::kNone && !(s.shared[counters] == visit.shared) &&
        s.told.size() < kMostTold && std::ranges::find(s.told, visit.pc) == s.told.end()) {
      s.differs = counters;
      return {.differs = true};
    }
    const Id known = s.states.Find(Both(visit.key, visit.state));
    if (known == KeyTable::kNone) Take(s, visit);
    return {.known = known < s.committed_states};
  }

 private:
  static void Take(State& s, const StateVisit& visit) {
    Id counters = s.counters.Find(visit.key);
    if (counters == KeyTable::kNone) {
      counters = s.counters.Add(visit.key, KeyTable::kNone, visit.step);
      if (counters != KeyTable::kNone) s.shared.push_back(visit.shared);
    }
    const Id state = s.states.Add(Both(visit.key, visit.state), KeyTable::kNone, visit.step);
    s.lost |= counters == KeyTable::kNone || state == KeyTable::kNone;
  }
};

constexpr Counters kCounters;

}  // namespace

bool VisitedCounters::Prepare(State& s, const Options& options) {
  const uint64_t beside = sizeof(Key) + sizeof(ExecutionTree::Id);
  const uint64_t bytes = s.counters.BytesWith(kRoom) + s.states.BytesWith(kRoom) +
                         2 * (uint64_t{s.counters.Size()} + kRoom) * beside;
  s.full |= bytes > options.memory_limit;
  if (s.full) return false;
  s.counters.Reserve(kRoom);
  s.states.Reserve(kRoom);
  MakeRoom(s.shared, kRoom);
  s.told.reserve(kMostTold);
  return true;
}

plan::Visiting VisitedCounters::Of(State& s) {
  return {.by = &kCounters, .search = &s, .kind = plan::KeyKind::kCounters};
}

bool VisitedCounters::Commit(State& s, ExecutionTree::Id by) {
  const bool is_new = s.counters.Size() != s.committed;
  s.met_by.resize(s.counters.Size(), by);
  s.committed = s.counters.Size();
  s.committed_states = s.states.Size();
  return is_new;
}

void VisitedCounters::Tell(State& s, uintptr_t pc) { s.told.push_back(pc); }

}  // namespace heddle::explore
