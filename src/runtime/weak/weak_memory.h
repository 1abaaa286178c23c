// Memory under tso and c11: what an atomic access may read, and where a write may go.
//
// The execution graph (model/graph.h) of the execution that runs, built event by event. The model
// says which writes a load may read from; whoever asks chooses one. The program's memory always
// holds the newest write of each place, in modification order; so a write that goes before another
// one is not written through, and plain accesses, the kernel and libc see the newest.
//
// What orders events beside atomic accesses (locks, threads that are created and joined, whatever
// an AcquireFrom is made for) comes from the clocks that the race check has: an event of a thread
// happens after all that the thread's clock knows (CatchUp). So the two never differ.
//
// Where memory holds something else than the newest write, it was written by other means: by the
// constructor of an object in memory that was used before, by a plain store, by the kernel. In a
// program without data races that is ordered with all atomic accesses before it and after it, so
// the place begins anew, as a location that nobody has written to.
//
// C11 says that a store becomes visible in a finite time. Here: before virtual time passes. What
// was written until then, every thread sees, or something newer; so one that has slept does not
// miss what was stored before.
//
// Kinds of location: an atomic word of up to eight bytes that is accessed as a whole, and any other
// object. Operations on the latter are read-modify-writes of its newest write: a chain.
//
// Memory: that of the graph and one clock for each write, which are kept for the next execution.
// Thread-safety: none needed, one kernel thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/saved_bytes.h"
#include "model/consistency.h"
#include "model/graph.h"
#include "op/operation.h"
#include "trace/clock.h"

namespace heddle::runtime {

class WeakMemory {
 public:
  // `threads`: numbers from there on have no room (HasRoomFor). `bump`: for clocks; lives longer.
  WeakMemory(std::unique_ptr<model::Consistency> consistency, uint32_t threads, trace::Bump& bump);

  void BeginExecution(uint32_t threads);
  bool HasRoomFor(op::ThreadId thread) const { return thread < graph_.Threads(); }
  // Is there room for what one operation adds (a few events), and more?
  bool HasRoomForEvents(op::ThreadId thread) const {
    constexpr uint32_t kMostOfOperation = 64;
    const auto number = static_cast<model::ThreadId>(thread);
    return graph_.EventsOf(number).size() + kMostOfOperation <= model::kMostEventsOfThread;
  }
  uint32_t Events() const { return static_cast<uint32_t>(graph_.Size()); }
  // Of the execution that runs, or ran last.
  const model::ExecutionGraph& Graph() const { return graph_; }

  // A thread, what it knows, and its virtual time.
  struct Who {
    op::ThreadId thread;
    const trace::Clock& clock;
    uint64_t now;
  };
  // Of an atomic object: its number, what memory holds, and what whoever wrote that released.
  struct Place {
    uint32_t object;
    uint64_t memory;
    const trace::Clock& released;
  };

  // An atomic load, or the load of a read-modify-write, begins. Returns how many writes it may read
  // from, as far as coherence goes.
  uint32_t BeginLoad(const Who& who, const Place& place, model::Label label);
  // It reads the write that so many are newer than; the newest, if the model forbids that one.
  void ReadFrom(uint32_t newer);
  uint64_t ValueRead() const;
  bool ReadsNewest() const;
  // It reads the newest write, and that is no atomic access of the whole word: what it released,
  // the object knows.
  bool ReadsForeign() const;
  // What an acquire load learns by reading it.
  const trace::Clock& ReleasedByRead() const { return ReleasedBy(ReadBy(Newest())); }
  // The read-modify-write writes `value`. Is that the newest write?
  bool EndUpdate(uint64_t value);

  // An atomic store. Returns before how many writes it may go, and one.
  uint32_t BeginStore(const Who& who, const Place& place, model::Label label);
  // It goes before that many; becomes the newest, if it must not. Is it the newest?
  bool PlaceBefore(uint32_t newer);

