#include "runtime/primitives/futex.h"

#include <errno.h>

#include "runtime/fibers/atoms.h"
#include "runtime/objects/futex.h"
#include "runtime/prim/page.h"
#include "runtime/primitives/atomic.h"
#include "runtime/primitives/memory_model.h"
#include "runtime/steps/choice_point.h"
#include "runtime/steps/perform.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const uint32_t* word) { return reinterpret_cast<uintptr_t>(word); }
bool IsAligned(const uint32_t* word) { return AddressOf(word) % sizeof(uint32_t) == 0; }

// The word is memory: its atoms, which may be larger than a word, or smaller. The threads that
// sleep at it are an object of their own, the queue.
Object& QueueAt(uintptr_t address) { return FindObject(address, ObjectKind::kFutex); }
FutexState& FutexAt(uintptr_t address) { return QueueAt(address).futex; }

// Under tso and c11 the graph has an event at the word, and knows the queue besides
// (weak_events.h).
bool QueueIsApart() { return __builtin_expect(!g_state.weak, 1); }

uint32_t ReadWord(uint32_t* word, uintptr_t pc) {
  if (__builtin_expect(!g_state.weak, 1)) return MemoryModel::ReadFutex(word);
  Touches touches;
  touches.Add(AddressOf(word), sizeof *word, pc);  // it may be the first access
  const Object* atom = FindAtom(AddressOf(word), sizeof *word);
  if (atom == nullptr) return MemoryModel::ReadFutex(word);
  return ReadFutexWeak(*atom, FindObject(AddressOf(word), ObjectKind::kFutex).number);
}

uint32_t ChooseWaiter(uint32_t options) {
  return ChooseOption(trace::ChoiceKind::kWaiter, options);
}

// A wait that sleeps has read the word, and stands in the queue, in no order: others who do so
// commute with it. A wake does not look at the word.
void CommitWait(const op::Operation& wait, const Answer& answer) {
  if (answer.status != 0 || !QueueIsApart()) return CommitOnMemory(wait, sizeof(uint32_t), answer);
  Touches both;
  both.Add(wait.object, sizeof(uint32_t), wait.pc);
  both.Add(QueueAt(wait.object), 0, wait.pc);
  CommitTouches(wait, both, op::Access::kRead, answer.value, answer.extra, Effect::kQueues);
}

// Its time has passed: as for CommitWait.
void CommitTimeout(const op::Operation& woken) {
  if (!QueueIsApart())
    return CommitOnMemory(woken, woken.object, sizeof(uint32_t), op::Access::kWrite, ETIMEDOUT, 1);
  Touches queue;
  queue.Add(QueueAt(woken.object), 0, woken.pc);
  CommitTouches(woken, queue, op::Access::kRead, ETIMEDOUT, 1, Effect::kQueues);
}

// Wakes that nobody waits for commute with each other.
void CommitWake(const op::Operation& wake, const Answer& answer) {
  if (!QueueIsApart()) return CommitOnMemory(wake, sizeof(uint32_t), answer);
  const bool woke = answer.access == op::Access::kWrite;
  Commit(wake, &QueueAt(wake.object), woke ? op::Access::kWrite : op::Access::kShared, answer.value,
         answer.extra, woke ? Effect::kChanges : Effect::kLeavesAsItWas);
}

// A requeue may compare the word, and uses two queues: it commutes with nothing there.
void CommitRequeue(const op::Operation& requeue, const Answer& answer) {
  if (answer.status < 0 || !QueueIsApart())
    return CommitOnMemory(requeue, sizeof(uint32_t), answer);
  Touches all;
  all.Add(requeue.object, sizeof(uint32_t), requeue.pc);
  all.Add(QueueAt(requeue.object), 0, requeue.pc);
  if (requeue.object2 != requeue.object) all.Add(QueueAt(requeue.object2), 0, requeue.pc);
  const bool moved = answer.access == op::Access::kWrite;
  CommitTouches(requeue, all, op::Access::kWrite, answer.value, answer.extra,
                moved ? Effect::kChanges : Effect::kLeavesAsItWas);
}

}  // namespace

