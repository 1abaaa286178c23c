// Execution graphs: the events of each thread, which write every load reads from, and the
// modification order of every location.
//
//   T0: x = 1   T1: r = x        events   0: T0 store x   1: T1 load x
//                                x: initial(x) < 0        1 reads from initial(x), or from 0
//
// An event's number is its stamp: the order of insertion. A graph grows by appending and shrinks by
// CutAfter, which takes the newest events away, so everything lies in flat arrays by stamp. Other
// orders are kept beside it: the events of each thread, the modification order, and the order of
// replay, a linear extension of program order and reads-from by which the program can be run. The
// last is not by stamps: TruSt (trust.h) lets a load read from a write with a newer one.
//
// An update (a read-modify-write) that succeeds is two events, a load and then a store, the store
// directly after what the load reads in modification order; one that fails is the load alone.
// The first write of a location is no event that takes up a stamp: its number is negative.
//
// A use is an operation on a synchronisation object: a lock, an unlock, a post. The uses of an
// object are a chain, each after the one before, and stand where a location has its modification
// order. A use is appended at the end of its chain, never moved, and only where it is enabled
// (label.h). So chains ascend by stamp.
//
// Views (view.h) of each event: `happens_before` of RC11 (below), and `porf`, the prefix by program
// order, reads-from, chains and creation and joining of threads. Both are functions of what
// precedes the event in those, so they never change while it stands, unless its own reads-from is
// set again.
//
//   sw = [release]; ([fence]; po)?; rs; rf; [atomic]; (po; [fence])?; [acquire]
//   rs = [write]; (rf; update)*       a write and the updates that continue it (C++20, P0982)
//   hb = (po + sw + [releasing use]; chain+; [acquiring use] + creating and joining threads)+
//        where a shared use acquires from writers only (label.h)
//
// Source: Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing sequential consistency in C/C++11", PLDI
// 2017. Each write has a third view, `released`: what an acquire load learns by reading it;
// each use, too: what the next of its chain learns that acquires.
//
// Invariants:
//   * po + rf + chains is acyclic (there is no load buffering), and of a thread the stamps ascend.
//   * Loads of a write are linked newest stamp first, so cutting takes them from the front.
//   * Nothing stands between an update and what it reads in modification order, except that TruSt
//     lets two updates read one write for a moment.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/label.h"
#include "model/view.h"

namespace heddle::model {

using EventId = int32_t;
constexpr EventId kNoEvent = INT32_MIN;
// The first write of a location.
constexpr EventId InitialOf(LocationId location) { return ~static_cast<EventId>(location); }
constexpr bool IsInitial(EventId event) { return event < 0 && event != kNoEvent; }

// Views count them in 16 bits.
constexpr uint32_t kMostEventsOfThread = 65'535;

// Of a write in the modification order of its location. The initial one has 0.
using Position = uint32_t;

enum class EventKind : uint8_t { kLoad, kStore, kFence, kCreate, kJoin, kUse };

struct Event {
  Label label;  // the same in both halves of an update
  EventKind kind = EventKind::kFence;
  Order order = Order::kRelaxed;  // of an update or use that failed: label.failure
  bool of_update = false;         // half of an update that succeeded
  bool revisitable = true;        // of a load or use: see trust.h
  ThreadId thread = 0;
  uint16_t index = 0;  // in its thread
  Position position = 0;
  Value value = 0;  // loaded or stored
  EventId reads_from = kNoEvent;
  EventId first_reader = kNoEvent;  // of a write
  EventId next_reader = kNoEvent;   // of a load: the next older one of the same write

  bool IsLoad() const { return kind == EventKind::kLoad; }
  bool IsStore() const { return kind == EventKind::kStore; }
  bool IsAccess() const { return IsLoad() || IsStore(); }
  bool IsUse() const { return kind == EventKind::kUse; }
};

class Numbers;  // numbers.h

// As numbers, and back (saved_graph.cpp).
void SaveLabel(const Label& label, std::vector<uint64_t>& to);
Label LoadLabel(Numbers& from);

class ExecutionGraph {
 public:
  explicit ExecutionGraph(ThreadId threads);

  // Those not named begin as 0.  REQUIRES: HasEventAt(location) is false.
  void SetInitial(LocationId location, Value value);

