#include "both_orders.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"
#include "op/dependence.h"

namespace heddle::tests {

using op::Access;
using op::Kind;
using op::Level;
using op::Needs;
using op::ThreadId;
using trace::Event;

namespace {

std::vector<Move> Then(std::vector<Move> moves, const Move& next) {
  moves.push_back(next);
  return moves;
}

// Event x of `a` and event y of `b`.
bool Conflict(const Outcome& a, size_t x, const Outcome& b, size_t y) {
  if (op::Commute(a.events[x].access, b.events[y].access)) return false;
  return std::ranges::any_of(
      a.objects[x], [&](uint32_t object) { return std::ranges::count(b.objects[y], object) != 0; });
}

// The table's answer for two steps of different threads.
bool Dependent(const Outcome& a, const Outcome& b) {
  for (size_t x = 0; x < a.events.size(); ++x) {
    for (size_t y = 0; y < b.events.size(); ++y) {
      if (Conflict(a, x, b, y)) return true;
    }
  }
  return false;
}

// Do they race on plain memory? Then the relation promises nothing.
bool Race(const std::vector<Event>& a, const std::vector<Event>& b) {
  const auto plain = [](const Event& e) {
    return e.kind == Kind::kPlainRead || e.kind == Kind::kPlainWrite;
  };
  return std::ranges::any_of(a, [&](const Event& x) {
    return std::ranges::any_of(b, [&](const Event& y) {
      return plain(x) && plain(y) && x.object == y.object &&
             (x.kind == Kind::kPlainWrite || y.kind == Kind::kPlainWrite);
    });
  });
}

// But for the level, which a kShared operation of the other step may have moved.
bool SameEvent(const Event& a, const Event& b) {
  const bool level = a.level == b.level || a.access == Access::kShared;
  return level && a.thread == b.thread && a.kind == b.kind && a.access == b.access &&
         a.detail == b.detail && a.object == b.object && a.expected == b.expected &&
         a.other == b.other && a.value == b.value;
}

bool SameStep(const Outcome& a, const Outcome& b) {
  return a.ended == b.ended && (!a.ended || a.end == b.end) && a.options == b.options &&
         a.released == b.released && std::ranges::equal(a.events, b.events, SameEvent) &&
         a.objects == b.objects;
}

// 0 of what is not probed: what ends the program.
Level LevelOf(const State& state, uint32_t object) {
  return object < state.levels.size() ? state.levels[object] : 0;
}

std::string Describe(const std::vector<Move>& moves, const Next& a, const Next& b) {
  std::string text = "after the steps of threads";
  for (const Move& move : moves) text += " " + std::to_string(move.thread);
  for (const Next* next : {&a, &b}) {
    const Event& event = next->outcome.events[0];
    text += std::string(", ") + op::Info(event.kind).name + " of thread " +
            std::to_string(event.thread) + " on object " + std::to_string(event.object) +
            " (access " + std::to_string(static_cast<int>(event.access)) + ")";
  }
  return text;
}

}  // namespace

void BothOrders::Walk(uint64_t seed) {
  std::vector<Move> moves;
  while (!::testing::Test::HasFailure()) {
    const std::vector<Next> next = CheckState(moves);
    if (next.empty()) return;
    const Next& taken = next[base::NextBelow(seed, static_cast<uint32_t>(next.size()))];
    if (taken.outcome.ended) return;
    moves.push_back(taken.move);
  }
}

std::vector<Next> BothOrders::CheckState(const std::vector<Move>& moves) {
  ++counts_.states;
  const Outcome here = *probed_.Observe(moves);
  if (here.ended) return {};  // at the very start
  std::vector<Next> next;
  for (ThreadId thread = 0; thread < probed_.Threads(); ++thread) {
    if (!here.state.open[thread]) continue;
    const Outcome outcome = *probed_.Observe(Then(moves, {thread}));
    for (uint32_t option = 0; option < outcome.options; ++option) {
      Move move = {thread};
      if (outcome.options > 1) move.option = option;
      next.push_back({move, *probed_.Observe(Then(moves, move))});
    }
  }
  CheckLevels(here.state, next);
  for (const Next& a : next) CheckEnabling(moves, here.state, a);
  for (size_t a = 0; a < next.size(); ++a) {
    for (size_t b = a + 1; b < next.size(); ++b) {
      if (next[a].move.thread != next[b].move.thread) CheckPair(moves, next[a], next[b]);
    }
  }
  return next;
}

bool BothOrders::CheckPair(const std::vector<Move>& moves, const Next& a, const Next& b) {
  const std::vector<Event>& first = a.outcome.events;
  const std::vector<Event>& second = b.outcome.events;
  const bool dependent = Dependent(a.outcome, b.outcome);
  if (Race(first, second)) {
    ++counts_.races;
    return dependent;
  }
  if (!dependent && (a.outcome.ended || b.outcome.ended)) {
    ++counts_.ends;
    CheckEnd(moves, a, b);
    CheckEnd(moves, b, a);
    return false;
  }
  if (dependent) {
    ++counts_.dependent;
    if (Commutes(moves, a, b)) ++counts_.commuting;
  } else {
    ++counts_.independent;
    EXPECT_TRUE(Commutes(moves, a, b)) << Describe(moves, a, b);
    CheckRest(moves, a, b);
    if (first[0].object == second[0].object && first[0].object != trace::kNoObject) {
      ++counts_.on_one_object[std::minmax(first[0].kind, second[0].kind)];
    }
  }
  for (const Event& event : {first[0], second[0]}) {
    ++(dependent ? counts_.dependent_of : counts_.independent_of)[event.kind];
  }
  return dependent;
}

bool BothOrders::Commutes(const std::vector<Move>& moves, const Next& a, const Next& b) {
  if (a.outcome.ended || b.outcome.ended) return false;
  const auto ab = probed_.Observe(Then(Then(moves, a.move), b.move));
  const auto ba = probed_.Observe(Then(Then(moves, b.move), a.move));
  return ab && ba && SameStep(*ab, b.outcome) && SameStep(*ba, a.outcome) && ab->state == ba->state;
}

// An end by `a` comes whether or not an independent `b` goes first.
void BothOrders::CheckEnd(const std::vector<Move>& moves, const Next& a, const Next& b) {
  if (!a.outcome.ended || b.outcome.ended) return;
  const auto ba = probed_.Observe(Then(Then(moves, b.move), a.move));
  EXPECT_TRUE(ba && SameStep(*ba, a.outcome)) << Describe(moves, a, b);
}

// What runs by default after a and b can run after b and a, with the same end and the same graph.
void BothOrders::CheckRest(const std::vector<Move>& moves, const Next& a, const Next& b) {
  trace::Execution execution = RunRest(Then(Then(moves, a.move), b.move), {});
  const trace::EndKind end = execution.ending.kind;
  const uint64_t graph = execution.happens_before;
  const uint64_t outcome = target_.OutcomeHash();
  std::vector<ThreadId> rest;
  for (size_t k = moves.size() + 3; k < execution.steps.size(); ++k) {
    rest.push_back(execution.steps[k].thread);
  }
  execution = RunRest(Then(Then(moves, b.move), a.move), rest);
  EXPECT_EQ(execution.ending.kind, end) << Describe(moves, a, b);
  EXPECT_EQ(execution.happens_before, graph) << Describe(moves, a, b);
  EXPECT_EQ(target_.OutcomeHash(), outcome) << Describe(moves, a, b);
}

const trace::Execution& BothOrders::RunRest(const std::vector<Move>& moves,
                                            const std::vector<ThreadId>& rest) {
  std::vector<ThreadId> script;
  std::vector<plan::ScriptOption> options;
  for (const Move& move : moves) {
    script.push_back(move.thread);
    if (move.option) options.push_back({move.thread, *move.option});
  }
  script.insert(script.end(), rest.begin(), rest.end());
  return target_.Run({.deviations = {}, .script = script, .options = options});
}

// Whoever could not go before `a`, and can after it, was let go by it or depends on it.
void BothOrders::CheckEnabling(const std::vector<Move>& moves, const State& here, const Next& a) {
  if (a.outcome.ended) return;
  for (ThreadId thread = 0; thread < probed_.Threads(); ++thread) {
    if (here.open[thread] || !a.outcome.state.open[thread]) continue;
    ++counts_.enabled;
    const auto of_thread = [&](const Event& event) { return event.thread == thread; };
    const Outcome then = *probed_.Observe(Then(Then(moves, a.move), {thread}));
    EXPECT_TRUE(std::ranges::count(a.outcome.released, thread) != 0 ||
                std::ranges::any_of(a.outcome.events, of_thread) || Dependent(a.outcome, then))
        << "thread " << a.move.thread << " enables thread " << thread << " after " << moves.size()
        << " steps";
  }
}

void BothOrders::CheckLevels(const State& here, const std::vector<Next>& next) {
  for (ThreadId thread = 0; thread < probed_.Threads(); ++thread) {
    const PendingOperation& pending = here.pending[thread];
    const bool unsignalled =
        pending.kind == Kind::kCondReacquire && (pending.detail & ~op::kWaitEnds) == 0;
    if (unsignalled) continue;  // only a signal or time lets it go
    const bool ended = pending.kind == Kind::kThreadExit && pending.object == trace::kNoObject;
    if (ended || pending.kind == Kind::kBarrierLeave || pending.kind == Kind::kThreadJoin) {
      EXPECT_FALSE(here.open[thread]);
      continue;
    }
    const bool timed = (pending.detail & op::kTimed) != 0;
    const Level level = LevelOf(here, pending.object);
    EXPECT_EQ(here.open[thread], op::IsEnabledAt(pending.kind, timed, level))
        << op::Info(pending.kind).name << " at " << level;
    if (!here.open[thread]) ++counts_.levels[{op::Info(pending.kind).needs, false}];
  }
  for (const Next& step : next) {
    const PendingOperation& pending = here.pending[step.move.thread];
    if (pending.kind == Kind::kCondReacquire &&
        (pending.detail & ~op::kWaitEnds) == 0) {  // gives up waiting
      EXPECT_EQ(step.outcome.events[0].kind, Kind::kCondWait);
      EXPECT_EQ(step.outcome.events[0].access, Access::kWrite);
    } else {
      EXPECT_EQ(step.outcome.events[0].kind, pending.kind);
      EXPECT_EQ(step.outcome.events[0].object, pending.object);
      CheckSuccess(here, step.outcome);
    }
  }
}

void BothOrders::CheckSuccess(const State& here, const Outcome& step) {
  const Event& event = step.events[0];
  if (event.object == trace::kNoObject) return;
  SCOPED_TRACE(std::string(op::Info(event.kind).name) + " at " + std::to_string(event.level));
  const Level before = LevelOf(here, event.object);
  EXPECT_EQ(event.level, before);
  const bool succeeds = op::SucceedsAt(event.kind, event.level, event.expected);
  const Needs needs = op::Info(event.kind).needs;
  ++counts_.levels[{needs, succeeds}];
  // What nobody looks at the result of, the code says.
  const bool adds = event.kind == Kind::kAtomicFetch && event.access == Access::kShared;
  const Access strongest = adds ? event.access : op::Info(event.kind).access;
  const Access foretold = op::AccessAt(event.kind, event.level, event.expected, strongest);
  const bool level_does_not_tell = event.kind == Kind::kRwUnlock;
  EXPECT_TRUE(event.access == foretold || level_does_not_tell);
  EXPECT_EQ(foretold, level_does_not_tell ? Access::kWrite : event.access);
  if (step.ended) return;
  const Level after = LevelOf(step.state, event.object);
  if (needs == Needs::kFree || needs == Needs::kNoWriter || needs == Needs::kPositive) {
    EXPECT_EQ(succeeds, before != after);
  }
  if (event.access == Access::kRead) {
    EXPECT_EQ(after, before);
  }
  if (event.access == Access::kShared) {
    EXPECT_EQ(after,
              before + (adds ? event.expected : static_cast<Level>(op::LevelChange(event.kind))));
  }
}

}  // namespace heddle::tests
