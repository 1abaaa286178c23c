// TruSt: every consistent execution graph exactly once, in linear memory.
//
// Source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly stateless, optimal dynamic
// partial order reduction", POPL 2022. A program runs, one event at a time. A load reads the newest
// write, a store becomes it; what else it could have read, or where else it could have gone, is
// noted as an alternative (a forward revisit). When a store `a` comes, loads that have been before
// it and do not lead to it could have read from it, had it come earlier: so each such load `r`
// makes another alternative, the graph without what is newer than r and does not lead to a, with r
// reading from a (a backward revisit).
//
//   T0: r = x    T1: x = 1      r reads 0; then the store comes and revisits r: the graph in which
//                               r reads 1, with the store before it in the order of replay
//
// Of all graphs that could come to one graph by deleting something, one may: that in which all that
// is deleted, and r, is as it would be if it had been added with `a` not yet there and the rest
// that is kept there already, each load reading the newest write and each store becoming it. They
// are then a maximal extension of what is kept. So nothing has to be remembered of what was
// explored.
//
//   Revisits(a)   for each e older than a, newest first:
//                   if e leads to a: skip it, it is kept
//                   if e is not added maximally: stop, for e or an older r would delete it or be it
//                   if e is the next write after a in modification order: stop, as it would be
//                     deleted, and a at the end makes the same graph
//                   if e is a load of a's location, and revisitable: note (a revisits e)
//   Maximal(e,a)  with Previous = what is not newer than e, or leads to a:
//                   e has not revisited a load: no older one reads from it;
//                   nothing in Previous is newer, in modification order, than e or what e reads
//                   (what e reads is in Previous, or has revisited e and stopped the walk)
//
// A use of an object comes at the end of its chain. When `e` comes, or is found blocked for ever at
// the end of a graph, the older uses `v` that do not lead to its thread's last event could have
// come after it, if it is enabled where v was. Such a `v` does not stay, as it may be blocked after
// e:
//
//   Uses(e)       P = what leads to the last event of e's thread; its chain does not count
//                 for each x older than e, newest first:
//                   if x is in P: skip it, it is kept
//                   if x is not maximal: stop
//                   if x is a use of e's object and e is enabled at its level: note (e before x)
//   (e before v)  the graph of what is older than v and of P, then e at the end of its chain. The
//                 thread of v stands before v again; v comes, with other alternatives, once it is
//                 enabled.
//   Maximal       a use is, unless it has come before another like that: then this would be undone.
//                 It is otherwise the newest of its chain in any Previous, as chains are in porf.
//
// Our differences:
//   * A store is put to each place in modification order first and revisits from each, the paper
//     places it after the revisit. For a store in the middle this is the same; at the end of what
//     is kept it is counted where it stands after all that is deleted.
//   * The loads that lead to `a` are not revisitable in the new graph: their alternatives are
//     explored where `a` has not revisited yet. Maximal would refuse them as well, because of `a`;
//     this way they need not be looked at.
//   * Updates. Two of them may read one write for a moment: while the store of the second looks
//     whom it can revisit. The first must then be deleted, or be the one that is revisited, so only
//     loads that are not newer than the first are considered, and the graph itself is dropped. The
//     store of an update whose load is revisited is added at once, and revisits in turn.
//
// Whoever runs the program (a test's interpreter now, the runtime later) calls:
//
//   while (trust.Next()) {                 (or goes on at once, to drop a graph)
//     replay: each event of trust.Graph().ReplayOrder(), which says what each load reads
//     while (some thread can go on)          in any order that the graph so far decides
//       trust.Extend(thread, label)          returns what was read
//     for each thread that is blocked before a use:  trust.Blocked(thread, its label)
//   }
//
// The extension can as well be told afterwards, since it is what a plain run does: loads read the
// newest write, stores are written through.
//
// Invariants:
//   * Alternatives are taken newest first, each after the graph was cut back to its event. So an
//     event's own alternatives meet the graph as it was when the event was added.
//   * A graph made by a backward revisit is never cut into what it was made of: it has alternatives
//     of its own, and is dropped when the last one is taken. So there is a graph for each revisit
//     under way, and no record of what is through.
//   * An alternative needs nothing but its graph, cut back to its event: it can be explored
//   anywhere,
//     by itself, at any time (Split).
//   * Every graph at which Next stops is consistent and was not seen before, but for uses of which
//     only trying tells: if such a use turns out to be blocked in replay, the graph is to be
//     dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/consistency.h"
#include "model/graph.h"
#include "model/numbers.h"

namespace heddle::model {

class Trust {
 public:
  struct Counts {
    uint64_t forward = 0;       // alternatives of the event itself that were taken
    uint64_t backward = 0;      // and revisits
    uint64_t uses = 0;          // and uses that came before others
    uint64_t inconsistent = 0;  // that the model did not allow
    uint64_t pending = 0;       // two updates of one write, dropped after their revisits
    size_t most_graphs = 1;     // alive at once
  };

  Trust(Consistency& model, ExecutionGraph initial);
  // From here on `model`, which is the same, answers.
  void SetModel(Consistency& model) { model_ = &model; }

