// The walk through all states of a program of the oracle: reference.cpp says where it goes and who
// can go on, steps.cpp what every instruction does.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "reference.h"
#include "state.h"

namespace heddle::oracle {

class Walk {
 public:
  Walk(const Program& program, uint64_t most_states)
      : program_(program), most_states_(most_states), clocks_(program.HasPlain()) {}

  std::optional<Behaviour> Run() {
    State first;
    memset(&first, 0, sizeof first);
    SetUp(first);
    Visit(first);
    while (!stack_.empty()) {
      const State state = stack_.back();
      stack_.pop_back();
      Expand(state);
      if (seen_.size() > most_states_) return std::nullopt;
    }
    (circle_ ? behaviour_.possible_outcomes : behaviour_.outcomes).merge(early_outcomes_);
    (circle_ ? behaviour_.possible_bugs : behaviour_.bugs).merge(early_bugs_);
    behaviour_.states = seen_.size();
    return std::move(behaviour_);
  }

 private:
  void SetUp(State& s);

  // ---- the walk ----

  void Visit(State& state);
  // What a thread does with its registers alone belongs to the step before it.
  void SkipRegisterCode(Thread& thread, unsigned t) const;

  static uint64_t In(const Thread& thread, const Instruction& i) {
    return i.reg == kDiscard ? 0 : thread.registers[i.reg];
  }
  static void Out(Thread& thread, const Instruction& i, uint64_t value) {
    if (i.reg != kDiscard) thread.registers[i.reg] = value;
  }

  const Instruction* Next(const State& s, unsigned t) const;

  static bool Alive(const Thread& thread) {
    return thread.status != Status::kAbsent && thread.status != Status::kEnded;
  }

  void Expand(const State& s);

  // ---- who can go on ----

  bool MayNotBeInterrupted(const State& s, unsigned t) const;

  static bool Free(const Mutex& mutex) { return mutex.owner == kNone; }
  static bool NoReader(const RwLock& lock) {
    return std::ranges::all_of(lock.reads, [](uint8_t count) { return count == 0; });
  }

  // Can thread `t`, alive, go on otherwise than by a timeout?
  bool Enabled(const State& s, unsigned t) const;

  // Of one that is not enabled.
  bool CanTimeOut(const State& s, unsigned t) const;

  // The one thread that `t`, which cannot go on, waits for.
  uint8_t WaitsFor(const State& s, unsigned t) const;

  bool HasCircle(const State& s) const;

  // ---- ends ----

  void Bug(const std::string& kind) { behaviour_.bugs.insert(kind); }
  // The program ends although threads wait in a circle.
  void Circle() {
    behaviour_.bugs.insert("deadlock");
    circle_ = true;
  }

  bool OthersCanGoOn(const State& s, unsigned t) const;
  void Exit(const State& s, unsigned t, bool by_exit);

  // Others may still go on until the misuse ends the program.
  void Misuse(State s, unsigned t, const char* of) {
    Bug(std::string("misuse of ") + of);
    s.threads[t].status = Status::kMisused;
    Visit(s);
  }

  // Is the object usable? If not, that is the end.
  bool Usable(const State& s, unsigned t, Life life, const char* what) {
    if (life != Life::kUsable) Misuse(s, t, what);
    return life == Life::kUsable;
  }

  // ---- happens-before ----

  void Acquire(State& s, unsigned t, const Clock& from) {
    if (clocks_) JoinClock(s.threads[t].clock, from);
  }
  // `alone`: it replaces what was released before.
  void Release(State& s, unsigned t, Clock& into, bool alone);
  void Access(State& s, unsigned t, unsigned at, unsigned size, bool write);

  // ---- steps ----

  static Wide Pattern(int value) {
    const uint64_t half = 0x0101010101010101u * static_cast<uint8_t>(value);
    return static_cast<Wide>(half) << 64 | half;
  }
  static uint64_t Folded(Wide value) {
    return static_cast<uint64_t>(value) + 3 * static_cast<uint64_t>(value >> 64);
  }
  static Wide Cut(Wide value, unsigned size) {
    return size == 16 ? value : value & ((static_cast<Wide>(1) << (8 * size)) - 1);
  }

  void TimeOut(State s, unsigned t);
  void EndThread(State s, unsigned t);
  // Takes a free mutex; the answer.
  uint64_t Take(State& s, unsigned t, Mutex& mutex);
  void Give(State& s, unsigned t, Mutex& mutex);
  void Step(const State& before, unsigned t);
  void WakeUp(State& s, unsigned t);

  // Goes on with register R set to `value`.
  bool GoOn(State& s, unsigned t, const Instruction& i, uint64_t value) {
    Out(s.threads[t], i, value);
    ++s.threads[t].pc;
    Visit(s);
    return true;
  }
  bool GoOn(State& s, unsigned t) {
    ++s.threads[t].pc;
    Visit(s);
    return true;
  }

  // Each of these answers whether the instruction was one of its own.
  bool EndsProgram(State& s, unsigned t, const Instruction& i);
  bool StepOfThreads(State& s, unsigned t, const Instruction& i);
  bool StepOfMemory(State& s, unsigned t, const Instruction& i);
  bool StepOfHeddle(State& s, unsigned t, const Instruction& i);
  bool StepOfMutex(State& s, unsigned t, const Instruction& i);
  bool StepOfSemaphore(State& s, unsigned t, const Instruction& i);
  // Does a thread stand before one of the two instructions on `object`, or is it in a condition
  // wait with that mutex, and cannot have it?
  bool SomebodyIsBlocked(const State& s, Code wait, Code timed_wait, unsigned object) const;
  // The object is made or destroyed: was that while somebody waited for it?
  void NoteMisuseOfWaited(State& s, unsigned t, Code wait, Code timed_wait, unsigned object,
                          const char* what);
  bool StepOfRwLock(State& s, unsigned t, const Instruction& i);

  bool IsWaiting(const State& s, unsigned t, Status how, unsigned at) const {
    return s.threads[t].status == how && s.threads[t].at == at;
  }
  void StepOfConditionOrBarrier(State& s, unsigned t, const Instruction& i);
  void StepOfBarrier(State& s, unsigned t, const Instruction& i);

  const Program& program_;
  const uint64_t most_states_;
  const bool clocks_;
  Behaviour behaviour_;
  std::set<std::string> early_outcomes_;  // of ends while others could go on
  std::set<std::string> early_bugs_;
  bool circle_ = false;
  std::unordered_set<std::string> seen_;
  std::vector<State> stack_;
};

}  // namespace heddle::oracle
