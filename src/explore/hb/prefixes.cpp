#include "explore/hb/prefixes.h"

#include <algorithm>

#include "explore/order/ends.h"

namespace heddle::explore {

using op::Kind;
using op::ThreadId;

namespace {

// In an operation's detail.
uint8_t TimeLimitBits(Kind kind) {
  return op::kTimed | (kind == Kind::kCondReacquire ? op::kWaitEnds : 0);
}

bool HasTimeLimit(Kind kind, uint8_t detail) { return (detail & TimeLimitBits(kind)) != 0; }

// Stands there until another thread's step lets it go. So does a join that is no step of its own.
bool WaitsToBeWoken(const trace::Pending& pending, uint8_t woken) {
  if (pending.kind == Kind::kCondReacquire) return woken == 0;
  return op::Info(pending.kind).needs == op::Needs::kWoken ||
         (pending.kind == Kind::kThreadJoin && pending.object == trace::kNoObject);
}

bool WaitsAfter(std::span<const trace::Event> events, ThreadId thread) {
  bool waits = false;
  for (const trace::Event& event : events) {
    if (event.thread == thread) waits = event.kind == Kind::kCondWait && event.value == 0;
  }
  return waits;
}

ThreadId StarterOf(const trace::Execution& execution) {
  if (execution.steps.size() < 2) return op::kNoThread;
  const trace::Choice* choice = ChoiceBefore(execution, 1);
  return choice != nullptr && choice->running_open ? choice->running : op::kNoThread;
}

bool Yields(Kind kind) { return op::Has(kind, op::kYields) || kind == Kind::kProgramExit; }

}  // namespace

void Prefixes::Extend(const trace::Execution& execution, const std::vector<Look>& looks,
                      ThreadId only, StopToken stop_token) {
  const StepIndex first = graph_.Size();
  graph_.Extend(execution, looks, stop_token);
  for (StepIndex i = first; i < graph_.Size(); ++i) {
    if (stop_token.IsRequested()) return;
    info_.push_back(InfoOf(execution, i));
    const Clock clock = graph_.ClockOf(i);
    for (ThreadId t = 0; t < graph_.Threads(); ++t) {
      if (t != graph_.At(i).thread) known_to_others_[t] = std::max(known_to_others_[t], clock[t]);
    }
    for (const trace::Choice& choice : execution.ChoicesOf(i)) {
      if (choice.kind != trace::ChoiceKind::kThread) option_counts_.push_back(choice.option_count);
    }
  }
  if (stop_token.IsRequested()) return;
  starter_ = StarterOf(execution);
  pending_.assign(execution.pending.begin(), execution.pending.end());
  pending_rounds_.clear();
  for (ThreadId t = 0; t < pending_.size(); ++t) {
    const auto made = t < graph_.Threads() ? static_cast<uint32_t>(graph_.StepsOf(t).size()) : 0;
    pending_rounds_.push_back(RoundOf(t, made, pending_[t]));
  }
  const bool ended_by_thread = EnderOf(execution) != op::kNoThread;
  last_ = ended_by_thread ? graph_.Size() - 1 : kNoStep;
  NoteEnd(execution, only);
}

// Who was blocked at the end: all, at rest; else those who were so when a thread was chosen last,
// if the step that followed did nothing to what they wait for.
void Prefixes::NoteEnd(const trace::Execution& execution, ThreadId only) {
  const bool cut_short = WasCutShort(execution.ending);
  blocked_ = ~ThreadBits{0};
  open_ = 0;
  if (last_ == kNoStep && !cut_short) return;
  blocked_ = 0;
  const StepIndex last = graph_.Size() - 1;
  const auto choices = execution.ChoicesOf(last);
  const bool any = !choices.empty() && choices.front().kind == trace::ChoiceKind::kThread;
  const trace::Choice* choice = cut_short ? ChoiceAfterAll(execution)
                                : any     ? &choices.front()
                                          : nullptr;
  if (cut_short && choice == nullptr && only == op::kNoThread) return;
  const ThreadId thread = cut_short && choice == nullptr ? only : graph_.At(last).thread;
  ThreadBits open = thread == op::kNoThread ? 0 : op::BitOf(thread);
  ThreadBits early = 0;
  if (choice != nullptr) {
    open = execution.Open(*choice).WordOrNone(0);
    early = execution.EarlyTimeouts(*choice).WordOrNone(0);
  }
  open_ = open & ~early;
  blocked_ = ~open_;
  // Where no time limit passes early, either nobody needs one to go on or all do.
  ThreadBits timed = 0;
  for (ThreadId t = 0; t < pending_.size(); ++t) {
    if (HasTimeLimit(pending_[t].kind, pending_[t].detail)) timed |= op::BitOf(t);
  }
  if (open_ == open && (open & ~timed) == 0) open_ = 0;
  if (cut_short) return;
  for (const StepGraph::AccessRecord& access : graph_.AccessesOf(last)) {
    for (ThreadId t = 0; t < pending_.size(); ++t) {
      if (access.touch.object != pending_[t].object) continue;
      open_ &= ~op::BitOf(t);
      blocked_ &= ~op::BitOf(t);
    }
  }
}

void Prefixes::Truncate(StepIndex size) {
  if (size >= Size()) return;
  option_counts_.resize(info_[size].options);
  info_.resize(size);
  graph_.Truncate(size);
}

Prefixes::StepInfo Prefixes::InfoOf(const trace::Execution& execution, StepIndex i) const {
  StepInfo info = {.hash = execution.HashOf(i),
                   .ordinal = 0,
                   .options = static_cast<uint32_t>(option_counts_.size()),
                   .kind = Kind::kHook,
                   .timed = false,
                   .ready = false,
                   .runs_on = false,
                   .waits = false,
                   .gives_up = false,
                   .round = kNoRound};
  const ThreadId thread = graph_.At(i).thread;
  if (thread == op::kNoThread) return info;
  const auto own = graph_.StepsOf(thread);
  info.ordinal = static_cast<uint32_t>(std::ranges::lower_bound(own, i) - own.begin());
  const auto events = execution.EventsOf(i);
  const auto first = std::ranges::find(events, thread, &trace::Event::thread);
  if (first != events.end()) {
    info.kind = first->kind;
    info.timed = HasTimeLimit(first->kind, first->detail);
    info.round = RoundOf(thread, info.ordinal, {first->kind, first->detail, first->object});
  }
  info.waits = WaitsAfter(events, thread);
  info.gives_up =
      info.kind == Kind::kCondWait && info.ordinal != 0 && info_[own[info.ordinal - 1]].waits;
  if (info.ordinal == 0 || graph_.At(i).fence) return info;
  info.ready = std::ranges::equal(graph_.BaseBefore(i), graph_.ClockOf(own[info.ordinal - 1]));
  info.runs_on = info.ready && !op::MayWait(info.kind) && !Yields(info.kind) && !info.gives_up &&
                 graph_.At(i).await == 0 && info.round == kNoRound;
  return info;
}

// `thread`, after so many steps, stands before its `next` operation. If it may be in a loop that
// waits: the ordinal of the step at which the last round began, or `made` if that has gone
// (vain.h).
uint32_t Prefixes::RoundOf(ThreadId thread, uint32_t made, const trace::Pending& next) const {
  if (op::MayWait(next.kind) || (next.detail & op::kRevisited) == 0) return kNoRound;
  const auto own = graph_.StepsOf(thread);
  for (uint32_t round = made; round-- > 0;) {
    const auto accesses = graph_.AccessesOf(own[round]);
    const uint32_t object = accesses.empty() ? trace::kNoObject : accesses.front().touch.object;
    if (info_[own[round]].kind == next.kind && object == next.object) return round;
  }
  return made;
}

// Has somebody changed, in the prefix, what the thread has read since the round began?
Prefixes::Round Prefixes::RoundAfter(const Prefix& prefix, ThreadId thread, uint32_t begin) const {
  if (begin == kNoRound) return Round::kNone;
  for (const StepIndex i : graph_.StepsOf(thread).first(prefix.steps[thread]).subspan(begin)) {
    for (const StepGraph::AccessRecord& access : graph_.AccessesOf(i)) {
      if (graph_.IsChangedAfter(access, [&](StepIndex k) { return Holds(prefix, k); }))
        return Round::kDisturbed;
    }
  }
  return Round::kIdle;
}

Prefix Prefixes::Whole() const {
  Prefix prefix;
  prefix.size = Size() - 1;
  prefix.threads = graph_.Threads();
  for (const StepInfo& info : info_) prefix.hash += info.hash;
  for (ThreadId t = 0; t < prefix.threads; ++t) {
    prefix.steps[t] = static_cast<uint32_t>(graph_.StepsOf(t).size());
  }
  return prefix;
}

Prefix Prefixes::Before(StepIndex i) const {
  Prefix prefix;
  prefix.size = i - 1;
  prefix.threads = graph_.Threads();
  for (StepIndex k = 0; k < i; ++k) {
    prefix.hash += info_[k].hash;
    if (graph_.At(k).thread != op::kNoThread) ++prefix.steps[graph_.At(k).thread];
  }
  return prefix;
}

// Nothing can follow what ends the execution, so that comes last.
ThreadBits Prefixes::Frontier(const Prefix& prefix) const {
  if (last_ != kNoStep && Holds(prefix, last_)) {
    const ThreadId ender = graph_.At(last_).thread;
    return ender == op::kNoThread ? 0 : op::BitOf(ender);
  }
  ThreadBits frontier = 0;
  for (ThreadId t = 0; t < prefix.threads; ++t) {
    if (prefix.steps[t] == 0) continue;
    const StepIndex last = LastStepOf(prefix, t);
    const auto follows = [&](ThreadId u) {
      return u != t && prefix.steps[u] != 0 && graph_.HappensBefore(last, LastStepOf(prefix, u));
    };
    bool followed = false;
    const ThreadId end = last < known_to_others_[t] ? prefix.threads : 0;
    for (ThreadId u = 0; u < end && !followed; ++u) followed = follows(u);
    if (!followed) frontier |= op::BitOf(t);
  }
  return frontier;
}

void Prefixes::RemoveLast(Prefix& prefix, ThreadId thread) const {
  prefix.hash -= info_[LastStepOf(prefix, thread)].hash;
  --prefix.steps[thread];
  --prefix.size;
}

void Prefixes::PutBack(Prefix& prefix, ThreadId thread) const {
  ++prefix.steps[thread];
  ++prefix.size;
  prefix.hash += info_[LastStepOf(prefix, thread)].hash;
}

bool Prefixes::HoldsAll(const Prefix& prefix, Clock clock) const {
  for (uint32_t known : clock) {
    if (known != 0 && !Holds(prefix, known - 1)) return false;
  }
  return true;
}

Enabled Prefixes::EnabledAfter(const Prefix& prefix) const {
  Enabled enabled;
  for (ThreadId t = 0; t < prefix.threads; ++t) {
    const auto own = graph_.StepsOf(t);
    if (prefix.steps[t] < own.size()) {
      AddNext(prefix, own[prefix.steps[t]], enabled);
    } else {
      AddPending(prefix, t, enabled);
    }
  }
  return enabled;
}

// The next step of its thread is step i.
void Prefixes::AddNext(const Prefix& prefix, StepIndex i, Enabled& enabled) const {
  const ThreadId thread = graph_.At(i).thread;
  const bool timed = info_[i].timed;
  const Round round = RoundAfter(prefix, thread, info_[i].round);
  // What let it go from a loop was the first change of something that it waits for, here.
  const bool ready =
      info_[i].ready || round == Round::kDisturbed || HoldsAll(prefix, graph_.BaseBefore(i));
  if (graph_.At(i).fence) {  // time passed when nothing else could
    enabled.unknown |= ready;
    return;
  }
  if (!ready || info_[i].gives_up) {
    if (timed || info_[i].gives_up) enabled.timeouts |= op::BitOf(thread);
    return;
  }
  const Stands stands = {thread, info_[i].kind, timed, graph_.At(i).await, round};
  const auto for_each_object = [&](const auto& visit) {
    bool first = true;
    for (const StepGraph::AccessRecord& access : graph_.AccessesOf(i)) {
      if (access.kind != stands.kind || (!first && !access.further)) return;
      visit(access.touch.object);
      first = false;
    }
  };
  AddOperation(prefix, stands, for_each_object, enabled);
}

// The thread makes no further step: it stands before what it stood before at the end.
void Prefixes::AddPending(const Prefix& prefix, ThreadId thread, Enabled& enabled) const {
  if (thread >= pending_.size()) return;
  const trace::Pending& pending = pending_[thread];
  const bool outside = pending.kind == Kind::kThreadStart || pending.kind == Kind::kThreadExit;
  if (outside && pending.object == trace::kNoObject) return;
  const bool timed = HasTimeLimit(pending.kind, pending.detail);
  const uint8_t woken = pending.detail & ~TimeLimitBits(pending.kind);
  const Round round = RoundAfter(prefix, thread, pending_rounds_[thread]);
  const bool ready = round == Round::kDisturbed || HoldsAll(prefix, graph_.BaseOf(thread));
  if (WaitsToBeWoken(pending, woken) || !ready) {
    if (timed) enabled.timeouts |= op::BitOf(thread);
    return;
  }
  // It need not wait for anything, and could not go on: it goes round a loop that nobody has
  // changed anything for. Since when is not known.
  const bool spins =
      !op::MayWait(pending.kind) && pending.await == 0 && (blocked_ & op::BitOf(thread)) != 0;
  if (spins) {
    enabled.may |= op::BitOf(thread);
    return;
  }
  const Stands stands = {thread, pending.kind, timed, pending.await, round};
  const auto for_each_object = [&](const auto& visit) {
    if (pending.object != trace::kNoObject) visit(pending.object);
  };
  AddOperation(prefix, stands, for_each_object, enabled);
}

template <typename ForEachObject>
void Prefixes::AddOperation(const Prefix& prefix, const Stands& stands,
                            ForEachObject for_each_object, Enabled& enabled) const {
  const ThreadBits bit = op::BitOf(stands.thread);
  const auto holds = [&](StepIndex i) { return Holds(prefix, i); };
  bool is_enabled = true;
  bool known = op::Info(stands.kind).needs != op::Needs::kOutside;
  if (op::MayWait(stands.kind) || stands.await != 0) {
    for_each_object([&](uint32_t object) {
      const auto level = graph_.LevelAfter(object, holds);
      if (!level) {
        // As at the end of the execution.
        is_enabled &= (blocked_ & bit) == 0;
        known &= ((blocked_ | open_) & bit) != 0;
      } else if (stands.await != 0) {
        is_enabled &= !graph_.IsVainAt(stands.await, *level);
      } else {
        is_enabled &= op::IsEnabledAt(stands.kind, false, *level);
      }
    });
  }
  if (!is_enabled && known) {
    // Who was woken, and has to lock the mutex again, waits for that as long as it takes.
    if (stands.timed && stands.kind != Kind::kCondReacquire) enabled.timeouts |= bit;
    if (stands.await != 0) enabled.in_vain |= bit;
    return;
  }
  enabled.may |= bit;
  // One that waits in a loop may be left for nothing.
  if (!known || stands.await != 0 || stands.round == Round::kIdle) return;
  enabled.enabled |= bit;
  if (Yields(stands.kind)) enabled.yields |= bit;
}

// Of the threads that have begun and are enabled ever since their last step, all but the one that
// ran last were preempted.
uint32_t Prefixes::LeastPreemptions(const Prefix& prefix) const {
  uint32_t left = 0;
  for (ThreadId t = 0; t < prefix.threads; ++t) {
    const auto own = graph_.StepsOf(t);
    const uint32_t next = prefix.steps[t];
    left += next != 0 && next < own.size() && info_[own[next]].runs_on;
  }
  return left == 0 ? 0 : left - 1;
}

std::span<const uint32_t> Prefixes::OptionCountsOf(StepIndex i) const {
  const size_t end = i + 1 < info_.size() ? info_[i + 1].options : option_counts_.size();
  return {option_counts_.data() + info_[i].options, end - info_[i].options};
}

}  // namespace heddle::explore
