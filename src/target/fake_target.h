// A target with no process: interprets tiny programs, so that explorers are tested with exact
// counts.
//
// A fake program (fake_program.h) is a list of instructions per thread over small integer
// variables, mutexes, semaphores, condition variables, read-write locks and barriers. It follows
// the same rules as the real target, written down in plan/plan.h and runtime/steps/scheduler.cpp:
// a choice point stands before every visible instruction at which more than one thread is enabled;
// the default is to stay on the running thread, unless it is about to yield, and then to pass the
// turn on; as long as the running thread is enabled, every other option is a preemption. A timed
// operation that is not enabled may time out instead; while somebody is enabled that is an early
// timeout (all time limits are equal). Local instructions (registers, jumps, plain memory)
// run together with the visible one before them, and before the first choice point at the start.
// All threads exist from the start, and none of them is running then.
//
// Who fails an assertion or assumption, misuses an object or exits stands before an operation that
// ends the program, and yields there. A thread's end is a step of its own if the program says so
// (thread_ends); otherwise it comes with the last step before it. Who waits for it goes on within
// that step. In an atomic section, and when it is done, a thread goes on without a choice until it
// has to wait.
//
// Jumps only go forward, so every program ends.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "op/dependence.h"
#include "op/owned_thread_set.h"
#include "plan/plan.h"
#include "target/fake_program.h"
#include "target/target.h"
#include "trace/execution.h"

namespace heddle::target {

class FakeTarget final : public Target {
 public:
  // `timeouts_last`: an operation times out only when no thread is enabled.
  explicit FakeTarget(FakeProgram program, bool timeouts_last = false);

  const trace::Execution& Run(const plan::Plan& plan) override;

  // After a Run: what the program can observe, and a hash of it all and of how it ended.
  const std::vector<int64_t>& Variables() const { return variables_; }
  const std::vector<int64_t>& Plain() const { return plain_; }
  std::span<const int64_t, kRegisters> Registers(op::ThreadId id) const {
    return threads_[id].registers;
  }
  bool Finished(op::ThreadId id) const;
  uint64_t OutcomeHash() const;

 private:
  struct Thread {
    uint32_t next = 0;  // instruction
    uint32_t events = 0;
    uint64_t last_hash = 0;  // of its last event: program order
    bool waiting = false;    // on a condition variable or at a barrier
    bool reacquire = false;  // is to lock the mutex of its condition wait again
    bool timed_out = false;  // its condition wait is
    bool ended = false;
    bool section = false;                            // in an atomic section, or done
    trace::EndKind ends = trace::EndKind::kRunning;  // stands before ending the program so
    op::ThreadId joins = op::kNoThread;              // waits for its end
    uint32_t stays = 0;                              // times in a row that it went on at a yield
    int64_t registers[kRegisters] = {};
  };
  // For the dependence relation: the last accesses, which commute with each other, as the sum of
  // their hashes, and the hash of those before.
  struct Object {
    op::Access access = op::Access::kNone;
    uint64_t last = 0;
    uint64_t before = 0;
  };

  // What threads stand before, for a sampler.
  class Pending final : public plan::PendingOperations {
   public:
    const op::Operation& Before(op::ThreadId thread) const override { return next[thread]; }
    std::vector<op::Operation> next;
  };

  // What a thread stands before.
  enum class Stand { kNowhere, kInstruction, kThreadEnd, kProgramEnd };

  struct RwLock {
    op::ThreadId writer = op::kNoThread;
    uint32_t readers = 0;
  };

