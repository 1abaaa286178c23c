#include "runtime/objects/futex.h"

#include <errno.h>

#include "base/hash.h"
#include "runtime/objects/waiter_queue.h"

namespace heddle::runtime {
namespace {

bool IsFor(const Waiter& sleeper, uint32_t bits) { return (sleeper.bits & bits) != 0; }

uint32_t CountFor(const WaiterQueue& queue, uint32_t bits) {
  uint32_t count = 0;
  for (const Waiter* at = queue.first; at != nullptr; at = at->next) count += IsFor(*at, bits);
  return count;
}

// Takes out the sleeper number `index` among those for `bits`.
Waiter& TakeFor(WaiterQueue& queue, uint32_t bits, uint32_t index) {
  Waiter* previous = nullptr;
  for (Waiter* at = queue.first;; previous = at, at = at->next)
    if (IsFor(*at, bits) && index-- == 0) return TakeAfter(queue, previous);
}

// Takes `most` sleepers out, all of them if there are fewer; which, is a choice of a set. The hash
// of the set is the answer.
uint64_t TakeSome(WaiterQueue& queue, uint32_t most, uint32_t bits, Chooser choose,
                  WaiterQueue& taken) {
  uint64_t set = 0;
  uint32_t left = CountFor(queue, bits);  // sleepers at or behind `next`
  uint32_t wanted = most < left ? most : left;
  uint32_t next = 0;
  for (; wanted != 0; --wanted) {
    const uint32_t skipped = choose(left - wanted + 1);
    next += skipped;
    left -= skipped + 1;
    Waiter& sleeper = TakeFor(queue, bits, next);
    Append(taken, sleeper);
    set = base::Spread(set + sleeper.path + 1);
  }
  return set;
}

// `count` threads were let go or moved, the set of them has the hash `set`.
Answer Took(uint32_t count, uint64_t set, const WaiterQueue& woken) {
  return {.access = count != 0 ? op::Access::kWrite : op::Access::kRead,
          .status = static_cast<int>(count),
          .value = count,
          .extra = set,
          .woken = woken.first};
}

}  // namespace

Answer FoundOtherWord(uint32_t shown) {
  return {.access = op::Access::kRead, .status = -EAGAIN, .value = shown};
}

Answer WaitOnFutex(FutexState& futex, Waiter& waiter, uint32_t found) {
  InsertByPath(futex.sleepers, waiter);
  return {.value = found};
}

void StopSleeping(FutexState& futex, const Waiter& waiter) { Remove(futex.sleepers, waiter); }

Answer WakeFutex(FutexState& futex, uint32_t most, uint32_t bits, Chooser choose) {
  WaiterQueue woken{};
  const uint64_t set = TakeSome(futex.sleepers, most, bits, choose, woken);
  return Took(woken.count, set, woken);
}

Answer RequeueFutex(FutexState& futex, uint32_t wake, uint32_t move, Chooser choose,
                    WaiterQueue& moved) {
  constexpr uint32_t kAnyBit = ~0u;
  WaiterQueue woken{};
  const uint64_t woken_set = TakeSome(futex.sleepers, wake, kAnyBit, choose, woken);
  const uint64_t moved_set = TakeSome(futex.sleepers, move, kAnyBit, choose, moved);
  return Took(woken.count + moved.count, woken_set ^ moved_set, woken);
}

void MoveTo(FutexState& futex, WaiterQueue& moved) {
  while (moved.count != 0) InsertByPath(futex.sleepers, TakeAfter(moved, nullptr));
}

}  // namespace heddle::runtime
