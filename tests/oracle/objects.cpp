// What the instructions on synchronisation objects do.
#include <errno.h>
#include <string.h>

#include <algorithm>

#include "walk.h"

namespace heddle::oracle {

bool Walk::SomebodyIsBlocked(const State& s, Code wait, Code timed_wait, unsigned object) const {
  for (unsigned t = 0; t < program_.threads.size(); ++t) {
    const Thread& thread = s.threads[t];
    if (!Alive(thread)) continue;
    const bool gave_up = thread.status == Status::kWaiting || thread.status == Status::kSignalled ||
                         thread.status == Status::kTimedOut;
    if (gave_up && wait == Code::kLock && thread.with == object && !Free(s.mutexes[object]))
      return true;
    if (thread.status != Status::kReady) continue;
    const Instruction* i = Next(s, t);
    if (i == nullptr || (i->code != wait && i->code != timed_wait) || i->object != object) continue;
    if (!Enabled(s, t)) return true;
  }
  return false;
}

void Walk::NoteMisuseOfWaited(State& s, unsigned t, Code wait, Code timed_wait, unsigned object,
                              const char* what) {
  if (SomebodyIsBlocked(s, wait, timed_wait, object)) Misuse(s, t, what);
}

bool Walk::StepOfMutex(State& s, unsigned t, const Instruction& i) {
  if (i.code < Code::kLock || i.code > Code::kMutexDestroy) return false;
  Mutex& mutex = s.mutexes[i.object];
  const bool robust = i.object == kRobust;
  if (i.code == Code::kMutexInit) {
    NoteMisuseOfWaited(s, t, Code::kLock, Code::kTimedLock, i.object, "mutex");
    // A new one: who locks it learns nothing from who has had the old one. POSIX has no
    // initialisation among what synchronises memory.
    mutex = {
        .life = Life::kUsable, .owner = kNone, .owner_died = 0, .unrecoverable = 0, .release = {}};
    return GoOn(s, t);
  }
  if (i.code == Code::kConsistent) {
    if (!robust || mutex.owner_died == 0 || mutex.owner != t) return GoOn(s, t, i, EINVAL);
    mutex.owner_died = 0;
    return GoOn(s, t, i, 0);
  }
  if (mutex.owner == kNone && !Usable(s, t, mutex.life, "mutex")) return true;
  switch (i.code) {
    case Code::kTryLock:
      if (!Free(mutex)) return GoOn(s, t, i, EBUSY);
      [[fallthrough]];
    case Code::kLock:
    case Code::kTimedLock: {
      const uint64_t answer = Take(s, t, mutex);
      return GoOn(s, t, i, answer);
    }
    case Code::kUnlock:
      if (mutex.owner != t) {
        if (robust) return GoOn(s, t, i, EPERM);
        Misuse(s, t, "mutex");
        return true;
      }
      Give(s, t, mutex);
      return GoOn(s, t, i, 0);
    default:  // destroy
      if (!Free(mutex)) {
        Misuse(s, t, "mutex");
        return true;
      }
      mutex.life = Life::kDestroyed;
      return GoOn(s, t, i, 0);
  }
}

bool Walk::StepOfSemaphore(State& s, unsigned t, const Instruction& i) {
  if (i.code < Code::kSemWait || i.code > Code::kSemDestroy) return false;
  Semaphore& semaphore = s.semaphores[i.object];
  if (i.code == Code::kSemInit) {
    NoteMisuseOfWaited(s, t, Code::kSemWait, Code::kSemTimedWait, i.object, "semaphore");
    semaphore.life = Life::kUsable;
    semaphore.value = static_cast<uint8_t>(i.value);
    semaphore.release = {};
    return GoOn(s, t);
  }
  if (!Usable(s, t, semaphore.life, "semaphore")) return true;
  switch (i.code) {
    case Code::kSemTryWait:
      if (semaphore.value == 0) return GoOn(s, t, i, EAGAIN);
      [[fallthrough]];
    case Code::kSemWait:
    case Code::kSemTimedWait:
      --semaphore.value;
      Acquire(s, t, semaphore.release);
      return GoOn(s, t, i, 0);
    case Code::kSemPost:
      ++semaphore.value;
      Release(s, t, semaphore.release, false);
      return GoOn(s, t);
    case Code::kSemValue:
      return GoOn(s, t, i, semaphore.value);
    default:  // destroy
      NoteMisuseOfWaited(s, t, Code::kSemWait, Code::kSemTimedWait, i.object, "semaphore");
      semaphore.life = Life::kDestroyed;
      return GoOn(s, t);
  }
}

bool Walk::StepOfRwLock(State& s, unsigned t, const Instruction& i) {
  if (i.code < Code::kReadLock || i.code > Code::kRwDestroy) return false;
  RwLock& lock = s.rwlocks[i.object];
  if (i.code == Code::kRwInit) {
    NoteMisuseOfWaited(s, t, Code::kReadLock, Code::kTimedReadLock, i.object, "rwlock");
    NoteMisuseOfWaited(s, t, Code::kWriteLock, Code::kTimedWriteLock, i.object, "rwlock");
    lock.life = Life::kUsable;
    lock.writer = kNone;
    memset(lock.reads, 0, sizeof lock.reads);
    lock.release = lock.reader_release = {};
    return GoOn(s, t);
  }
  if (!Usable(s, t, lock.life, "rwlock")) return true;
  const bool free = lock.writer == kNone;
  switch (i.code) {
    case Code::kTryReadLock:
      if (!free) return GoOn(s, t, i, EBUSY);
      [[fallthrough]];
    case Code::kReadLock:
    case Code::kTimedReadLock:
      if (lock.writer == t) return GoOn(s, t, i, EDEADLK);
      ++lock.reads[t];
      Acquire(s, t, lock.release);
      return GoOn(s, t, i, 0);
    case Code::kTryWriteLock:
      if (!free || !NoReader(lock)) return GoOn(s, t, i, EBUSY);
      [[fallthrough]];
    case Code::kWriteLock:
    case Code::kTimedWriteLock:
      if (lock.writer == t) return GoOn(s, t, i, EDEADLK);
      lock.writer = static_cast<uint8_t>(t);
      Acquire(s, t, lock.release);
      Acquire(s, t, lock.reader_release);
      return GoOn(s, t, i, 0);
    case Code::kRwUnlock:
      if (lock.writer == t) {
        lock.writer = kNone;
        Release(s, t, lock.release, true);
        return GoOn(s, t);
      }
      if (lock.reads[t] != 0) {
        --lock.reads[t];
        Release(s, t, lock.reader_release, false);
        return GoOn(s, t);
      }
      Misuse(s, t, "rwlock");
      return true;
    default:  // destroy
      if (!free || !NoReader(lock)) {
        Misuse(s, t, "rwlock");
        return true;
      }
      lock.life = Life::kDestroyed;
      return GoOn(s, t);
  }
}

void Walk::StepOfConditionOrBarrier(State& s, unsigned t, const Instruction& i) {
  const auto count = static_cast<unsigned>(program_.threads.size());
  const unsigned o = i.object;
  Thread& thread = s.threads[t];
  if (i.code >= Code::kBarrierWait) return StepOfBarrier(s, t, i);
  unsigned waiters = 0;
  for (unsigned w = 0; w < count; ++w) waiters += IsWaiting(s, w, Status::kWaiting, o);
  const bool init = i.code == Code::kCondInit;
  if ((init || i.code == Code::kCondDestroy) && waiters != 0) return Misuse(s, t, "condition");
  if (init) {
    s.conditions[o] = Life::kUsable;
    GoOn(s, t);
    return;
  }
  if (!Usable(s, t, s.conditions[o], "condition")) return;
  switch (i.code) {
    case Code::kCondWait:
    case Code::kCondTimedWait:
      if (s.mutexes[i.object2].owner != t) return Misuse(s, t, "condition");
      for (unsigned w = 0; w < count; ++w)
        if (IsWaiting(s, w, Status::kWaiting, o) && s.threads[w].with != i.object2)
          return Misuse(s, t, "condition");
      Give(s, t, s.mutexes[i.object2]);
      thread.status = Status::kWaiting;
      thread.at = static_cast<uint8_t>(o);
      thread.with = i.object2;
      thread.timed = i.code == Code::kCondTimedWait;
      return Visit(s);
    case Code::kCondSignal:
      if (waiters == 0) {
        GoOn(s, t);
        return;
      }
      for (unsigned w = 0; w < count; ++w) {
        if (!IsWaiting(s, w, Status::kWaiting, o)) continue;
        State other = s;
        other.threads[w].status = Status::kSignalled;
        GoOn(other, t);
      }
      return;
    case Code::kCondBroadcast:
      for (unsigned w = 0; w < count; ++w)
        if (IsWaiting(s, w, Status::kWaiting, o)) s.threads[w].status = Status::kSignalled;
      GoOn(s, t);
      return;
    default:  // destroy
      s.conditions[o] = Life::kDestroyed;
      GoOn(s, t);
      return;
  }
}

void Walk::StepOfBarrier(State& s, unsigned t, const Instruction& i) {
  const auto count = static_cast<unsigned>(program_.threads.size());
  Barrier& barrier = s.barriers[i.object];
  Thread& thread = s.threads[t];
  if (i.code == Code::kBarrierInit) {
    if (barrier.arrived != 0) return Misuse(s, t, "barrier");
    barrier.life = Life::kUsable;
    barrier.needed = static_cast<uint8_t>(i.value);
    barrier.arrived = 0;
    GoOn(s, t);
    return;
  }
  if (!Usable(s, t, barrier.life, "barrier")) return;
  if (i.code == Code::kBarrierDestroy) {
    if (barrier.arrived != 0) return Misuse(s, t, "barrier");
    barrier.life = Life::kDestroyed;
    GoOn(s, t);
    return;
  }
  if (barrier.arrived == 0) barrier.release = {};
  if (++barrier.arrived < barrier.needed) {
    Release(s, t, barrier.release, false);
    thread.status = Status::kAtBarrier;
    thread.at = i.object;
    return Visit(s);
  }
  barrier.arrived = 0;
  if (clocks_) JoinClock(barrier.release, thread.clock);
  for (unsigned w = 0; w < count; ++w) {
    if (!IsWaiting(s, w, Status::kAtBarrier, i.object)) continue;
    s.threads[w].status = Status::kReady;
    s.threads[w].at = 0;
    Acquire(s, w, barrier.release);
    Out(s.threads[w], *Next(s, w), 0);
    ++s.threads[w].pc;
  }
  Acquire(s, t, barrier.release);
  if (clocks_) ++thread.clock.of[t];
  GoOn(s, t, i, 1);
}

}  // namespace heddle::oracle
