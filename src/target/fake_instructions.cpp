// What the instructions of a fake program do: the effect of one step on variables, locks and
// queues, and the event that it leaves. When a thread may make its step is fake_target.cpp's.
#include <utility>

#include "base/check.h"
#include "target/fake_codes.h"
#include "target/fake_target.h"

namespace heddle::target {

// Of an access to one variable, before it is made; `in`: what is added to the value stored.
void FakeTarget::TellAtomic(const Instruction& instruction, int64_t in) {
  const bool compares = instruction.code == Code::kCompareExchange;
  const bool is_word = instruction.code == Code::kAdd;
  const bool stores = instruction.code == Code::kStore;
  const int64_t operand = compares ? instruction.value2 : instruction.value + (stores ? in : 0);
  const auto bytes = [&](int64_t value) {
    return is_word ? static_cast<uint32_t>(value) : static_cast<uint64_t>(value);
  };
  atomic_ = {.found = bytes(variables_[instruction.object]),
             .operand = bytes(operand),
             .expected = bytes(instruction.value),
             .size = static_cast<uint8_t>(is_word ? sizeof(uint32_t) : sizeof(uint64_t)),
             .failure = __ATOMIC_SEQ_CST,
             .order = __ATOMIC_SEQ_CST,
             .fetch = static_cast<uint8_t>(op::Fetch::kAdd),
             .continues = false};
}

// Atomic operations on one variable, or on several in one go.
void FakeTarget::StepVariables(ThreadId id, const Instruction& instruction) {
  if (instruction.code == Code::kAdd) {
    int64_t& variable = variables_[instruction.object];
    TellAtomic(instruction, 0);
    variable = static_cast<uint32_t>(variable + instruction.value);
    return Emit(id, Kind::kAtomicFetch, Access::kShared, instruction.object, 0);
  }
  Thread& thread = threads_[id];
  const std::span<int64_t> accessed(variables_.data() + instruction.object, Width(instruction));
  if (accessed.size() > 1) {
    for (int64_t value : accessed) levels_.push_back(op::Fold(static_cast<uint64_t>(value)));
  }
  int64_t digits = 0;
  bool equal = true;
  for (int64_t value : accessed) {
    digits = digits * 10 + value;
    equal &= value == instruction.value;
  }
  const int64_t in = instruction.reg == kZero ? 0 : thread.registers[instruction.reg];
  const bool compares = instruction.code == Code::kCompareExchange;
  if (accessed.size() == 1) TellAtomic(instruction, in);
  for (int64_t& value : accessed) {
    if (instruction.code == Code::kStore) value = instruction.value + in;
    if (instruction.code == Code::kFetchAdd) value += instruction.value;
    if (compares && equal) value = instruction.value2;
  }
  if (instruction.code != Code::kStore) {
    SetRegister(thread, instruction.reg, !compares ? digits : equal ? 1 : 0);
  }
  const bool reads = instruction.code == Code::kLoad || (compares && !equal);
  Emit(id, KindOf(instruction.code), reads ? Access::kRead : Access::kWrite, instruction.object, 0);
  levels_.clear();
}

// The instruction has no effect, and is the access that it would have been.
void FakeTarget::Misuse(ThreadId id, const Instruction& instruction) {
  Thread& thread = threads_[id];
  const Kind kind = thread.reacquire ? Kind::kCondReacquire : KindOf(instruction.code);
  detail_ |= op::kNoEffect;
  if (kind == Kind::kCondWait) {
    const op::Level held = owners_[instruction.object2] == op::kNoThread ? 0 : 1;
    Emit(id, kind, Access::kWrite, ConditionObject(instruction.object), 0,
         Further{MutexObject(instruction.object2), held});
  } else {
    const bool succeeds = op::SucceedsAt(kind, level_, 0);
    Emit(id, kind, succeeds ? op::Info(kind).access : Access::kRead, ObjectOf(thread, instruction),
         0);
  }
  EndBy(EndKind::kMisuse, id);
}

void FakeTarget::StepMutex(ThreadId id, const Instruction& instruction) {
  Thread& thread = threads_[id];
  const uint32_t object = instruction.object;
  if (instruction.code == Code::kUnlock) {
    if (owners_[object] != id) return Misuse(id, instruction);
    Emit(id, Kind::kMutexUnlock, Access::kWrite, MutexObject(object), 0);
    owners_[object] = op::kNoThread;
    return;
  }
  const bool free = owners_[object] == op::kNoThread;  // only a trylock comes where it is not
  SetRegister(thread, instruction.reg, !free ? 0 : owner_died_[object] ? 2 : 1);
  if (free) owners_[object] = id;
  if (free) owner_died_[object] = false;
  const Kind kind = instruction.code == Code::kLock        ? Kind::kMutexLock
                    : instruction.code == Code::kTimedLock ? Kind::kMutexTimedLock
                                                           : Kind::kMutexTryLock;
  Emit(id, kind, free ? Access::kWrite : Access::kRead, MutexObject(object), 0);
}

// Lets `instruction` take effect and returns the index of the one that follows.
uint32_t FakeTarget::StepVisible(const plan::Plan& plan, ThreadId id,
                                 const Instruction& instruction) {
  Thread& thread = threads_[id];
  const uint32_t object = instruction.object;
  const uint32_t after = thread.next + 1;
  if (!IsUsable(thread, instruction)) {
    Misuse(id, instruction);
    return after;
  }
  if (thread.reacquire) {
    thread.reacquire = false;
    owners_[instruction.object2] = id;
    SetRegister(thread, instruction.reg, thread.timed_out ? 0 : 1);
    thread.timed_out = false;
    Emit(id, Kind::kCondReacquire, Access::kWrite, MutexObject(instruction.object2), 0);
    return after;
  }
  switch (instruction.code) {
    case Code::kLoad:
    case Code::kStore:
    case Code::kFetchAdd:
    case Code::kCompareExchange:
    case Code::kAdd:
      StepVariables(id, instruction);
      return after;
    case Code::kLock:
    case Code::kTimedLock:
    case Code::kTryLock:
    case Code::kUnlock:
      StepMutex(id, instruction);
      return after;
    case Code::kSemWait:
    case Code::kTimedSemWait:
      --semaphores_[object];
      SetRegister(thread, instruction.reg, 1);
      Emit(id, Kind::kSemWait, Access::kWrite, SemaphoreObject(object), 0);
      return after;
    case Code::kSemTryWait: {
      const bool some = semaphores_[object] > 0;
      if (some) --semaphores_[object];
      SetRegister(thread, instruction.reg, some ? 1 : 0);
      Emit(id, Kind::kSemTryWait, some ? Access::kWrite : Access::kRead, SemaphoreObject(object),
           0);
      return after;
    }
    case Code::kSemPost:
      ++semaphores_[object];
      Emit(id, Kind::kSemPost, Access::kShared, SemaphoreObject(object), 0);
      return after;
    case Code::kCondWait:
    case Code::kTimedCondWait:
      if (owners_[instruction.object2] != id) {
        Misuse(id, instruction);
        return after;
      }
      Emit(id, Kind::kCondWait, Access::kWrite, ConditionObject(object), 0,
           Further{MutexObject(instruction.object2), 1});
      owners_[instruction.object2] = op::kNoThread;
      waiters_[object].push_back(id);
      thread.waiting = true;
      thread.reacquire = true;
      return thread.next;  // stays on the wait until it has the mutex again
    case Code::kCondSignal:
    case Code::kCondBroadcast:
      Signal(plan, id, instruction);
      return after;
    case Code::kYield:
      Emit(id, Kind::kYield, Access::kNone, kNoObject, 0);
      return after;
    case Code::kChoose: {
      Choice choice{};
      choice.kind = ChoiceKind::kValue;
      choice.running = id;
      choice.option_count = static_cast<uint32_t>(instruction.value);
      const uint32_t value = choice.option_count > 1 ? Decide(plan, choice) : 0;
      SetRegister(thread, instruction.reg, value);
      Emit(id, Kind::kChoose, Access::kNone, kNoObject, value);
      return after;
    }
    case Code::kReadLock:
    case Code::kWriteLock:
    case Code::kTryReadLock:
    case Code::kTryWriteLock:
    case Code::kTimedReadLock:
    case Code::kTimedWriteLock:
    case Code::kRwUnlock:
      return StepRwLock(id, instruction);
    case Code::kBarrier:
      return StepBarrier(id, instruction);
    case Code::kInit:
    case Code::kDestroy:
      return StepLifetime(id, instruction);
    case Code::kTryJoin:
    case Code::kTimedJoin:
    case Code::kJoin:  // in an atomic section
      return StepJoin(id, instruction);
    case Code::kAtomicBegin:
    case Code::kDone:
      thread.section = true;
      Emit(id, KindOf(instruction.code), Access::kNone, kNoObject, 0);
      return after;
    case Code::kAtomicEnd:
    case Code::kExit:
    case Code::kSet:
    case Code::kSkipIf:
    case Code::kAssertEqual:
    case Code::kAssertNot:
    case Code::kAssume:
    case Code::kPlainLoad:
    case Code::kPlainStore:
      break;
  }
  HEDDLE_CHECK(false && "local instructions are run by RunLocal");
  return after;
}

// The operation gives up: a failed attempt, which only looked. A condition wait leaves the queue,
// and still has to lock its mutex.
uint32_t FakeTarget::StepTimeout(ThreadId id, const Instruction& instruction) {
  Thread& thread = threads_[id];
  const uint32_t object = instruction.object;
  if (instruction.code == Code::kTimedCondWait) {
    level_ = 0;  // of the condition variable; what it waited to lock is the mutex
    Emit(id, Kind::kCondWait, Access::kWrite, ConditionObject(object), 1);
    std::erase(waiters_[object], id);
    thread.waiting = false;
    thread.timed_out = true;
    return thread.next;
  }
  SetRegister(thread, instruction.reg, 0);
  if (instruction.code == Code::kTimedJoin) return StepJoin(id, instruction);
  if (instruction.code == Code::kTimedLock) {
    Emit(id, Kind::kMutexTimedLock, Access::kRead, MutexObject(object), 1);
  } else if (instruction.code == Code::kTimedSemWait) {
    Emit(id, Kind::kSemWait, Access::kRead, SemaphoreObject(object), 1);
  } else {
    Emit(id, KindOf(instruction.code), Access::kRead, RwLockObject(object), 1);
  }
  return thread.next + 1;
}

uint32_t FakeTarget::StepRwLock(ThreadId id, const Instruction& instruction) {
  Thread& thread = threads_[id];
  RwLock& lock = rwlocks_[instruction.object];
  const uint32_t object = RwLockObject(instruction.object);
  if (instruction.code == Code::kRwUnlock) {
    const bool reads = lock.writer == op::kNoThread && lock.readers != 0;
    if (!reads && lock.writer != id) {
      Misuse(id, instruction);
      return thread.next + 1;
    }
    Emit(id, Kind::kRwUnlock, reads ? Access::kShared : Access::kWrite, object, 0);
    if (reads) {
      --lock.readers;
    } else {
      lock.writer = op::kNoThread;
    }
    return thread.next + 1;
  }
  const bool tries =
      instruction.code == Code::kTryReadLock || instruction.code == Code::kTryWriteLock;
  const bool writing = instruction.code == Code::kWriteLock ||
                       instruction.code == Code::kTryWriteLock ||
                       instruction.code == Code::kTimedWriteLock;
  const bool free = IsFree(lock, writing);
  if (free && writing) lock.writer = id;
  if (free && !writing) ++lock.readers;
  SetRegister(thread, instruction.reg, free ? 1 : 0);
  const Kind kind = writing ? (tries ? Kind::kRwTryWriteLock : Kind::kRwWriteLock)
                            : (tries ? Kind::kRwTryReadLock : Kind::kRwReadLock);
  const Access taken = writing ? Access::kWrite : Access::kShared;
  Emit(id, kind, free ? taken : Access::kRead, object, 0);
  return thread.next + 1;
}

uint32_t FakeTarget::StepBarrier(ThreadId id, const Instruction& instruction) {
  auto& arrived = arrived_[instruction.object];
  const bool last = arrived.size() + 1 == program_.barriers[instruction.object];
  Emit(id, Kind::kBarrierArrive, Access::kWrite, BarrierObject(instruction.object), last ? 1 : 0);
  if (last) {  // the one who came last before it leaves first
    ready_.insert(ready_.end(), arrived.rbegin(), arrived.rend());
    arrived.clear();
  } else {
    arrived.push_back(id);
    threads_[id].waiting = true;
  }
  return threads_[id].next + 1;
}

// A signal let `waiter` go.
void FakeTarget::Release(ThreadId waiter) {
  threads_[waiter].waiting = false;
  let_go_.push_back({waiter, static_cast<uint32_t>(events_.size()), false});
}

void FakeTarget::Signal(const plan::Plan& plan, ThreadId id, const Instruction& instruction) {
  auto& waiters = waiters_[instruction.object];
  const uint32_t object = ConditionObject(instruction.object);
  const bool all = instruction.code == Code::kCondBroadcast;
  if (waiters.empty()) {  // has no effect, and commutes with others like it
    return Emit(id, all ? Kind::kCondBroadcast : Kind::kCondSignal, Access::kRead, object, 0);
  }
  if (all) {
    Emit(id, Kind::kCondBroadcast, Access::kWrite, object, 0);
    for (ThreadId waiter : waiters) Release(waiter);
    waiters.clear();
    return;
  }
  uint32_t which = 0;
  if (waiters.size() > 1) {
    Choice choice{};
    choice.kind = ChoiceKind::kWaiter;
    choice.running = id;
    choice.option_count = static_cast<uint32_t>(waiters.size());
    which = Decide(plan, choice);
    if (execution_.ending.kind != EndKind::kRunning) return;
  }
  const ThreadId woken = waiters[which];
  Emit(id, Kind::kCondSignal, Access::kWrite, object, woken);
  Release(woken);
  waiters.erase(waiters.begin() + which);
}

// Runs the instructions up to the next visible one, or to the end of the thread.
void FakeTarget::RunLocal(ThreadId id) {
  Thread& thread = threads_[id];
  const auto& code = program_.threads[id];
  if (thread.waiting || thread.ended || thread.ends != EndKind::kRunning) return;
  while (thread.next < code.size()) {
    const Instruction& instruction = code[thread.next];
    const bool visible =
        instruction.code < Code::kSet || (instruction.code == Code::kJoin && thread.section);
    if (visible) return;
    ++thread.next;
    const int64_t value = instruction.reg == kZero ? 0 : thread.registers[instruction.reg];
    const bool equal = value == instruction.value;
    if (instruction.code == Code::kSet) {
      SetRegister(thread, instruction.reg, instruction.value);
    } else if (instruction.code == Code::kSkipIf && equal) {
      const uint64_t to = uint64_t{thread.next} + static_cast<uint32_t>(instruction.value2);
      thread.next = static_cast<uint32_t>(to < code.size() ? to : code.size());
    } else if ((instruction.code == Code::kAssertEqual && !equal) ||
               (instruction.code == Code::kAssertNot && equal)) {
      EndBy(EndKind::kAssertion, id);
    } else if (instruction.code == Code::kAssume && !equal) {
      EndBy(EndKind::kRedundant, id);
    } else if (instruction.code == Code::kExit) {
      EndBy(EndKind::kExit, id);
    } else if (instruction.code == Code::kPlainLoad) {
      SetRegister(thread, instruction.reg, plain_[instruction.object]);
      Note(id, Kind::kPlainRead, PlainObject(instruction.object));
    } else if (instruction.code == Code::kPlainStore) {
      plain_[instruction.object] = value + instruction.value;
      Note(id, Kind::kPlainWrite, PlainObject(instruction.object));
    } else if (instruction.code == Code::kAtomicEnd) {
      if (thread.section) Emit(id, Kind::kAtomicEnd, Access::kNone, kNoObject, 0);
      thread.section = false;
    } else if (instruction.code == Code::kJoin) {
      thread.joins = instruction.object;
      if (!threads_[instruction.object].ended) return;
      LetGo(id);
      return;
    }
    if (thread.ends != EndKind::kRunning) return;
  }
  if (!program_.thread_ends) EndThread(id);
}

}  // namespace heddle::target
