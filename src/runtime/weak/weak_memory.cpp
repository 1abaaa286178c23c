#include "runtime/weak/weak_memory.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace heddle::runtime {

using model::EventId;
using model::Label;
using model::LocationId;
using model::Position;

namespace {

constexpr uint32_t kByUse = 1;  // model::Label::level, which updates do not need

model::ThreadId NumberOf(op::ThreadId thread) { return static_cast<model::ThreadId>(thread); }

}  // namespace

WeakMemory::WeakMemory(std::unique_ptr<model::Consistency> consistency, uint32_t threads,
                       trace::Bump& bump)
    : consistency_(std::move(consistency)), graph_(NumberOf(threads)), bump_(bump) {}

void WeakMemory::BeginExecution(uint32_t threads) {
  if (threads > graph_.Threads()) {
    graph_ = model::ExecutionGraph(NumberOf(threads));
  } else {
    graph_.CutAfter(-1);
  }
  TakeBackLocations(0);
  locations_ = 0;
  released_.clear();
  begun_with_.clear();
  ticks_.resize(graph_.Threads());
  for (std::vector<uint16_t>& thread : ticks_) thread.clear();
  known_.resize(graph_.Threads());
  now_ = 0;
  settled_ = 0;
  seen_.resize(graph_.Threads());
  ++since_;
}

LocationId WeakMemory::NewLocation(uint64_t value, const trace::Clock& released) {
  graph_.SetInitial(locations_, value);
  begun_with_.emplace_back().Assign(released, bump_);
  return locations_++;
}

uint32_t WeakMemory::LocationOf(uint32_t object) const {
  return object < location_of_.size() ? location_of_[object] : kNoLocation;
}

void WeakMemory::SetLocation(uint32_t object, uint32_t location) {
  if (object >= location_of_.size()) location_of_.resize(object + 1, kNoLocation);
  changes_.push_back({object, location_of_[object]});
  location_of_[object] = location;
}

void WeakMemory::TakeBackLocations(size_t changes) {
  for (; changes_.size() > changes; changes_.pop_back())
    location_of_[changes_.back().object] = changes_.back().before;
}

LocationId WeakMemory::Meet(const Place& place) {
  uint32_t location = LocationOf(place.object);
  if (location == kNoLocation || graph_.At(graph_.Newest(location)).value != place.memory) {
    location = NewLocation(place.memory, place.released);
    SetLocation(place.object, location);
  }
  return location;
}

// How many events the thread had made at the end of the tick. Of one that has ended the last tick
// has no end of its own.
uint16_t WeakMemory::MadeUpTo(uint32_t thread, uint32_t tick) const {
  const std::vector<uint16_t>& ends = ticks_[thread];
  if (tick <= ends.size()) return ends[tick - 1];
  return static_cast<uint16_t>(graph_.EventsOf(static_cast<model::ThreadId>(thread)).size());
}

// If the thread knows of events that its last one does not come after, it makes one that does. It
// knows no more than when it last caught up of threads of which its clock is the same.
void WeakMemory::CatchUp(const Who& who) {
  if (who.now > now_) {
    now_ = who.now;
    settled_ = Events();
  }
  Seen& seen = seen_[who.thread];
  const uint32_t threads = std::min<uint32_t>(who.clock.Size(), graph_.Threads());
  if (std::exchange(seen.since, since_) != since_) seen.ticks.assign(graph_.Threads(), 0);
  if (who.thread < threads) seen.ticks[who.thread] = who.clock.At(who.thread);
  uint32_t differ = 0;
  for (uint32_t thread = 0; thread < threads; ++thread)
    differ |= who.clock.At(thread) ^ seen.ticks[thread];
  if (differ == 0) return;
  const model::ThreadId self = NumberOf(who.thread);
  const EventId last = graph_.LastOf(self);
  std::ranges::fill(known_, uint16_t{0});
  bool knows_more = false;
  for (uint32_t thread = 0; thread < threads; ++thread) {
    const uint32_t tick = who.clock.At(thread);
    if (tick == seen.ticks[thread]) continue;
    seen.ticks[thread] = tick;
    known_[thread] = tick != 0 ? MadeUpTo(thread, tick) : 0;
    const uint16_t before = last == model::kNoEvent ? 0 : graph_.HappensBefore(last)[thread];
    knows_more |= known_[thread] > before;
  }
  if (!knows_more) return;
  graph_.Learn(graph_.AppendFence(self, {.order = model::Order::kRelaxed}), known_.data());
}

