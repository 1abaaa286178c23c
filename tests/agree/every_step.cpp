#include "every_step.h"

#include <algorithm>
#include <string>
#include <unordered_set>

// Each switch is about a few instructions, and has a default for the others.
#pragma GCC diagnostic ignored "-Wswitch-enum"

namespace heddle::agree {

using target::FakeProgram;
using target::Instruction;
using target::kRegisters;
using target::kZero;
using target::ObjectType;
using Code = Instruction::Code;

namespace {

constexpr int kNobody = -1;

enum class Mode : uint8_t {
  kRuns,
  kQueued,     // waits for a signal
  kRelocks,    // was signalled, or gave up: needs its mutex again
  kAtBarrier,  // waits for others to arrive
  kFails,      // stands before ending the program
  kEnded,
};

struct Thread {
  uint32_t next = 0;
  Mode mode = Mode::kRuns;
  End fails = End::kExit;
  bool gave_up = false;  // its wait for a signal ran out of time
  bool section = false;  // in an atomic section, or done
  int64_t registers[kRegisters] = {};
};

struct State {
  std::vector<Thread> threads;
  std::vector<int64_t> variables, plain, semaphores;
  std::vector<int> owners;  // of mutexes
  std::vector<bool> died;   // their owner ended
  std::vector<int> writers, readers;
  std::vector<uint32_t> arrived;
  std::vector<bool> unusable[5];  // by type
  int alone = kNobody;            // goes on without a choice
};

bool IsVisible(Code code) { return code < Code::kSet; }

class Interpreter {
 public:
  Interpreter(const FakeProgram& program, uint64_t most) : program_(program), most_(most) {}

  std::optional<EveryStep> Run() {
    State state;
    state.threads.resize(program_.threads.size());
    state.variables = program_.variables;
    state.plain = program_.plain;
    state.semaphores = program_.semaphores;
    state.owners.assign(program_.mutexes, kNobody);
    state.died.assign(program_.mutexes, false);
    state.writers.assign(program_.rwlocks, kNobody);
    state.readers.assign(program_.rwlocks, 0);
    state.arrived.assign(program_.barriers.size(), 0);
    const size_t counts[] = {program_.mutexes, program_.semaphores.size(), program_.conditions,
                             program_.rwlocks, program_.barriers.size()};
    for (size_t type = 0; type < std::size(counts); ++type) {
      state.unusable[type].assign(counts[type], false);
    }
    for (const FakeProgram::Named& raw : program_.raw) {
      state.unusable[static_cast<size_t>(raw.type)][raw.index] = true;
    }
    Visit(state);
    while (!open_.empty() && seen_.size() <= most_) {
      const State next = std::move(open_.back());
      open_.pop_back();
      Expand(next);
    }
    if (seen_.size() > most_) return std::nullopt;
    result_.states = seen_.size();
    return result_;
  }

 private:
  // ---- states ----

