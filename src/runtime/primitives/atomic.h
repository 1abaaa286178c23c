// Atomic accesses and fences of the program.
//
// Every one is a visible operation. Only one thread runs, so once the operation is chosen it is
// done with plain loads and stores; what its memory order means is kept in clocks, as the standards
// say:
//   * an acquire load learns what the store it reads from released; a relaxed load learns it at
//     the next acquire fence;
//   * a release store publishes what the thread knows, a relaxed one what it knew at its last
//     release fence; either ends the release sequences before it, but a read-modify-write of any
//     order continues them. A relaxed store continues those that its own thread heads if it is
//     compiled as C or as C++ before C++20 (kC11Store; trace/release_sequence.h);
//   * consume is acquire; a failed compare-exchange is a load with the failure order.
//
// An access may be of several atoms of memory (atoms.h). What was released is kept for each: a load
// learns from all stores that it reads a byte of.
//
// AtomicStep is the only code that reads or writes such memory in an execution; which write a read
// reads from is the memory model's (memory_model.h).
#pragma once

#include <cstdint>

#include "model/label.h"
#include "runtime/fibers/atoms.h"
#include "runtime/prim/atomic.h"
#include "runtime/primitives/atomic_orders.h"
#include "runtime/primitives/memory_model.h"
#include "runtime/primitives/order_overrides.h"
#include "runtime/record.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

using op::Fetch;

// One atomic operation from its scheduling point to its event. Not by Perform: no object's state
// decides what it does, but memory, which may be several objects; and most events are of this kind.
class AtomicStep {
 public:
  // Publishes the operation; returns when it is to be done. REQUIRES: in an execution.
  AtomicStep(op::Kind kind, const volatile void* address, unsigned size, Orders orders,
             uint64_t operand, uintptr_t pc, uint8_t detail = 0);

  // The operation takes effect; exactly one of these is called. Each returns what it has read.
  // REQUIRES: sizeof(T) is the size; CompareExchange: up to eight bytes, or sixteen.
  template <typename T>
  T Load() {
    if (IsWeak()) return static_cast<T>(LoadWeak(orders_.order));
    const T value = MemoryModel::Read(At<T>());
    Loaded(orders_.order, static_cast<uint64_t>(value));
    return value;
  }
  template <typename T>
  void Store(T value) {
    if (IsWeak()) return StoreWeak(static_cast<uint64_t>(value), orders_.order);
    const T old = MemoryModel::Replace(At<T>(), value);
    Stored(orders_.order, static_cast<uint64_t>(old), static_cast<uint64_t>(value), old != value);
  }
  template <typename T, typename Change>
  T Update(Change change) {
    if (IsWeak()) {
      const T read = static_cast<T>(BeginWeakUpdate(orders_.order));
      EndWeakUpdate(orders_.order, static_cast<uint64_t>(change(read)));
      return read;
    }
    const T old = MemoryModel::Read(At<T>());
    const T value = change(old);
    MemoryModel::Write(At<T>(), value);
    Updated(orders_.order, static_cast<uint64_t>(old), old != value);
    return old;
  }
  // Adds `delta`, and nobody looks at what was there. See AtomicAdd.
  op::Level Add(op::Level delta) {
    if (IsWeak()) return Update<op::Level>([=](op::Level old) { return old + delta; });
    const auto old = MemoryModel::Read(At<op::Level>());
    MemoryModel::Write(At<op::Level>(), old + delta);
    Added(orders_.order, old, delta);
    return old;
  }
  // Writes iff it reads `expected`. Never fails spuriously.
  template <typename T>
  T CompareExchange(T expected, T desired) {
    Expects(expected);
    if (IsWeak())
      return static_cast<T>(CompareExchangeWeak(static_cast<uint64_t>(expected),
                                                static_cast<uint64_t>(desired), orders_.order,
                                                orders_.failure));
    const T old = MemoryModel::Read(At<T>());
    if (old == expected) {
      MemoryModel::Write(At<T>(), desired);
      Updated(orders_.order, static_cast<uint64_t>(old), old != desired);
    } else {
      Loaded(orders_.failure, static_cast<uint64_t>(old));
    }
    return old;
  }
  // The same of any number of bytes.
  void LoadBytes(void* value);
  void StoreBytes(const void* value);
  void ExchangeBytes(const void* value, void* found);
  // Did it exchange? If not, `expected` becomes what was found.
  bool CompareExchangeBytes(void* expected, const void* desired);

