// What src/explain says of executions, against the axioms: whether they are allowed, the cycles,
// and what would forbid them: each set does, nothing weaker of it does, and nothing smaller.
//
// HEDDLE_AGREE_PROGRAMS sets how many random programs (default 500), HEDDLE_AGREE_SEED the first
// seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "agree/from_environment.h"
#include "explain/forbid.h"
#include "explain/relations.h"
#include "explain/stale.h"
#include "generate.h"
#include "judged.h"
#include "litmus_text.h"

namespace heddle::litmus {
namespace {

using explain::Change;
using explain::Changes;
using explain::Edge;
using explain::Event;
using explain::EventId;
using explain::Place;
using explain::Recorded;
using explain::Relation;

explain::Remedies RemediesOf(const Recorded& execution) {
  const auto c11 = model::MakeC11();
  return explain::WhatForbids(execution, {c11.get()});
}

// ---- by brute force

// Is there such an edge, by its definition?
bool Holds(const Recorded& execution, const Edge& edge) {
  const auto halves = [&](EventId node) {
    std::vector<EventId> events = {node};
    const Event& e = execution.At(node);
    for (EventId other = node + 1; e.IsLoad() && e.of_update && other < execution.Size(); ++other)
      if (execution.At(other).thread == e.thread) {
        events.push_back(other);
        break;
      }
    return events;
  };
  const auto level = [&](const Event& e) {
    if (e.IsStore()) return e.position;
    return e.reads_from < 0 ? 0 : execution.At(e.reads_from).position;
  };
  for (const EventId a : halves(edge.from))
    for (const EventId b : halves(edge.to)) {
      const Event &x = execution.At(a), &y = execution.At(b);
      const bool same = x.IsAccess() && y.IsAccess() && x.location == y.location;
      switch (edge.relation) {
        case Relation::kProgramOrder:
          if (x.thread == y.thread && a < b) return true;
          break;
        case Relation::kReadsFrom:
          if (y.IsLoad() && y.reads_from == a) return true;
          break;
        case Relation::kModificationOrder:
          if (same && x.IsStore() && y.IsStore() && x.position < y.position) return true;
          break;
        case Relation::kFromRead:
          if (same && x.IsLoad() && y.IsStore() && level(x) < y.position) return true;
          break;
        case Relation::kSynchronises:
          break;
      }
    }
  return false;
}

// How long the shortest cycle is; 0: there is none.
size_t ShortestByBruteForce(const Recorded& execution) {
  std::vector<EventId> nodes;
  for (EventId event = 0; event < execution.Size(); ++event)
    if (!(execution.At(event).IsStore() && execution.At(event).of_update)) nodes.push_back(event);
  const size_t n = nodes.size(), none = 1000;
  std::vector<std::vector<size_t>> steps(n, std::vector<size_t>(n, none));
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      for (const Relation relation : {Relation::kProgramOrder, Relation::kReadsFrom,
                                      Relation::kModificationOrder, Relation::kFromRead})
        if (i != j && Holds(execution, {nodes[i], nodes[j], relation})) steps[i][j] = 1;
  for (size_t k = 0; k < n; ++k)
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) steps[i][j] = std::min(steps[i][j], steps[i][k] + steps[k][j]);
  size_t shortest = none;
  for (size_t i = 0; i < n; ++i) shortest = std::min(shortest, steps[i][i]);
  return shortest == none ? 0 : shortest;
}

void CheckCycle(const Recorded& execution) {
  const std::vector<Edge> cycle = explain::ShortestCycle(execution);
  EXPECT_EQ(cycle.empty(), Allows(execution, Model::kSc));
  EXPECT_EQ(cycle.size(), ShortestByBruteForce(execution));
  const std::vector<bool> on_cycles = explain::OnCycles(execution);
  for (size_t i = 0; i < cycle.size(); ++i) {
    EXPECT_EQ(cycle[i].to, cycle[(i + 1) % cycle.size()].from);
    EXPECT_TRUE(Holds(execution, cycle[i])) << i;
    EXPECT_TRUE(on_cycles[cycle[i].from]);
  }
  if (cycle.empty()) {
    EXPECT_EQ(std::ranges::count(on_cycles, true), 0);
  }
}

// All that is weaker by one step than `changes`.
std::vector<Changes> Weaker(const Changes& changes) {
  std::vector<Changes> all;
  using model::Order;
  for (size_t i = 0; i < changes.size(); ++i) {
    Changes less = changes;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
    all.push_back(less);
    for (const Order order : {Order::kAcquire, Order::kRelease, Order::kAcqRel}) {
      const bool weaker = changes[i].order == Order::kSeqCst ||
                          (changes[i].order == Order::kAcqRel && order != Order::kAcqRel);
      if (!weaker) continue;
      less = changes;
      less[i].order = order;
      all.push_back(less);
    }
  }
  return all;
}

// Does some set of so many changes, all to orders or all to fences, forbid it?
bool AnyForbids(const Recorded& execution, const std::vector<Place>& places, size_t size,
                bool fences, Changes& changes, size_t from = 0) {
  if (changes.size() == size) return !Allows(execution, Model::kC11, changes);
  for (size_t i = from; i < places.size(); ++i) {
    changes.push_back({places[i], model::Order::kSeqCst, fences});
    const bool forbids = AnyForbids(execution, places, size, fences, changes, i + 1);
    changes.pop_back();
    if (forbids) return true;
  }
  return false;
}

void CheckRemedies(const Recorded& execution) {
  const explain::Remedies remedies = RemediesOf(execution);
  EXPECT_TRUE(remedies.all_tried);
  std::vector<Place> places;
  for (const Event& e : execution.events) places.push_back(e.place);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (const bool fences : {false, true}) {
    size_t smallest = 0;
    for (const Changes& set : remedies.sets) {
      if (set[0].fence != fences) continue;
      smallest = set.size();
      EXPECT_FALSE(Allows(execution, Model::kC11, set));
      for (const Changes& weaker : Weaker(set)) EXPECT_TRUE(Allows(execution, Model::kC11, weaker));
    }
    Changes changes;
    const size_t most = smallest == 0 ? places.size() : smallest - 1;
    for (size_t size = smallest == 0 ? places.size() : 1; size <= std::min<size_t>(most, 3); ++size)
      EXPECT_FALSE(AnyForbids(execution, places, size, fences, changes));
    if (smallest != 0) continue;
    for (const Place place : places) changes.push_back({place, model::Order::kSeqCst, fences});
    EXPECT_TRUE(Allows(execution, Model::kC11, changes));
  }
}

// False: it failed.
bool Check(const Program& program) {
  constexpr size_t kMost = 40;  // executions that are no sequentially consistent ones
  size_t looked_at = 0;
  for (Recorded& execution : ExecutionsOf(program)) {
    EXPECT_TRUE(explain::IsAllowed(execution, *model::MakeC11()));
    EXPECT_TRUE(Allows(execution, Model::kC11));
    EXPECT_EQ(explain::IsAllowed(execution, *model::MakeTso()), Allows(execution, Model::kTso));
    const bool sequential = Allows(execution, Model::kSc);
    EXPECT_EQ(explain::IsAllowed(execution, *model::MakeSequential()), sequential);
    CheckCycle(execution);
    if (sequential || ++looked_at > kMost) continue;
    CheckRemedies(execution);
    // Places that have several events.
    for (Event& e : execution.events) e.place %= 10;
    CheckRemedies(execution);
    if (::testing::Test::HasFailure()) return false;
  }
  return true;
}

TEST(Explain, AgreesWithTheAxiomsOnLitmusShapes) {
  for (const LitmusRow& row : ReadLitmusTable(HEDDLE_SOURCE_DIR "/tests/model/litmus.csv")) {
    SCOPED_TRACE(row.name + ": " + row.text);
    if (!Check(row.program)) return;
  }
}

TEST(Explain, AgreesWithTheAxiomsOnRandomPrograms) {
  const uint64_t programs = agree::FromEnvironment("HEDDLE_AGREE_PROGRAMS", 500);
  const uint64_t first = agree::FromEnvironment("HEDDLE_AGREE_SEED", 1);
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    const Program program = GenerateProgram(seed, {.events = 8});
    SCOPED_TRACE("HEDDLE_AGREE_SEED=" + std::to_string(seed) + " HEDDLE_AGREE_PROGRAMS=1\n" +
                 ToText(program));
    if (!Check(program)) return;
  }
}