  // ---- growing and shrinking
  EventId AppendFence(ThreadId thread, const Label& label);
  EventId AppendCreate(ThreadId thread, const Label& label);
  // REQUIRES: the thread that it joins does nothing any more.
  EventId AppendJoin(ThreadId thread, const Label& label);
  // A load or the load of an update, which reads from `write`.
  EventId AppendLoad(ThreadId thread, const Label& label, EventId write);
  // Directly after the write at `after` in modification order.
  EventId AppendStore(ThreadId thread, const Label& label, Position after);
  // The other half of an update.  REQUIRES: `load` is the newest event, and UpdateSucceeds.
  EventId AppendStoreOf(EventId load);
  // The same, if the value that it stores is known by other means than its label.
  EventId AppendStoreOf(EventId load, Value value);
  bool UpdateSucceeds(EventId load) const;
  // At the end of its object's chain.  REQUIRES: it is enabled at label.level.
  EventId AppendUse(ThreadId thread, const Label& label);

  // The newest event happens after these, too, for reasons that the graph does not have.
  void Learn(EventId event, ConstView happens_before);

  // The newest event comes after another one in porf, and if it `acquires` in happens-before.
  void ComeAfter(EventId event, EventId other, bool acquires);
  // REQUIRES: ComesAfterOther.
  EventId OtherOf(EventId event) const {
    const Label& label = events_[event].label;
    return by_thread_[label.other][label.operand - 1];
  }
  void SetOption(EventId event, uint32_t option) { events_[event].label.option = option; }
  void SetOptions(EventId event, uint32_t options) { events_[event].label.options = options; }

  // REQUIRES: `load` is the last event of its thread.
  void SetReadsFrom(EventId load, EventId write);
  // `store` comes directly after the write at `after`, a position as if it were not there.
  void Move(EventId store, Position after);
  // Takes away what is newer than `last`.
  void CutAfter(EventId last);
  // Becomes a copy of those events of `other` that are older than `load`, `load` itself without
  // what it reads, and those in the porf-prefix of `write`, which are not revisitable any more.
  // Returns what `load` and `write` are called here.
  // REQUIRES: `load` is not in that prefix.
  struct Renamed {
    EventId load, write;
  };
  Renamed CopyForRevisit(const ExecutionGraph& other, EventId load, EventId write);
  // Becomes a copy of those events of `other` that are older than `use`, and those in `prefix`,
  // which are not revisitable any more; appends what is instead of `use` at the end of its chain.
  // REQUIRES: `prefix` is what comes before `instead` in its thread, without `use`.
  void CopyForUse(const ExecutionGraph& other, EventId use, ConstView prefix, ThreadId thread,
                  const Label& instead);

  // There may be so many threads.
  void Grow(ThreadId threads);
  // As numbers, and back. False: that is no graph, and neither is this any more.
  void Save(std::vector<uint64_t>& to) const;
  bool Load(Numbers& from);

  // ---- looking
  EventId Size() const { return static_cast<EventId>(events_.size()); }
  const Event& At(EventId event) const {
    return event >= 0 ? events_[event] : locations_[~event].initial;
  }
  ThreadId Threads() const { return threads_; }
  std::span<const EventId> EventsOf(ThreadId thread) const { return by_thread_[thread]; }
  // The event before in program order; of a thread's first, the one that created it.
  EventId Before(EventId event) const {
    const Event& e = events_[event];
    return e.index > 0 ? by_thread_[e.thread][e.index - 1] : created_by_[e.thread];
  }
  // The last event of a thread, or the one that created it.
  EventId LastOf(ThreadId thread) const {
    return by_thread_[thread].empty() ? created_by_[thread] : by_thread_[thread].back();
  }
  EventId CreatedBy(ThreadId thread) const { return created_by_[thread]; }

  LocationId Locations() const { return static_cast<LocationId>(locations_.size()); }
  Position NewestPosition(LocationId location) const {
    return location < Locations() ? static_cast<Position>(locations_[location].stores.size()) : 0;
  }
  EventId WriteAt(LocationId location, Position position) const {
    return position == 0 ? InitialOf(location) : locations_[location].stores[position - 1];
  }
  // Something is stored at, reads from, or uses it.
  bool HasEventAt(LocationId location) const {
    return location < Locations() && (!locations_[location].stores.empty() ||
                                      locations_[location].initial.first_reader != kNoEvent);
  }
  EventId Newest(LocationId location) const { return WriteAt(location, NewestPosition(location)); }
  // The position of the newest write that `access` could read or follow: not itself.
  // REQUIRES: if it is a store, it is the newest.
  Position NewestBut(EventId access) const {
    const Event& e = At(access);
    return NewestPosition(e.label.location) - (e.IsStore() ? 1 : 0);
  }
  // The use before in the chain, or kNoEvent.
  EventId UseBefore(EventId use) const {
    const Event& e = events_[use];
    return e.position > 1 ? locations_[e.label.location].stores[e.position - 2] : kNoEvent;
  }
  // The load of an update that succeeded, reads `write`, and is not `but`.
  EventId UpdateThatReads(EventId write, EventId but = kNoEvent) const;

