// Execution graphs by hand: growing and shrinking, happens-before, races, and what a backward
// revisit keeps.
#include "model/graph.h"

#include <gtest/gtest.h>

#include <string>

#include "model/race.h"

namespace heddle::model {
namespace {

constexpr LocationId kX = 0, kY = 1;

Label Load(LocationId location, Order order) {
  return {.action = Action::kLoad, .order = order, .location = location};
}
Label Store(LocationId location, Value value, Order order) {
  return {.action = Action::kStore, .order = order, .location = location, .operand = value};
}
Label Add(LocationId location, Value value, Order order) {
  return {.action = Action::kUpdate,
          .order = order,
          .update = Update::kAdd,
          .location = location,
          .operand = value};
}
Label CompareExchange(LocationId location, Value from, Value to) {
  return {.action = Action::kUpdate,
          .order = Order::kSeqCst,
          .failure = Order::kAcquire,
          .update = Update::kCompareExchange,
          .location = location,
          .operand = to,
          .expected = from};
}
Label Fence(Order order) { return {.action = Action::kFence, .order = order}; }

// All that can be seen of a graph.
std::string Print(const ExecutionGraph& graph) {
  std::string text;
  for (EventId event = 0; event < graph.Size(); ++event) {
    const Event& e = graph.At(event);
    text += std::to_string(e.thread) + "." + std::to_string(e.index) + " order " +
            std::to_string(static_cast<int>(e.order)) + " value " + std::to_string(e.value) +
            " from " + std::to_string(e.reads_from) + " position " + std::to_string(e.position) +
            " first reader " + std::to_string(e.first_reader) + " next " +
            std::to_string(e.next_reader) + " views";
    for (ThreadId t = 0; t < graph.Threads(); ++t)
      text += " " + std::to_string(graph.HappensBefore(event)[t]) + "/" +
              std::to_string(graph.Porf(event)[t]);
    text += "\n";
  }
  for (LocationId l = 0; l < graph.Locations(); ++l)
    text += "first reader " + std::to_string(graph.At(InitialOf(l)).first_reader) + " newest " +
            std::to_string(graph.Newest(l)) + "\n";
  for (const EventId event : graph.ReplayOrder()) text += std::to_string(event) + " ";
  return text + std::to_string(graph.WeakAccesses()) + " " + std::to_string(graph.SeqCstEvents());
}

TEST(ModelGraph, CuttingUndoesAppending) {
  ExecutionGraph graph(3);
  graph.AppendStore(0, Store(kX, 1, Order::kRelease), 0);
  graph.AppendLoad(1, Load(kX, Order::kAcquire), 0);
  graph.AppendLoad(1, Load(kY, Order::kSeqCst), InitialOf(kY));
  const std::string before = Print(graph);
  const EventId last = graph.Size() - 1;
  graph.AppendStore(1, Store(kX, 2, Order::kRelaxed), 0);  // before the other one
  const EventId load = graph.AppendLoad(2, Add(kX, 5, Order::kAcqRel), graph.Newest(kX));
  graph.AppendStoreOf(load);
  graph.AppendFence(2, Fence(Order::kSeqCst));
  graph.AppendLoad(0, Load(kY, Order::kPlain), InitialOf(kY));
  EXPECT_NE(Print(graph), before);
  graph.CutAfter(last);
  EXPECT_EQ(Print(graph), before);
}

TEST(ModelGraph, UpdateIsNextToWhatItReads) {
  ExecutionGraph graph(2);
  const EventId first = graph.AppendStore(0, Store(kX, 1, Order::kRelaxed), 0);
  const EventId second = graph.AppendStore(0, Store(kX, 2, Order::kRelaxed), 1);
  const EventId load = graph.AppendLoad(1, Add(kX, 10, Order::kRelaxed), first);
  ASSERT_TRUE(graph.UpdateSucceeds(load));
  const EventId store = graph.AppendStoreOf(load);
  EXPECT_EQ(graph.At(store).value, 11u);
  EXPECT_EQ(graph.At(store).position, 2u);
  EXPECT_EQ(graph.At(second).position, 3u);
  EXPECT_EQ(graph.UpdateThatReads(first), load);
  EXPECT_EQ(graph.UpdateThatReads(first, load), kNoEvent);
  graph.Move(second, 0);
  EXPECT_EQ(graph.At(second).position, 1u);
  EXPECT_EQ(graph.Newest(kX), store);
}

TEST(ModelGraph, CompareExchangeThatFailsIsALoadWithTheOtherOrder) {
  ExecutionGraph graph(1);
  const EventId load = graph.AppendLoad(0, CompareExchange(kX, 1, 2), InitialOf(kX));
  EXPECT_FALSE(graph.UpdateSucceeds(load));
  EXPECT_FALSE(graph.At(load).of_update);
  EXPECT_EQ(graph.At(load).order, Order::kAcquire);
  EXPECT_EQ(graph.SeqCstEvents(), 0u);
}

// T0: x = 1; fence?; y = 1     T1: r = y; fence?     Does x = 1 happen before the end of T1?
bool Synchronises(Order store, Order load, const Order* fence = nullptr,
                  const Order* other = nullptr) {
  ExecutionGraph graph(2);
  const EventId x = graph.AppendStore(0, Store(kX, 1, Order::kPlain), 0);
  if (fence) graph.AppendFence(0, Fence(*fence));
  const EventId y = graph.AppendStore(0, Store(kY, 1, store), 0);
  graph.AppendLoad(1, Load(kY, load), y);
  if (other) graph.AppendFence(1, Fence(*other));
  const EventId end = graph.AppendLoad(1, Load(kX, Order::kPlain), x);
  EXPECT_EQ(FindRace(graph).has_value(), !graph.HappensBefore(x, end));
  EXPECT_TRUE(graph.IsIn(graph.Porf(end), x));
  return graph.HappensBefore(x, end);
}

TEST(ModelGraph, ReleaseAndAcquireSynchronise) {
  EXPECT_TRUE(Synchronises(Order::kRelease, Order::kAcquire));
  EXPECT_TRUE(Synchronises(Order::kSeqCst, Order::kSeqCst));
  EXPECT_FALSE(Synchronises(Order::kRelaxed, Order::kAcquire));
  EXPECT_FALSE(Synchronises(Order::kRelease, Order::kRelaxed));
}

TEST(ModelGraph, FencesSynchronise) {
  const Order acquire = Order::kAcquire, release = Order::kRelease, seq_cst = Order::kSeqCst;
  EXPECT_TRUE(Synchronises(Order::kRelaxed, Order::kAcquire, &release));
  EXPECT_TRUE(Synchronises(Order::kRelease, Order::kRelaxed, nullptr, &acquire));
  EXPECT_TRUE(Synchronises(Order::kRelaxed, Order::kRelaxed, &seq_cst, &seq_cst));
  EXPECT_FALSE(Synchronises(Order::kRelaxed, Order::kAcquire, &acquire));
  EXPECT_FALSE(Synchronises(Order::kRelease, Order::kRelaxed, nullptr, &release));
  EXPECT_FALSE(Synchronises(Order::kPlain, Order::kAcquire, &release));
}

TEST(ModelGraph, PlainAccessesSynchroniseByNoFence) {
  const Order acquire = Order::kAcquire, release = Order::kRelease;
  ExecutionGraph graph(2);
  graph.AppendFence(0, Fence(release));
  const EventId plain = graph.AppendStore(0, Store(kX, 1, Order::kPlain), 0);
  const EventId atomic = graph.AppendStore(0, Store(kY, 1, release), 0);
  graph.AppendLoad(1, Load(kX, Order::kAcquire), plain);
  graph.AppendLoad(1, Load(kY, Order::kPlain), atomic);
  const EventId end = graph.AppendFence(1, Fence(acquire));
  EXPECT_FALSE(graph.HappensBefore(0, end));
}

TEST(ModelGraph, AcquireFenceLearnsOfAllLoadsBefore) {
  ExecutionGraph graph(3);
  const EventId x = graph.AppendStore(0, Store(kX, 1, Order::kRelease), 0);
  const EventId y = graph.AppendStore(1, Store(kY, 1, Order::kRelease), 0);
  graph.AppendLoad(2, Load(kX, Order::kRelaxed), x);
  graph.AppendLoad(2, Load(kY, Order::kRelaxed), y);
  const EventId fence = graph.AppendFence(2, Fence(Order::kAcquire));
  EXPECT_TRUE(graph.HappensBefore(x, fence));
  EXPECT_TRUE(graph.HappensBefore(y, fence));
}

TEST(ModelGraph, UpdatesOfOthersContinueAReleaseSequence) {
  ExecutionGraph graph(3);
  const EventId head = graph.AppendStore(0, Store(kX, 1, Order::kRelease), 0);
  const EventId update = graph.AppendLoad(1, Add(kX, 1, Order::kRelaxed), head);
  const EventId store = graph.AppendStoreOf(update);
  const EventId load = graph.AppendLoad(2, Load(kX, Order::kAcquire), store);
  EXPECT_TRUE(graph.HappensBefore(head, load));
  EXPECT_FALSE(graph.HappensBefore(update, load));
}

TEST(ModelGraph, StoresOfItsThreadContinueAReleaseSequenceOnlyInC11) {
  for (const bool c11 : {false, true}) {
    ExecutionGraph graph(2);
    const EventId head = graph.AppendStore(0, Store(kX, 1, Order::kRelease), 0);
    Label later = Store(kX, 2, Order::kRelaxed);
    later.continues_own_sequences = c11;
    const EventId store = graph.AppendStore(0, later, 1);
    const EventId load = graph.AppendLoad(1, Load(kX, Order::kAcquire), store);
    EXPECT_EQ(graph.HappensBefore(head, load), c11);
  }
}

TEST(ModelGraph, CreatingAndJoiningSynchronise) {
  ExecutionGraph graph(2);
  const EventId before = graph.AppendStore(0, Store(kX, 1, Order::kPlain), 0);
  graph.AppendCreate(0, {.action = Action::kCreate, .other = 1});
  const EventId other = graph.AppendStore(1, Store(kX, 2, Order::kPlain), 1);
  EXPECT_TRUE(graph.HappensBefore(before, other));
  EXPECT_FALSE(FindRace(graph).has_value());
  const EventId racing = graph.AppendStore(0, Store(kX, 3, Order::kPlain), 2);
  ASSERT_TRUE(FindRace(graph).has_value());
  EXPECT_EQ(FindRace(graph)->second, racing);
  const EventId join = graph.AppendJoin(0, {.action = Action::kJoin, .other = 1});
  EXPECT_TRUE(graph.HappensBefore(other, join));
}

TEST(ModelGraph, RelaxedAccessesRaceWithPlainOnesOnly) {
  ExecutionGraph graph(2);
  graph.AppendStore(0, Store(kX, 1, Order::kRelaxed), 0);
  graph.AppendStore(1, Store(kX, 2, Order::kRelaxed), 1);
  EXPECT_FALSE(FindRace(graph).has_value());
  graph.AppendLoad(1, Load(kX, Order::kPlain), graph.Newest(kX));
  EXPECT_TRUE(FindRace(graph).has_value());
}

Label Use(LocationId object, Order order, uint32_t level, Needs needs = Needs::kNothing) {
  Label label = {.action = Action::kUse, .order = order, .needs = needs, .location = object};
  label.level = level;
  label.blocks = needs != Needs::kNothing;
  return label;
}

// What is released is acquired past a use that does neither, and by nobody else.
TEST(ModelGraph, UsesSynchroniseAlongTheirChain) {
  ExecutionGraph graph(4);
  const EventId store = graph.AppendStore(0, Store(kX, 1, Order::kPlain), 0);
  graph.AppendUse(0, Use(kY, Order::kRelease, 0));
  const EventId between = graph.AppendUse(1, Use(kY, Order::kRelaxed, 1));
  const EventId posts = graph.AppendUse(2, Use(kY, Order::kRelease, 1));
  const EventId takes = graph.AppendUse(3, Use(kY, Order::kAcquire, 2, Needs::kPositive));
  EXPECT_EQ(graph.UseBefore(posts), between);
  EXPECT_FALSE(graph.HappensBefore(store, between));
  EXPECT_FALSE(graph.HappensBefore(store, posts));
  EXPECT_TRUE(graph.IsIn(graph.Porf(posts), store));
  EXPECT_TRUE(graph.HappensBefore(store, takes));
  EXPECT_TRUE(graph.HappensBefore(posts, takes));
  EXPECT_FALSE(graph.HappensBefore(between, takes));
  graph.CutAfter(posts);
  EXPECT_EQ(graph.Newest(kY), posts);
}

TEST(ModelGraph, TryThatFailsHasTheOtherOrder) {
  ExecutionGraph graph(1);
  Label attempt = Use(kY, Order::kAcquire, 1, Needs::kZero);
  attempt.blocks = false;
  EXPECT_EQ(graph.At(graph.AppendUse(0, attempt)).order, Order::kRelaxed);
  attempt.level = 0;
  EXPECT_EQ(graph.At(graph.AppendUse(0, attempt)).order, Order::kAcquire);
}

// T0: lock, unlock    T1: x = 1; lock.  T1 may lock first: then only its store leads to its lock.
TEST(ModelGraph, UseComesBeforeAnother) {
  ExecutionGraph graph(2);
  const EventId lock = graph.AppendUse(0, Use(kY, Order::kAcquire, 0, Needs::kZero));
  graph.AppendUse(0, Use(kY, Order::kRelease, 1));
  const EventId store = graph.AppendStore(1, Store(kX, 1, Order::kPlain), 0);
  ExecutionGraph made(0);
  made.CopyForUse(graph, lock, graph.Porf(store), 1, Use(kY, Order::kAcquire, 0, Needs::kZero));
  EXPECT_EQ(made.Size(), 2);
  EXPECT_TRUE(made.EventsOf(0).empty());
  EXPECT_EQ(made.NewestPosition(kY), 1u);
  EXPECT_EQ(made.ReplayOrder().back(), made.Newest(kY));
  EXPECT_FALSE(made.At(made.Newest(kY)).revisitable);
}

// What lies at a location may become known with its first event, after others.
TEST(ModelGraph, InitialValueIsToldWhenTheLocationIsMet) {
  ExecutionGraph graph(1);
  const EventId first = graph.AppendStore(0, Store(kX, 1, Order::kRelaxed), 0);
  graph.SetInitial(kY, 7);
  EXPECT_EQ(graph.At(graph.AppendLoad(0, Load(kY, Order::kRelaxed), InitialOf(kY))).value, 7u);
  EXPECT_TRUE(graph.HasEventAt(kY));
  graph.CutAfter(first);
  EXPECT_FALSE(graph.HasEventAt(kY));
  graph.SetInitial(kY, 8);
  EXPECT_EQ(graph.At(InitialOf(kY)).value, 8u);
}

// T0: r = x; y = 1    T1: s = z; x = 1    T2: z = 1.  x = 1 revisits the load of x: y = 1 goes, and
// so does z = 1 unless s read from it.
TEST(ModelGraph, RevisitKeepsWhatLeadsToTheStore) {
  constexpr LocationId kZ = 2;
  for (const bool reads_z : {false, true}) {
    ExecutionGraph graph(3);
    const EventId load = graph.AppendLoad(0, Load(kX, Order::kRelaxed), InitialOf(kX));
    graph.AppendStore(0, Store(kY, 1, Order::kRelaxed), 0);
    const EventId z = graph.AppendStore(2, Store(kZ, 1, Order::kRelaxed), 0);
    graph.AppendLoad(1, Load(kZ, Order::kRelaxed), reads_z ? z : InitialOf(kZ));
    const EventId store = graph.AppendStore(1, Store(kX, 1, Order::kRelaxed), 0);

    ExecutionGraph made(0);
    const auto [r, a] = made.CopyForRevisit(graph, load, store);
    made.SetReadsFrom(r, a);
    EXPECT_EQ(made.Size(), reads_z ? 4 : 3);
    EXPECT_EQ(made.At(r).value, 1u);
    EXPECT_TRUE(made.At(r).revisitable);
    EXPECT_FALSE(made.At(made.Before(a)).revisitable);
    EXPECT_EQ(made.EventsOf(0).size(), 1u);
    EXPECT_EQ(made.NewestPosition(kY), 0u);
    EXPECT_EQ(made.At(InitialOf(kX)).first_reader, kNoEvent);
    // Its stamp is older than the store's, and it is replayed after it.
    EXPECT_LT(r, a);
    EXPECT_EQ(made.ReplayOrder().back(), r);
  }
}

}  // namespace
}  // namespace heddle::model
