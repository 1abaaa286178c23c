#include "explore/order/step_graph.h"

#include <algorithm>

#include "trace/ticks.h"

namespace heddle::explore {

using op::Kind;
using op::ThreadId;

void StepGraph::Extend(const trace::Execution& execution, const std::vector<Look>& looks,
                       StopToken stop_token) {
  Widen(execution.threads);
  lost_.clear();
  lost_bases_.clear();
  stalled_.clear();
  stalled_bases_.clear();
  next_let_go_ = 0;
  const auto count = static_cast<StepIndex>(execution.steps.size());
  if (Size() < count) {
    const uint32_t begin = execution.steps[Size()].event;
    while (next_let_go_ < execution.let_go.size() &&
           execution.let_go[next_let_go_].event <= begin && begin != 0) {
      ++next_let_go_;
    }
  }
  size_t look = 0;
  for (StepIndex i = Size(); i < count && !stop_token.IsRequested(); ++i) {
    for (; look < looks.size() && looks[look].step <= i; ++look) NoteLook(looks[look]);
    AddStep(execution, i);
  }
  for (; look < looks.size() && !stop_token.IsRequested(); ++look) NoteLook(looks[look]);
}

void StepGraph::NoteLook(const Look& look) {
  if (look.await == 0) return;
  if (look.repeatable) vain_levels_.insert(uint64_t{look.await} << 32 | look.level);
  const uint32_t chain = look.object < chains_.size() ? chains_[look.object] : 0;
  const KnownLook known = {Size(), look.thread, look.await, look.object, WriteUpTo(chain)};
  const StepIndex last = LastStepOf(look.thread);
  const bool again = std::ranges::any_of(looks_, [&](const KnownLook& other) {
    return other.thread == known.thread && other.await == known.await &&
           other.object == known.object && other.write == known.write &&
           (last == kNoStep || other.step > last);
  });
  if (!again) looks_.push_back(known);
}

// The last write of an object's chain that ends with the access of index `chain` - 1.
uint32_t StepGraph::WriteUpTo(uint32_t chain) const {
  while (chain != 0 && accesses_[chain - 1].touch.access != op::Access::kWrite) {
    chain = accesses_[chain - 1].previous;
  }
  return chain;
}

// More threads were met than before: rows grow.
void StepGraph::Widen(uint32_t threads) {
  if (threads <= threads_) return;
  if (threads > stride_) {
    const uint32_t stride = std::max(threads, stride_ + stride_ / 2);
    for (std::vector<uint32_t>* rows : {&clocks_, &before_, &bases_, &undo_rows_}) {
      const size_t count = stride_ == 0 ? 0 : rows->size() / stride_;
      std::vector<uint32_t> wide(count * stride);
      for (size_t i = 0; i < count; ++i) {
        std::copy_n(rows->begin() + static_cast<ptrdiff_t>(i * stride_), stride_,
                    wide.begin() + static_cast<ptrdiff_t>(i * stride));
      }
      rows->swap(wide);
    }
    stride_ = stride;
  }
  threads_ = threads;
  bases_.resize(size_t{threads} * stride_);
  steps_of_.resize(threads);
}

void StepGraph::AddStep(const trace::Execution& execution, StepIndex i) {
  const trace::Step& step = execution.steps[i];
  const ThreadId thread = step.thread;
  const bool threadless = thread == op::kNoThread;  // the beginning: belongs to nobody
  steps_.push_back({thread, static_cast<uint32_t>(accesses_.size()),
                    static_cast<uint32_t>(options_.size()), step.time_passes != 0, step.await});
  steps_.back().focus = static_cast<uint8_t>(step.focus);
  if (threadless) {
    clocks_.resize(clocks_.size() + stride_);
    before_.resize(before_.size() + stride_);
  } else {
    const uint32_t* base = Row(bases_, thread);
    clocks_.insert(clocks_.end(), base, base + stride_);
    before_.insert(before_.end(), base, base + stride_);
  }
  for (const trace::Choice& choice : execution.ChoicesOf(i)) {
    if (choice.kind != trace::ChoiceKind::kThread) {
      options_.push_back({choice.running, choice.chosen});
    }
  }
  if (step.time_passes) AddFence(execution, i);
  AddAccesses(execution, i);
  if (!threadless) {
    Row(clocks_, i)[thread] = i + 1;
    steps_of_[thread].push_back(i);
    JoinBase(i, thread, Row(clocks_, i));
  }
  if (step.time_passes) {
    for (ThreadId t = 0; t < threads_; ++t) JoinBase(i, t, Row(clocks_, i));
  }
  FollowEvents(execution, i);
  FollowLetGo(execution, i);
}

// Step i comes after all steps so far. What was blocked then is kept with what it comes after.
void StepGraph::AddFence(const trace::Execution& execution, StepIndex i) {
  for (ThreadId t = 0; t < threads_; ++t) {
    const StepIndex last = LastStepOf(t);
    Row(before_, i)[t] = Row(clocks_, i)[t] = last == kNoStep ? 0 : last + 1;
  }
  const auto begin = std::ranges::lower_bound(execution.stalled, i, {}, &trace::Stalled::step);
  for (auto at = begin; at != execution.stalled.end() && at->step == i; ++at) {
    stalled_.push_back({i, at->thread, at->pending, static_cast<uint32_t>(stalled_.size())});
    const uint32_t* base = Row(bases_, at->thread);
    stalled_bases_.insert(stalled_bases_.end(), base, base + stride_);
  }
}

void StepGraph::AddAccesses(const trace::Execution& execution, StepIndex i) {
  const uint32_t begin = execution.steps[i].event;
  const auto events = execution.EventsOf(i);
  for (uint32_t k = 0; k < events.size(); ++k) {
    // What comes after the step's first operation never keeps the step from being made: in an
    // atomic section a wait ends the step.
    const bool inside = k != 0;
    const trace::AccessList accesses = execution.AccessesOf(begin + k);
    for (size_t n = 0; n < accesses.size(); ++n) {
      AddAccess(i, events[k], accesses[n], inside, n != 0);
    }
  }
}

// Joins the clocks of the group of accesses that ends with the one of index `last` - 1.
void StepGraph::JoinGroup(uint32_t last, uint32_t* clock) const {
  if (last == 0) return;
  const uint32_t stop = accesses_[accesses_[last - 1].group_first].previous;
  for (uint32_t at = last; at != stop; at = accesses_[at - 1].previous) {
    const StepIndex j = accesses_[at - 1].step;
    const ThreadId thread = steps_[j].thread;
    if (thread == op::kNoThread || clock[thread] > j) continue;
    trace::JoinTicks(clock, ClockOf(j).data(), threads_);
  }
}

void StepGraph::JoinConflicts(const Touch& touch, StepIndex j, StepIndex end,
                              std::span<const StepIndex> without,
                              std::vector<uint32_t>& clock) const {
  if (touch.object >= chains_.size()) return;
  for (uint32_t at = chains_[touch.object]; at != 0; at = accesses_[at - 1].previous) {
    const AccessRecord& access = accesses_[at - 1];
    if (access.step <= j) return;
    if (access.step >= end || op::Commute(access.touch.access, touch.access)) continue;
    if (clock[steps_[access.step].thread] > access.step || HappensBefore(j, access.step)) continue;
    if (HappensAfterAny(without, access.step)) continue;
    trace::JoinTicks(clock.data(), ClockOf(access.step).data(), threads_);
  }
}

// Appends the access to its object's chain. The step happens after all that do not commute with it.
void StepGraph::AddAccess(StepIndex i, const trace::Event& event, const trace::Access& access,
                          bool inside, bool further) {
  const uint32_t object = access.object;
  if (object >= chains_.size()) chains_.resize(object + object / 2 + 16);
  const auto index = static_cast<uint32_t>(accesses_.size());
  const uint32_t last = chains_[object];
  const bool joins = last != 0 && op::Commute(accesses_[last - 1].touch.access, access.access);
  const uint32_t group_first = joins ? accesses_[last - 1].group_first : index;
  JoinGroup(joins ? accesses_[group_first].previous : last, Row(clocks_, i));
  const bool timed = inside || (event.detail & op::kTimed) != 0;
  const bool of_a_part = (event.detail & op::kOfAPart) != 0;
  const bool no_effect = (event.detail & op::kNoEffect) != 0;
  accesses_.push_back({{object, access.access},
                       event.kind,
                       timed,
                       of_a_part,
                       further,
                       no_effect,
                       access.level,
                       access.expected,
                       i,
                       last,
                       group_first});
  chains_[object] = index + 1;
}

// Threads that the step set going, or that found what they waited for; and its sections: an atomic
// section begins with an operation of its own, and so does being done.
void StepGraph::FollowEvents(const trace::Execution& execution, StepIndex i) {
  constexpr uint8_t kSection = 1;
  constexpr uint8_t kDone = 2;
  Step& step = steps_[i];
  const ThreadId thread = step.thread;
  if (thread != op::kNoThread) {
    const auto& own = steps_of_[thread];
    if (own.size() > 1) step.sections = steps_[own[own.size() - 2]].sections;
    step.inside = step.sections != 0;
  }
  for (const trace::Event& event : execution.EventsOf(i)) {
    if (event.thread != thread) JoinBase(i, event.thread, Row(clocks_, i));
    if (event.kind == Kind::kThreadCreate) JoinBase(i, event.other, Row(bases_, event.thread));
    const bool succeeded = event.value == 0;
    if (op::Has(event.kind, op::kJoins) && succeeded) {
      JoinBase(i, event.thread, Row(bases_, event.other));
    }
    if (event.thread != thread) continue;
    if (event.kind == Kind::kAtomicBegin) step.sections |= kSection;
    if (event.kind == Kind::kAtomicEnd) step.sections &= kDone;
    if (event.kind == Kind::kDone) step.sections |= kDone;
    step.inside |= step.sections != 0;
  }
}

void StepGraph::FollowLetGo(const trace::Execution& execution, StepIndex i) {
  const size_t end = execution.steps[i].event + execution.EventsOf(i).size();
  for (; next_let_go_ < execution.let_go.size(); ++next_let_go_) {
    const trace::LetGo& let_go = execution.let_go[next_let_go_];
    if (let_go.event > end) break;
    if (let_go.timeout_lost) {
      lost_.push_back(
          {i, let_go.thread, static_cast<uint32_t>(lost_.size()), WaitsAt(let_go.thread, i)});
      const uint32_t* base = Row(bases_, let_go.thread);
      lost_bases_.insert(lost_bases_.end(), base, base + stride_);
    } else {
      JoinBase(i, let_go.thread, Row(clocks_, i));
    }
  }
}

// The condition variable at which `thread` waits, which step i signals. Its timeout is a step that
// takes it off the queue, and nothing else.
uint32_t StepGraph::WaitsAt(ThreadId thread, StepIndex i) const {
  if (steps_of_[thread].empty() || WillBeInside(thread, i)) return kUnknownObject;
  const auto accesses = AccessesOf(steps_of_[thread].back());
  if (accesses.empty() || !op::Has(accesses[0].kind, op::kPairs)) return kUnknownObject;
  const uint32_t object = accesses[0].touch.object;
  const auto signals = [&](const AccessRecord& access) { return access.touch.object == object; };
  return std::ranges::any_of(AccessesOf(i), signals) ? object : kUnknownObject;
}

// Step i lets `thread` go: what `clock` knows happens before the next step of `thread`.
void StepGraph::JoinBase(StepIndex i, ThreadId thread, const uint32_t* clock) {
  uint32_t* base = Row(bases_, thread);
  undo_.push_back({i, thread});
  undo_rows_.insert(undo_rows_.end(), base, base + stride_);
  trace::JoinTicks(base, clock, threads_);
}

void StepGraph::Truncate(StepIndex size) {
  if (size >= Size()) return;
  while (!undo_.empty() && undo_.back().step >= size) {
    const size_t at = undo_rows_.size() - stride_;
    std::copy_n(undo_rows_.begin() + static_cast<ptrdiff_t>(at), stride_,
                Row(bases_, undo_.back().thread));
    undo_rows_.resize(at);
    undo_.pop_back();
  }
  while (Size() > size) {
    const Step& step = steps_.back();
    while (accesses_.size() > step.accesses) {
      chains_[accesses_.back().touch.object] = accesses_.back().previous;
      accesses_.pop_back();
    }
    options_.resize(step.options);
    if (step.thread != op::kNoThread) steps_of_[step.thread].pop_back();
    steps_.pop_back();
  }
  while (!looks_.empty() && looks_.back().step > size) looks_.pop_back();
  if (ending_ >= size) ending_ = kNoStep;
  clocks_.resize(size_t{size} * stride_);
  before_.resize(size_t{size} * stride_);
}

std::span<const StepGraph::AccessRecord> StepGraph::AccessesOf(StepIndex i) const {
  const size_t end = i + 1 < Size() ? steps_[i + 1].accesses : accesses_.size();
  return {accesses_.data() + steps_[i].accesses, end - steps_[i].accesses};
}

std::span<const plan::ScriptOption> StepGraph::OptionsOf(StepIndex i) const {
  const size_t end = i + 1 < Size() ? steps_[i + 1].options : options_.size();
  return {options_.data() + steps_[i].options, end - steps_[i].options};
}

bool StepGraph::EndsProgram(StepIndex i) const {
  const auto accesses = AccessesOf(i);
  return !accesses.empty() && accesses[0].kind == Kind::kProgramExit;
}

bool StepGraph::FinishesThread(StepIndex i) const {
  return std::ranges::any_of(
      AccessesOf(i), [](const AccessRecord& access) { return access.kind == Kind::kThreadFinish; });
}

StepIndex StepGraph::FirstStepOf(ThreadId thread, StepIndex from) const {
  const auto& steps = steps_of_[thread];
  const auto at = std::ranges::lower_bound(steps, from);
  return at == steps.end() ? kNoStep : *at;
}

std::span<const StepIndex> StepGraph::StepsOf(ThreadId thread, StepIndex from) const {
  const auto& steps = steps_of_[thread];
  return {std::ranges::lower_bound(steps, from), steps.end()};
}

void StepGraph::AppendAccesses(uint32_t object, StepIndex j, std::vector<StepIndex>& steps) const {
  for (uint32_t at = chains_[object]; at != 0; at = accesses_[at - 1].previous) {
    if (accesses_[at - 1].step <= j) return;
    steps.push_back(accesses_[at - 1].step);
  }
}

}  // namespace heddle::explore