long FutexWait(uint32_t* word, uint32_t expected, uint32_t bits, const uint64_t* deadline,
               uintptr_t pc) {
  if (!IsAligned(word) || bits == 0) return -EINVAL;
  if (AddressOf(word) < kPageBytes) return -EFAULT;
  const op::Operation wait{.kind = op::Kind::kFutexWait,
                           .size = sizeof *word,
                           .object = AddressOf(word),
                           .operand = expected,
                           .pc = pc};
  HashCallArgument(bits, deadline != nullptr);
  if (ReachInCall(wait, nullptr, false, Interrupts::kUnlessRestarted) == Wake::kInterrupted)
    return -EINTR;
  const auto begin = [&] {
    const uint32_t found = ReadWord(word, pc);
    if (found != expected) return FoundOtherWord(found);
    Fiber& self = Current();
    self.waiter = {.thread = self.id, .bits = bits, .path = self.path};
    return WaitOnFutex(FutexAt(AddressOf(word)), self.waiter, found);
  };
  const Answer answer = begin();
  CommitWait(wait, answer);
  if (answer.status != 0) return answer.status;

  Fiber& self = Current();
  if (deadline != nullptr) self.deadline = *deadline;
  op::Operation woken{.kind = op::Kind::kFutexWoken,
                      .size = sizeof *word,
                      .object = AddressOf(word),
                      .operand = bits,
                      .pc = pc};
  const Wake wake = ReachLocal(woken, nullptr, deadline != nullptr);
  if (wake == Wake::kTimedOut) {
    woken.object = self.pending.object;  // it may have been moved
    StopSleeping(FutexAt(woken.object), self.waiter);
    CommitTimeout(woken);
    return -ETIMEDOUT;
  }
  Commit(woken, nullptr, op::Access::kNone);
  return 0;
}

long FutexWake(uint32_t* word, uint32_t most, uint32_t bits, uintptr_t pc) {
  if (!IsAligned(word) || bits == 0) return -EINVAL;
  const op::Operation operation{
      .kind = op::Kind::kFutexWake, .object = AddressOf(word), .operand = most, .pc = pc};
  HashCallArgument(bits);
  Reach(operation, nullptr);
  const Answer answer = WakeFutex(FutexAt(AddressOf(word)), most, bits, ChooseWaiter);
  CommitWake(operation, answer);
  LetGo(answer.woken);
  return answer.status;
}

long FutexRequeue(uint32_t* word, uint32_t wake, uint32_t* target, uint32_t move,
                  const uint32_t* expected, uintptr_t pc) {
  if (!IsAligned(word) || !IsAligned(target)) return -EINVAL;
  if (AddressOf(word) < kPageBytes || AddressOf(target) < kPageBytes) return -EFAULT;
  const op::Operation operation{.kind = op::Kind::kFutexWake,
                                .object = AddressOf(word),
                                .object2 = AddressOf(target),
                                .operand = wake,
                                .pc = pc};
  WaiterQueue moved{};
  HashCallArgument(move, expected != nullptr ? uint64_t{*expected} + 1 : 0);
  Reach(operation, nullptr);
  const bool other = expected != nullptr && MemoryModel::ReadFutex(word) != *expected;
  const Answer answer =
      other ? FoundOtherWord(0)
            : RequeueFutex(FutexAt(AddressOf(word)), wake, move, ChooseWaiter, moved);
  CommitRequeue(operation, answer);
  LetGo(answer.woken);
  for (const Waiter* at = moved.first; at != nullptr; at = at->next) {
    op::Operation& pending = FiberAt(at->thread).pending;  // another one in a signal's handler
    if (pending.kind == op::Kind::kFutexWoken) pending.object = AddressOf(target);
  }
  if (moved.count != 0) MoveTo(FutexAt(AddressOf(target)), moved);
  return answer.status;
}

}  // namespace heddle::runtime