Position WeakMemory::FloorOf(EventId access) {
  const Position floor = consistency_->Floor(graph_, access);
  limited_by_time_ = false;
  if (settled_ == 0) return floor;
  const LocationId location = graph_.At(access).label.location;
  Position settled = graph_.NewestPosition(location);
  while (settled > floor && graph_.WriteAt(location, settled) >= static_cast<EventId>(settled_))
    --settled;
  limited_by_time_ = settled > floor;
  return settled;
}

const trace::Clock& WeakMemory::ReleasedBy(EventId write) const {
  static const trace::Clock nothing;
  if (model::IsInitial(write)) return begun_with_[static_cast<size_t>(~write)];
  return static_cast<size_t>(write) < released_.size() ? released_[write] : nothing;
}

trace::Clock& WeakMemory::Released() {
  released_.resize(graph_.Size());
  return released_.back();
}

bool WeakMemory::JoinOwn(trace::Clock& released) const {
  const model::Event& store = graph_.At(Newest());
  for (const EventId earlier : graph_.EventsOf(store.thread)) {
    const model::Event& e = graph_.At(earlier);
    if (earlier != Newest() && e.IsStore() && e.label.location == store.label.location)
      released.Join(ReleasedBy(earlier), bump_);
  }
  if (released.Empty()) return false;
  const LocationId location = store.label.location;
  for (Position p = graph_.NewestPosition(location); p > 0; --p) {
    const model::Event& e = graph_.At(graph_.WriteAt(location, p));
    if (e.thread != store.thread && !e.of_update) return true;
  }
  return false;
}

uint32_t WeakMemory::BeginLoad(const Who& who, const Place& place, Label label) {
  CatchUp(who);
  label.location = Meet(place);
  const Position newest = graph_.NewestPosition(label.location);
  const EventId load =
      graph_.AppendLoad(NumberOf(who.thread), label, graph_.Newest(label.location));
  return newest - FloorOf(load) + 1;
}

void WeakMemory::ReadFrom(uint32_t newer) {
  if (newer == 0) return;
  const EventId load = Newest();
  const LocationId location = graph_.At(load).label.location;
  const Position newest = graph_.NewestPosition(location);
  const EventId write = graph_.WriteAt(location, newest - newer);
  graph_.SetReadsFrom(load, write);
  // Nothing comes between an update and what it reads.
  const bool taken =
      graph_.UpdateSucceeds(load) && graph_.UpdateThatReads(write, load) != model::kNoEvent;
  if (!taken && consistency_->Allows(graph_, load)) {
    if (!graph_.UpdateSucceeds(load)) return;
    // Does the store, which stands where it must, close a cycle?
    const EventId store = graph_.AppendStoreOf(load);
    const bool allowed = consistency_->Allows(graph_, store);
    graph_.CutAfter(load);
    if (allowed) return;
  }
  graph_.SetReadsFrom(load, graph_.WriteAt(location, newest));
}

uint64_t WeakMemory::ValueRead() const { return graph_.At(Newest()).value; }

bool WeakMemory::ReadsNewest() const {
  const model::Event& load = graph_.At(Newest());
  return load.reads_from == graph_.Newest(load.label.location);
}

bool WeakMemory::ReadsForeign() const {
  const EventId write = ReadBy(Newest());
  return ReadsNewest() && write >= 0 && graph_.At(write).label.level == kByUse;
}

bool WeakMemory::EndUpdate(uint64_t value) {
  const EventId store = graph_.AppendStoreOf(Newest(), value);
  return store == graph_.Newest(graph_.At(store).label.location);
}

uint32_t WeakMemory::BeginStore(const Who& who, const Place& place, Label label) {
  CatchUp(who);
  label.location = Meet(place);
  const Position newest = graph_.NewestPosition(label.location);
  const EventId store = graph_.AppendStore(NumberOf(who.thread), label, newest);
  return newest - FloorOf(store) + 1;
}

bool WeakMemory::PlaceBefore(uint32_t newer) {
  if (newer == 0) return true;
  const EventId store = Newest();
  const LocationId location = graph_.At(store).label.location;
  const Position newest = graph_.NewestPosition(location) - 1;
  const Position after = newest - newer;
  if (graph_.UpdateThatReads(graph_.WriteAt(location, after)) != model::kNoEvent) return true;
  graph_.Move(store, after);
  if (consistency_->Allows(graph_, store)) return false;
  graph_.Move(store, newest);
  return true;
}

