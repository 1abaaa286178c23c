// When is the operation that a thread stands before enabled? The one table, in a header because it
// is asked at every scheduling point.
#pragma once

#include "op/operation.h"
#include "runtime/objects/barrier.h"
#include "runtime/objects/mutex.h"
#include "runtime/objects/object.h"
#include "runtime/objects/once.h"
#include "runtime/objects/rwlock.h"
#include "runtime/objects/semaphore.h"

namespace heddle::runtime {

// `object`: the one whose state decides; null if there is none. `was_let_go()`: what else the
// operation waits for has happened: the thread was woken, the thread that it joins has ended, the
// world outside is ready (fibers/enabled.h). It is asked only where it decides.
template <typename WasLetGo>
inline bool IsEnabled(const op::Operation& operation, const Object* object, op::ThreadId thread,
                      WasLetGo was_let_go) {
  switch (operation.kind) {
    case op::Kind::kMutexLock:
    case op::Kind::kMutexTimedLock:
    case op::Kind::kStreamUse:
    case op::Kind::kStreamLock:
      return CanLock(object->mutex, thread);
    case op::Kind::kCondReacquire:  // a recursive mutex that the wait gave up only in part is still
                                    // held
      return (was_let_go() || operation.detail == kStoppedWaiting) &&
             (IsFree(object->mutex) || object->mutex.owner == thread);
    case op::Kind::kRwReadLock:
      return CanLock(object->rwlock, RwSide::kRead, thread);
    case op::Kind::kRwWriteLock:
      return CanLock(object->rwlock, RwSide::kWrite, thread);
    case op::Kind::kSemWait:
      return HasPermit(object->semaphore);
    case op::Kind::kBarrierLeave:
      return IsOver(object->barrier, operation.operand);
    case op::Kind::kSpinLock:
      return IsFree(object->mutex);
    case op::Kind::kOnceBegin:
      return !IsRunning(object->once);
    case op::Kind::kFutexWoken:
    case op::Kind::kThreadJoin:
    case op::Kind::kThreadTimedJoin:
    case op::Kind::kSignalWait:
    case op::Kind::kTransfer:
    case op::Kind::kDescriptorWait:
      return was_let_go();
    case op::Kind::kThreadStart:
    case op::Kind::kThreadCreate:
    case op::Kind::kThreadJoinBegin:
    case op::Kind::kThreadTryJoin:
    case op::Kind::kThreadExit:
    case op::Kind::kThreadDetach:
    case op::Kind::kYield:
    case op::Kind::kSleep:
    case op::Kind::kHook:
    case op::Kind::kChoose:
    case op::Kind::kAtomicBegin:
    case op::Kind::kAtomicEnd:
    case op::Kind::kDone:
    case op::Kind::kProgramExit:
    case op::Kind::kFork:
    case op::Kind::kProcessWait:
    case op::Kind::kThreadFinish:
    case op::Kind::kInitialise:
    case op::Kind::kDestroy:
    case op::Kind::kBeginWait:
    case op::Kind::kUse:
    case op::Kind::kFrameEnd:
    case op::Kind::kFrameBegin:
    case op::Kind::kMutexTryLock:
    case op::Kind::kMutexUnlock:
    case op::Kind::kCondWait:
    case op::Kind::kCondSignal:
    case op::Kind::kCondBroadcast:
    case op::Kind::kRwTryReadLock:
    case op::Kind::kRwTryWriteLock:
    case op::Kind::kRwUnlock:
    case op::Kind::kSemTryWait:
    case op::Kind::kSemPost:
    case op::Kind::kSemGetValue:
    case op::Kind::kBarrierArrive:
    case op::Kind::kSpinTryLock:
    case op::Kind::kSpinUnlock:
    case op::Kind::kOnceEnd:
    case op::Kind::kFutexWait:
    case op::Kind::kFutexWake:
    case op::Kind::kSignalSend:
    case op::Kind::kSignalLook:
    case op::Kind::kSignalMask:
    case op::Kind::kSignalAction:
    case op::Kind::kDescriptorOpen:
    case op::Kind::kDescriptorClose:
    case op::Kind::kDescriptorUse:
    case op::Kind::kRandomNumbers:
    case op::Kind::kStreamTryLock:
    case op::Kind::kStreamUnlock:
    case op::Kind::kAtomicLoad:
    case op::Kind::kAtomicStore:
    case op::Kind::kAtomicExchange:
    case op::Kind::kAtomicFetch:
    case op::Kind::kAtomicCompareExchange:
    case op::Kind::kAtomicFence:
    case op::Kind::kPlainRead:
    case op::Kind::kPlainWrite:
    case op::Kind::kCount:
      return true;
  }
  __builtin_unreachable();
}

// What `object` enables, as a level of the dependence table.
op::Level LevelOf(const Object& object);

}  // namespace heddle::runtime
