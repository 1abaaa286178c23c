// What a fake program tells about its steps, for reductions (trace/execution.h: steps, releases,
// pending operations, levels), and how it follows a script with sleeping threads (plan/plan.h).
#include "base/hash.h"
#include "target/fake_codes.h"
#include "target/fake_target.h"

namespace heddle::target {

// plan::Plan::lowest_first.
ThreadId FakeTarget::LowestThread(ThreadId fallback) const {
  for (const bool yielding : {false, true}) {
    for (ThreadId id = 0; id < threads_.size(); ++id)
      if (enabled_.Has(id) && yielding_.Has(id) == yielding && StandOf(id) != Stand::kProgramEnd)
        return id;
  }
  for (ThreadId id = 0; id < threads_.size(); ++id)
    if (enabled_.Has(id)) return id;
  return fallback;
}

uint32_t FakeTarget::DecideByScript(const plan::Plan& plan, const Choice& choice) {
  uint32_t option = plan.lowest_first ? LowestThread(choice.fallback) : choice.fallback;
  if (choice.kind != ChoiceKind::kThread) {
    option = DecideOption(plan, choice);
  } else if (next_scripted_ < plan.script.size()) {
    option = TakeScripted(plan);
  } else if (plan.steering.by != nullptr) {
    return Steer(plan.steering, choice);
  } else {
    op::OwnedThreadSet asleep = NoThreads();
    for (ThreadId id = 0; id < threads_.size(); ++id) {
      if (Sleeps(plan, id)) asleep.Add(id);
    }
    if (asleep.Has(option)) option = DefaultThread(asleep);
  }
  if (option == op::kNoThread) {
    CutShort();
    return choice.fallback;
  }
  if (execution_.IsOpen(choice, option)) return option;
  NotOpen(plan);
  return choice.fallback;
}

uint32_t FakeTarget::DecideOption(const plan::Plan& plan, const Choice& choice) {
  size_t& next = next_option_[choice.running];
  while (next < plan.options.size() && plan.options[next].thread != choice.running) ++next;
  if (next < plan.options.size()) return plan.options[next++].option;
  return plan.steering.by != nullptr ? Steer(plan.steering, choice) : 0;
}

// What the explorer says of a choice that its plan does not name.
uint32_t FakeTarget::Steer(const plan::Steered& steering, const Choice& choice) {
  if (choice.kind != ChoiceKind::kThread) {
    return steering.by->Option(steering.search, steps_.back().state, steps_.back().thread,
                               choice.option_count);
  }
  const ThreadId thread =
      steering.by->Thread(steering.search, execution_.state, execution_.Open(choice),
                          execution_.EarlyTimeouts(choice), choice.fallback);
  if (thread != op::kNoThread) return thread;
  CutShort();
  return choice.fallback;
}

bool FakeTarget::Sleeps(const plan::Plan& plan, ThreadId id) const {
  for (size_t i = 0; i < asleep_.size(); ++i) {
    if (asleep_[i] && plan.sleepers[i].thread == id) return true;
  }
  return false;
}

void FakeTarget::PassForcedStep(const plan::Plan& plan, ThreadId id) {
  if (next_scripted_ < plan.script.size()) {
    if (TakeScripted(plan) != id) NotOpen(plan);
  } else if (Sleeps(plan, id)) {
    CutShort();
  } else if (plan.steering.by != nullptr) {
    if (!plan.steering.by->LeadsOn(plan.steering.search, execution_.state, id)) CutShort();
  }
}

void FakeTarget::CutShort() {
  End(EndKind::kRedundant, running_);
  execution_.ending.status = trace::kCutByPlan;
}

// The thread of the script's next step; before its last one the sleepers fall asleep.
ThreadId FakeTarget::TakeScripted(const plan::Plan& plan) {
  if (next_scripted_ + 1 == plan.script.size()) asleep_.assign(plan.sleepers.size(), true);
  return plan.script[next_scripted_++];
}

void FakeTarget::NotOpen(const plan::Plan& plan) {
  if (plan.tentative) return CutShort();
  End(EndKind::kDiverged, running_);
}

// `id` made an event: an access, or none (kNoObject).
void FakeTarget::WakeSleepers(const plan::Plan& plan, ThreadId id, uint32_t object, Access access) {
  std::vector<const plan::Sleeper*> woken;
  for (size_t i = 0; i < asleep_.size(); ++i) {
    const plan::Sleeper& sleeper = plan.sleepers[i];
    const bool depends = sleeper.thread == id || sleeper.object == plan::Sleeper::kAnyObject ||
                         (sleeper.object == object && !op::Commute(sleeper.access, access));
    if (depends) woken.push_back(&sleeper);
  }
  for (size_t i = 0; i < asleep_.size(); ++i) {
    for (const plan::Sleeper* sleeper : woken) {
      if (plan.sleepers[i].thread == sleeper->thread) asleep_[i] = false;
    }
  }
}

// The object that the instruction accesses.
uint32_t FakeTarget::ObjectOf(const Thread& thread, const Instruction& instruction) const {
  if (thread.reacquire) return MutexObject(instruction.object2);
  switch (instruction.code) {
    case Code::kLock:
    case Code::kTryLock:
    case Code::kTimedLock:
    case Code::kUnlock:
      return MutexObject(instruction.object);
    case Code::kSemWait:
    case Code::kSemPost:
    case Code::kSemTryWait:
    case Code::kTimedSemWait:
      return SemaphoreObject(instruction.object);
    case Code::kReadLock:
    case Code::kWriteLock:
    case Code::kTryReadLock:
    case Code::kTryWriteLock:
    case Code::kTimedReadLock:
    case Code::kTimedWriteLock:
    case Code::kRwUnlock:
      return RwLockObject(instruction.object);
    case Code::kInit:
    case Code::kDestroy:
      return ObjectOf(static_cast<ObjectType>(instruction.object2), instruction.object);
    case Code::kTryJoin:
    case Code::kTimedJoin:
    case Code::kJoin:
      return ThreadObject(instruction.object);
    case Code::kLoad:
    case Code::kStore:
    case Code::kFetchAdd:
    case Code::kCompareExchange:
    case Code::kAdd:
      return instruction.object;
    case Code::kCondWait:
    case Code::kTimedCondWait:
    case Code::kCondSignal:
    case Code::kCondBroadcast:
      return ConditionObject(instruction.object);
    case Code::kBarrier:
      return BarrierObject(instruction.object);
    case Code::kYield:
    case Code::kChoose:
    case Code::kAtomicBegin:
    case Code::kDone:
    case Code::kSet:
    case Code::kSkipIf:
    case Code::kAssertEqual:
    case Code::kAssertNot:
    case Code::kAssume:
    case Code::kPlainLoad:
    case Code::kPlainStore:
    case Code::kAtomicEnd:
    case Code::kExit:
      return kNoObject;
  }
  return kNoObject;
}

// op/dependence.h
op::Level FakeTarget::LevelBefore(const Thread& thread, const Instruction& instruction) const {
  const uint32_t object = ObjectOf(thread, instruction);
  if (object == kNoObject) return 0;
  if (object < MutexObject(0)) return op::Fold(static_cast<uint64_t>(variables_[object]));
  if (object < SemaphoreObject(0)) return owners_[object - MutexObject(0)] == op::kNoThread ? 0 : 1;
  if (object < ConditionObject(0)) {
    return static_cast<op::Level>(semaphores_[object - SemaphoreObject(0)]);
  }
  if (object < RwLockObject(0)) {
    return static_cast<op::Level>(waiters_[object - ConditionObject(0)].size());
  }
  if (object >= ThreadObject(0)) return threads_[instruction.object].ended ? 1 : 0;
  if (object >= BarrierObject(0)) return 0;
  const RwLock& lock = rwlocks_[object - RwLockObject(0)];
  return lock.writer != op::kNoThread ? op::kWriterHolds : lock.readers;
}

// Finds out who may go on, and who lost its timeout by the last step.
void FakeTarget::NoteLetGo() {
  was_timed_ = timed_;
  CollectOpen();
  if (timeouts_last_) return;  // what lets a thread go takes nothing away that was open
  for (ThreadId id = 0; id < threads_.size(); ++id) {
    if (id == running_ || !was_timed_.Has(id) || timed_.Has(id)) continue;
    if (program_.threads[id][threads_[id].next].code != Code::kTimedCondWait) continue;
    let_go_.push_back({id, static_cast<uint32_t>(events_.size()), true});
  }
}

Kind KindOf(Code code) {
  switch (code) {
    case Code::kLoad:
      return Kind::kAtomicLoad;
    case Code::kStore:
      return Kind::kAtomicStore;
    case Code::kFetchAdd:
    case Code::kAdd:
      return Kind::kAtomicFetch;
    case Code::kCompareExchange:
      return Kind::kAtomicCompareExchange;
    case Code::kLock:
      return Kind::kMutexLock;
    case Code::kTryLock:
      return Kind::kMutexTryLock;
    case Code::kTimedLock:
      return Kind::kMutexTimedLock;
    case Code::kUnlock:
      return Kind::kMutexUnlock;
    case Code::kSemWait:
    case Code::kTimedSemWait:
      return Kind::kSemWait;
    case Code::kSemTryWait:
      return Kind::kSemTryWait;
    case Code::kSemPost:
      return Kind::kSemPost;
    case Code::kCondWait:
    case Code::kTimedCondWait:
      return Kind::kCondWait;
    case Code::kCondSignal:
      return Kind::kCondSignal;
    case Code::kCondBroadcast:
      return Kind::kCondBroadcast;
    case Code::kReadLock:
      return Kind::kRwReadLock;
    case Code::kWriteLock:
      return Kind::kRwWriteLock;
    case Code::kTryReadLock:
      return Kind::kRwTryReadLock;
    case Code::kTryWriteLock:
      return Kind::kRwTryWriteLock;
    case Code::kRwUnlock:
      return Kind::kRwUnlock;
    case Code::kBarrier:
      return Kind::kBarrierArrive;
    case Code::kTimedReadLock:
      return Kind::kRwReadLock;
    case Code::kTimedWriteLock:
      return Kind::kRwWriteLock;
    case Code::kInit:
      return Kind::kInitialise;
    case Code::kDestroy:
      return Kind::kDestroy;
    case Code::kTryJoin:
      return Kind::kThreadTryJoin;
    case Code::kTimedJoin:
      return Kind::kThreadTimedJoin;
    case Code::kJoin:
      return Kind::kThreadJoin;
    case Code::kAtomicBegin:
      return Kind::kAtomicBegin;
    case Code::kDone:
      return Kind::kDone;
    case Code::kChoose:
      return Kind::kChoose;
    case Code::kYield:
    case Code::kSet:
    case Code::kSkipIf:
    case Code::kAssertEqual:
    case Code::kAssertNot:
    case Code::kAssume:
    case Code::kPlainLoad:
    case Code::kPlainStore:
    case Code::kAtomicEnd:
    case Code::kExit:
      return Kind::kYield;
  }
  return Kind::kYield;
}

void FakeTarget::NotePending() {
  pending_.clear();
  for (ThreadId id = 0; id < threads_.size(); ++id) {
    const Thread& thread = threads_[id];
    const Stand stand = StandOf(id);
    trace::Pending pending = {Kind::kThreadExit, 0, kNoObject};
    if (stand == Stand::kProgramEnd) {
      pending = {Kind::kProgramExit, 0, ProgramObject()};
    } else if (stand == Stand::kThreadEnd) {
      pending.object = ThreadObject(id);
    } else if (thread.joins != op::kNoThread) {
      pending.kind = Kind::kThreadJoin;
    } else if (thread.waiting && !thread.reacquire) {
      pending.kind = Kind::kBarrierLeave;
    } else if (stand == Stand::kInstruction) {
      const Instruction& next = program_.threads[id][thread.next];
      pending.object = ObjectOf(thread, next);
      pending.kind = thread.reacquire ? Kind::kCondReacquire : KindOf(next.code);
      if (thread.reacquire && !thread.waiting) pending.detail = 1;
      pending.detail |= TimeLimitOf(thread, next);
    }
    pending_.push_back(pending);
  }
}

// The thread that the sampler lets go on. Objects go by their numbers, from 1.
ThreadId FakeTarget::Sample(const plan::Sampled& sampled, op::ThreadSet early) {
  NotePending();
  pending_operations_.next.clear();
  for (ThreadId id = 0; id < threads_.size(); ++id) {
    op::Operation next;
    next.kind = pending_[id].kind;
    next.object = pending_[id].object == kNoObject ? 0 : pending_[id].object + 1;
    next.pc = code_[id] | threads_[id].next;
    pending_operations_.next.push_back(next);
  }
  op::OwnedThreadSet open = NoThreads();
  (enabled_ | timed_).ForEach([&](ThreadId id) { open.Add(id); });
  return sampled.by->Thread(sampled.search,
                            {open.Operand(), early, yielding_.Operand(), pending_operations_});
}

// The next step lets time pass: notes what is blocked, and that all from here on comes after all so
// far.
void FakeTarget::PassTime() {
  NotePending();
  for (ThreadId id = 0; id < threads_.size(); ++id) {
    stalled_.push_back({static_cast<uint32_t>(steps_.size()), id, pending_[id]});
  }
  epoch_ = base::Mix(execution_.happens_before + 1);
}

}  // namespace heddle::target