  // ---- views
  ConstView HappensBefore(EventId event) const { return ViewOf(event, kHappensBefore); }
  ConstView Porf(EventId event) const { return ViewOf(event, kPorf); }
  bool IsIn(ConstView view, EventId event) const {
    if (event < 0) return true;
    const Event& e = events_[event];
    return view[e.thread] > e.index;
  }
  // Strictly.
  bool HappensBefore(EventId first, EventId second) const {
    return first != second && second >= 0 && IsIn(HappensBefore(second), first);
  }

  // Of the writes of the location up to `newest` the newest one that is in the view, or is read by
  // something that is; 0: there is none.
  Position NewestSeen(ConstView view, LocationId location, Position newest) const {
    for (Position p = newest; p > 0; --p) {
      const EventId write = locations_[location].stores[p - 1];
      if (IsIn(view, write)) return p;
      for (EventId r = events_[write].first_reader; r != kNoEvent; r = events_[r].next_reader)
        if (IsIn(view, r)) return p;
    }
    return 0;
  }

  // An event with a stamp before that one is not reached, by po, rf, mo, fr and chains, from any
  // write of the location between those positions: above the one, up to the other. Most edges lead
  // to later stamps; the others are few and land not far before. So what a new access may close a
  // cycle with is searched for in a part of a long graph.
  EventId OldestReached(LocationId location, Position above, Position most) const;
  // Else the whole of it is searched as fast.
  bool IsLong() const {
    constexpr EventId kShort = 64;
    return Size() >= kShort;
  }

  // A linear extension of program order and reads-from.
  std::span<const EventId> ReplayOrder() const { return replay_; }

  // Accesses that are not seq_cst, and events that are.
  uint32_t WeakAccesses() const { return weak_accesses_; }
  uint32_t SeqCstEvents() const { return seq_cst_events_; }

 private:
  struct Location {
    Event initial;
    std::vector<EventId> stores;  // in modification order; of an object its uses
  };
  enum ViewKind { kHappensBefore, kPorf, kReleased, kViewKinds };

  // Of a store or use: also what it has released.
  static size_t KindsOf(const Event& e) {
    return e.IsStore() || e.IsUse() ? size_t{kViewKinds} : size_t{kReleased};
  }
  ConstView ViewOf(EventId event, ViewKind kind) const {
    return &views_[(static_cast<size_t>(event) * kViewKinds + kind) * stride_];
  }
  View ViewOf(EventId event, ViewKind kind) {
    return &views_[(static_cast<size_t>(event) * kViewKinds + kind) * stride_];
  }
  Event& Mutable(EventId event) { return event >= 0 ? events_[event] : locations_[~event].initial; }

  void Need(LocationId location);
  size_t ViewsOfAll() const { return events_.size() * kViewKinds * stride_; }
  void MakeRoomForViews();
  bool LoadEvent(Numbers& from, uint64_t events);
  EventId Append(ThreadId thread, EventKind kind, const Label& label);
  void Link(EventId load);
  void Unlink(EventId load);
  void Insert(EventId store, Position after);
  void Erase(EventId store);
  void Count(const Event& event, uint32_t change);
  void TakeNewest();
  void Clear(const ExecutionGraph& like);
  void CopyKept(const ExecutionGraph& other, EventId older_than, ConstView prefix);
  void LinkCopied(const ExecutionGraph& other, EventId but);

  // happens_before.cpp
  void BeginViews(EventId event);
  void SetLoadViews(EventId load);
  void SetStoreViews(EventId store);
  void SetFenceViews(EventId fence);
  void SetUseViews(EventId use);
  void JoinWriters(EventId use);
  void SetJoinViews(EventId join);
  void JoinHead(View view, EventId store) const;

  ThreadId threads_;
  uint32_t stride_;  // of views: the number of threads
  std::vector<Event> events_;
  std::vector<uint16_t> views_;  // at least ViewsOfAll: they do not shrink
  std::vector<std::vector<EventId>> by_thread_;
  std::vector<EventId> created_by_;
  std::vector<Location> locations_;
  std::vector<EventId> replay_;
  std::vector<EventId> renamed_;  // scratch of CopyKept
  uint32_t weak_accesses_ = 0;
  uint32_t seq_cst_events_ = 0;
};

}  // namespace heddle::model
