// What an execution asks for: the reversals of its races, the options that it did not take, the
// timeouts that it lost (docs/algorithms/dpor_rules.md, R10 .. R13, R16, R17). Whether a reversal
// needs a new child each reduction decides in Consider().
#include <algorithm>
#include <utility>

#include "explore/order/ends.h"
#include "explore/por/reduction.h"

namespace heddle::explore {

using op::Kind;
using op::ThreadId;

// All that is open at a closed node is explored from it; but what options its last step has is
// known only when that is made (R25).
Reduction::Answer Reduction::Decide(const Reversal& reversal) {
  if (!IsClosed(reversal.j)) return Consider(reversal);
  if (IsLastClosed(reversal.j)) AddOption(reversal);
  return Answer::kSettled;
}

// R17
void Reduction::Ask(const Reversal& reversal) {
  // What grows is asked for with all steps of the execution, at its end.
  if (!reversal.grows && Decide(reversal) == Answer::kSettled) return;
  Deferred deferred;
  deferred.clock.assign(reversal.clock.begin(), reversal.clock.end());
  deferred.reversal = reversal;
  s_.deferred.push_back(std::move(deferred));
}

// The first `count` of those deferred, which are from earlier executions, and those that grow.
void Reduction::AskAgain(size_t count) {
  size_t kept = 0;
  for (size_t k = 0; k < s_.deferred.size() && !stop_token_.IsRequested(); ++k) {
    if (k < count || s_.deferred[k].reversal.grows) {
      Reversal& reversal = s_.deferred[k].reversal;
      clock_ = s_.deferred[k].clock;
      if (reversal.grows) {
        clock_.resize(s_.graph.Threads());  // more were met since
        JoinPredecessors(reversal, s_.graph.Size(), trace::kNoObject);
      }
      reversal.clock = clock_;
      if (Decide(reversal) == Answer::kSettled) continue;
    }
    if (kept != k) s_.deferred[kept] = std::move(s_.deferred[k]);
    ++kept;
  }
  s_.deferred.resize(kept);
}

namespace {

bool EndsThread(Kind kind) { return kind == Kind::kThreadExit || kind == Kind::kThreadFinish; }

}  // namespace

void Reduction::ReverseRaces(StepIndex i) {
  races_.clear();
  s_.graph.FindRaces(i, races_, stop_token_);
  for (const StepGraph::Race& race : races_) {
    if (stop_token_.IsRequested()) return;
    Label& last = reversal_.last;
    Describe(s_.graph, i, last);
    last.options.clear();  // it sees something else there, and may choose among others
    last.open = true;
    // What the operation of the race does depends on the order; what else the step does, too, but
    // for a wait, which gives its mutex up, and for the use of an object's memory.
    const auto accesses = s_.graph.AccessesOf(i);
    reversal_.grows = false;
    // Where a step is more than one operation, what it finds decides what else it does. A misuse
    // that ends it has made the accesses that its operation makes everywhere.
    last.unknown = s_.graph.IsInside(i);
    uint32_t operation = 0;
    for (size_t k = 0; k < accesses.size(); ++k) {
      if (k != 0 && !accesses[k].further) ++operation;
      const bool same = operation == race.operation;
      if (same || accesses[k].touch.object == race.object) {
        // What comes later and accesses the object of the race comes after step j anyway.
        reversal_.grows |= accesses[k].touch.object != race.object &&
                           accesses[k].touch.access == op::Access::kRead &&
                           race.access != op::Access::kRead;
        last.touches[k].access = race.access;
      }
      const Kind kind = accesses[k].kind;
      last.unknown |= kind != accesses[0].kind && !EndsThread(kind) && kind != Kind::kUse;
      last.unknown |= !same && op::Info(kind).needs == op::Needs::kExpected;
    }
    if (last.unknown) reversal_.grows = true;
    AskFor(race, s_.graph.BaseBefore(i), i, i);
  }
}

// Asks for the reversal of `race` by reversal_.last, which stood before step `end`, with `base`
// before it.
void Reduction::AskFor(const StepGraph::Race& race, Clock base, StepIndex end, StepIndex since) {
  reversal_.j = race.j;
  reversal_.since = since;
  reversal_.tentative = race.tentative;
  reversal_.without.clear();
  if (race.whole_group) s_.graph.AppendAccesses(race.object, race.j, reversal_.without);
  clock_.assign(base.begin(), base.end());
  // All that accesses the object after a write happens after that.
  JoinPredecessors(reversal_, end, race.after_write ? race.object : trace::kNoObject);
  reversal_.clock = clock_;
  Ask(reversal_);
}

// Adds to clock_ what comes before the last operation when it is made before step j, of the steps
// below `end`: not what has to come after it. Of `passed_over` no access need be looked at.
void Reduction::JoinPredecessors(const Reversal& reversal, StepIndex end, uint32_t passed_over) {
  if (reversal.last.unknown) JoinFree(reversal, end);
  for (const Touch& touch : reversal.last.touches) {
    if (touch.object == passed_over) continue;
    s_.graph.JoinConflicts(touch, reversal.j, end, reversal.without, clock_);
  }
}

// Any step that may come before the last operation may have to: what that does is not known.
void Reduction::JoinFree(const Reversal& reversal, StepIndex end) {
  for (StepIndex f = reversal.j + 1; f < end; ++f) {
    if (!IsFree(s_.graph, reversal, f)) continue;
    uint32_t& known = clock_[s_.graph.At(f).thread];
    known = std::max(known, f + 1);
  }
}

// Every option not taken is a transition of the same thread that depends on the one taken.
void Reduction::ReverseOptions(const trace::Execution& execution, StepIndex i) {
  size_t position = 0;
  for (const trace::Choice& choice : execution.ChoicesOf(i)) {
    if (choice.kind == trace::ChoiceKind::kThread) continue;
    for (uint32_t option = 0; option < choice.option_count; ++option) {
      if (option == choice.chosen) continue;
      Label last = LabelOf(s_.graph, i);
      last.options.resize(position + 1);
      last.options[position].option = option;
      last.open = true;
      // The operation that chooses touches the same whatever it chooses; those after it may not.
      last.unknown = s_.graph.IsInside(i);
      const bool at_once = last.unknown;
      // Whoever comes back to the step has it already.
      const bool known =
          in_any_order_ && std::ranges::any_of(s_.alternatives, [&](const Alternative& other) {
            return other.node == i && other.label == last;
          });
      if (!known) s_.alternatives.push_back({i, last});
      Ask({i, std::move(last), {}, i, {}, false, at_once});
    }
    ++position;
  }
}

void Reduction::ReverseTimeouts() {
  for (const StepGraph::LostTimeout& lost : s_.graph.LostTimeouts()) {
    if (stop_token_.IsRequested()) return;
    if (!OpenAt(lost.step).Has(lost.thread)) continue;  // it came to wait only in this step
    Label last;
    last.thread = lost.thread;
    last.unknown = lost.object == StepGraph::kUnknownObject;
    if (!last.unknown) last.touches = {{lost.object, op::Access::kWrite}};
    last.open = true;
    const bool grows = last.unknown;
    Ask({.j = lost.step,
         .last = std::move(last),
         .clock = s_.graph.BaseOf(lost),
         .since = lost.step,
         .grows = grows});
  }
}

// Time passed when all threads were blocked. What they stood before could have come before what
// blocked it, as at the end of an execution; and any other of the time limits that could have
// passed then is an option in place of this one.
void Reduction::ReverseFences() {
  StepIndex fence = kNoStep;
  for (const StepGraph::Stalled& stalled : s_.graph.StalledThreads()) {
    if (stop_token_.IsRequested()) return;
    const StepIndex i = stalled.step;
    if (IsBlockedByObject(stalled.pending)) {
      ReverseAttempt(stalled.pending, stalled.thread, s_.graph.BaseOf(stalled), i, i - 1);
    }
    if (i == fence) continue;
    fence = i;
    for (ThreadId thread = 0; thread < s_.graph.Threads(); ++thread) {
      if (thread == s_.graph.At(i).thread || !OpenAt(i).Has(thread)) continue;
      Label last;
      last.thread = thread;
      last.unknown = last.open = true;
      Ask({i, std::move(last), s_.graph.BaseBefore(i), i});
    }
  }
}

}  // namespace heddle::explore