// ---- what is known of the shapes

const char* NameOf(model::Order order) {
  constexpr const char* kNames[] = {"na", "rlx", "acq", "rel", "ar", "sc"};
  return kNames[static_cast<int>(order)];
}

// "rel 2 + acq 11", "F sc 2 + F sc 12": places are as PlaceEach has them. Sets divided by "; ".
std::string TextOf(const explain::Remedies& remedies) {
  std::string text;
  for (const Changes& set : remedies.sets) {
    if (!text.empty()) text += "; ";
    for (size_t i = 0; i < set.size(); ++i)
      text += std::string(i == 0 ? "" : " + ") + (set[i].fence ? "F " : "") + NameOf(set[i].order) +
              " " + std::to_string(set[i].place);
  }
  return text;
}

// What forbids each of the executions that end so.
std::set<std::string> Forbidding(const std::string& text, const std::string& outcome) {
  std::set<std::string> all;
  for (const Recorded& execution : ExecutionsOf(ParseProgram(text), outcome))
    if (!explain::ShortestCycle(execution).empty()) all.insert(TextOf(RemediesOf(execution)));
  return all;
}
using Sets = std::set<std::string>;

TEST(Remedies, OfMessagePassingAreReleaseAndAcquire) {
  EXPECT_EQ(Forbidding("W d 1 rlx; W f 1 rlx | R f a rlx; R d b rlx", "10"),
            Sets{"rel 2 + acq 11; F rel 2 + F acq 12"});
  // One half is there already.
  EXPECT_EQ(Forbidding("W d 1 rlx; W f 1 rel | R f a rlx; R d b rlx", "10"),
            Sets{"acq 11; F acq 12"});
  EXPECT_EQ(Forbidding("W d 1 rlx; W f 1 rlx | R f a acq; R d b rlx", "10"),
            Sets{"rel 2; F rel 2"});
}

