// A target with no process: interprets tiny programs, so that explorers are tested with exact
// counts.
//
// A fake program is a list of instructions per thread over small integer variables, mutexes,
// semaphores and condition variables. It follows the same rules as the real target, written down in
// plan/plan.h and trace/execution.h: a choice point stands before every visible instruction at
// which more than one thread is enabled; the default is to stay on the running thread; leaving an
// enabled thread that did not yield is a preemption. Local instructions (registers, jumps,
// assertions) run together with the visible one before them, and before the first choice point at
// the start. All threads exist from the start, and none of them is running then.
//
// Jumps only go forward, so every program ends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/plan.h"
#include "target/target.h"
#include "trace/execution.h"

namespace heddle::target {

inline constexpr unsigned kRegisters = 8;
inline constexpr uint8_t kZero = 255;  // in place of a register: reads as 0, writes are lost
inline constexpr uint32_t kNoObject = 0xffffffffu;  // in events; Event::aux is the second object

struct Instruction {
  enum class Code : uint8_t {
    // visible
    kLoad,             // reg = object
    kStore,            // object = reg + value
    kFetchAdd,         // reg = object; object += value
    kCompareExchange,  // reg = (object == value); if so object = value2
    kLock,
    kTryLock,  // reg = got it
    kUnlock,
    kSemWait,
    kSemPost,
    kCondWait,  // object: condition variable, object2: mutex
    kCondSignal,
    kCondBroadcast,
    kYield,
    kChoose,  // reg = one of 0 .. value-1
    // local
    kSet,          // reg = value
    kSkipIf,       // if reg == value, skip the next value2 instructions
    kAssertEqual,  // fails unless reg == value
    kAssertNot,    // fails if reg == value
    kAssume,       // ends the execution as redundant unless reg == value
  };
  Code code;
  uint8_t reg = kZero;
  uint16_t object = 0;
  uint16_t object2 = 0;
  int32_t value = 0;
  int32_t value2 = 0;
};

struct FakeProgram {
  std::vector<std::vector<Instruction>> threads;
  std::vector<int64_t> variables;   // initial values
  std::vector<int64_t> semaphores;  // initial values
  uint32_t mutexes = 0;
  uint32_t conditions = 0;
};

// Instructions by name: a program reads as {Load(x, 0), Store(x, 0, 1)}, which is x = x + 1.
inline Instruction Load(uint16_t variable, uint8_t reg) {
  return {Instruction::Code::kLoad, reg, variable};
}
inline Instruction Store(uint16_t variable, uint8_t reg, int32_t plus) {
  return {Instruction::Code::kStore, reg, variable, 0, plus};
}
inline Instruction Assign(uint16_t variable, int32_t value) {
  return Store(variable, kZero, value);
}
inline Instruction FetchAdd(uint16_t variable, int32_t plus, uint8_t reg = kZero) {
  return {Instruction::Code::kFetchAdd, reg, variable, 0, plus};
}
inline Instruction CompareExchange(uint16_t variable, int32_t expected, int32_t desired,
                                   uint8_t reg) {
  return {Instruction::Code::kCompareExchange, reg, variable, 0, expected, desired};
}
inline Instruction Lock(uint16_t mutex) { return {Instruction::Code::kLock, kZero, mutex}; }
inline Instruction TryLock(uint16_t mutex, uint8_t reg) {
  return {Instruction::Code::kTryLock, reg, mutex};
}
inline Instruction Unlock(uint16_t mutex) { return {Instruction::Code::kUnlock, kZero, mutex}; }
inline Instruction SemWait(uint16_t semaphore) {
  return {Instruction::Code::kSemWait, kZero, semaphore};
}
inline Instruction SemPost(uint16_t semaphore) {
  return {Instruction::Code::kSemPost, kZero, semaphore};
}
inline Instruction CondWait(uint16_t condition, uint16_t mutex) {
  return {Instruction::Code::kCondWait, kZero, condition, mutex};
}
inline Instruction CondSignal(uint16_t condition) {
  return {Instruction::Code::kCondSignal, kZero, condition};
}
inline Instruction CondBroadcast(uint16_t condition) {
  return {Instruction::Code::kCondBroadcast, kZero, condition};
}
inline Instruction Yield() { return {Instruction::Code::kYield}; }
inline Instruction Choose(int32_t options, uint8_t reg) {
  return {Instruction::Code::kChoose, reg, 0, 0, options};
}
inline Instruction Set(uint8_t reg, int32_t value) {
  return {Instruction::Code::kSet, reg, 0, 0, value};
}
inline Instruction SkipIf(uint8_t reg, int32_t value, int32_t count) {
  return {Instruction::Code::kSkipIf, reg, 0, 0, value, count};
}
inline Instruction AssertEqual(uint8_t reg, int32_t value) {
  return {Instruction::Code::kAssertEqual, reg, 0, 0, value};
}
inline Instruction AssertNot(uint8_t reg, int32_t value) {
  return {Instruction::Code::kAssertNot, reg, 0, 0, value};
}
inline Instruction Assume(uint8_t reg, int32_t value) {
  return {Instruction::Code::kAssume, reg, 0, 0, value};
}

class FakeTarget final : public Target {
 public:
  explicit FakeTarget(FakeProgram program);

