#include "target/fake_target.h"

#include <utility>

#include "base/check.h"
#include "base/splitmix.h"

namespace heddle::target {

using base::Mix;
using op::Access;
using op::Kind;
using op::ThreadId;
using trace::Choice;
using trace::ChoiceKind;
using trace::EndKind;
using Code = Instruction::Code;

namespace {

bool Has(const std::vector<uint64_t>& set, uint32_t i) {
  return (set[i / 64] >> (i % 64) & 1) != 0;
}

}  // namespace

FakeTarget::FakeTarget(FakeProgram program)
    : program_(std::move(program)),
      set_words_(static_cast<uint32_t>((program_.threads.size() + 63) / 64)) {
  HEDDLE_CHECK(!program_.threads.empty());
  open_.resize(set_words_);
}

uint32_t FakeTarget::MutexObject(uint32_t i) const {
  return static_cast<uint32_t>(program_.variables.size()) + i;
}
uint32_t FakeTarget::SemaphoreObject(uint32_t i) const { return MutexObject(program_.mutexes) + i; }
uint32_t FakeTarget::ConditionObject(uint32_t i) const {
  return SemaphoreObject(static_cast<uint32_t>(program_.semaphores.size())) + i;
}

void FakeTarget::Reset() {
  threads_.assign(program_.threads.size(), Thread{});
  variables_ = program_.variables;
  semaphores_ = program_.semaphores;
  owners_.assign(program_.mutexes, op::kNoThread);
  waiters_.resize(program_.conditions);
  for (auto& waiters : waiters_) waiters.clear();
  objects_.assign(ConditionObject(program_.conditions), Object{});
  running_ = op::kNoThread;
  yielded_ = false;
  next_deviation_ = 0;
  events_.clear();
  choices_.clear();
  words_.clear();
  execution_.ending.kind = EndKind::kRunning;
  execution_.ending.thread = op::kNoThread;
  execution_.threads = static_cast<uint32_t>(threads_.size());
  execution_.preemptions = 0;
  execution_.switches = 0;
  execution_.happens_before = 0;
  execution_.steps_hash = 0;
}

const trace::Execution& FakeTarget::Run(const plan::Plan& plan) {
  Reset();
  random_ = plan.seed;
  for (ThreadId id = 0; id < threads_.size(); ++id) RunLocal(id);
  while (execution_.ending.kind == EndKind::kRunning) ScheduleNext(plan);
  if (!plan.lenient && next_deviation_ < plan.deviations.size()) End(EndKind::kDiverged, running_);
  execution_.events = events_;
  execution_.choices = choices_;
  execution_.words = words_;
  return execution_;
}

bool FakeTarget::IsEnabled(const Thread& thread) const {
  const auto& code = program_.threads[static_cast<size_t>(&thread - threads_.data())];
  if (thread.waiting || thread.next == code.size()) return false;
  const Instruction& next = code[thread.next];
  if (thread.reacquire) return owners_[next.object2] == op::kNoThread;
  if (next.code == Code::kLock) return owners_[next.object] == op::kNoThread;
  if (next.code == Code::kSemWait) return semaphores_[next.object] > 0;
  return true;
}

// Fills `open_`; false when no thread is enabled.
bool FakeTarget::CollectOpen() {
  bool any = false;
  open_.assign(set_words_, 0);
  for (ThreadId id = 0; id < threads_.size(); ++id) {
    if (!IsEnabled(threads_[id])) continue;
    open_[id / 64] |= uint64_t{1} << (id % 64);
    any = true;
  }
  return any;
}

// The default rule of plan/plan.h.
// REQUIRES: some thread is open.
ThreadId FakeTarget::DefaultThread() const {
  const auto count = static_cast<ThreadId>(threads_.size());
  if (running_ != op::kNoThread && Has(open_, running_) && !yielded_) return running_;
  ThreadId id = running_ == op::kNoThread ? count - 1 : running_;
  do {
    id = (id + 1) % count;
  } while (!Has(open_, id));
  return id;
}

// One turn: decides who runs, and lets that thread make its step.
void FakeTarget::ScheduleNext(const plan::Plan& plan) {
  if (!CollectOpen()) {
    for (ThreadId id = 0; id < threads_.size(); ++id) {
      if (threads_[id].next < program_.threads[id].size()) return End(EndKind::kDeadlock, id);
    }
    return End(EndKind::kExit, 0);
  }
  uint32_t open_count = 0;
  for (uint64_t word : open_) open_count += static_cast<uint32_t>(__builtin_popcountll(word));
  const bool leaving_costs = running_ != op::kNoThread && Has(open_, running_) && !yielded_;
  ThreadId next = DefaultThread();
  if (open_count > 1) {
    Choice choice{};
    choice.kind = ChoiceKind::kThread;
    choice.running_enabled = leaving_costs;
    choice.set_words = static_cast<uint16_t>(set_words_);
    choice.fallback = next;
    choice.running = running_;
    choice.option_count = open_count;
    choice.sets = static_cast<uint32_t>(words_.size());
    words_.insert(words_.end(), open_.begin(), open_.end());
    for (uint64_t word : open_) words_.push_back(leaving_costs ? word : 0);
    if (leaving_costs) {
      words_[choice.sets + set_words_ + running_ / 64] &= ~(uint64_t{1} << (running_ % 64));
    }
    next = Decide(plan, choice);
    if (execution_.ending.kind != EndKind::kRunning) return;
  }
  if (running_ != op::kNoThread && next != running_) {
    ++execution_.switches;
    if (leaving_costs) ++execution_.preemptions;
  }
  running_ = next;
  yielded_ = false;
  Step(plan, next);
}

// Records the choice point and answers the option taken, or ends the execution as diverged.
uint32_t FakeTarget::Decide(const plan::Plan& plan, const Choice& point) {
  const auto index = static_cast<uint32_t>(choices_.size());
  choices_.push_back(point);
  Choice& choice = choices_.back();
  choice.chosen = choice.fallback;
  choice.event = static_cast<uint32_t>(events_.size());
  choice.preemptions = execution_.preemptions;
  execution_.words = words_;
  if (next_deviation_ < plan.deviations.size()) {
    const plan::Deviation& deviation = plan.deviations[next_deviation_];
    if (deviation.choice != index) return choice.chosen;
    ++next_deviation_;
    if (execution_.IsOpen(choice, deviation.option)) {
      choice.chosen = deviation.option;
    } else if (!plan.lenient) {
      End(EndKind::kDiverged, running_);
    }
  } else if (plan.tail == plan::Tail::kRandom) {
    uint32_t skip = base::NextBelow(random_, choice.option_count);
    uint32_t option = 0;
    while (!execution_.IsOpen(choice, option) || skip-- > 0) ++option;
    choice.chosen = option;
  }
  return choice.chosen;
}

void FakeTarget::Step(const plan::Plan& plan, ThreadId id) {
  Thread& thread = threads_[id];
  thread.next = StepVisible(plan, id, program_.threads[id][thread.next]);
  if (execution_.ending.kind == EndKind::kRunning) RunLocal(id);
}

// Lets `instruction` take effect and returns the index of the one that follows.
uint32_t FakeTarget::StepVisible(const plan::Plan& plan, ThreadId id,
                                 const Instruction& instruction) {
  Thread& thread = threads_[id];
  const uint32_t object = instruction.object;
  const uint32_t after = thread.next + 1;
  if (thread.reacquire) {
    thread.reacquire = false;
    owners_[instruction.object2] = id;
    Emit(id, Kind::kCondReacquire, Access::kWrite, MutexObject(instruction.object2), 0, kNoObject);
    return after;
  }
  switch (instruction.code) {
    case Code::kLoad:
      SetRegister(thread, instruction.reg, variables_[object]);
      Emit(id, Kind::kAtomicLoad, Access::kRead, object, 0, kNoObject);
      return after;
    case Code::kStore:
      variables_[object] =
          instruction.value + (instruction.reg == kZero ? 0 : thread.registers[instruction.reg]);
      Emit(id, Kind::kAtomicStore, Access::kWrite, object, 0, kNoObject);
      return after;
    case Code::kFetchAdd:
      SetRegister(thread, instruction.reg, variables_[object]);
      variables_[object] += instruction.value;
      Emit(id, Kind::kAtomicFetch, Access::kWrite, object, 0, kNoObject);
      return after;
    case Code::kCompareExchange: {
      const bool equal = variables_[object] == instruction.value;
      if (equal) variables_[object] = instruction.value2;
      SetRegister(thread, instruction.reg, equal ? 1 : 0);
      Emit(id, Kind::kAtomicCompareExchange, equal ? Access::kWrite : Access::kRead, object, 0,
           kNoObject);
      return after;
    }
    case Code::kLock:
      owners_[object] = id;
      Emit(id, Kind::kMutexLock, Access::kWrite, MutexObject(object), 0, kNoObject);
      return after;
    case Code::kTryLock: {
      const bool free = owners_[object] == op::kNoThread;
      if (free) owners_[object] = id;
      SetRegister(thread, instruction.reg, free ? 1 : 0);
      Emit(id, Kind::kMutexTryLock, free ? Access::kWrite : Access::kRead, MutexObject(object), 0,
           kNoObject);
      return after;
    }
    case Code::kUnlock:
      Emit(id, Kind::kMutexUnlock, Access::kWrite, MutexObject(object), 0, kNoObject);
      if (owners_[object] != id) End(EndKind::kMisuse, id);
      owners_[object] = op::kNoThread;
      return after;
    case Code::kSemWait:
      --semaphores_[object];
      Emit(id, Kind::kSemWait, Access::kWrite, SemaphoreObject(object), 0, kNoObject);
      return after;
    case Code::kSemPost:
      ++semaphores_[object];
      Emit(id, Kind::kSemPost, Access::kWrite, SemaphoreObject(object), 0, kNoObject);
      return after;
    case Code::kCondWait:
      Emit(id, Kind::kCondWait, Access::kWrite, ConditionObject(object), 0,
           MutexObject(instruction.object2));
      if (owners_[instruction.object2] != id) {
        End(EndKind::kMisuse, id);
        return after;
      }
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
      Emit(id, Kind::kYield, Access::kNone, kNoObject, 0, kNoObject);
      yielded_ = true;
      return after;
    case Code::kChoose: {
      Choice choice{};
      choice.kind = ChoiceKind::kValue;
      choice.running = id;
      choice.option_count = static_cast<uint32_t>(instruction.value);
      const uint32_t value = choice.option_count > 1 ? Decide(plan, choice) : 0;
      SetRegister(thread, instruction.reg, value);
      Emit(id, Kind::kChoose, Access::kNone, kNoObject, value, kNoObject);
      return after;
    }
    case Code::kSet:
    case Code::kSkipIf:
    case Code::kAssertEqual:
    case Code::kAssertNot:
    case Code::kAssume:
      break;
  }
  HEDDLE_CHECK(false && "local instructions are run by RunLocal");
  return after;
}

void FakeTarget::Signal(const plan::Plan& plan, ThreadId id, const Instruction& instruction) {
  auto& waiters = waiters_[instruction.object];
  const uint32_t object = ConditionObject(instruction.object);
  if (instruction.code == Code::kCondBroadcast) {
    Emit(id, Kind::kCondBroadcast, Access::kWrite, object, 0, kNoObject);
    for (ThreadId waiter : waiters) threads_[waiter].waiting = false;
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
  const ThreadId woken = waiters.empty() ? op::kNoThread : waiters[which];
  Emit(id, Kind::kCondSignal, Access::kWrite, object, woken, kNoObject);
  if (waiters.empty()) return;
  threads_[woken].waiting = false;
  waiters.erase(waiters.begin() + which);
}

// Runs the instructions up to the next visible one, or to the end of the thread.
void FakeTarget::RunLocal(ThreadId id) {
  Thread& thread = threads_[id];
  const auto& code = program_.threads[id];
  while (thread.next < code.size()) {
    const Instruction& instruction = code[thread.next];
    if (instruction.code < Code::kSet) return;
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
      return End(EndKind::kAssertion, id);
    } else if (instruction.code == Code::kAssume && !equal) {
      return End(EndKind::kRedundant, id);
    }
  }
}

// Appends an event and its node of the happens-before graph. A node is named by thread and
// position, and hashed together with its immediate predecessors: in program order, and on each
// object the last write, for a write also the reads since. A wake-up needs no edge of its own: it
// follows from the order of wait and signal and from the waiter chosen. The hash of the graph is
// the sum, so it does not depend on the order of independent events.
void FakeTarget::Emit(ThreadId id, Kind kind, Access access, uint32_t object, uint64_t value,
                      uint32_t object2) {
  Thread& thread = threads_[id];
  uint64_t before = Mix(thread.last_hash + 1);
  for (uint32_t o : {object, object2}) {
    if (o == kNoObject) continue;
    before += objects_[o].write;
    if (access == Access::kWrite) before += objects_[o].reads;
  }
  const uint64_t label = uint64_t{id} << 44 | uint64_t{thread.events} << 24 |
                         uint64_t{static_cast<uint8_t>(kind)} << 16 | (object & 0xffff);
  const uint64_t hash = Mix(Mix(Mix(label) + value * 2 + (access == Access::kWrite)) ^ before);
  for (uint32_t o : {object, object2}) {
    if (o == kNoObject) continue;
    if (access == Access::kWrite) {
      objects_[o] = {hash, 0};
    } else {
      objects_[o].reads += hash;
    }
  }
  thread.last_hash = hash;
  ++thread.events;
  execution_.happens_before += hash;
  execution_.steps_hash = Mix(execution_.steps_hash ^ hash);
  events_.push_back({id, kind, access, 0, 0, object, object2, value});
}

void FakeTarget::End(EndKind kind, ThreadId id) {
  execution_.ending.kind = kind;
  execution_.ending.thread = id;
}

void FakeTarget::SetRegister(Thread& thread, uint8_t reg, int64_t value) {
  if (reg != kZero) thread.registers[reg] = value;
}

uint64_t FakeTarget::OutcomeHash() const {
  uint64_t hash = Mix(static_cast<uint64_t>(execution_.ending.kind) + 1);
  for (int64_t value : variables_) hash = Mix(hash + static_cast<uint64_t>(value));
  for (const Thread& thread : threads_) {
    for (int64_t value : thread.registers) hash = Mix(hash + static_cast<uint64_t>(value));
  }
  return hash;
}

}  // namespace heddle::target