 protected:
  // Of a compare-exchange, before it is done: the value it looks for.
  template <typename T>
  void Expects(const T& value) {
    if constexpr (sizeof value <= kShownBytes) {
      expected_ = op::Fold(static_cast<uint64_t>(value));
      if (__builtin_expect(g_state.recording, 0)) RecordExpected(static_cast<uint64_t>(value));
    }
    if (__builtin_expect(object_ == nullptr, 0)) ExpectsBytes(&value);
  }
  // It was done. `changed`: the memory holds another value than before.
  void Loaded(int order, uint64_t value);
  void Stored(int order, uint64_t old_value, uint64_t value, bool changed = true);
  void Updated(int order, uint64_t old_value, bool changed = true);
  void Added(int order, op::Level old_value, op::Level delta);
  // What the operation is about to find; its first 16 bytes.
  Word128 Newest() const;

 private:
  // What an event tells of a value.
  static constexpr unsigned kShownBytes = 8;

  template <typename T>
  volatile T* At() const {
    return reinterpret_cast<volatile T*>(operation_.object);
  }
  // As Expects, of any size. REQUIRES: not a size up to eight that is a power of two.
  void ExpectsBytes(const void* value) { touches_.Expect(operation_.object, value, size_); }
  void UseStack();
  void JudgeOnHeap();
  void CommitWithoutEffect();
  // Under tso and c11, of one atom (runtime/weak). Mixed sizes see the newest writes.
  bool IsWeak() const { return __builtin_expect(g_state.weak, 0) && object_ != nullptr; }
  struct Asked {
    int order;
    int failure;        // of a compare-exchange
    uint64_t expected;  // likewise
  };
  void TellAccess(uint64_t found, const Asked& asked);
  void TellIfWeak(op::Access access);
  uint64_t Shown(uint64_t value) const;  // as many of its bytes as the access has
  uint64_t ReadWeak(const model::Label& label);
  const trace::Clock& ReleasedToRead() const;
  void FinishWeakLoad(int order, uint64_t value, const Asked& asked);
  void WriteThrough(uint64_t value);
  void FinishWeakUpdate(uint64_t read, uint64_t value, const Asked& asked);
  uint64_t LoadWeak(int order);
  void StoreWeak(uint64_t value, int order);
  uint64_t BeginWeakUpdate(int order);
  void EndWeakUpdate(int order, uint64_t value);
  uint64_t CompareExchangeWeak(uint64_t expected, uint64_t desired, int order, int failure_order);
  void CheckRaces(bool write, int order);
  template <typename F>
  void ForEachObject(F f);
  void Acquire(int order);
  void AcquireFromObject(int order, const trace::Clock& release);
  void Done(op::Access access, uint64_t old_value, uint64_t value, bool changed);

  void RunAsAsked();

  op::Operation operation_;
  Orders orders_;
  op::Level expected_ = 0;  // of a compare-exchange: what it looks for, folded
  unsigned size_;
  bool freed_ = false;        // its memory was
  Object* object_ = nullptr;  // if all it touches is one atom of at most kShownBytes
  Touches touches_;           // else
};

void AtomicFence(int order, uintptr_t pc);
// One that the program does not say: of an asm statement, or before an operation (RunAs).
// REQUIRES: in an execution.
void MakeFence(int order, uintptr_t pc);

// What the kernel finds in the word of a futex under tso and c11, where a thread begins to wait:
// behind a fence, and under the lock of the queue of those who sleep there. REQUIRES:
// IsFutexWord(atom).
uint32_t ReadFutexWeak(const Object& atom, uint32_t queue);

// The first bytes of a value, as many as an event tells.
uint64_t FirstWord(const void* value, size_t size);