  const trace::Execution& Run(const plan::Plan& plan) override;

  // After a Run: the values of the variables, and a hash of everything a program can observe
  // (variables, registers of all threads, and how it ended).
  const std::vector<int64_t>& Variables() const { return variables_; }
  uint64_t OutcomeHash() const;

 private:
  struct Thread {
    uint32_t next = 0;  // instruction
    uint32_t events = 0;
    uint64_t last_hash = 0;  // of its last event: program order
    bool waiting = false;    // on a condition variable
    bool reacquire = false;  // is to lock the mutex of its condition wait again
    int64_t registers[kRegisters] = {};
  };
  // For the dependence relation: hash of the last write, and the sum of those of the reads since.
  struct Object {
    uint64_t write = 0;
    uint64_t reads = 0;
  };

  void Reset();
  bool IsEnabled(const Thread& thread) const;
  bool CollectOpen();
  op::ThreadId DefaultThread() const;
  void ScheduleNext(const plan::Plan& plan);
  uint32_t Decide(const plan::Plan& plan, const trace::Choice& choice);
  void Step(const plan::Plan& plan, op::ThreadId id);
  uint32_t StepVisible(const plan::Plan& plan, op::ThreadId id, const Instruction& instruction);
  void RunLocal(op::ThreadId id);
  void Signal(const plan::Plan& plan, op::ThreadId id, const Instruction& instruction);
  void Emit(op::ThreadId id, op::Kind kind, op::Access access, uint32_t object, uint64_t value,
            uint32_t object2);
  void End(trace::EndKind kind, op::ThreadId id);
  void SetRegister(Thread& thread, uint8_t reg, int64_t value);

  uint32_t MutexObject(uint32_t i) const;
  uint32_t SemaphoreObject(uint32_t i) const;
  uint32_t ConditionObject(uint32_t i) const;

  const FakeProgram program_;
  const uint32_t set_words_;

  std::vector<Thread> threads_;
  std::vector<int64_t> variables_;
  std::vector<int64_t> semaphores_;
  std::vector<op::ThreadId> owners_;                // of mutexes
  std::vector<std::vector<op::ThreadId>> waiters_;  // of condition variables, in order of arrival
  std::vector<Object> objects_;

  op::ThreadId running_ = op::kNoThread;
  bool yielded_ = false;  // the last event was a yield of `running_`
  size_t next_deviation_ = 0;
  uint64_t random_ = 0;
  std::vector<uint64_t> open_;  // enabled threads before this step

  std::vector<trace::Event> events_;
  std::vector<trace::Choice> choices_;
  std::vector<uint64_t> words_;
  trace::Execution execution_;
};

}  // namespace heddle::target
