// The beginning and end of objects and threads in a fake program.
#include <algorithm>

#include "target/fake_codes.h"
#include "target/fake_target.h"

namespace heddle::target {

uint32_t FakeTarget::ObjectOf(ObjectType type, uint32_t index) const {
  switch (type) {
    case ObjectType::kMutex:
      return MutexObject(index);
    case ObjectType::kSemaphore:
      return SemaphoreObject(index);
    case ObjectType::kCondition:
      return ConditionObject(index);
    case ObjectType::kRwLock:
      return RwLockObject(index);
    case ObjectType::kBarrier:
      return BarrierObject(index);
  }
  return kNoObject;
}

// Does somebody hold it, or wait in it?
bool FakeTarget::IsInUse(ObjectType type, uint32_t index) const {
  switch (type) {
    case ObjectType::kMutex:
      return owners_[index] != op::kNoThread;
    case ObjectType::kSemaphore:
      return false;
    case ObjectType::kCondition:
      return !waiters_[index].empty();
    case ObjectType::kRwLock:
      return rwlocks_[index].writer != op::kNoThread || rwlocks_[index].readers != 0;
    case ObjectType::kBarrier:
      return !arrived_[index].empty();
  }
  return false;
}

// Are the objects of the instruction initialised?
bool FakeTarget::IsUsable(const Thread& thread, const Instruction& instruction) const {
  const uint32_t object = ObjectOf(thread, instruction);
  if (object == kNoObject || instruction.code == Code::kInit) return true;
  const bool waits =
      instruction.code == Code::kCondWait || instruction.code == Code::kTimedCondWait;
  return usable_[object] && (!waits || usable_[MutexObject(instruction.object2)]);
}

uint32_t FakeTarget::StepLifetime(ThreadId id, const Instruction& instruction) {
  const auto type = static_cast<ObjectType>(instruction.object2);
  const uint32_t object = ObjectOf(type, instruction.object);
  const bool begins = instruction.code == Code::kInit;
  Emit(id, begins ? Kind::kInitialise : Kind::kDestroy, Access::kWrite, object, 0);
  if (IsInUse(type, instruction.object)) {
    EndBy(EndKind::kMisuse, id);
    return threads_[id].next + 1;
  }
  usable_[object] = begins;
  if (begins && type == ObjectType::kMutex) owner_died_[instruction.object] = false;
  if (begins && type == ObjectType::kSemaphore) {
    semaphores_[instruction.object] = instruction.value;
  }
  return threads_[id].next + 1;
}

// Tries to join, or gives up waiting.
uint32_t FakeTarget::StepJoin(ThreadId id, const Instruction& instruction) {
  const bool ended = threads_[instruction.object].ended;
  SetRegister(threads_[id], instruction.reg, ended ? 1 : 0);
  Emit(id, KindOf(instruction.code), Access::kRead, ThreadObject(instruction.object),
       ended ? 0 : 1);
  events_.back().other = instruction.object;
  return threads_[id].next + 1;
}

void FakeTarget::StepThreadEnd(ThreadId id) {
  Emit(id, Kind::kThreadExit, Access::kWrite, ThreadObject(id), 0);
  for (const uint16_t mutex : program_.robust) {
    if (owners_[mutex] != id) continue;
    owners_[mutex] = op::kNoThread;
    owner_died_[mutex] = true;
    level_ = 1;
    Emit(id, Kind::kThreadExit, Access::kWrite, MutexObject(mutex), 0);
  }
  EndThread(id);
}

void FakeTarget::EndThread(ThreadId id) {
  threads_[id].ended = true;
  for (ThreadId other = 0; other < threads_.size(); ++other) {
    if (threads_[other].joins == id) ready_.push_back(other);
  }
}

// A barrier opened, or the thread that `id` joins has ended: it goes on.
void FakeTarget::LetGo(ThreadId id) {
  Thread& thread = threads_[id];
  level_ = 0;
  if (thread.joins != op::kNoThread) {
    Emit(id, Kind::kThreadJoin, Access::kNone, kNoObject, 0);
    events_.back().other = thread.joins;
    thread.joins = op::kNoThread;
  } else {
    thread.waiting = false;
    const Instruction& barrier = program_.threads[id][thread.next - 1];
    Emit(id, Kind::kBarrierLeave, Access::kNone, BarrierObject(barrier.object), 0);
  }
  RunLocal(id);
}

}  // namespace heddle::target
