#include "explore/best/backtracking.h"

#include <algorithm>
#include <utility>

#include "explore/order/ends.h"

namespace heddle::explore {

using op::ThreadId;
using trace::Choice;

namespace {

bool Has(const std::vector<uint64_t>& sets, const Choice& choice, ThreadId thread) {
  return (sets[choice.sets + op::WordOf(thread)] & op::BitOf(thread)) != 0;
}

void Add(std::vector<uint64_t>& sets, const Choice& choice, ThreadId thread) {
  sets[choice.sets + op::WordOf(thread)] |= op::BitOf(thread);
}

// Does it only give something back, so that a preemption before it rarely shows anything new?
bool IsRelease(op::Kind kind) {
  using op::Kind;
  return kind == Kind::kMutexUnlock || kind == Kind::kSpinUnlock || kind == Kind::kRwUnlock ||
         kind == Kind::kStreamUnlock || kind == Kind::kOnceEnd || kind == Kind::kSemPost;
}

}  // namespace

void Backtracking::Take(const trace::Execution& execution, bool asked, bool asleep,
                        StopToken stop_token) {
  if (!asked && !asleep) return;
  graph_.Truncate(0);
  graph_.Extend(execution, {}, stop_token);
  if (asked) FindDporBacktrackingPoints(execution, stop_token);
  if (asleep) FindAsleep(execution, stop_token);
}

// Fig. 4, lines 27-41. A lookahead stays the next operation of its thread until it is made, so it
// is enough to look for its conflict when it is, and at the end for those that never were. "The
// most recent conflict" of line 31 is the latest step before which it could have been made
// (order/races.cpp); the one of a thread that is not concurrent is none.
void Backtracking::FindDporBacktrackingPoints(const trace::Execution& execution,
                                              StopToken stop_token) {
  precise_.assign(execution.words.size(), 0);
  conservative_.assign(execution.words.size(), 0);
  for (StepIndex i = 1; i < graph_.Size() && !stop_token.IsRequested(); ++i) {
    races_.clear();
    graph_.FindRaces(i, races_, stop_token);
    AddForRaces(execution, graph_.At(i).thread);
  }
  for (ThreadId thread = 0; thread < execution.threads; ++thread) {
    const trace::Pending& pending = execution.pending[thread];
    if (pending.object == trace::kNoObject || !IsBlockedByObject(pending)) continue;
    races_.clear();
    graph_.FindRaces({.thread = thread,
                      .kind = pending.kind,
                      .timed = false,
                      .touch = {pending.object, op::Info(pending.kind).access},
                      .expected = 0,
                      .all = {},
                      .operation = 0,
                      .base = graph_.BaseOf(thread),
                      .before = graph_.Size(),
                      .await = pending.await},
                     races_, stop_token);
    AddForRaces(execution, thread);
  }
}

// Lines 32-38, for each of races_: `thread`'s operation with an earlier step.
void Backtracking::AddForRaces(const trace::Execution& execution, ThreadId thread) {
  for (const StepGraph::Race& race : races_) {
    const Choice* const choice = execution.ThreadChoiceOf(race.j);
    if (choice == nullptr) continue;
    const op::ThreadSet open = execution.Open(*choice);
    if (open.Has(thread)) {
      const auto events = execution.EventsOf(race.j);
      const bool release = !events.empty() && IsRelease(events[0].kind);
      Add(release ? conservative_ : precise_, *choice, thread);
    } else {
      open.ForEach([&](ThreadId each) { Add(conservative_, *choice, each); });
    }
  }
}

Asked Backtracking::AskedAt(const Choice& choice, ThreadId thread) const {
  if (Has(precise_, choice, thread)) return Asked::kPrecisely;
  return Has(conservative_, choice, thread) ? Asked::kConservatively : Asked::kNot;
}

// Sleep sets (Godefroid, 1996) on the way of this execution, as a search has them that goes through
// the options of every choice in one order: the default first, then by number. A thread sleeps that
// comes before the one that was chosen, until a step is made that depends on its own.
void Backtracking::FindAsleep(const trace::Execution& execution, StopToken stop_token) {
  asleep_.assign(execution.words.size(), 0);
  sleepers_.clear();
  for (StepIndex i = 1; i < graph_.Size() && !stop_token.IsRequested(); ++i) {
    const ThreadId chosen = graph_.At(i).thread;
    if (const Choice* const choice = execution.ThreadChoiceOf(i)) {
      const op::ThreadSet open = execution.Open(*choice);
      for (const Label& label : sleepers_) {
        if (open.Has(label.thread)) Add(asleep_, *choice, label.thread);
      }
      open.ForEach([&](ThreadId thread) {
        const bool before = chosen != choice->fallback && thread != chosen &&
                            (thread == choice->fallback || thread < chosen);
        const StepIndex next = before ? graph_.FirstStepOf(thread, i) : kNoStep;
        if (next != kNoStep) sleepers_.push_back(LabelOf(graph_, next));
      });
    }
    std::erase_if(sleepers_, [&](const Label& label) { return Depend(label, graph_, i); });
  }
}

bool Backtracking::AsleepAt(const Choice& choice, ThreadId thread) const {
  return Has(asleep_, choice, thread);
}

}  // namespace heddle::explore
