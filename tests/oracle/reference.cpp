// Where the walk goes, and who can go on.
#include "reference.h"

#include "walk.h"

namespace heddle::oracle {

void Walk::SetUp(State& s) {
  const int* number = program_.setup.data();
  for (Mutex& mutex : s.mutexes) {
    mutex.life = *number++ < 0 ? Life::kRaw : Life::kUsable;
    mutex.owner = kNone;
  }
  for (Life& condition : s.conditions) condition = *number++ < 0 ? Life::kRaw : Life::kUsable;
  for (Semaphore& semaphore : s.semaphores) {
    semaphore.life = *number < 0 ? Life::kRaw : Life::kUsable;
    semaphore.value = static_cast<uint8_t>(std::max(0, *number++));
  }
  for (Barrier& barrier : s.barriers) {
    barrier.life = *number < 0 ? Life::kRaw : Life::kUsable;
    barrier.needed = static_cast<uint8_t>(std::max(0, *number++));
  }
  for (RwLock& lock : s.rwlocks) {
    lock.life = *number++ < 0 ? Life::kRaw : Life::kUsable;
    lock.writer = kNone;
  }
  for (Once& once : s.onces) once.runner = kNone;
  for (PlainByte& byte : s.plain_bytes) byte.writer = kNone;
  for (Thread& thread : s.threads) thread.joined_by = kNone;
  s.threads[0].status = Status::kReady;
  for (unsigned t = 0; t < kMostThreads; ++t) s.threads[t].clock.of[t] = clocks_ ? 1 : 0;
}

void Walk::Visit(State& state) {
  for (unsigned t = 0; t < program_.threads.size(); ++t) SkipRegisterCode(state.threads[t], t);
  if (seen_.emplace(reinterpret_cast<const char*>(&state), sizeof state).second)
    stack_.push_back(state);
}

void Walk::SkipRegisterCode(Thread& thread, unsigned t) const {
  const auto& code = program_.threads[t];
  while (thread.status == Status::kReady && thread.pc < code.size()) {
    const Instruction& i = code[thread.pc];
    const uint64_t value = In(thread, i);
    const bool equal = value == static_cast<uint64_t>(i.value);
    if (i.code == Code::kSet) {
      Out(thread, i, static_cast<uint64_t>(i.value));
    } else if (i.code == Code::kSkipIf || i.code == Code::kSkipUnless) {
      if (equal == (i.code == Code::kSkipIf)) thread.pc += static_cast<uint8_t>(i.value2);
    } else {
      return;
    }
    ++thread.pc;
  }
  thread.pc = static_cast<uint8_t>(std::min<size_t>(thread.pc, code.size()));
}

const Instruction* Walk::Next(const State& s, unsigned t) const {
  const auto& code = program_.threads[t];
  return s.threads[t].pc < code.size() ? &code[s.threads[t].pc] : nullptr;
}

void Walk::Expand(const State& s) {
  const auto count = static_cast<unsigned>(program_.threads.size());
  unsigned only = kNone;
  if (MayNotBeInterrupted(s, s.last)) only = s.last;
  bool any = false;
  for (unsigned t = 0; t < count; ++t) {
    if (!Alive(s.threads[t]) || (only != kNone && t != only)) continue;
    if (Enabled(s, t)) {
      any = true;
      Step(s, t);
    } else if (CanTimeOut(s, t)) {
      any = true;
      TimeOut(s, t);
    }
  }
  if (!any) Bug("deadlock");
}

bool Walk::MayNotBeInterrupted(const State& s, unsigned t) const {
  const Thread& thread = s.threads[t];
  if ((thread.done == 0 && thread.depth == 0) || !Alive(thread) || !Enabled(s, t)) return false;
  const bool in_section = thread.depth != 0;
  if (thread.status == Status::kMisused) return in_section;
  if (thread.status != Status::kReady) return true;
  const Instruction* i = Next(s, t);
  if (i == nullptr) return in_section || t != 0;  // main's end is the program's
  const bool equal = In(thread, *i) == static_cast<uint64_t>(i->value);
  switch (i->code) {  // what ends the program lets others go first, but in a section
    case Code::kExit:
    case Code::kExitNow:
    case Code::kAbort:
      return in_section;
    case Code::kYield:
      return false;
    case Code::kAssertEqual:
    case Code::kAssume:
      return in_section || equal;
    case Code::kAssertNot:
      return in_section || !equal;
    default:
      return true;
  }
}

bool Walk::Enabled(const State& s, unsigned t) const {
  const Thread& thread = s.threads[t];
  switch (thread.status) {
    case Status::kWaiting:
    case Status::kAtBarrier:
      return false;
    case Status::kSignalled:
    case Status::kTimedOut:
      return Free(s.mutexes[thread.with]);
    case Status::kOnceRoutine:
    case Status::kOnceEnd:
    case Status::kMisused:
      return true;
    default:
      break;
  }
  const Instruction* i = Next(s, t);
  if (i == nullptr) return true;
  const unsigned o = i->object;
  switch (i->code) {
    case Code::kLock:
    case Code::kTimedLock:
      return Free(s.mutexes[o]);
    case Code::kSemWait:
    case Code::kSemTimedWait:
      return s.semaphores[o].life != Life::kUsable || s.semaphores[o].value != 0;
    case Code::kReadLock:
    case Code::kTimedReadLock:
      return s.rwlocks[o].writer == kNone || s.rwlocks[o].writer == t;
    case Code::kWriteLock:
    case Code::kTimedWriteLock:
      return s.rwlocks[o].writer == t || (s.rwlocks[o].writer == kNone && NoReader(s.rwlocks[o]));
    case Code::kJoin:
    case Code::kTimedJoin:
      return s.threads[o].status == Status::kEnded || s.threads[o].detached != 0 ||
             s.threads[o].joined_by != kNone;
    case Code::kOnce:
      return s.onces[o].phase != 1;
    default:
      return true;
  }
}

bool Walk::CanTimeOut(const State& s, unsigned t) const {
  const Thread& thread = s.threads[t];
  if (thread.status == Status::kWaiting) return thread.timed != 0;
  if (thread.status != Status::kReady) return false;
  switch (Next(s, t)->code) {
    case Code::kTimedLock:
    case Code::kSemTimedWait:
    case Code::kTimedReadLock:
    case Code::kTimedWriteLock:
    case Code::kTimedJoin:
      return true;
    default:
      return false;
  }
}

uint8_t Walk::WaitsFor(const State& s, unsigned t) const {
  const Thread& thread = s.threads[t];
  if (!Alive(thread) || Enabled(s, t) || CanTimeOut(s, t)) return kNone;
  if (thread.status == Status::kSignalled || thread.status == Status::kTimedOut)
    return s.mutexes[thread.with].owner;
  if (thread.status != Status::kReady) return kNone;
  const Instruction* i = Next(s, t);
  switch (i->code) {
    case Code::kLock:
      return s.mutexes[i->object].owner;
    case Code::kReadLock:
    case Code::kWriteLock:
      return s.rwlocks[i->object].writer;
    case Code::kJoin:
      return i->object;
    case Code::kOnce:
      return s.onces[i->object].runner;
    default:
      return kNone;
  }
}

bool Walk::HasCircle(const State& s) const {
  for (unsigned t = 0; t < program_.threads.size(); ++t) {
    uint8_t at = WaitsFor(s, t);
    for (unsigned step = 0; step < kMostThreads && at != kNone && at != t; ++step)
      at = WaitsFor(s, at);
    if (at == t) return true;
  }
  return false;
}

std::optional<Behaviour> AllBehaviour(const Program& program, uint64_t most_states) {
  return Walk(program, most_states).Run();
}

}  // namespace heddle::oracle