  static void Put(std::string& key, int64_t value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  static std::string KeyOf(const State& s) {
    std::string key;
    for (const Thread& t : s.threads) {
      Put(key, t.next);
      Put(key, static_cast<int64_t>(t.mode) * 1000 + static_cast<int64_t>(t.fails) * 10 +
                   (t.gave_up ? 1 : 0) + (t.section ? 2 : 0));
      for (const int64_t value : t.registers) Put(key, value);
    }
    for (const auto* values : {&s.variables, &s.plain, &s.semaphores}) {
      for (const int64_t value : *values) Put(key, value);
    }
    for (size_t m = 0; m < s.owners.size(); ++m) Put(key, s.owners[m] * 2 + (s.died[m] ? 1 : 0));
    for (size_t l = 0; l < s.writers.size(); ++l) Put(key, s.writers[l] * 1000 + s.readers[l]);
    for (const uint32_t count : s.arrived) Put(key, count);
    for (const auto& flags : s.unusable) {
      for (const bool flag : flags) key.push_back(flag ? '1' : '0');
    }
    Put(key, s.alone);
    return key;
  }

  void Visit(State state) {
    if (seen_.insert(KeyOf(state)).second) open_.push_back(std::move(state));
  }

  const Instruction* NextOf(const State& s, uint32_t t) const {
    const auto& code = program_.threads[t];
    return s.threads[t].next < code.size() ? &code[s.threads[t].next] : nullptr;
  }

  // ---- who may go ----

  static bool IsTimed(Code code) {
    switch (code) {
      case Code::kTimedLock:
      case Code::kTimedSemWait:
      case Code::kTimedReadLock:
      case Code::kTimedWriteLock:
      case Code::kTimedJoin:
        return true;
      default:
        return false;
    }
  }

  // Can the thread's next step be made without time passing?
  bool IsEnabled(const State& s, uint32_t t) const {
    const Thread& thread = s.threads[t];
    if (thread.mode == Mode::kFails) return true;
    const Instruction* next = NextOf(s, t);
    if (thread.mode == Mode::kRelocks) return s.owners[next->object2] == kNobody;
    if (thread.mode != Mode::kRuns) return false;
    if (next == nullptr) return true;  // its end
    switch (next->code) {
      case Code::kLock:
      case Code::kTimedLock:
        return s.owners[next->object] == kNobody;
      case Code::kSemWait:
      case Code::kTimedSemWait:
        return s.semaphores[next->object] > 0;
      case Code::kReadLock:
      case Code::kTimedReadLock:
        return s.writers[next->object] == kNobody;
      case Code::kWriteLock:
      case Code::kTimedWriteLock:
        return s.writers[next->object] == kNobody && s.readers[next->object] == 0;
      case Code::kJoin:
      case Code::kTimedJoin:
        return s.threads[next->object].mode == Mode::kEnded;
      default:
        return true;
    }
  }

  bool MayGiveUp(const State& s, uint32_t t) const {
    const Instruction* next = NextOf(s, t);
    if (s.threads[t].mode == Mode::kQueued) return next->code == Code::kTimedCondWait;
    return s.threads[t].mode == Mode::kRuns && next != nullptr && IsTimed(next->code) &&
           !IsEnabled(s, t);
  }

  bool GoesAlone(const State& s) const {
    if (s.alone == kNobody) return false;
    const auto t = static_cast<uint32_t>(s.alone);
    if (s.threads[t].mode == Mode::kFails || !IsEnabled(s, t)) return false;
    const Instruction* next = NextOf(s, t);
    return next == nullptr || next->code != Code::kYield;
  }

  void Expand(const State& s) {
    LookForRace(s);
    bool stuck = true;
    const bool alone = GoesAlone(s);
    for (uint32_t t = 0; t < s.threads.size(); ++t) {
      if (alone && s.alone != static_cast<int>(t)) continue;
      if (IsEnabled(s, t)) {
        stuck = false;
        Step(s, t);
      } else if (MayGiveUp(s, t)) {
        stuck = false;
        GiveUp(s, t);
      }
    }
    if (stuck) EndOfAll(s);
  }

  void LookForRace(const State& s) {
    for (uint32_t a = 0; a < s.threads.size(); ++a) {
      for (uint32_t b = 0; b < a; ++b) {
        const Instruction* x = NextOf(s, a);
        const Instruction* y = NextOf(s, b);
        if (x == nullptr || y == nullptr) continue;
        if (s.threads[a].mode != Mode::kRuns || s.threads[b].mode != Mode::kRuns) continue;
        const auto plain = [](Code code) {
          return code == Code::kPlainLoad || code == Code::kPlainStore;
        };
        if (plain(x->code) && plain(y->code) && x->object == y->object &&
            (x->code == Code::kPlainStore || y->code == Code::kPlainStore)) {
          result_.races = true;
        }
      }
    }
  }

  // ---- ends ----

  void EndOfAll(const State& s) {
    EndState end = {End::kExit};
    for (const Thread& thread : s.threads) {
      if (thread.mode != Mode::kEnded) end.end = End::kDeadlock;
    }
    for (const auto* values : {&s.variables, &s.plain}) {
      end.values.insert(end.values.end(), values->begin(), values->end());
    }
    for (const Thread& thread : s.threads) {
      end.values.push_back(thread.mode == Mode::kEnded);
      end.values.insert(end.values.end(), std::begin(thread.registers), std::end(thread.registers));
    }
    result_.ends.insert(std::move(end));
  }

  void EndBy(const State& s, uint32_t t, End kind) {
    const auto& registers = s.threads[t].registers;
    result_.ends.insert({kind, t, {std::begin(registers), std::end(registers)}});
  }

  // Others may still go on, as before any end of the program.
  void Misuse(State s, uint32_t t) {
    s.threads[t].mode = Mode::kFails;
    s.threads[t].fails = End::kMisuse;
    Visit(std::move(s));
  }

  // ---- what a step does ----

  static void Set(Thread& thread, const Instruction& i, int64_t value) {
    if (i.reg != kZero) thread.registers[i.reg] = value;
  }
  static int64_t Get(const Thread& thread, const Instruction& i) {
    return i.reg == kZero ? 0 : thread.registers[i.reg];
  }

  // The step of `t`, which goes to instruction `to`, is over.
  void Done(State s, uint32_t t, uint32_t to, bool visible) {
    s.threads[t].next = to;
    const bool was_alone = s.alone == static_cast<int>(t);
    s.alone = s.threads[t].section && (visible || was_alone) ? static_cast<int>(t) : kNobody;
    Visit(std::move(s));
  }

  void GiveUp(const State& before, uint32_t t) {
    State s = before;
    Thread& thread = s.threads[t];
    const Instruction& i = *NextOf(s, t);
    if (i.code == Code::kTimedCondWait) {
      thread.mode = Mode::kRelocks;
      thread.gave_up = true;
      return Done(std::move(s), t, thread.next, true);
    }
    Set(thread, i, 0);
    const uint32_t to = thread.next + 1;
    Done(std::move(s), t, to, true);
  }

  // Is what the instruction works on initialised?
  static bool IsUsable(const State& s, const Instruction& i, bool relocks) {
    const auto usable = [&](ObjectType type, uint32_t index) {
      return !s.unusable[static_cast<size_t>(type)][index];
    };
    if (relocks) return usable(ObjectType::kMutex, i.object2);
    switch (i.code) {
      case Code::kLock:
      case Code::kTryLock:
      case Code::kTimedLock:
      case Code::kUnlock:
        return usable(ObjectType::kMutex, i.object);
      case Code::kSemWait:
      case Code::kSemPost:
      case Code::kSemTryWait:
      case Code::kTimedSemWait:
        return usable(ObjectType::kSemaphore, i.object);
      case Code::kCondWait:
      case Code::kTimedCondWait:
        return usable(ObjectType::kCondition, i.object) && usable(ObjectType::kMutex, i.object2);
      case Code::kCondSignal:
      case Code::kCondBroadcast:
        return usable(ObjectType::kCondition, i.object);
      case Code::kReadLock:
      case Code::kWriteLock:
      case Code::kTryReadLock:
      case Code::kTryWriteLock:
      case Code::kTimedReadLock:
      case Code::kTimedWriteLock:
      case Code::kRwUnlock:
        return usable(ObjectType::kRwLock, i.object);
      case Code::kBarrier:
        return usable(ObjectType::kBarrier, i.object);
      case Code::kDestroy:
        return usable(static_cast<ObjectType>(i.object2), i.object);
      default:
        return true;
    }
  }

  static bool IsInUse(const State& s, ObjectType type, uint32_t index, const FakeProgram& program) {
    switch (type) {
      case ObjectType::kMutex:
        return s.owners[index] != kNobody;
      case ObjectType::kSemaphore:
        return false;
      case ObjectType::kCondition:
        for (uint32_t t = 0; t < s.threads.size(); ++t) {
          if (s.threads[t].mode != Mode::kQueued) continue;
          if (program.threads[t][s.threads[t].next].object == index) return true;
        }
        return false;
      case ObjectType::kRwLock:
        return s.writers[index] != kNobody || s.readers[index] != 0;
      case ObjectType::kBarrier:
        return s.arrived[index] != 0;
    }
    return false;
  }

  static int64_t Digits(const State& s, const Instruction& i) {
    int64_t digits = 0;
    for (uint32_t k = 0; k < Width(i); ++k) digits = digits * 10 + s.variables[i.object + k];
    return digits;
  }

  int64_t Take(State& s, uint32_t mutex, uint32_t t) const {
    s.owners[mutex] = static_cast<int>(t);
    const bool died = s.died[mutex];
    s.died[mutex] = false;
    return died ? 2 : 1;
  }

  void StepEnd(State s, uint32_t t) {
    s.threads[t].mode = Mode::kEnded;
    for (const uint16_t mutex : program_.robust) {
      if (s.owners[mutex] != static_cast<int>(t)) continue;
      s.owners[mutex] = kNobody;
      s.died[mutex] = true;
    }
    s.alone = kNobody;
    Visit(std::move(s));
  }

  // REQUIRES: it is enabled.
  void Step(const State& before, uint32_t t) {
    State s = before;
    Thread& thread = s.threads[t];
    if (thread.mode == Mode::kFails) return EndBy(s, t, thread.fails);
    const Instruction* next = NextOf(s, t);
    if (next == nullptr) return StepEnd(std::move(s), t);
    const Instruction& i = *next;
    const uint32_t to = thread.next + 1;
    if (!IsUsable(s, i, thread.mode == Mode::kRelocks)) return Misuse(std::move(s), t);
    if (thread.mode == Mode::kRelocks) {
      thread.mode = Mode::kRuns;
      s.owners[i.object2] = static_cast<int>(t);
      Set(thread, i, thread.gave_up ? 0 : 1);
      thread.gave_up = false;
      return Done(std::move(s), t, to, true);
    }
    if (!IsVisible(i.code)) return StepLocal(std::move(s), t, i);
    switch (i.code) {
      case Code::kLoad:
        Set(thread, i, Digits(s, i));
        break;
      case Code::kStore: {
        const int64_t value = i.value + Get(thread, i);
        for (uint32_t k = 0; k < Width(i); ++k) s.variables[i.object + k] = value;
        break;
      }
      case Code::kFetchAdd:
        Set(thread, i, Digits(s, i));
        for (uint32_t k = 0; k < Width(i); ++k) s.variables[i.object + k] += i.value;
        break;
      case Code::kAdd:
        s.variables[i.object] = static_cast<uint32_t>(s.variables[i.object] + i.value);
        break;
      case Code::kCompareExchange: {
        bool equal = true;
        for (uint32_t k = 0; k < Width(i); ++k) equal &= s.variables[i.object + k] == i.value;
        for (uint32_t k = 0; equal && k < Width(i); ++k) s.variables[i.object + k] = i.value2;
        Set(thread, i, equal ? 1 : 0);
        break;
      }
      case Code::kLock:
      case Code::kTimedLock:
        Set(thread, i, Take(s, i.object, t));
        break;
      case Code::kTryLock: {
        const bool free = s.owners[i.object] == kNobody;
        Set(thread, i, free ? Take(s, i.object, t) : 0);
        break;
      }
      case Code::kUnlock:
        if (s.owners[i.object] != static_cast<int>(t)) return Misuse(std::move(s), t);
        s.owners[i.object] = kNobody;
        break;
      case Code::kSemWait:
      case Code::kTimedSemWait:
        --s.semaphores[i.object];
        Set(thread, i, 1);
        break;
      case Code::kSemTryWait: {
        const bool some = s.semaphores[i.object] > 0;
        if (some) --s.semaphores[i.object];
        Set(thread, i, some ? 1 : 0);
        break;
      }
      case Code::kSemPost:
        ++s.semaphores[i.object];
        break;
      case Code::kCondWait:
      case Code::kTimedCondWait:
        if (s.owners[i.object2] != static_cast<int>(t)) return Misuse(std::move(s), t);
        s.owners[i.object2] = kNobody;
        thread.mode = Mode::kQueued;
        return Done(std::move(s), t, thread.next, true);
      case Code::kCondSignal:
      case Code::kCondBroadcast:
        return StepSignal(std::move(s), t, i);
      case Code::kChoose:
        for (int32_t option = 0; option < std::max(i.value, 1); ++option) {
          State with = s;
          Set(with.threads[t], i, option);
          Done(std::move(with), t, to, true);
        }
        return;
      case Code::kBarrier:
        return StepBarrier(std::move(s), t, i);
      case Code::kInit:
      case Code::kDestroy: {
        const auto type = static_cast<ObjectType>(i.object2);
        if (IsInUse(s, type, i.object, program_)) return Misuse(std::move(s), t);
        s.unusable[i.object2][i.object] = i.code == Code::kDestroy;
        if (i.code == Code::kInit && type == ObjectType::kMutex) s.died[i.object] = false;
        if (i.code == Code::kInit && type == ObjectType::kSemaphore) {
          s.semaphores[i.object] = i.value;
        }
        break;
      }
      case Code::kTryJoin:
      case Code::kTimedJoin:
        Set(thread, i, s.threads[i.object].mode == Mode::kEnded ? 1 : 0);
        break;
      case Code::kAtomicBegin:
      case Code::kDone:
        thread.section = true;
        break;
      case Code::kYield:
        break;
      default:
        if (!StepRwLock(s, t, i)) return Misuse(std::move(s), t);
        break;
    }
    Done(std::move(s), t, to, true);
  }

  bool StepRwLock(State& s, uint32_t t, const Instruction& i) {
    int& writer = s.writers[i.object];
    int& readers = s.readers[i.object];
    if (i.code == Code::kRwUnlock) {
      if (writer == static_cast<int>(t)) {
        writer = kNobody;
        return true;
      }
      if (writer != kNobody || readers == 0) return false;
      --readers;
      return true;
    }
    const bool writes = i.code == Code::kWriteLock || i.code == Code::kTryWriteLock ||
                        i.code == Code::kTimedWriteLock;
    const bool free = writer == kNobody && (!writes || readers == 0);
    if (free && writes) writer = static_cast<int>(t);
    if (free && !writes) ++readers;
    Set(s.threads[t], i, free ? 1 : 0);
    return true;
  }

  void StepSignal(State s, uint32_t t, const Instruction& i) {
    const uint32_t to = s.threads[t].next + 1;
    bool any = false;
    State all = s;
    for (uint32_t w = 0; w < s.threads.size(); ++w) {
      if (s.threads[w].mode != Mode::kQueued || NextOf(s, w)->object != i.object) continue;
      any = true;
      all.threads[w].mode = Mode::kRelocks;
      if (i.code == Code::kCondBroadcast) continue;
      State one = s;
      one.threads[w].mode = Mode::kRelocks;
      Done(std::move(one), t, to, true);
    }
    if (!any || i.code == Code::kCondBroadcast) Done(std::move(all), t, to, true);
  }

  void StepBarrier(State s, uint32_t t, const Instruction& i) {
    const uint32_t to = s.threads[t].next + 1;
    if (++s.arrived[i.object] < program_.barriers[i.object]) {
      s.threads[t].mode = Mode::kAtBarrier;
      return Done(std::move(s), t, to, true);
    }
    s.arrived[i.object] = 0;
    for (uint32_t w = 0; w < s.threads.size(); ++w) {
      Thread& waiter = s.threads[w];
      if (waiter.mode != Mode::kAtBarrier) continue;
      if (program_.threads[w][waiter.next - 1].object == i.object) waiter.mode = Mode::kRuns;
    }
    Done(std::move(s), t, to, true);
  }

  void StepLocal(State s, uint32_t t, const Instruction& i) {
    Thread& thread = s.threads[t];
    uint32_t to = thread.next + 1;
    const bool equal = Get(thread, i) == i.value;
    const auto fail = [&](End kind) {
      thread.mode = Mode::kFails;
      thread.fails = kind;
    };
    switch (i.code) {
      case Code::kSet:
        Set(thread, i, i.value);
        break;
      case Code::kSkipIf:
        if (equal) to += static_cast<uint32_t>(i.value2);
        to = std::min(to, static_cast<uint32_t>(program_.threads[t].size()));
        break;
      case Code::kAssertEqual:
        if (!equal) fail(End::kAssertion);
        break;
      case Code::kAssertNot:
        if (equal) fail(End::kAssertion);
        break;
      case Code::kAssume:
        if (!equal) fail(End::kAssumption);
        break;
      case Code::kExit:
        fail(End::kExitCall);
        break;
      case Code::kPlainLoad:
        Set(thread, i, s.plain[i.object]);
        break;
      case Code::kPlainStore:
        s.plain[i.object] = i.value + Get(thread, i);
        break;
      case Code::kAtomicEnd:
        thread.section = false;
        break;
      default:  // kJoin: what it waits for has ended
        break;
    }
    // In an atomic section a join is an operation like any other wait.
    Done(std::move(s), t, to, i.code == Code::kJoin && thread.section);
  }

  const FakeProgram& program_;
  const uint64_t most_;
  std::unordered_set<std::string> seen_;
  std::vector<State> open_;
  EveryStep result_;
};

}  // namespace

std::optional<EveryStep> RunEveryStep(const FakeProgram& program, uint64_t most) {
  return Interpreter(program, most).Run();
}

}  // namespace heddle::agree