  // Goes on to the next graph that is to be replayed and extended. False: there is none.
  bool Next();
  const ExecutionGraph& Graph() const { return explorations_[alive_ - 1]->graph; }
  // What a location holds before its first event, where Graph().HasEventAt(location) is false: it
  // may be known only then. In the next graph that meets the location it is to be told again.
  void SetInitial(LocationId location, Value value) { Top().graph.SetInitial(location, value); }
  // There may be so many threads.
  void Grow(ThreadId threads);

  // Parts with the oldest alternative that so many graphs may come of: that graph, and all that
  // comes of it, is not this one's any more. Appends it to `to`; false if there is none.
  // REQUIRES: called where Next may be.
  bool Split(std::vector<uint64_t>& to, uint64_t least = 1);
  // What another one has parted with is all that is to be explored here; Next comes first. False:
  // the numbers are something else. REQUIRES: nothing was explored.
  bool Take(Numbers& from);

  // The next event of a thread. An update adds both halves. Returns its number: what it has read is
  // Graph().At(number).value.
  EventId Extend(ThreadId thread, const Label& label);
  // When nothing goes on: the thread stands before this use, which is not enabled.  REQUIRES: no
  // Extend follows before Next.
  void Blocked(ThreadId thread, const Label& label);
  // Likewise: it stands before this load or update, and what it would do if that read the newest
  // write, it has done already (a loop that waits). So it could only read another one.
  void BlockedLoad(ThreadId thread, const Label& label);
  // An event that could have been made with each of so many options was made with the first.
  void Chooses(EventId event, uint32_t options);
  // An event of a thread comes after another one's, by which it was let go.
  void ComesAfter(EventId event, EventId other, bool acquires) {
    Top().graph.ComeAfter(event, other, acquires);
  }

  const Counts& Count() const { return counts_; }
  size_t Graphs() const { return alive_; }  // that have alternatives left, and the present one

 private:
  struct Alternative {
    enum class Kind : uint8_t {
      kRead,
      kPlace,
      kRevisit,
      kUse,
      kBlockedUse,
      kBlockedRead,
      kOption
    } kind;
    EventId event;   // the load that reads, the store, the use; kBlocked...: index of `blocked`
    EventId choice;  // the write read, the load revisited, the use after; the position, the option
  };
  static bool IsBlocked(Alternative::Kind kind) {
    return kind == Alternative::Kind::kBlockedUse || kind == Alternative::Kind::kBlockedRead;
  }
  struct BlockedOperation {
    ThreadId thread;
    Label label;
    EventId end;  // the last event of the graph
  };
  struct Exploration {
    explicit Exploration(ExecutionGraph of) : graph(std::move(of)) {}
    ExecutionGraph graph;
    std::vector<Alternative> alternatives;
    std::vector<BlockedOperation> blocked;  // at the end of the graph as it stands
  };

  // An alternative that was taken, and of which not all is explored yet.
  struct Begun {
    size_t graph;         // that had it, from the oldest one
    size_t left;          // alternatives that that graph had then
    uint64_t explored;    // graphs before it
    EventId events;       // that were there at first
    bool parted = false;  // something of it was parted with
  };

  Exploration& Top() { return *explorations_[alive_ - 1]; }
  bool Take(const Alternative& alternative);
  void NoteEnded();
  void NoteParted(size_t graph, size_t alternative);
  bool MayBring(const Exploration& of, const Alternative& alternative, uint64_t least) const;
  EventId EventsKept(const Exploration& of, const Alternative& alternative) const;
  bool Read(EventId load, EventId write);
  bool Place(EventId store, Position after);
  bool Revisit(EventId store, EventId load);
  bool ComeBefore(EventId use, EventId last, ThreadId thread, Label label);
  ExecutionGraph& Spare();
  void Enter();
  bool Refuse();
  EventId AddLoad(ThreadId thread, const Label& label);
  EventId AddStore(ThreadId thread, const Label& label);
  // `not_newer`: loads that are newer are not considered.
  void NoteRevisits(EventId store, EventId not_newer);
  void NoteUses(ThreadId thread, const Label& label, Alternative::Kind kind, EventId event);
  ConstView PorfOr(EventId last) const;
  bool IsTaken(EventId load, EventId write);
  static EventId OldestRevisitable(const ExecutionGraph& graph, EventId store);
  static EventId OldestUseAfter(const ExecutionGraph& graph, ConstView prefix, const Label& label,
                                EventId but);
  static bool IsMaximal(const ExecutionGraph& graph, EventId event, ConstView prefix,
                        EventId store);

  Consistency* model_;
  // The first alive_ of them; the others are kept for their memory. By pointer, as one is made
  // while another is read.
  std::vector<std::unique_ptr<Exploration>> explorations_;
  size_t alive_ = 1;
  bool begun_ = false;
  Counts counts_;
  std::vector<uint16_t> nothing_;  // a view
  // How many graphs come of an alternative is told by how many events are still to come: for each
  // such number, the mean of late. 0: not known.
  std::vector<float> came_of_;
  std::vector<Begun> begun_alternatives_;
  uint64_t explored_ = 0;    // graphs
  EventId most_events_ = 0;  // of one of them
};

}  // namespace heddle::model
