#include "runtime/primitives/futex.h"

#include <errno.h>

#include "base/hash.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/scheduler.h"
#include "runtime/prim/page.h"
#include "runtime/primitives/waiter_queue.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const uint32_t* word) { return reinterpret_cast<uintptr_t>(word); }
bool IsAligned(const uint32_t* word) { return AddressOf(word) % sizeof(uint32_t) == 0; }

// What is accessed is the word: its atoms. The threads that sleep on it are kept apart, because an
// atom may be larger than a word, or smaller.
WaiterQueue& SleepersAt(uintptr_t address) {
  return FindObject(address, ObjectKind::kFutex).futex.sleepers;
}

void CommitOnWord(const op::Operation& operation, op::Access access, uint64_t value,
                  uint64_t extra = 0) {
  CommitOnMemory(operation, operation.object, sizeof(uint32_t), access, value, extra);
}

// A sleeper stands before FutexWoken: `object` is the word in whose queue it is, `operand` its bit
// set.
bool IsFor(const Fiber& sleeper, uint32_t bits) { return (sleeper.pending.operand & bits) != 0; }

uint32_t CountFor(const WaiterQueue& queue, uint32_t bits) {
  uint32_t count = 0;
  for (const Fiber* at = queue.first; at != nullptr; at = at->next_waiter)
    count += IsFor(*at, bits);
  return count;
}

// Takes out the sleeper number `index` among those for `bits`.
Fiber& TakeFor(WaiterQueue& queue, uint32_t bits, uint32_t index) {
  Fiber* previous = nullptr;
  for (Fiber* at = queue.first;; previous = at, at = at->next_waiter)
    if (IsFor(*at, bits) && index-- == 0) return TakeAfter(queue, previous);
}

// Takes `most` sleepers out, all of them if there are fewer; which, is a choice of a set. The hash
// of the set is the answer.
uint64_t TakeSome(WaiterQueue& queue, uint32_t most, uint32_t bits, WaiterQueue& taken) {
  uint64_t set = 0;
  uint32_t left = CountFor(queue, bits);  // sleepers at or behind `next`
  uint32_t wanted = most < left ? most : left;
  uint32_t next = 0;
  for (; wanted != 0; --wanted) {
    const uint32_t skipped = ChooseOption(trace::ChoiceKind::kWaiter, left - wanted + 1);
    next += skipped;
    left -= skipped + 1;
    Fiber& fiber = TakeFor(queue, bits, next);
    Append(taken, fiber);
    set = base::Spread(set + fiber.id + 1);
  }
  return set;
}

void LetGo(WaiterQueue& sleepers) {
  while (sleepers.count != 0)
    WakeWithHash(TakeAfter(sleepers, nullptr), Wake::kSignalled, LastEventHash());
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
  Reach(wait, nullptr);
  const uint32_t found = __atomic_load_n(word, __ATOMIC_RELAXED);
  if (found != expected) {
    CommitOnWord(wait, op::Access::kRead, found);
    return -EAGAIN;
  }
  Fiber& self = Current();
  Append(SleepersAt(AddressOf(word)), self);
  CommitOnWord(wait, op::Access::kWrite, found);

  if (deadline != nullptr) self.deadline = *deadline;
  op::Operation woken{.kind = op::Kind::kFutexWoken,
                      .size = sizeof *word,
                      .object = AddressOf(word),
                      .operand = bits,
                      .pc = pc};
  if (ReachLocal(woken, nullptr, deadline != nullptr) == Wake::kTimedOut) {
    woken.object = self.pending.object;  // it may have been moved
    Remove(SleepersAt(woken.object), self);
    CommitOnWord(woken, op::Access::kWrite, ETIMEDOUT, 1);
    return -ETIMEDOUT;
  }
  Commit(woken, nullptr, op::Access::kNone);
  return 0;
}

long FutexWake(uint32_t* word, uint32_t most, uint32_t bits, uintptr_t pc) {
  if (!IsAligned(word) || bits == 0) return -EINVAL;
  const op::Operation operation{
      .kind = op::Kind::kFutexWake, .object = AddressOf(word), .operand = most, .pc = pc};
  Reach(operation, nullptr);
  WaiterQueue woken{};
  const uint64_t set = TakeSome(SleepersAt(AddressOf(word)), most, bits, woken);
  const uint32_t count = woken.count;
  CommitOnWord(operation, count != 0 ? op::Access::kWrite : op::Access::kRead, count, set);
  LetGo(woken);
  return count;
}

long FutexRequeue(uint32_t* word, uint32_t wake, uint32_t* target, uint32_t move,
                  const uint32_t* expected, uintptr_t pc) {
  if (!IsAligned(word) || !IsAligned(target)) return -EINVAL;
  if (AddressOf(word) < kPageBytes || AddressOf(target) < kPageBytes) return -EFAULT;
  constexpr uint32_t kAnyBit = ~0u;
  const op::Operation operation{.kind = op::Kind::kFutexWake,
                                .object = AddressOf(word),
                                .object2 = AddressOf(target),
                                .operand = wake,
                                .pc = pc};
  Reach(operation, nullptr);
  if (expected != nullptr && __atomic_load_n(word, __ATOMIC_RELAXED) != *expected) {
    CommitOnWord(operation, op::Access::kRead, 0);
    return -EAGAIN;
  }
  WaiterQueue woken{};
  WaiterQueue moved{};
  const uint64_t woken_set = TakeSome(SleepersAt(AddressOf(word)), wake, kAnyBit, woken);
  const uint64_t moved_set = TakeSome(SleepersAt(AddressOf(word)), move, kAnyBit, moved);
  const uint32_t count = woken.count + moved.count;
  if (count == 0 || word == target) {
    CommitOnWord(operation, count != 0 ? op::Access::kWrite : op::Access::kRead, count,
                 woken_set ^ moved_set);
  } else {
    Touches both;
    both.Add(AddressOf(word), sizeof *word, pc);
    both.Add(AddressOf(target), sizeof *target, pc);
    CommitTouches(operation, both, op::Access::kWrite, count, woken_set ^ moved_set);
  }
  while (moved.count != 0) {
    Fiber& fiber = TakeAfter(moved, nullptr);
    fiber.pending.object = AddressOf(target);
    Append(SleepersAt(AddressOf(target)), fiber);
  }
  LetGo(woken);
  return count;
}

}  // namespace heddle::runtime
