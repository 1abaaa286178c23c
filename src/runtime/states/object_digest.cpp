#include "runtime/states/object_digest.h"

#include "runtime/objects/life.h"
#include "runtime/objects/table.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

using base::WideHash;

// In the order in which they will be woken, as far as that is one.
void PutQueue(WideHash& hash, const WaiterQueue& queue) {
  for (const Waiter* at = queue.first; at != nullptr; at = at->next) {
    hash.Put(uint64_t{at->thread} << 32 | at->bits);
    hash.Put(at->with);
  }
}

void PutMutex(WideHash& hash, const MutexState& mutex) {
  const bool as_found = mutex.owner == op::kNoThread && !mutex.owner_died && !mutex.unrecoverable &&
                        mutex.ousted == op::kNoThread;
  if (as_found) return;
  hash.Put(uint64_t{mutex.owner} << 32 | mutex.count);
  hash.Put(uint64_t{mutex.ousted} << 32 | uint64_t{mutex.type} << 8 | uint64_t{mutex.robust} << 2 |
           uint64_t{mutex.owner_died} << 1 | uint64_t{mutex.unrecoverable});
}

void PutRwLock(WideHash& hash, const RwLockState& lock) {
  if (lock.writer == op::kNoThread && lock.readers == 0) return;
  hash.Put(uint64_t{lock.writer} << 32 | lock.readers);
  // In no order, so by thread.
  for (op::ThreadId thread = 0; thread < check::KnownAccesses::kThreads; ++thread)
    for (const ReadHold* hold = lock.holds; hold != nullptr; hold = hold->next)
      if (hold->count != 0 && hold->thread == thread)
        hash.Put(uint64_t{hold->thread} << 32 | hold->count);
}

void PutState(WideHash& hash, const Object& object) {
  switch (object.kind) {
    case ObjectKind::kMutex:
    case ObjectKind::kSpinLock:
    case ObjectKind::kStream:
      return PutMutex(hash, object.mutex);
    case ObjectKind::kCondition:
      return PutQueue(hash, object.condition.waiters);
    case ObjectKind::kRwLock:
      return PutRwLock(hash, object.rwlock);
    case ObjectKind::kSemaphore:
      return hash.Put(object.semaphore.value + 1);
    case ObjectKind::kBarrier:  // not the round: OperandOf
      return hash.Put(uint64_t{object.barrier.needed} << 32 | object.barrier.arrived);
    case ObjectKind::kOnce:
      if (object.once.phase == 0 && object.once.runner == op::kNoThread) return;
      return hash.Put(uint64_t{object.once.runner} << 32 | uint64_t{object.once.phase} << 1 |
                      uint64_t{object.once.always});
    case ObjectKind::kFutex:
      return PutQueue(hash, object.futex.sleepers);
    case ObjectKind::kThread:
      if (object.level != 0) hash.Put(object.level);
      return;
    case ObjectKind::kFree:
    case ObjectKind::kWord:
    case ObjectKind::kException:
    case ObjectKind::kStack:
    case ObjectKind::kProgram:
      return;  // no state of their own
  }
}

// Who made it and who destroyed it is told of a misuse, and what was made and never destroyed at
// the end.
void PutCalls(WideHash& hash, const Object& object) {
  if (object.kind == ObjectKind::kWord) return;
  if (object.making != nullptr) hash.Put(object.making->pc << 1 | (object.making->over ? 1 : 0));
  if (object.destroyed_at != 0) hash.Put(object.destroyed_at);
}

// Virtual time passes along the accesses to it.
void PutTime(WideHash& hash, const Object& object) {
  const AccessGroup& group = object.group;
  if (!g_state.state_has_clock || (group.time == 0 && group.before_time == 0)) return;
  hash.Put(static_cast<uint64_t>(group.access) + 1);
  hash.Put(group.time);
  hash.Put(group.before_time);
}

WideHash NamedAs(const Object& object, const WideHash& state) {
  WideHash hash;
  hash.Put(object.address);
  hash.Put(uint64_t{object.atom_bytes} << 8 | static_cast<uint64_t>(object.kind));
  hash.Put(state);
  return hash;
}

}  // namespace

void AddObject(WideHash& sum, const Object& object) {
  WideHash state;
  PutState(state, object);
  PutCalls(state, object);
  PutTime(state, object);
  if (!(state == WideHash{})) sum.Sum(NamedAs(object, state));
}

void AddKnowledgeOf(WideHash& sum, const Object& object, const check::KnownAccesses& known) {
  WideHash knowledge = known.HashClock(object.release);
  if (object.kind == ObjectKind::kWord) {
    if (knowledge == WideHash{}) return;  // nothing that a release sequence could carry
    knowledge.Put(uint64_t{object.heads.by} << 1 | uint64_t{object.heads.several});
    knowledge.Put(object.heads.among);
    if (object.heads.several) {
      for (const trace::Share* at = object.heads.apart; at != nullptr; at = at->next) {
        knowledge.Put(at->thread);
        knowledge.Put(known.HashClock(at->clock));
      }
    }
  } else {
    const WideHash readers = known.HashClock(object.reader_release);
    const WideHash waited = known.HashClock(object.made_to_wait);
    if (knowledge == WideHash{} && readers == WideHash{} && waited == WideHash{}) return;
    knowledge.Put(readers);
    knowledge.Put(waited);
  }
  WideHash named = NamedAs(object, knowledge);
  named.Put(1);  // apart from its state
  sum.Sum(named);
}

uint64_t OperandOf(const Fiber& fiber) {
  const op::Operation& pending = fiber.pending;
  // A round of a barrier that is over, or the present one.
  if (pending.kind != op::Kind::kBarrierLeave) return pending.operand;
  const Object* barrier = LookUpObject(pending.object, ObjectKind::kBarrier);
  return barrier != nullptr && barrier->barrier.round == pending.operand ? 1 : 0;
}

}  // namespace heddle::runtime
