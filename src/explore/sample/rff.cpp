#include "explore/sample/rff.h"

namespace heddle::explore {
namespace {

using op::Access;
using op::Kind;
using op::ThreadId;

constexpr size_t kMostSchedules = 4096;  // in the corpus
constexpr uint32_t kMostEnergy = 64;

bool IsUnlock(Kind kind) {
  return kind == Kind::kMutexUnlock || kind == Kind::kRwUnlock || kind == Kind::kSpinUnlock ||
         kind == Kind::kStreamUnlock;
}

bool ReadsObject(Kind kind) {
  return op::Info(kind).access != Access::kNone && !IsUnlock(kind) && kind != Kind::kAtomicStore &&
         kind != Kind::kPlainWrite;
}
bool WritesObject(Kind kind) {
  return op::Info(kind).access == Access::kWrite || op::Info(kind).access == Access::kShared;
}

RffState::CodeSite PlaceOf(const op::Operation& operation) { return operation.pc + 1; }

template <typename T>
T OneOf(const std::vector<T>& values, uint64_t& stream) {
  return values[base::NextBelow(stream, static_cast<uint32_t>(values.size()))];
}

void AddPlace(std::vector<RffState::CodeSite>& places, RffState::CodeSite place) {
  if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
}

}  // namespace

// ---- between executions ----

RffState::Constraint RffState::DrawConstraint(uint64_t& stream) const {
  const Object& object = objects[OneOf(of_use, stream)];
  const bool positive = base::NextBelow(stream, 2) == 0;
  return {object.address, OneOf(object.writes, stream), OneOf(object.reads, stream), positive};
}

// One of: insert, swap for another one, negate, delete.
void RffState::Mutate(uint64_t& stream) {
  const uint32_t change = schedule.count == 0 ? 0 : base::NextBelow(stream, 4);
  if (change == 0 && schedule.count < kMostConstraints) {
    schedule.constraints[schedule.count++] = DrawConstraint(stream);
    return;
  }
  Constraint& drawn = schedule.constraints[base::NextBelow(stream, schedule.count)];
  if (change == 1) {
    drawn = DrawConstraint(stream);
  } else if (change == 2) {
    drawn.positive = !drawn.positive;
  } else {
    drawn = schedule.constraints[--schedule.count];
  }
}

// Whose set of pairs is more frequent than the mean is passed over. Sets that were seen once are
// not, and the mean is 1 at least, so somebody has a turn.
void RffState::TakeTurn() {
  const uint64_t mean = executions / std::max<size_t>(frequency.Size(), 1);
  for (size_t passed = 0; passed < corpus.size(); ++passed) {
    turn = (turn + 1) % corpus.size();
    Schedule& next = corpus[turn];
    const uint64_t* const times = frequency.Find(next.pairs);
    if (times != nullptr && *times > mean) continue;
    energy = next.turns < 6 ? uint32_t{1} << next.turns : kMostEnergy;
    ++next.turns;
    return;
  }
  energy = 1;
}

void RffState::Prepare(const explore::Options& options) {
  PosState::Prepare(options);
  index_of.Reserve();
  frequency.Reserve();
  last_write.Reserve();
  made.Reserve();
  pairs.Reserve();
  undelayed.resize(patience.size());
  if (corpus.empty()) corpus.emplace_back();
  if (of_use.empty()) {  // nothing to ask for, in the first execution at least
    schedule = {};
    return;
  }
  if (energy == 0) TakeTurn();
  --energy;
  schedule = corpus[turn];
  schedule.turns = 0;
  uint64_t stream = base::Mix(seed + 3);
  do Mutate(stream);
  while (base::NextBelow(stream, 2) == 0);
}

void RffState::Learn(const trace::Execution&) {
  uint64_t set = 0;
  pairs.ForEach([&](uint64_t pair, char) { set += base::Mix(pair); });
  made.ForEach([&](uint64_t, const Access& access) { LearnAccess(access); });
  schedule.pairs = set;
  if (executions == 0) corpus[0].pairs = set;
  uint64_t* const times = frequency.Add(set);
  if (times == nullptr) return;  // a million: new ones are not told from old ones any more
  if (++*times == 1 && executions != 0 && corpus.size() < kMostSchedules)
    corpus.push_back(schedule);
}

void RffState::LearnAccess(const Access& access) {
  uint32_t* const known = index_of.Add(access.object);
  if (known == nullptr) return;
  if (*known == 0) {
    objects.emplace_back();
    objects.back().address = access.object;
    objects.back().thread = access.thread;
    *known = static_cast<uint32_t>(objects.size());
  }
  const uint32_t index = *known - 1;
  Object& object = objects[index];
  const bool before = object.IsOfUse();
  object.shared |= access.shared || access.thread != object.thread;
  if (access.writes) AddPlace(object.writes, access.place);
  if (access.reads) AddPlace(object.reads, access.place);
  if (object.IsOfUse() && !before) of_use.push_back(index);
}

// ---- during an execution ----

void RffState::BeginExecution() {
  PosState::BeginExecution();
  last_write.Begin();
  made.Begin();
  pairs.Begin();
  std::fill_n(met, kMostConstraints, false);
}

RffState::CodeSite RffState::LastWrite(uintptr_t object) {
  const CodeSite* const place = last_write.Find(object);
  return place != nullptr ? *place : kInitial;
}

// What the constraint wants of a thread that stands before the operation, which is on its object.
RffState::Wish RffState::WishOf(const Constraint& constraint, const op::Operation& operation) {
  const CodeSite place = PlaceOf(operation);
  const bool is_read = place == constraint.read && ReadsObject(operation.kind);
  const bool holds = LastWrite(constraint.object) == constraint.write;
  if (!constraint.positive) return is_read && holds ? Wish::kDelayed : Wish::kFree;
  if (is_read) return holds ? Wish::kFirst : Wish::kDelayed;
  const bool overwrites = WritesObject(operation.kind) && place != constraint.write;
  return holds && overwrites ? Wish::kDelayed : Wish::kFree;
}

ThreadId RffState::Choose(const plan::SchedulerView& view) {
  const op::ThreadSet options = Options(view);
  ThreadId first = op::kNoThread;
  op::ThreadSet among = options;
  if (schedule.count != 0 && options.Width() <= undelayed.size()) {
    op::ThreadSetRef free(undelayed.data(), options.Width());
    free.Clear();
    options.ForEach([&](ThreadId id) {
      const op::Operation& operation = view.stands.Before(id);
      Wish wish = Wish::kFree;
      for (uint32_t i = 0; i < schedule.count && wish != Wish::kDelayed; ++i) {
        const Constraint& constraint = schedule.constraints[i];
        if (met[i] || constraint.object != operation.object) continue;
        const Wish asked = WishOf(constraint, operation);
        if (asked != Wish::kFree) wish = asked;
      }
      if (wish != Wish::kDelayed) free.Add(id);
      if (wish == Wish::kFirst && first == op::kNoThread) first = id;
    });
    if (!free.Empty()) among = free.Operand();
  }
  const ThreadId thread = first != op::kNoThread ? Take(view, first) : TakeHighest(view, among);
  NoteAccess(view.stands.Before(thread), thread);
  return thread;
}

void RffState::NoteAccess(const op::Operation& operation, ThreadId thread) {
  if (operation.object == 0) return;
  const bool reads = ReadsObject(operation.kind);
  const bool writes = WritesObject(operation.kind);
  if (!reads && !writes) return;
  const CodeSite place = PlaceOf(operation);
  const CodeSite from = LastWrite(operation.object);
  if (Access* access = made.Add(base::MixTwo(operation.object, place)); access != nullptr) {
    const bool known = access->object != 0;
    access->shared |= known && access->thread != thread;
    *access = {operation.object, thread, place, access->shared, reads, writes};
  }
  if (reads) pairs.Add(base::MixTwo(operation.object, base::MixTwo(from, place)));
  if (writes) {
    if (CodeSite* last = last_write.Add(operation.object); last != nullptr) *last = place;
  }
  for (uint32_t i = 0; i < schedule.count; ++i) {
    const Constraint& constraint = schedule.constraints[i];
    if (!constraint.positive || constraint.object != operation.object) continue;
    const bool read = reads && place == constraint.read && from == constraint.write;
    const bool lost = writes && constraint.write == kInitial;
    if (read || lost) met[i] = true;
  }
}

}  // namespace heddle::explore