template <typename T>
T Apply(Fetch fetch, T old, T operand) {
  switch (fetch) {
    case Fetch::kAdd:
      return static_cast<T>(old + operand);
    case Fetch::kSub:
      return static_cast<T>(old - operand);
    case Fetch::kAnd:
      return old & operand;
    case Fetch::kOr:
      return old | operand;
    case Fetch::kXor:
      return old ^ operand;
    case Fetch::kNand:
      return static_cast<T>(~(old & operand));
  }
  __builtin_unreachable();
}

// What an operation does not tell of a value: of what is stored, all beyond its first word.
template <typename T>
void HoldUpper(const T& value) {
  if constexpr (sizeof value > sizeof(uint64_t))
    HashCallArgument(static_cast<uint64_t>(value >> 64));
}
template <typename T>
void HoldValue(const T& value) {
  HashCallArgument(static_cast<uint64_t>(value));
  HoldUpper(value);
}

template <typename T>
T AtomicLoad(const volatile T* address, int order, uintptr_t pc) {
  if (!InExecution()) return HostLoad(address);
  AtomicStep step(op::Kind::kAtomicLoad, address, sizeof(T), order, 0, pc);
  return step.Load<T>();
}

template <typename T>
void AtomicStore(volatile T* address, T value, int order, uintptr_t pc) {
  if (!InExecution()) return HostStore(address, value, order);
  HoldUpper(value);
  AtomicStep step(op::Kind::kAtomicStore, address, sizeof(T), order, static_cast<uint64_t>(value),
                  pc);
  step.Store(value);
}

template <typename T>
T AtomicExchange(volatile T* address, T value, int order, uintptr_t pc) {
  if (!InExecution()) return HostExchange(address, value);
  HoldUpper(value);
  AtomicStep step(op::Kind::kAtomicExchange, address, sizeof(T), order,
                  static_cast<uint64_t>(value), pc);
  return step.Update<T>([=](T) { return value; });
}

template <typename T>
T AtomicFetch(Fetch fetch, volatile T* address, T operand, int order, uintptr_t pc) {
  const auto change = [=](T old) { return Apply(fetch, old, operand); };
  if (!InExecution()) return HostUpdate(address, change);
  HoldUpper(operand);
  AtomicStep step(op::Kind::kAtomicFetch, address, sizeof(T), order, static_cast<uint64_t>(operand),
                  pc, static_cast<uint8_t>(fetch));
  return step.Update<T>(change);
}

// A Fetch of which the program does not look at the result (assembly/unseen_adds.h). Additions to
// one place by several threads commute, then: each leads to the same state after the other. So they
// are kShared accesses, and no two orders of them are explored. An addition does not learn from
// others of its group (Object::group), so what is ordered does not depend on their order either.
// Their events have what they add in the place of what a compare-exchange expects.
//
// A loop that waits for one value is passed over by the reductions where it would find another one
// (dpor_extensions.md, "Loops that wait"), and of a group they try what comes of leaving out one
// addition. So additions to what loops wait for are told apart. Nor do they commute where states
// are compared (--visited states): a group is no part of a state.
//
// REQUIRES: kAdd or kSub; the place changes by atomic operations only.
inline op::Level AtomicAdd(Fetch fetch, volatile op::Level* address, op::Level operand, int order,
                           uintptr_t pc) {
  if (!InExecution()) return AtomicFetch(fetch, address, operand, order, pc);
  AtomicStep step(op::Kind::kAtomicFetch, address, sizeof operand, order, operand, pc,
                  static_cast<uint8_t>(fetch));
  return step.Add(fetch == Fetch::kSub ? -operand : operand);
}

// The value found: the exchange was made iff it equals `expected`.
template <typename T>
T AtomicCompareExchange(volatile T* address, T expected, T desired, int order, int failure_order,
                        uintptr_t pc) {
  if (!InExecution()) return HostCompareExchange(address, expected, desired);
  HoldValue(expected);
  HoldUpper(desired);
  AtomicStep step(op::Kind::kAtomicCompareExchange, address, sizeof(T), {order, failure_order},
                  static_cast<uint64_t>(desired), pc);
  return step.CompareExchange(expected, desired);
}

}  // namespace heddle::runtime