void WeakMemory::Fence(const Who& who, int order) {
  CatchUp(who);
  graph_.AppendFence(NumberOf(who.thread), {.order = model::OrderOf(order)});
}

void WeakMemory::AppendUse(const Who& who, uint32_t object, uint64_t memory, model::Order order) {
  CatchUp(who);
  uint32_t location = LocationOf(object);
  if (location == kNoLocation) {
    location = NewLocation(0, trace::Clock());
    SetLocation(object, location);
  }
  const Label label = {.action = model::Action::kUpdate,
                       .order = order,
                       .location = location,
                       .level = kByUse,
                       .operand = memory};
  graph_.AppendStoreOf(graph_.AppendLoad(NumberOf(who.thread), label, graph_.Newest(location)));
}

void WeakMemory::Use(const Who& who, const Place& place) {
  AppendUse(who, place.object, place.memory, model::Order::kRelaxed);
  Released().Assign(place.released, bump_);
}

void WeakMemory::UseQueue(const Who& who, uint32_t queue) {
  AppendUse(who, queue, 0, model::Order::kAcqRel);
  Released().Clear();
}

void WeakMemory::Woken(op::ThreadId thread) {
  const EventId wake = graph_.At(Newest()).IsLoad() ? ReadBy(Newest()) : Newest();
  graph_.AppendLoad(NumberOf(thread),
                    {.action = model::Action::kLoad,
                     .order = model::Order::kAcquire,
                     .location = graph_.At(wake).label.location},
                    wake);
}

void WeakMemory::Create(const Who& who, op::ThreadId other) {
  CatchUp(who);
  graph_.AppendCreate(NumberOf(who.thread),
                      {.action = model::Action::kCreate, .other = NumberOf(other)});
}

void WeakMemory::Join(const Who& who, op::ThreadId other) {
  CatchUp(who);
  graph_.AppendJoin(NumberOf(who.thread),
                    {.action = model::Action::kJoin, .other = NumberOf(other)});
}

void WeakMemory::EndTick(op::ThreadId thread) {
  const auto made = static_cast<uint16_t>(graph_.EventsOf(NumberOf(thread)).size());
  ticks_[thread].push_back(made);
}

// All of it is only added to, so how much there was is enough.
void WeakMemory::Save(base::SavedBytes& to) const {
  to.Put(static_cast<uint32_t>(graph_.Size()));
  to.Put(locations_);
  to.Put(now_);
  to.Put(settled_);
  to.Put(static_cast<uint32_t>(changes_.size()));
  to.Put(static_cast<uint32_t>(ticks_.size()));
  for (const std::vector<uint16_t>& thread : ticks_) to.Put(static_cast<uint32_t>(thread.size()));
}

void WeakMemory::Restore(base::SavedBytesReader& from) {
  TakeBackTo(from.Get<uint32_t>());
  if (released_.size() > static_cast<size_t>(graph_.Size())) released_.resize(graph_.Size());
  locations_ = from.Get<LocationId>();
  begun_with_.resize(locations_);
  now_ = from.Get<uint64_t>();
  settled_ = from.Get<uint32_t>();
  TakeBackLocations(from.Get<uint32_t>());
  const auto threads = from.Get<uint32_t>();
  for (uint32_t thread = 0; thread < threads; ++thread) ticks_[thread].resize(from.Get<uint32_t>());
}

uint64_t WeakMemory::GraphHash() const {
  const auto name = [&](EventId event) {
    if (event < 0) return base::Mix(1);  // which location it is of, the other event says
    const model::Event& e = graph_.At(event);
    return base::Mix(uint64_t{e.thread} << 32 | e.index);
  };
  uint64_t hash = 0;
  for (EventId event = 0; event < graph_.Size(); ++event) {
    const model::Event& e = graph_.At(event);
    EventId before = model::kNoEvent;
    if (e.IsLoad()) before = e.reads_from;
    if (e.IsStore()) before = graph_.WriteAt(e.label.location, e.position - 1);
    if (before == model::kNoEvent) continue;
    hash += base::MixTwo(name(event), name(before) + static_cast<uint64_t>(e.kind));
  }
  return hash;
}

bool WeakMemory::AnyStaleSince(uint32_t events) const {
  for (auto event = static_cast<EventId>(events); event < graph_.Size(); ++event) {
    const model::Event& e = graph_.At(event);
    if (e.IsLoad() && e.reads_from != graph_.Newest(e.label.location)) return true;
  }
  return false;
}

}  // namespace heddle::runtime
