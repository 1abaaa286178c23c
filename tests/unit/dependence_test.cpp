// The dependence relation (op/op.def, op/dependence.h) against what a small interpreter does: in
// random states of random programs, all pairs of next steps are run in both orders.
//
// Two steps that the table calls independent must both be possible in either order, be the same
// events, and lead to the same state and to the same rest of the program. What enables a step must
// be dependent with it. Levels must tell who is enabled, who succeeds and with which access. A
// failure prints the seed of its program.
#include "op/dependence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "agree/generate.h"
#include "both_orders.h"

namespace heddle::tests {
namespace {

using agree::Vocabulary;
using op::Access;
using op::Kind;
using op::Level;
using op::Needs;
using op::ThreadId;
using target::FakeProgram;

constexpr uint64_t kPrograms = 6000;  // of each vocabulary
constexpr uint64_t kLeastCases = 20000;

void Print(Counts& counts) {
  const auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "%llu states: %llu independent pairs, %llu dependent, of which %llu (%.1f %%) commute; "
      "%llu with an end, %llu with a race; %llu steps enabled\n",
      number(counts.states), number(counts.independent), number(counts.dependent),
      number(counts.commuting),
      100.0 * static_cast<double>(counts.commuting) / static_cast<double>(counts.dependent),
      number(counts.ends), number(counts.races), number(counts.enabled));
  for (const auto& [kind, count] : counts.independent_of) {
    std::printf("  %-22s independent %6llu, dependent %6llu\n", op::Info(kind).name, number(count),
                number(counts.dependent_of[kind]));
  }
  for (const auto& [kinds, count] : counts.on_one_object) {
    std::printf("  one object, independent: %s, %s: %llu\n", op::Info(kinds.first).name,
                op::Info(kinds.second).name, number(count));
  }
}

// Of an operation that elsewhere had the strongest access it may have.
Access AccessAt(Kind kind, op::Level level) {
  return op::AccessAt(kind, level, 0, op::Info(kind).access);
}

TEST(Dependence, BothOrdersOfGeneratedSteps) {
  Counts counts;
  for (const Vocabulary vocabulary : {Vocabulary::kRaceFree, Vocabulary::kAll, Vocabulary::kAdds}) {
    for (uint64_t seed = 1; seed <= kPrograms && !HasFailure(); ++seed) {
      const FakeProgram program = agree::Generator(seed, vocabulary).Program();
      SCOPED_TRACE("vocabulary " + std::to_string(static_cast<int>(vocabulary)) + ", seed " +
                   std::to_string(seed) + "\n" + agree::Print(program));
      BothOrders(program, counts).Walk(seed);
    }
  }
  Print(counts);
  EXPECT_GE(counts.independent + counts.dependent, kLeastCases);
  EXPECT_LT(counts.commuting, counts.dependent / 2);
  for (const Kind kind : {Kind::kMutexLock,   Kind::kMutexTryLock,  Kind::kMutexTimedLock,
                          Kind::kMutexUnlock, Kind::kCondWait,      Kind::kCondReacquire,
                          Kind::kCondSignal,  Kind::kCondBroadcast, Kind::kRwReadLock,
                          Kind::kRwWriteLock, Kind::kRwTryReadLock, Kind::kRwTryWriteLock,
                          Kind::kRwUnlock,    Kind::kSemWait,       Kind::kSemTryWait,
                          Kind::kSemPost,     Kind::kBarrierArrive, Kind::kAtomicLoad,
                          Kind::kAtomicStore, Kind::kAtomicFetch,   Kind::kAtomicCompareExchange}) {
    EXPECT_GE(counts.independent_of[kind], 20u) << op::Info(kind).name;
    EXPECT_GE(counts.dependent_of[kind], 20u) << op::Info(kind).name;
  }
  for (const Kind kind : {Kind::kYield, Kind::kChoose}) {
    EXPECT_GE(counts.independent_of[kind], 20u) << op::Info(kind).name;
    EXPECT_EQ(counts.dependent_of[kind], 0u) << op::Info(kind).name;
  }
  for (const Needs needs : {Needs::kFree, Needs::kNoWriter, Needs::kPositive, Needs::kExpected}) {
    for (const bool succeeds : {false, true}) {
      EXPECT_GE((counts.levels[{needs, succeeds}]), 20u) << static_cast<int>(needs) << succeeds;
    }
  }
}

// The next steps of threads 0 and 1, which work on one object, after some steps of theirs and of
// thread 2, which waits for the condition variable.
struct Row {
  const char* name;
  std::vector<target::Instruction> first, second;
  std::vector<ThreadId> before;
  bool dependent;
};

TEST(Dependence, PairsOnOneObject) {
  using namespace target;  // NOLINT: the instructions are functions
  const Row rows[] = {
      {"loads", {Load(0, 0)}, {Load(0, 0)}, {}, false},
      {"load, store", {Load(0, 0)}, {Assign(0, 1)}, {}, true},
      {"stores of the same", {Assign(0, 1)}, {Assign(0, 1)}, {}, true},
      {"updates", {FetchAdd(0, 1)}, {FetchAdd(0, 1)}, {}, true},
      {"additions", {Add(0, 1)}, {Add(0, -1)}, {}, false},
      {"addition, update", {Add(0, 1)}, {FetchAdd(0, 1)}, {}, true},
      {"addition, load", {Add(0, 1)}, {Load(0, 0)}, {}, true},
      {"addition, store", {Add(0, 1)}, {Assign(0, 1)}, {}, true},
      {"addition, failed compare-exchange", {Add(0, 1)}, {CompareExchange(0, 5, 6, 0)}, {}, true},
      {"failed compare-exchange, load", {CompareExchange(0, 5, 6, 0)}, {Load(0, 0)}, {}, false},
      {"failed compare-exchanges",
       {CompareExchange(0, 5, 6, 0)},
       {CompareExchange(0, 6, 7, 0)},
       {},
       false},
      {"compare-exchange, load", {CompareExchange(0, 0, 6, 0)}, {Load(0, 0)}, {}, true},
      {"compare-exchange, failed one",
       {CompareExchange(0, 0, 6, 0)},
       {CompareExchange(0, 6, 7, 0)},
       {},
       true},
      {"failed compare-exchange, store", {CompareExchange(0, 5, 6, 0)}, {Assign(0, 5)}, {}, true},
      {"locks", {Lock(0)}, {Lock(0)}, {}, true},
      {"lock, trylock", {Lock(0)}, {TryLock(0, 0)}, {}, true},
      {"unlock, failed trylock", {Lock(0), Unlock(0)}, {TryLock(0, 0)}, {0}, true},
      {"unlock, timeout of lock", {Lock(0), Unlock(0)}, {TimedLock(0, 0)}, {0}, true},
      {"posts", {SemPost(0)}, {SemPost(0)}, {}, false},
      {"post, wait", {SemPost(0), SemPost(0)}, {SemWait(0)}, {0}, true},
      {"post, failed try", {SemPost(0)}, {SemTryWait(0, 0)}, {}, true},
      {"post, timeout of wait", {SemPost(0)}, {TimedSemWait(0, 0)}, {}, true},
      {"failed tries of semaphore", {SemTryWait(0, 0)}, {SemTryWait(0, 0)}, {}, false},
      {"waits with permits", {SemPost(0), SemPost(0), SemWait(0)}, {SemWait(0)}, {0, 0}, true},
      {"readers", {ReadLock(0)}, {ReadLock(0)}, {}, false},
      {"reader comes, reader goes", {ReadLock(0)}, {ReadLock(0), RwUnlock(0)}, {1}, false},
      {"readers go", {ReadLock(0), RwUnlock(0)}, {ReadLock(0), RwUnlock(0)}, {0, 1}, false},
      {"readers that try", {TryReadLock(0, 0)}, {TryReadLock(0, 0)}, {}, false},
      {"reader, writer", {ReadLock(0)}, {WriteLock(0)}, {}, true},
      {"reader, writer that fails", {ReadLock(0)}, {ReadLock(0), TryWriteLock(0, 0)}, {1}, true},
      {"reader goes, writer fails", {ReadLock(0), RwUnlock(0)}, {TryWriteLock(0, 0)}, {0}, true},
      {"writer goes, reader fails", {WriteLock(0), RwUnlock(0)}, {TryReadLock(0, 0)}, {0}, true},
      {"signals with one waiter", {CondSignal(0)}, {CondSignal(0)}, {2, 2}, true},
      {"signal, broadcast with one waiter", {CondSignal(0)}, {CondBroadcast(0)}, {2, 2}, true},
      {"signals without waiters", {CondSignal(0)}, {CondBroadcast(0)}, {}, false},
      {"wait, signal", {Lock(0), CondWait(0, 0)}, {CondSignal(0)}, {0}, true},
      {"wait, trylock of its mutex", {Lock(0), CondWait(0, 0)}, {TryLock(0, 0)}, {0}, true},
      {"waits for each other", {Lock(0), CondWait(0, 0)}, {Lock(1), CondWait(0, 1)}, {0, 1}, true},
      {"signal, timeout of wait", {Lock(0), TimedCondWait(0, 0, 0)}, {CondSignal(0)}, {0, 0}, true},
      {"arrivals", {Barrier(0)}, {Barrier(0)}, {}, true},
      {"yields", {Yield()}, {Yield()}, {}, false},
      {"choices", {Choose(2, 0)}, {Choose(3, 0)}, {}, false},
  };
  for (const Row& row : rows) {
    for (const bool swapped : {false, true}) {
      SCOPED_TRACE(std::string(row.name) + (swapped ? ", swapped" : ""));
      const FakeProgram program = {.threads = {row.first, row.second, {Lock(1), CondWait(0, 1)}},
                                   .variables = {0},
                                   .semaphores = {0},
                                   .mutexes = 2,
                                   .conditions = 1,
                                   .rwlocks = 1,
                                   .barriers = {2}};
      std::vector<Move> moves;
      for (const ThreadId thread : row.before) moves.push_back({thread});
      Counts counts;
      BothOrders checker(program, counts);
      const std::vector<Next> next = checker.CheckState(moves);
      const auto of_thread = [&](ThreadId thread) {
        return std::ranges::find(next, thread, [](const Next& n) { return n.move.thread; });
      };
      ASSERT_TRUE(of_thread(0) != next.end() && of_thread(1) != next.end());
      const Next& first = *of_thread(0);
      const Next& second = *of_thread(1);
      EXPECT_EQ(swapped ? checker.CheckPair(moves, second, first)
                        : checker.CheckPair(moves, first, second),
                row.dependent);
    }
  }
}

// Those that the fake target does not have, or that are never possible in the same state.
TEST(Dependence, TableByItself) {
  struct Entry {
    Kind first, second;
    Level level;
    bool commute;
  };
  constexpr Level kHeld = 1;
  const Entry entries[] = {
      {Kind::kMutexLock, Kind::kMutexUnlock, kHeld, false},
      {Kind::kMutexTryLock, Kind::kMutexTryLock, kHeld, true},
      {Kind::kMutexTryLock, Kind::kMutexTryLock, 0, false},
      {Kind::kSpinLock, Kind::kSpinLock, 0, false},
      {Kind::kSpinTryLock, Kind::kSpinTryLock, kHeld, true},
      {Kind::kSpinTryLock, Kind::kSpinUnlock, kHeld, false},
      {Kind::kRwReadLock, Kind::kRwTryReadLock, 2, true},
      {Kind::kRwTryReadLock, Kind::kRwTryReadLock, op::kWriterHolds, true},
      {Kind::kRwReadLock, Kind::kRwTryWriteLock, 1, false},
      {Kind::kRwTryWriteLock, Kind::kRwTryWriteLock, 1, true},
      {Kind::kSemPost, Kind::kSemWait, 1, false},
      {Kind::kSemPost, Kind::kSemGetValue, 0, false},
      {Kind::kSemGetValue, Kind::kSemGetValue, 0, true},
      {Kind::kSemGetValue, Kind::kSemTryWait, 0, true},
      {Kind::kSemGetValue, Kind::kSemTryWait, 1, false},
      {Kind::kOnceBegin, Kind::kOnceBegin, 0, false},
      {Kind::kOnceBegin, Kind::kOnceEnd, kHeld, false},
      {Kind::kFutexWait, Kind::kFutexWake, 0, false},
      {Kind::kFutexWoken, Kind::kFutexWake, 0, true},
      {Kind::kThreadTryJoin, Kind::kThreadExit, 0, false},
      {Kind::kThreadJoin, Kind::kThreadExit, 0, false},  // where others may join the thread, too
      {Kind::kThreadJoinBegin, Kind::kThreadDetach, 0, false},
      {Kind::kThreadTryJoin, Kind::kThreadTryJoin, 0, true},
      {Kind::kThreadCreate, Kind::kThreadCreate, 0, true},
      {Kind::kAtomicExchange, Kind::kAtomicExchange, 0, false},
      {Kind::kAtomicExchange, Kind::kAtomicLoad, 0, false},
      {Kind::kAtomicFence, Kind::kAtomicStore, 0, true},
      {Kind::kInitialise, Kind::kMutexTryLock, kHeld, false},
      {Kind::kDestroy, Kind::kMutexLock, 0, false},
      {Kind::kTransfer, Kind::kTransfer, 0, false},
      {Kind::kSignalSend, Kind::kSignalWait, 0, false},
      {Kind::kPlainRead, Kind::kPlainRead, 0, true},
      {Kind::kPlainRead, Kind::kPlainWrite, 0, false},
      {Kind::kYield, Kind::kThreadExit, 0, true},
  };
  for (const Entry& entry : entries) {
    const Access first = AccessAt(entry.first, entry.level);
    const Access second = AccessAt(entry.second, entry.level);
    SCOPED_TRACE(std::string(op::Info(entry.first).name) + ", " + op::Info(entry.second).name +
                 " at " + std::to_string(entry.level));
    EXPECT_EQ(op::Commute(first, second), entry.commute);
    EXPECT_EQ(op::Commute(second, first), entry.commute);
  }
}

TEST(Dependence, WhatTheLevelDecides) {
  EXPECT_TRUE(op::IsEnabledAt(Kind::kMutexLock, false, 0));
  EXPECT_FALSE(op::IsEnabledAt(Kind::kMutexLock, false, 1));
  EXPECT_TRUE(op::IsEnabledAt(Kind::kMutexTimedLock, true, 1));
  EXPECT_TRUE(op::IsEnabledAt(Kind::kSpinTryLock, false, 1));
  EXPECT_TRUE(op::IsEnabledAt(Kind::kRwReadLock, false, 3));
  EXPECT_FALSE(op::IsEnabledAt(Kind::kRwReadLock, false, op::kWriterHolds));
  EXPECT_FALSE(op::IsEnabledAt(Kind::kRwWriteLock, false, 3));
  EXPECT_FALSE(op::IsEnabledAt(Kind::kSemWait, false, 0));
  EXPECT_FALSE(op::IsEnabledAt(Kind::kOnceBegin, false, 1));
  EXPECT_TRUE(op::SucceedsAt(Kind::kAtomicCompareExchange, op::Fold(7), op::Fold(7)));
  EXPECT_FALSE(op::SucceedsAt(Kind::kAtomicCompareExchange, op::Fold(7), op::Fold(8)));
  EXPECT_EQ(AccessAt(Kind::kMutexTimedLock, 1), Access::kRead);  // it times out
}

}  // namespace
}  // namespace heddle::tests
