// What the instructions on threads and memory, and heddle's own, do.
#include <errno.h>
#include <string.h>

#include <algorithm>

#include "walk.h"

namespace heddle::oracle {

bool Walk::OthersCanGoOn(const State& s, unsigned t) const {
  for (unsigned other = 0; other < program_.threads.size(); ++other)
    if (other != t && Alive(s.threads[other]) && (Enabled(s, other) || CanTimeOut(s, other)))
      return true;
  return false;
}

void Walk::Exit(const State& s, unsigned t, bool by_exit) {
  LabelThread known[kMostThreads];
  for (unsigned i = 0; i < kMostThreads; ++i) {
    memcpy(known[i].registers, s.threads[i].registers, sizeof known[i].registers);
    known[i].created = s.threads[i].status != Status::kAbsent;
    known[i].joined_by = s.threads[i].joined_by;
  }
  char text[256];
  WriteLabel(text, sizeof text, t, !by_exit, known, s.atomics, s.plain);
  (OthersCanGoOn(s, t) ? early_outcomes_ : behaviour_.outcomes).insert(text);
}

void Walk::Release(State& s, unsigned t, Clock& into, bool alone) {
  if (!clocks_) return;
  if (alone) into = {};
  JoinClock(into, s.threads[t].clock);
  ++s.threads[t].clock.of[t];
}

void Walk::Access(State& s, unsigned t, unsigned at, unsigned size, bool write) {
  const Clock& clock = s.threads[t].clock;
  for (unsigned i = at; i < at + size; ++i) {
    PlainByte& byte = s.plain_bytes[i];
    if (byte.writer != kNone && byte.writer != t && byte.written > clock.of[byte.writer])
      behaviour_.race = true;
    if (write) {
      for (unsigned other = 0; other < kMostThreads; ++other)
        if (other != t && byte.read.of[other] > clock.of[other]) behaviour_.race = true;
      byte = {.writer = static_cast<uint8_t>(t), .written = clock.of[t], .read = {}};
    } else {
      byte.read.of[t] = clock.of[t];
    }
  }
}

void Walk::TimeOut(State s, unsigned t) {
  Thread& thread = s.threads[t];
  s.last = static_cast<uint8_t>(t);
  if (thread.status == Status::kReady) {
    Out(thread, *Next(s, t), ETIMEDOUT);
    ++thread.pc;
  } else {
    thread.status = Status::kTimedOut;
  }
  Visit(s);
}

void Walk::EndThread(State s, unsigned t) {
  Thread& thread = s.threads[t];
  thread.status = Status::kEnded;
  for (Mutex& mutex : s.mutexes) {
    if (&mutex != &s.mutexes[kRobust] || mutex.owner != t) continue;
    mutex.owner = kNone;
    mutex.owner_died = 1;
    Release(s, t, mutex.release, true);
  }
  if (std::ranges::none_of(s.threads, Alive)) return Exit(s, t, false);
  Visit(s);
}

uint64_t Walk::Take(State& s, unsigned t, Mutex& mutex) {
  if (mutex.unrecoverable != 0) return ENOTRECOVERABLE;
  mutex.owner = static_cast<uint8_t>(t);
  Acquire(s, t, mutex.release);
  return mutex.owner_died != 0 ? EOWNERDEAD : 0;
}

void Walk::Give(State& s, unsigned t, Mutex& mutex) {
  mutex.owner = kNone;
  if (mutex.owner_died != 0) mutex.unrecoverable = 1;
  Release(s, t, mutex.release, true);
}

void Walk::Step(const State& before, unsigned t) {
  State s = before;
  s.last = static_cast<uint8_t>(t);
  Thread& thread = s.threads[t];
  switch (thread.status) {
    case Status::kSignalled:
    case Status::kTimedOut:
      return WakeUp(s, t);
    case Status::kMisused:
      return;  // the end
    case Status::kOnceRoutine: {
      uint32_t count;
      memcpy(&count, &s.atomics[kOnceByte], 4);
      ++count;
      memcpy(&s.atomics[kOnceByte], &count, 4);
      thread.status = Status::kOnceEnd;
      return Visit(s);
    }
    case Status::kOnceEnd:
      s.onces[thread.at].phase = 2;
      s.onces[thread.at].runner = kNone;
      Release(s, t, s.onces[thread.at].release, true);
      thread.status = Status::kReady;
      thread.at = 0;
      ++thread.pc;
      return Visit(s);
    default:
      break;
  }
  const Instruction* i = Next(s, t);
  if (i == nullptr) {
    if (t != 0) return EndThread(s, t);
    if (HasCircle(s)) return Circle();
    return Exit(s, t, true);
  }
  if (EndsProgram(s, t, *i) || StepOfThreads(s, t, *i)) return;
  if (StepOfMemory(s, t, *i) || StepOfHeddle(s, t, *i) || StepOfMutex(s, t, *i) ||
      StepOfSemaphore(s, t, *i) || StepOfRwLock(s, t, *i))
    return;
  StepOfConditionOrBarrier(s, t, *i);
}

void Walk::WakeUp(State& s, unsigned t) {
  Thread& thread = s.threads[t];
  Mutex& mutex = s.mutexes[thread.with];
  if (!Usable(s, t, mutex.life, "condition")) return;
  const bool timed_out = thread.status == Status::kTimedOut;
  uint64_t answer = Take(s, t, mutex);
  if (answer == 0 && timed_out) answer = ETIMEDOUT;
  thread.status = Status::kReady;
  thread.at = thread.with = thread.timed = 0;
  GoOn(s, t, *Next(s, t), answer);
}

bool Walk::EndsProgram(State& s, unsigned t, const Instruction& i) {
  const uint64_t in = In(s.threads[t], i);
  const bool equal = in == static_cast<uint64_t>(i.value);
  switch (i.code) {
    case Code::kExit:
    case Code::kExitNow:
      if (HasCircle(s)) {
        Circle();
        return true;
      }
      if (i.code == Code::kExit) Exit(s, t, true);
      if (i.value != 0 && OthersCanGoOn(s, t)) early_bugs_.insert("exit-status");
      if (i.value != 0 && !OthersCanGoOn(s, t)) Bug("exit-status");
      return true;
    case Code::kAbort:
      Bug("abort");
      return true;
    case Code::kAssertEqual:
    case Code::kAssertNot:
      if (equal == (i.code == Code::kAssertEqual)) return GoOn(s, t);
      Bug("assertion of thread " + std::to_string(t));
      return true;
    case Code::kAssume:
      if (equal) return GoOn(s, t);
      return true;  // dropped
    default:
      return false;
  }
}

bool Walk::StepOfThreads(State& s, unsigned t, const Instruction& i) {
  Thread& target = s.threads[i.object];
  switch (i.code) {
    case Code::kCreate:
      target.status = Status::kReady;
      Acquire(s, i.object, s.threads[t].clock);
      if (clocks_) ++s.threads[t].clock.of[t];
      return GoOn(s, t);
    case Code::kThreadExit:
      s.threads[t].pc = static_cast<uint8_t>(program_.threads[t].size());
      EndThread(s, t);
      return true;
    case Code::kJoin:
    case Code::kTryJoin:
    case Code::kTimedJoin:
      if (target.detached != 0 || target.joined_by != kNone) {
        Misuse(s, t, "thread");
        return true;
      }
      if (target.status != Status::kEnded) return GoOn(s, t, i, EBUSY);
      target.joined_by = static_cast<uint8_t>(t);
      Acquire(s, t, target.clock);
      return GoOn(s, t, i, 0);
    case Code::kDetach:
      if (target.detached != 0 || target.joined_by != kNone) {
        Misuse(s, t, "thread");
        return true;
      }
      target.detached = 1;
      return GoOn(s, t, i, 0);
    default:
      return false;
  }
}

bool Walk::StepOfMemory(State& s, unsigned t, const Instruction& i) {
  const unsigned at = i.object;
  const unsigned size = i.object2;
  Thread& thread = s.threads[t];
  const Wide pattern = Cut(Pattern(i.value), size == 0 ? 1 : size);
  Wide old = 0;
  const auto write = [&](Wide value) { memcpy(&s.atomics[at], &value, size); };
  switch (i.code) {
    case Code::kPlainLoad:
      Access(s, t, at, size, false);
      memcpy(&old, &s.plain[at], size);
      return GoOn(s, t, i, static_cast<uint64_t>(old));
    case Code::kPlainStore:
      Access(s, t, at, size, true);
      memcpy(&s.plain[at], &pattern, size);
      return GoOn(s, t);
    case Code::kLoad:
    case Code::kStore:
    case Code::kExchange:
    case Code::kFetchAdd:
    case Code::kCompareExchange:
    case Code::kCompareExchangeLoaded:
      memcpy(&old, &s.atomics[at], size);
      break;
    default:
      return false;
  }
  if (i.code != Code::kStore)
    for (unsigned b = at; b < at + size; ++b) Acquire(s, t, s.atomic_release[b]);
  const Wide expected = i.code == Code::kCompareExchange ? pattern : Cut(In(thread, i), size);
  const bool compares = i.code == Code::kCompareExchange || i.code == Code::kCompareExchangeLoaded;
  if (i.code != Code::kLoad && (!compares || old == expected)) {
    if (clocks_) {
      for (unsigned b = at; b < at + size; ++b) {
        if (i.code == Code::kStore) s.atomic_release[b] = {};
        JoinClock(s.atomic_release[b], thread.clock);
      }
      ++thread.clock.of[t];
    }
  }
  switch (i.code) {
    case Code::kStore:
      write(pattern);
      return GoOn(s, t);
    case Code::kExchange:
      write(pattern);
      return GoOn(s, t, i, Folded(old));
    case Code::kFetchAdd:
      write(Cut(old + pattern, size));
      return GoOn(s, t, i, Folded(old));
    case Code::kLoad:
      return GoOn(s, t, i, Folded(old));
    default:
      if (old == expected) write(Cut(Pattern(i.value2), size));
      return GoOn(s, t, i, old == expected);
  }
}

bool Walk::StepOfHeddle(State& s, unsigned t, const Instruction& i) {
  Thread& thread = s.threads[t];
  switch (i.code) {
    case Code::kChoose:
      for (int value = 0; value < i.value; ++value) {
        State other = s;
        GoOn(other, t, i, static_cast<uint64_t>(value));
      }
      return true;
    case Code::kHook:
    case Code::kYield:
      return GoOn(s, t);
    case Code::kDone:
      thread.done = 1;
      return GoOn(s, t);
    case Code::kAtomicBegin:
      ++thread.depth;
      return GoOn(s, t);
    case Code::kAtomicEnd:
      if (thread.depth == 0) {
        Misuse(s, t, "atomic section");
        return true;
      }
      --thread.depth;
      return GoOn(s, t);
    case Code::kOnce: {
      Once& once = s.onces[i.object];
      Acquire(s, t, once.release);
      if (once.phase == 2) return GoOn(s, t);
      once.phase = 1;
      once.runner = static_cast<uint8_t>(t);
      thread.status = Status::kOnceRoutine;
      thread.at = i.object;
      Visit(s);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace heddle::oracle
