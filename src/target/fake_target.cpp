#include "target/fake_target.h"

#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "plan/random_tail.h"
#include "target/fake_codes.h"
#include "trace/cost.h"

namespace heddle::target {

using base::Mix;

namespace {

// A join in an atomic section, or of a thread that is done, tells whether the other has ended: what
// comes after it is part of the same step only then.
FakeProgram WithThreadEnds(FakeProgram program) {
  for (const auto& thread : program.threads) {
    bool sections = false;
    for (const Instruction& i : thread) {
      sections |= i.code == Code::kAtomicBegin || i.code == Code::kDone;
      program.thread_ends |= sections && i.code == Code::kJoin;
    }
  }
  return program;
}

uintptr_t NameOf(const std::vector<Instruction>& code) {
  uint64_t name = code.size();
  for (const Instruction& i : code) {
    for (const uint64_t field : {uint64_t(i.code), uint64_t{i.reg}, uint64_t{i.object},
                                 uint64_t{i.object2}, uint64_t(i.value), uint64_t(i.value2)})
      name = base::Fold(name, field);
  }
  return name << 16;
}

bool Samples(const plan::Plan& plan) {
  return plan.tail == plan::Tail::kRandom && plan.sampled.by != nullptr;
}

}  // namespace

FakeTarget::FakeTarget(FakeProgram program, bool timeouts_last)
    : program_(WithThreadEnds(std::move(program))), timeouts_last_(timeouts_last) {
  HEDDLE_CHECK(!program_.threads.empty());
  for (const auto& code : program_.threads) code_.push_back(NameOf(code));
}

uint32_t FakeTarget::MutexObject(uint32_t i) const {
  return static_cast<uint32_t>(program_.variables.size()) + i;
}
uint32_t FakeTarget::SemaphoreObject(uint32_t i) const { return MutexObject(program_.mutexes) + i; }
uint32_t FakeTarget::ConditionObject(uint32_t i) const {
  return SemaphoreObject(static_cast<uint32_t>(program_.semaphores.size())) + i;
}
uint32_t FakeTarget::RwLockObject(uint32_t i) const {
  return ConditionObject(program_.conditions) + i;
}
uint32_t FakeTarget::BarrierObject(uint32_t i) const { return RwLockObject(program_.rwlocks) + i; }
uint32_t FakeTarget::PlainObject(uint32_t i) const {
  return BarrierObject(static_cast<uint32_t>(program_.barriers.size())) + i;
}
uint32_t FakeTarget::ThreadObject(uint32_t i) const {
  return PlainObject(static_cast<uint32_t>(program_.plain.size())) + i;
}
uint32_t FakeTarget::ProgramObject() const {
  return ThreadObject(static_cast<uint32_t>(program_.threads.size()));
}

void FakeTarget::Reset() {
  threads_.assign(program_.threads.size(), Thread{});
  variables_ = program_.variables;
  semaphores_ = program_.semaphores;
  owners_.assign(program_.mutexes, op::kNoThread);
  waiters_.resize(program_.conditions);
  for (auto& waiters : waiters_) waiters.clear();
  rwlocks_.assign(program_.rwlocks, RwLock{});
  arrived_.resize(program_.barriers.size());
  for (auto& arrived : arrived_) arrived.clear();
  ready_.clear();
  plain_ = program_.plain;
  objects_.assign(ProgramObject() + 1, Object{});
  usable_.assign(objects_.size(), true);
  for (const FakeProgram::Named& raw : program_.raw) usable_[ObjectOf(raw.type, raw.index)] = false;
  owner_died_.assign(program_.mutexes, false);
  running_ = op::kNoThread;
  next_deviation_ = 0;
  events_.clear();
  touches_.clear();
  atomics_.clear();
  levels_.clear();
  choices_.clear();
  words_.clear();
  steps_.assign(1, {op::kNoThread, 0, 0});
  let_go_.clear();
  stalled_.clear();
  epoch_ = 0;
  timed_ = NoThreads();
  was_timed_ = NoThreads();
  asleep_.clear();
  next_scripted_ = 0;
  next_option_.assign(threads_.size(), 0);
  execution_.ending.kind = EndKind::kRunning;
  execution_.ending.thread = op::kNoThread;
  execution_.ending.status = 0;
  execution_.threads = static_cast<uint32_t>(threads_.size());
  execution_.switches = 0;
  execution_.happens_before = 0;
  execution_.state = 0;
  execution_.steps_hash = 0;
}

const trace::Execution& FakeTarget::Run(const plan::Plan& plan) {
  Reset();
  random_ = plan.seed;
  plan_ = &plan;
  if (Samples(plan)) plan.sampled.by->Begin(plan.sampled.search);
  level_ = 0;
  detail_ = 0;
  for (ThreadId id = 0; id < threads_.size(); ++id) RunLocal(id);
  RunReady();
  while (execution_.ending.kind == EndKind::kRunning) ScheduleNext(plan);
  if (!plan.lenient && next_deviation_ < plan.deviations.size()) End(EndKind::kDiverged, running_);
  NotePending();
  execution_.events = events_;
  execution_.touches = touches_;
  execution_.atomics = atomics_;
  execution_.steps = steps_;
  execution_.let_go = let_go_;
  execution_.pending = pending_;
  execution_.stalled = stalled_;
  execution_.choices = choices_;
  execution_.words = words_;
  const trace::Cost cost = trace::CostOf(execution_, choices_.size());
  execution_.preemptions = cost.preemptions;
  execution_.early_timeouts = cost.early_timeouts;
  return execution_;
}

FakeTarget::Stand FakeTarget::StandOf(ThreadId id) const {
  const Thread& thread = threads_[id];
  if (thread.ends != EndKind::kRunning) return Stand::kProgramEnd;
  if (thread.ended || thread.joins != op::kNoThread) return Stand::kNowhere;
  if (thread.next < program_.threads[id].size()) return Stand::kInstruction;
  return thread.waiting ? Stand::kNowhere : Stand::kThreadEnd;
}

// REQUIRES: it stands before `next`.
bool FakeTarget::IsEnabled(const Thread& thread, const Instruction& next) const {
  if (thread.waiting) return false;
  if (thread.reacquire) return owners_[next.object2] == op::kNoThread;
  if (next.code == Code::kLock || next.code == Code::kTimedLock) {
    return owners_[next.object] == op::kNoThread;
  }
  if (next.code == Code::kSemWait || next.code == Code::kTimedSemWait) {
    return semaphores_[next.object] > 0;
  }
  if (next.code == Code::kReadLock || next.code == Code::kTimedReadLock) {
    return IsFree(rwlocks_[next.object], false);
  }
  if (next.code == Code::kWriteLock || next.code == Code::kTimedWriteLock) {
    return IsFree(rwlocks_[next.object], true);
  }
  if (next.code == Code::kTimedJoin || next.code == Code::kJoin) {
    return threads_[next.object].ended;
  }
  return true;
}

// REQUIRES: the thread is not enabled.
bool FakeTarget::MayTimeOut(const Thread& thread, const Instruction& next) const {
  if (thread.reacquire) return thread.waiting && next.code == Code::kTimedCondWait;
  if (thread.waiting) return false;  // at a barrier
  return HasTimeLimit(next.code);
}

// What the detail of its operation says of a time limit, which need not be the last thing that can
// happen.
uint8_t FakeTarget::TimeLimitOf(const Thread& thread, const Instruction& next) const {
  if (timeouts_last_) return 0;
  if (!thread.reacquire) return HasTimeLimit(next.code) ? op::kTimed : 0;
  return next.code == Code::kTimedCondWait && !thread.timed_out ? op::kWaitEnds : 0;
}

bool FakeTarget::IsFree(const RwLock& lock, bool writing) const {
  return lock.writer == op::kNoThread && (!writing || lock.readers == 0);
}

// Fills `enabled_`, `yielding_` and `timed_`.
void FakeTarget::CollectOpen() {
  enabled_ = NoThreads();
  yielding_ = NoThreads();
  timed_ = NoThreads();
  for (ThreadId id = 0; id < threads_.size(); ++id) {
    const Stand stand = StandOf(id);
    if (stand == Stand::kNowhere) continue;
    if (stand != Stand::kInstruction) {
      enabled_.Add(id);
      if (stand == Stand::kProgramEnd) yielding_.Add(id);
      continue;
    }
    const Thread& thread = threads_[id];
    const Instruction& next = program_.threads[id][thread.next];
    if (IsEnabled(thread, next)) {
      enabled_.Add(id);
      if (next.code == Code::kYield) yielding_.Add(id);
    } else if (MayTimeOut(thread, next)) {
      timed_.Add(id);
    }
  }
  time_passes_ = timeouts_last_ && enabled_.Empty() && !timed_.Empty();
  if (timeouts_last_ && !time_passes_) timed_ = NoThreads();
}

// The default rule of plan/plan.h, among the threads that are not in `without`; when only time can
// go on, the lowest thread. kNoThread if none is left.
ThreadId FakeTarget::DefaultThread(const op::OwnedThreadSet& without) const {
  const auto count = static_cast<ThreadId>(threads_.size());
  const auto enabled = [&](ThreadId id) { return enabled_.Has(id) && !without.Has(id); };
  if (running_ != op::kNoThread && enabled(running_) && !yielding_.Has(running_)) return running_;
  const ThreadId first = running_ == op::kNoThread ? 0 : running_ + 1;
  for (const bool yielding : {false, true}) {
    for (ThreadId i = 0; i < count; ++i) {
      const ThreadId id = (first + i) % count;
      if (enabled(id) && yielding_.Has(id) == yielding) return id;
    }
  }
  for (ThreadId id = 0; id < count; ++id) {
    if (timed_.Has(id) && !without.Has(id)) return id;
  }
  return op::kNoThread;
}

// One turn: decides who runs, and lets that thread make its step.
void FakeTarget::ScheduleNext(const plan::Plan& plan) {
  NoteLetGo();
  const bool early = !enabled_.Empty();  // nothing forces time to pass
  const uint32_t open_count = enabled_.Count() + timed_.Count();
  if (open_count == 0) {
    for (ThreadId id = 0; id < threads_.size(); ++id) {
      if (!Finished(id)) return End(EndKind::kDeadlock, id);
    }
    return End(EndKind::kExit, 0);
  }
  const ThreadId fallback = DefaultThread(NoThreads());
  trace::Step step = {fallback, static_cast<uint32_t>(events_.size()),
                      static_cast<uint32_t>(choices_.size())};
  step.time_passes = time_passes_;
  step.state = execution_.state;
  if (time_passes_) PassTime();
  ThreadId next = fallback;
  const bool enabled = running_ != op::kNoThread && enabled_.Has(running_);
  if (open_count > 1) {
    Choice choice{};
    choice.kind = ChoiceKind::kThread;
    choice.set_words = static_cast<uint16_t>(enabled_.Width());
    choice.fallback = fallback;
    choice.running = running_;
    choice.option_count = open_count;
    choice.sets = static_cast<uint32_t>(words_.size());
    choice.early_timeouts = early && !timed_.Empty();
    const size_t sets = choice.early_timeouts ? 2 : 1;
    words_.resize(words_.size() + sets * choice.set_words);
    uint64_t* const open = words_.data() + choice.sets;
    (enabled_ | timed_).CopyTo(open);
    if (choice.early_timeouts) timed_.CopyTo(open + choice.set_words);
    const bool yields = enabled && yielding_.Has(running_);
    choice.running_open = enabled;
    choice.stays_free = yields && threads_[running_].stays < plan::kFreeStays;
    next = Decide(plan, choice);
    if (execution_.ending.kind != EndKind::kRunning) return;
    if (running_ != op::kNoThread && next != running_) threads_[running_].stays = 0;
    if (yields && next == running_) ++threads_[running_].stays;
  } else {
    PassForcedStep(plan, next);
    if (Samples(plan)) Sample(plan.sampled, {});
    if (execution_.ending.kind != EndKind::kRunning) return;
  }
  step.thread = next;
  steps_.push_back(step);
  if (running_ != op::kNoThread && next != running_) ++execution_.switches;
  running_ = next;
  Step(plan, next);
}

// Records the choice point and answers the option taken, or ends the execution as diverged.
uint32_t FakeTarget::Decide(const plan::Plan& plan, const Choice& point) {
  const auto index = static_cast<uint32_t>(choices_.size());
  choices_.push_back(point);
  Choice& choice = choices_.back();
  choice.chosen = choice.fallback;
  if (plan.lowest_first && choice.kind == ChoiceKind::kThread)
    choice.chosen = LowestThread(choice.fallback);
  choice.event = static_cast<uint32_t>(events_.size());
  execution_.words = words_;
  if (!plan.script.empty() || !plan.options.empty()) {
    choice.chosen = DecideByScript(plan, choice);
  } else if (next_deviation_ < plan.deviations.size()) {
    const plan::Deviation& deviation = plan.deviations[next_deviation_];
    if (deviation.choice != index) return choice.chosen;
    ++next_deviation_;
    if (execution_.IsOpen(choice, deviation.option)) {
      choice.chosen = deviation.option;
    } else if (!plan.lenient) {
      End(EndKind::kDiverged, running_);
    }
  } else if (plan.steering.by != nullptr) {
    choice.chosen = Steer(plan.steering, choice);
  } else if (Samples(plan) && choice.kind == ChoiceKind::kThread) {
    choice.chosen = Sample(plan.sampled, execution_.EarlyTimeouts(choice));
  } else if (plan.tail == plan::Tail::kRandom) {
    choice.chosen = DecideAtRandom(plan.most_cost, choice);
  }
  return choice.chosen;
}

// plan/random_tail.h
uint32_t FakeTarget::DecideAtRandom(uint32_t most_cost, const Choice& choice) {
  const bool is_limited = choice.kind == ChoiceKind::kThread && most_cost != 0xffffffffu;
  execution_.choices = choices_;
  const auto end = static_cast<uint32_t>(choice.kind == ChoiceKind::kThread ? threads_.size()
                                                                            : choice.option_count);
  const auto costs = [&](uint32_t option) {
    return is_limited && trace::Costs(execution_, choice, option);
  };
  uint32_t costly = 0;
  for (uint32_t option = 0; option < end; ++option)
    costly += execution_.IsOpen(choice, option) && costs(option);
  const bool wanted =
      costly != 0 && trace::CostOf(execution_, choices_.size() - 1).Sum() < most_cost &&
      base::NextBelow(random_, plan::CostlyOneIn(static_cast<uint32_t>(steps_.size()))) == 0;
  uint32_t skip = base::NextBelow(random_, wanted ? costly : choice.option_count - costly);
  uint32_t option = 0;
  while (!execution_.IsOpen(choice, option) || costs(option) != wanted || skip-- > 0) ++option;
  return option;
}

void FakeTarget::Step(const plan::Plan& plan, ThreadId id) {
  StepOn(plan, id);
  while (GoesOn(id)) StepOn(plan, id);
  NoteWait(id);
}

// A wait ends the step of a thread that would have gone on. That it had to wait it has read off the
// object.
void FakeTarget::NoteWait(ThreadId id) {
  const Thread& thread = threads_[id];
  if (execution_.ending.kind != EndKind::kRunning || !thread.section || thread.waiting) return;
  if (StandOf(id) != Stand::kInstruction) return;
  const Instruction& next = program_.threads[id][thread.next];
  if (IsEnabled(thread, next)) return;
  level_ = LevelBefore(thread, next);
  Emit(id, Kind::kHook, Access::kRead, ObjectOf(thread, next), 0);
}

// In an atomic section, or when it is done, a thread that need not wait goes on within its step.
bool FakeTarget::GoesOn(ThreadId id) const {
  if (execution_.ending.kind != EndKind::kRunning || !threads_[id].section) return false;
  const Stand stand = StandOf(id);
  if (stand != Stand::kInstruction) return stand == Stand::kThreadEnd;
  const Instruction& next = program_.threads[id][threads_[id].next];
  return next.code != Code::kYield && IsEnabled(threads_[id], next);
}

void FakeTarget::StepOn(const plan::Plan& plan, ThreadId id) {
  Thread& thread = threads_[id];
  const Stand stand = StandOf(id);
  level_ = 0;
  detail_ = 0;
  if (stand == Stand::kProgramEnd) {
    Emit(id, Kind::kProgramExit, Access::kWrite, ProgramObject(),
         static_cast<uint64_t>(thread.ends));
    return End(thread.ends, id);
  }
  if (stand == Stand::kThreadEnd) {
    StepThreadEnd(id);
  } else {
    const Instruction& instruction = program_.threads[id][thread.next];
    level_ = LevelBefore(thread, instruction);
    detail_ = TimeLimitOf(thread, instruction);
    const bool timeout = !IsEnabled(thread, instruction);
    thread.next = timeout ? StepTimeout(id, instruction) : StepVisible(plan, id, instruction);
    detail_ = 0;
    if (execution_.ending.kind == EndKind::kRunning) RunLocal(id);
  }
  RunReady();
}

// The local steps that this one set off: who leaves a barrier, or joins.
void FakeTarget::RunReady() {
  while (!ready_.empty() && execution_.ending.kind == EndKind::kRunning) {
    const ThreadId id = ready_.front();
    ready_.erase(ready_.begin());
    LetGo(id);
  }
}

// Appends an event and its node of the happens-before graph. A node is named by thread and
// position, and hashed together with its immediate predecessors: in program order, and on each
// object the accesses that do not commute with it. A wake-up needs no edge of its own: it follows
// from the order of wait and signal and from the waiter chosen. The hash of the graph is the sum,
// so it does not depend on the order of independent events.
void FakeTarget::Emit(ThreadId id, Kind kind, Access access, uint32_t object, uint64_t value,
                      std::optional<Further> further) {
  Thread& thread = threads_[id];
  const auto joins = [&](const Object& o) {
    return o.access == access && access != Access::kWrite;
  };
  const auto predecessors = [&](const Object& o) {
    return joins(o) ? o.before : Mix(o.last + static_cast<uint64_t>(o.access));
  };
  uint64_t before = Mix(thread.last_hash + 1) + epoch_;
  std::vector<uint32_t> accessed;
  if (access != Access::kNone) {
    if (object != kNoObject) accessed.push_back(object);
    if (further) accessed.push_back(further->object);
    for (uint32_t k = 1; k < levels_.size(); ++k) accessed.push_back(object + k);
  }
  for (uint32_t o : accessed) before += predecessors(objects_[o]);
  const uint64_t label = uint64_t{id} << 44 | uint64_t{thread.events} << 24 |
                         uint64_t{static_cast<uint8_t>(kind)} << 16 | (object & 0xffff);
  const uint64_t hash = Mix(Mix(Mix(label) + value * 4 + static_cast<uint64_t>(access)) ^ before);
  for (uint32_t o : accessed) {
    objects_[o] = joins(objects_[o]) ? Object{access, objects_[o].last + hash, objects_[o].before}
                                     : Object{access, hash, predecessors(objects_[o])};
    WakeSleepers(*plan_, id, o, access);
  }
  WakeSleepers(*plan_, id, kNoObject, Access::kNone);
  thread.last_hash = hash;
  ++thread.events;
  execution_.happens_before += hash;
  if (!op::ComesByItself(kind, access)) execution_.state += hash;
  execution_.steps_hash = Mix(execution_.steps_hash ^ hash);
  // The end of a thread is an event, too, and has no instruction.
  const auto operand = [&] { return int64_t{program_.threads[id][thread.next].value}; };
  op::Level expected = 0;
  if (kind == Kind::kAtomicCompareExchange) {
    expected = op::Fold(static_cast<uint64_t>(operand()));
  } else if (kind == Kind::kAtomicFetch && access == Access::kShared) {
    expected = static_cast<op::Level>(operand());
  }
  const auto index = static_cast<uint32_t>(events_.size());
  for (uint32_t k = 0; k < levels_.size(); ++k) {
    touches_.push_back({index, object + k, levels_[k], expected});
  }
  if (further) {
    touches_.push_back({index, object, level_, 0});
    touches_.push_back({index, further->object, further->level, 0});
  }
  const bool listed = !touches_.empty() && touches_.back().event == index;
  const auto detail = static_cast<uint8_t>(detail_ | (listed ? op::kListed : 0));
  events_.push_back({id, kind, access, 0, detail, object, level_, expected, op::kNoThread, value});
  atomics_.resize(events_.size());
  atomics_.back() = std::exchange(atomic_, {});
}

// Appends an access to plain memory, which is no part of the graph.
void FakeTarget::Note(ThreadId id, Kind kind, uint32_t object) {
  events_.push_back({id, kind, Access::kNone, 0, 0, object, 0, 0, op::kNoThread, 0});
  atomics_.resize(events_.size());
}

void FakeTarget::End(EndKind kind, ThreadId id) {
  execution_.ending.kind = kind;
  execution_.ending.thread = id;
}

// The thread stands before ending the program so, or does it at once.
void FakeTarget::EndBy(EndKind kind, ThreadId id) {
  threads_[id].ends = kind;
  if (!program_.ends_yield) End(kind, id);
}

void FakeTarget::SetRegister(Thread& thread, uint8_t reg, int64_t value) {
  if (reg != kZero) thread.registers[reg] = value;
}

bool FakeTarget::Finished(ThreadId id) const { return threads_[id].ended; }

uint64_t FakeTarget::OutcomeHash() const {
  uint64_t hash = Mix(static_cast<uint64_t>(execution_.ending.kind) + 1);
  for (int64_t value : variables_) hash = Mix(hash + static_cast<uint64_t>(value));
  for (int64_t value : plain_) hash = Mix(hash + static_cast<uint64_t>(value));
  for (const Thread& thread : threads_) {
    for (int64_t value : thread.registers) hash = Mix(hash + static_cast<uint64_t>(value));
  }
  return hash;
}

}  // namespace heddle::target
