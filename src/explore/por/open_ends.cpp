// What an execution leaves open at its end: operations of blocked threads that never took effect,
// ends of the program that another one forestalled, and what others would have done had a thread
// not ended the execution (docs/algorithms/dpor_rules.md, R14, R15; dpor_extensions.md, R19 ..
// R22).
#include <algorithm>
#include <utility>

#include "explore/order/ends.h"
#include "explore/por/reduction.h"

namespace heddle::explore {

using op::Kind;
using op::ThreadId;

namespace {

bool Stands(const trace::Pending& pending) {
  return pending.kind != Kind::kThreadExit && pending.kind != Kind::kThreadStart;
}

}  // namespace

void Reduction::NoteEnds(const trace::Execution& execution) {
  s_.before_end.assign(execution.threads, false);
  for (ThreadId thread = 0; thread < execution.threads; ++thread) {
    s_.before_end[thread] = execution.pending[thread].kind == Kind::kProgramExit;
  }
  if (walk_->Ranks() == nullptr) return;
  s_.focus_at_end.clear();
  for (const trace::Pending& pending : execution.pending) {
    s_.focus_at_end.push_back(pending.focus);
  }
}

bool Reduction::StandsBeforeEnd(StepIndex node, ThreadId thread) const {
  const StepIndex next = s_.graph.FirstStepOf(thread, node);
  return next != kNoStep ? s_.graph.EndsProgram(next)
                         : thread < s_.before_end.size() && s_.before_end[thread];
}

// What was blocked to the end could have come before what blocked it; what stands before an end of
// the program, instead of the end that came.
void Reduction::ReverseEnd(const trace::Execution& execution) {
  if (s_.graph.Size() < 2) return;  // nobody was scheduled
  const ThreadId ender = EnderOf(execution);
  const bool by_operation = EndedByOperation(execution);
  for (ThreadId thread = 0; thread < execution.threads; ++thread) {
    trace::Pending pending = execution.pending[thread];
    if (!Stands(pending)) continue;
    if (pending.kind == Kind::kProgramExit) {
      if (!by_operation || thread == ender) continue;
      pending.object = execution.events.back().object;
      const StepIndex size = s_.graph.Size();
      ReverseAttempt(pending, thread, s_.graph.BaseOf(thread), size, size - 1);
    } else if (thread != ender || execution.ending.kind == trace::EndKind::kDeadlock) {
      ReversePending(execution, thread);
    } else if (execution.EventsOf(execution.steps.size() - 1).empty()) {
      const StepIndex last = s_.graph.Size() - 1;  // it failed
      ReverseAttempt(pending, thread, s_.graph.BaseBefore(last), last, last);
    }
  }
  if (ender != op::kNoThread) GoOnWithoutEnd(execution);
}

// R19 .. R22: a thread ended the execution while others could have gone on. What they would have
// done is seen when one of them goes first, and, as with any step, that shows what else could have
// come before it. The step that ended the execution never sleeps, because nothing was explored
// after it.
void Reduction::GoOnWithoutEnd(const trace::Execution& execution) {
  const StepIndex end = s_.graph.Size() - 1;
  const bool by_operation = EndedByOperation(execution);
  if (by_operation && WhoCouldGoOn(end, false) == op::kNoThread) return;  // it came last
  Node& node = s_.nodes[end];
  node.ends = true;
  if (NothingSleeps() || RunsAll() || IsClosed(end) || GoesOnAlready(end)) return;
  if (!by_operation) {
    // Sequences that were left out because this step could begin them are not explored yet; as they
    // are not known any more, the other thread's step begins with nothing asleep.
    for (size_t k = node.done; k < s_.done.size(); ++k) s_.done[k].covers = false;
    if (SequencesWakeAll()) s_.sleepers.resize(node.sleep);  // this step was to wake them
  }
  Label label;
  label.thread = WhoCouldGoOn(end, false);
  if (label.thread == op::kNoThread) label.thread = WhoCouldGoOn(end, true);
  if (label.thread == op::kNoThread) return;
  label.unknown = label.open = true;
  AppendAt(end, label);
}

// Is it explored already how others go on in place of the step that ended the execution?
bool Reduction::GoesOnAlready(StepIndex end) const {
  if (s_.graph.EndsProgram(end)) {
    if (AnyNext(end, [](const Label& label) { return !label.ends; })) return true;
    return AnyBegun(end, [](const Label& label) { return !label.ends && !label.vain; });
  }
  const ThreadId ender = s_.graph.At(end).thread;  // another option of its step is nobody else's
  const auto covers = [&](const Label& label) { return label.covers && label.thread != ender; };
  const bool ran_others = AnyBegun(end, covers);
  return ran_others && !s_.covers_more && s_.script.size() <= end;
}

// A thread that could have made a step in place of the one that ended the execution, and is not
// explored elsewhere; kNoThread. `to_end`: one that stands before the end of the program will do.
ThreadId Reduction::WhoCouldGoOn(StepIndex end, bool to_end) const {
  const auto open = OpenAt(end);
  if (open.Width() == 0) return op::kNoThread;  // there was no choice
  for (ThreadId thread = 0; thread < s_.graph.Threads(); ++thread) {
    if (thread == s_.graph.At(end).thread || !open.Has(thread)) continue;
    if (!to_end && StandsBeforeEnd(end, thread)) continue;
    const auto sleeps = [&](uint32_t index) { return s_.done[index].thread == thread; };
    if (std::ranges::any_of(SleepAt(end), sleeps)) continue;
    const auto ended = [&](const Label& label) { return label.ends && label.thread == thread; };
    if (AnyBegun(end, ended)) continue;
    return thread;
  }
  return op::kNoThread;
}

void Reduction::ReversePending(const trace::Execution& execution, ThreadId thread) {
  const trace::Pending& pending = execution.pending[thread];
  if (!IsBlockedByObject(pending) && pending.await == 0) return;
  const StepIndex size = s_.graph.Size();
  const ThreadId last = s_.graph.At(size - 1).thread;
  if (EnderOf(execution) != op::kNoThread && s_.graph.BaseOf(thread)[last] == size) {
    return;  // the step that ended the execution let it go
  }
  ReverseAttempt(pending, thread, s_.graph.BaseOf(thread), size, size - 1);
}

// An operation that did not take effect, of a thread that stood before it before step `before`,
// with `base` before it. The reversal is discarded when step `since` is backtracked.
void Reduction::ReverseAttempt(const trace::Pending& pending, ThreadId thread, Clock base,
                               StepIndex before, StepIndex since) {
  if (pending.object == trace::kNoObject) return;
  const Touch touch = {pending.object, op::Info(pending.kind).access};
  races_.clear();
  s_.graph.FindRaces({.thread = thread,
                      .kind = pending.kind,
                      .timed = false,
                      .touch = touch,
                      .expected = 0,
                      .all = {},
                      .operation = 0,
                      .base = base,
                      .before = before,
                      .await = pending.await},
                     races_, stop_token_);
  for (const StepGraph::Race& race : races_) {
    if (stop_token_.IsRequested()) return;
    reversal_.grows = false;
    Label& last = reversal_.last;
    last = {};
    last.thread = thread;
    last.ends = pending.kind == Kind::kProgramExit;
    last.touches = {touch};
    last.unknown = s_.graph.WillBeInside(thread, before);
    last.open = true;
    AskFor(race, base, before, since);
  }
}

}  // namespace heddle::explore