TEST(Remedies, OfStoreBufferingAreSeqCst) {
  EXPECT_EQ(Forbidding("W x 1 rlx; R y a rlx | W y 1 rlx; R x b rlx", "00"),
            Sets{"F sc 2 + F sc 12; sc 1 + sc 2 + sc 11 + sc 12"});
  EXPECT_EQ(Forbidding("W x 1 sc; R y a acq | W y 1 sc; R x b acq", "00"),
            Sets{"sc 2 + sc 12; F sc 2 + F sc 12"});
}

TEST(Remedies, OfTwoWritesEachAreSeqCst) {
  EXPECT_EQ(Forbidding("W x 1 rlx; W y 2 rlx | W y 1 rlx; W x 2 rlx # x y", "11"),
            Sets{"F sc 2 + F sc 12; sc 1 + sc 2 + sc 11 + sc 12"});
}

TEST(Remedies, OfTwoObserversAreSeqCst) {
  EXPECT_EQ(
      Forbidding("W x 1 rlx | W y 1 rlx | R x a rlx; R y b rlx | R y c rlx; R x d rlx", "1010"),
      Sets{"F sc 22 + F sc 32; sc 1 + sc 11 + sc 21 + sc 22 + sc 31 + sc 32"});
}

TEST(Remedies, GoAlongAChainOfReads) {
  EXPECT_EQ(Forbidding("W x 1 rlx | R x a rlx; W y 1 rlx | R y b rlx; R x c rlx", "110"),
            Sets{"rel 12 + acq 21; F rel 12 + F acq 22"});
}

// Coherence forbids it always, so there is no such execution.
TEST(Remedies, OfReadsOfOneLocationAreNotNeeded) {
  EXPECT_EQ(Forbidding("W x 1 rlx; W x 2 rlx | R x a rlx; R x b rlx", "21"), Sets{});
}