  // What an acquire load of the write that was made last learns.
  trace::Clock& Released();
  // Joins to `released` what the thread's own writes to that place release, by C11's rule of
  // release sequences as RC11 has it. True: others have stored there, so C11's text may say
  // otherwise.
  bool JoinOwn(trace::Clock& released) const;

  void Fence(const Who& who, int order);
  // An operation on an object other than an atomic word: afterwards the object holds this, if it is
  // memory.
  void Use(const Who& who, const Place& place);
  // An operation on the queue of a futex, which is that object, under the kernel's lock: it comes
  // after all that came before it there. That is no synchronisation in the language's eyes, so no
  // clock knows of it.
  void UseQueue(const Who& who, uint32_t queue);
  // `thread` sleeps at a futex, and the use of its queue that was made last wakes it.
  void Woken(op::ThreadId thread);
  // `other` is created, or was joined.
  void Create(const Who& who, op::ThreadId other);
  void Join(const Who& who, op::ThreadId other);

  // Has the access that began last fewer writes to choose among because time has passed?
  bool LimitedByTime() const { return limited_by_time_; }

  // From here on `thread` counts as one tick later (BeginTick).
  void EndTick(op::ThreadId thread);

  // How far the execution has come, and back to there. REQUIRES: it was saved on the way of the
  // execution that ran last: what came since is taken back.
  void Save(base::SavedBytes& to) const;
  void Restore(base::SavedBytesReader& from);

  // Of the graph: what each load reads from, and the modification orders.
  uint64_t GraphHash() const;

  // Takes back the events since there were so many, all of them loads of one thread.
  void TakeBackTo(uint32_t events) {
    graph_.CutAfter(static_cast<model::EventId>(events) - 1);
    ++since_;  // what threads had learnt may be gone
  }
  // Did one of them not read the newest write?
  bool AnyStaleSince(uint32_t events) const;

 private:
  static constexpr uint32_t kNoLocation = ~0u;

  model::EventId Newest() const { return graph_.Size() - 1; }
  model::EventId ReadBy(model::EventId load) const { return graph_.At(load).reads_from; }
  const trace::Clock& ReleasedBy(model::EventId write) const;
  model::LocationId NewLocation(uint64_t value, const trace::Clock& released);
  uint32_t LocationOf(uint32_t object) const;
  void SetLocation(uint32_t object, uint32_t location);
  void TakeBackLocations(size_t changes);
  model::LocationId Meet(const Place& place);
  uint16_t MadeUpTo(uint32_t thread, uint32_t tick) const;
  void CatchUp(const Who& who);
  void AppendUse(const Who& who, uint32_t object, uint64_t memory, model::Order order);
  model::Position FloorOf(model::EventId access);

  const std::unique_ptr<model::Consistency> consistency_;
  model::ExecutionGraph graph_;
  trace::Bump& bump_;
  model::LocationId locations_ = 0;
  std::vector<uint32_t> location_of_;  // by number of the object
  struct Change {
    uint32_t object;
    uint32_t before;  // its location
  };
  std::vector<Change> changes_;           // of location_of_, in this execution
  std::vector<trace::Clock> released_;    // by event; of writes
  std::vector<trace::Clock> begun_with_;  // by location; of the first write
  // By thread, and by tick from 1 on: how many events the thread had made at the tick's end.
  std::vector<std::vector<uint16_t>> ticks_;
  std::vector<uint16_t> known_;  // scratch of CatchUp: a view
  // By thread: its clock when it last caught up. Counts if that was since `since_` was raised.
  struct Seen {
    uint64_t since = 0;
    std::vector<uint32_t> ticks;
  };
  std::vector<Seen> seen_;
  uint64_t since_ = 0;
  uint64_t now_ = 0;      // the latest virtual time of a thread
  uint32_t settled_ = 0;  // so many events were made before time last passed
  bool limited_by_time_ = false;
};

}  // namespace heddle::runtime
