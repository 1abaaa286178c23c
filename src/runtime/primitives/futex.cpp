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

// What is accessed is the word: its atoms. The threads that sleep on it are kept apart, because an
// atom may be larger than a word, or smaller.
FutexState& FutexAt(uintptr_t address) { return FindObject(address, ObjectKind::kFutex).futex; }

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
  CommitOnMemory(wait, sizeof *word, answer);
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
    CommitOnMemory(woken, woken.object, sizeof *word, op::Access::kWrite, ETIMEDOUT, 1);
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
  const auto wake = [&] { return WakeFutex(FutexAt(AddressOf(word)), most, bits, ChooseWaiter); };
  return PerformOnMemory(operation, sizeof *word, wake).status;
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
  const Answer answer = PerformOnMemory(operation, sizeof *word, [&] {
    if (expected != nullptr && MemoryModel::ReadFutex(word) != *expected) return FoundOtherWord(0);
    return RequeueFutex(FutexAt(AddressOf(word)), wake, move, ChooseWaiter, moved);
  });
  for (const Waiter* at = moved.first; at != nullptr; at = at->next) {
    op::Operation& pending = FiberAt(at->thread).pending;  // another one in a signal's handler
    if (pending.kind == op::Kind::kFutexWoken) pending.object = AddressOf(target);
  }
  if (moved.count != 0) MoveTo(FutexAt(AddressOf(target)), moved);
  return answer.status;
}

}  // namespace heddle::runtime