TEST(Remedies, AreNoneWherePlacesCannotBeChanged) {
  Recorded execution =
      ExecutionsOf(ParseProgram("W d 1 rlx; W f 1 rlx | R f a rlx; R d b rlx"), "10").at(0);
  for (Event& e : execution.events) e.place = explain::kNoPlace;
  EXPECT_EQ(TextOf(RemediesOf(execution)), "");
  EXPECT_TRUE(RemediesOf(execution).all_tried);
}

TEST(Cycle, OfMessagePassingHasTheStaleRead) {
  const Recorded execution =
      ExecutionsOf(ParseProgram("W d 1 rlx; W f 1 rlx | R f a rlx; R d b rlx"), "10").at(0);
  const std::vector<Edge> cycle = explain::ShortestCycle(execution);
  const std::vector<Edge> expected = {{0, 1, Relation::kProgramOrder},
                                      {1, 2, Relation::kReadsFrom},
                                      {2, 3, Relation::kProgramOrder},
                                      {3, 0, Relation::kFromRead}};
  EXPECT_EQ(cycle, expected);
}

TEST(Cycle, OfTwoWritesEachIsByModificationOrder) {
  const Recorded execution =
      ExecutionsOf(ParseProgram("W x 1 rlx; W y 2 rlx | W y 1 rlx; W x 2 rlx # x y"), "11").at(0);
  const std::vector<Edge> cycle = explain::ShortestCycle(execution);
  ASSERT_EQ(cycle.size(), 4u);
  EXPECT_EQ(std::ranges::count(cycle, Relation::kModificationOrder, &Edge::relation), 2);
}

// Locks order what their threads do, which the graph has as what an event knows.
TEST(Cycle, GoesThroughLocks) {
  Recorded execution = ExecutionsOf(ParseProgram("W d 1 rlx; F rlx | F rlx; R d b rlx"), "0").at(0);
  EXPECT_TRUE(explain::ShortestCycle(execution).empty());
  for (EventId event = 0; event < execution.Size(); ++event) {
    Event& e = execution.events[event];
    if (e.thread == 1 && e.kind == model::EventKind::kFence) e.known = {2, 0};
  }
  std::ranges::stable_sort(execution.events, {}, &Event::thread);
  EXPECT_FALSE(explain::IsAllowed(execution, *model::MakeC11()));
  const std::vector<Edge> expected = {{0, 1, Relation::kProgramOrder},
                                      {1, 2, Relation::kSynchronises},
                                      {2, 3, Relation::kProgramOrder},
                                      {3, 0, Relation::kFromRead}};
  EXPECT_EQ(explain::ShortestCycle(execution), expected);
}

TEST(Stale, IsWhatDoesNotReadTheNewestWrite) {
  const Recorded execution =
      ExecutionsOf(ParseProgram("W x 1 rlx; W x 2 rlx | R x a rlx"), "1").at(0);
  const std::vector<explain::Stale> stale = explain::StaleIn(execution);
  // As the load may be made before the second store, or after it.
  for (const explain::Stale& one : stale) {
    EXPECT_TRUE(execution.At(one.event).IsLoad());
    EXPECT_EQ(execution.At(one.passed).position, 2u);
  }
  Recorded late = execution;
  std::ranges::stable_sort(late.events, {}, &Event::thread);
  for (Event& e : late.events)
    if (e.IsLoad()) e.reads_from = 0;
  ASSERT_EQ(explain::StaleIn(late).size(), 1u);
  EXPECT_EQ(explain::StaleIn(late)[0].passed, 1);
}

TEST(Stale, IsAStoreThatGoesBeforeAnother) {
  Recorded execution = ExecutionsOf(ParseProgram("W x 1 rlx | W x 2 rlx # x"), "1").at(0);
  std::ranges::stable_sort(execution.events, {}, &Event::thread);
  execution.events[0].position = 2;
  execution.events[1].position = 1;
  const std::vector<explain::Stale> stale = explain::StaleIn(execution);
  ASSERT_EQ(stale.size(), 1u);
  EXPECT_EQ(stale[0].event, 1);
  EXPECT_EQ(stale[0].passed, 0);
}

}  // namespace
}  // namespace heddle::litmus