  void Reset();
  Stand StandOf(op::ThreadId id) const;
  bool IsEnabled(const Thread& thread, const Instruction& next) const;
  bool MayTimeOut(const Thread& thread, const Instruction& next) const;
  uint8_t TimeLimitOf(const Thread& thread, const Instruction& next) const;
  bool IsFree(const RwLock& lock, bool writing) const;
  op::OwnedThreadSet NoThreads() const {
    return op::OwnedThreadSet(static_cast<uint32_t>(program_.threads.size()));
  }
  void CollectOpen();
  op::ThreadId LowestThread(op::ThreadId fallback) const;
  op::ThreadId DefaultThread(const op::OwnedThreadSet& without) const;
  void ScheduleNext(const plan::Plan& plan);
  uint32_t Decide(const plan::Plan& plan, const trace::Choice& choice);
  uint32_t DecideAtRandom(uint32_t most_cost, const trace::Choice& choice);
  uint32_t DecideByScript(const plan::Plan& plan, const trace::Choice& choice);
  uint32_t Steer(const plan::Steered& steering, const trace::Choice& choice);
  void PassForcedStep(const plan::Plan& plan, op::ThreadId id);
  op::ThreadId Sample(const plan::Sampled& sampled, op::ThreadSet early);
  op::ThreadId TakeScripted(const plan::Plan& plan);
  void NotOpen(const plan::Plan& plan);
  void CutShort();
  uint32_t DecideOption(const plan::Plan& plan, const trace::Choice& choice);
  bool Sleeps(const plan::Plan& plan, op::ThreadId id) const;
  void WakeSleepers(const plan::Plan& plan, op::ThreadId id, uint32_t object, op::Access access);
  op::Level LevelBefore(const Thread& thread, const Instruction& instruction) const;
  uint32_t ObjectOf(const Thread& thread, const Instruction& instruction) const;
  void NoteLetGo();
  void NotePending();
  void PassTime();
  void Release(op::ThreadId waiter);
  void Step(const plan::Plan& plan, op::ThreadId id);
  void StepOn(const plan::Plan& plan, op::ThreadId id);
  bool GoesOn(op::ThreadId id) const;
  void NoteWait(op::ThreadId id);
  uint32_t StepVisible(const plan::Plan& plan, op::ThreadId id, const Instruction& instruction);
  uint32_t StepTimeout(op::ThreadId id, const Instruction& instruction);
  void StepMutex(op::ThreadId id, const Instruction& instruction);
  void TellAtomic(const Instruction& instruction, int64_t in);
  void StepVariables(op::ThreadId id, const Instruction& instruction);
  uint32_t StepRwLock(op::ThreadId id, const Instruction& instruction);
  uint32_t StepBarrier(op::ThreadId id, const Instruction& instruction);
  uint32_t StepLifetime(op::ThreadId id, const Instruction& instruction);
  uint32_t StepJoin(op::ThreadId id, const Instruction& instruction);
  void StepThreadEnd(op::ThreadId id);
  void EndThread(op::ThreadId id);
  void LetGo(op::ThreadId id);
  void RunReady();
  bool IsUsable(const Thread& thread, const Instruction& instruction) const;
  bool IsInUse(ObjectType type, uint32_t index) const;
  void RunLocal(op::ThreadId id);
  void Signal(const plan::Plan& plan, op::ThreadId id, const Instruction& instruction);
  // The second object of an event, and its level before.
  struct Further {
    uint32_t object;
    op::Level level;
  };
  void Emit(op::ThreadId id, op::Kind kind, op::Access access, uint32_t object, uint64_t value,
            std::optional<Further> further = std::nullopt);
  void Note(op::ThreadId id, op::Kind kind, uint32_t object);
  void Misuse(op::ThreadId id, const Instruction& instruction);
  void End(trace::EndKind kind, op::ThreadId id);
  void EndBy(trace::EndKind kind, op::ThreadId id);
  void SetRegister(Thread& thread, uint8_t reg, int64_t value);

  uint32_t MutexObject(uint32_t i) const;
  uint32_t SemaphoreObject(uint32_t i) const;
  uint32_t ConditionObject(uint32_t i) const;
  uint32_t RwLockObject(uint32_t i) const;
  uint32_t BarrierObject(uint32_t i) const;
  uint32_t PlainObject(uint32_t i) const;
  uint32_t ThreadObject(uint32_t i) const;
  uint32_t ProgramObject() const;
  uint32_t ObjectOf(ObjectType type, uint32_t index) const;

  const FakeProgram program_;
  const bool timeouts_last_;
  std::vector<uintptr_t> code_;  // by thread: names its code, so threads of the same code share it

  std::vector<Thread> threads_;
  std::vector<int64_t> variables_;
  std::vector<int64_t> semaphores_;
  std::vector<op::ThreadId> owners_;                // of mutexes
  std::vector<std::vector<op::ThreadId>> waiters_;  // of condition variables, in order of arrival
  std::vector<RwLock> rwlocks_;
  std::vector<std::vector<op::ThreadId>> arrived_;  // at barriers, in order of arrival
  std::vector<op::ThreadId> ready_;  // with a local step to do: a barrier opened, a thread ended
  std::vector<bool> usable_;         // by object: it is initialised
  std::vector<bool> owner_died_;     // of robust mutexes
  std::vector<int64_t> plain_;
  std::vector<Object> objects_;

  op::ThreadId running_ = op::kNoThread;
  size_t next_deviation_ = 0;
  uint64_t random_ = 0;
  Pending pending_operations_;
  op::OwnedThreadSet enabled_;    // threads before this step
  op::OwnedThreadSet yielding_;   // of those, the ones about to yield
  op::OwnedThreadSet timed_;      // not enabled, but may time out
  op::OwnedThreadSet was_timed_;  // before the last step
  bool time_passes_ = false;      // in this step, because no thread is enabled
  uint64_t epoch_ = 0;            // hash of all that came before time passed
  std::vector<bool> asleep_;      // entries of the plan's sleepers
  size_t next_scripted_ = 0;
  std::vector<size_t> next_option_;  // of the plan's options, by thread
  const plan::Plan* plan_ = nullptr;
  op::Level level_ = 0;            // of the step's object, before it
  std::vector<op::Level> levels_;  // of the variables that it accesses in one go
  uint8_t detail_ = 0;             // of the step's event

  std::vector<trace::Event> events_;
  std::vector<trace::Choice> choices_;
  std::vector<uint64_t> words_;
  std::vector<trace::Touch> touches_;
  std::vector<trace::AtomicAccess> atomics_;  // by event
  trace::AtomicAccess atomic_ = {};           // of the event that comes next
  std::vector<trace::Step> steps_;
  std::vector<trace::LetGo> let_go_;
  std::vector<trace::Pending> pending_;
  std::vector<trace::Stalled> stalled_;
  trace::Execution execution_;
};

}  // namespace heddle::target
