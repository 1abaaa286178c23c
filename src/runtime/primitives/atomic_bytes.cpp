#include "runtime/primitives/atomic_bytes.h"

#include "runtime/prim/copy.h"
#include "runtime/prim/host_lock.h"
#include "runtime/prim/lifetime.h"
#include "runtime/primitives/atomic.h"

namespace heddle::runtime {
namespace {

// Outside an execution: locks all objects that no instruction can handle.
[[HEDDLE_LASTS("free between events")]] bool host_locked;

AtomicStep Step(op::Kind kind, const void* address, size_t size, Orders orders, uint64_t operand,
                uintptr_t pc) {
  return AtomicStep(kind, address, static_cast<unsigned>(size), orders, operand, pc);
}

template <typename T>
T ValueAt(const void* at) {
  return LoadAt<T>(static_cast<const char*>(at));
}
template <typename T>
void SetValue(void* at, T value) {
  StoreAt<T>(static_cast<char*>(at), value);
}

// Calls typed(T()) with the type that has instructions for an object of this size at this address;
// false if there is none.
template <typename F>
bool WithType(size_t size, const void* address, F typed) {
  if (reinterpret_cast<uintptr_t>(address) % size != 0) return false;
  switch (size) {
    case 1:
      return typed(uint8_t()), true;
    case 2:
      return typed(uint16_t()), true;
    case 4:
      return typed(uint32_t()), true;
    case 8:
      return typed(uint64_t()), true;
    case 16:
      return typed(Word128()), true;
    default:
      return false;
  }
}

}  // namespace

void AtomicLoadBytes(size_t size, const void* address, void* result, int order, uintptr_t pc) {
  if (size == 0) return;
  HashCallArgument(result);
  const bool done = WithType(size, address, [&]<typename T>(T) {
    SetValue(result, AtomicLoad(static_cast<const volatile T*>(address), order, pc));
  });
  if (done) return;
  if (!InExecution()) {
    HostLock lock(&host_locked);
    CopyForward(result, address, size);
    return;
  }
  AtomicStep step = Step(op::Kind::kAtomicLoad, address, size, order, 0, pc);
  step.LoadBytes(result);
}

void AtomicStoreBytes(size_t size, void* address, const void* value, int order, uintptr_t pc) {
  if (size == 0) return;
  HashCallArgument(value);
  const bool done = WithType(size, address, [&]<typename T>(T) {
    AtomicStore(static_cast<volatile T*>(address), ValueAt<T>(value), order, pc);
  });
  if (done) return;
  if (!InExecution()) {
    HostLock lock(&host_locked);
    CopyForward(address, value, size);
    return;
  }
  AtomicStep step = Step(op::Kind::kAtomicStore, address, size, order, FirstWord(value, size), pc);
  step.StoreBytes(value);
}

void AtomicExchangeBytes(size_t size, void* address, const void* value, void* result, int order,
                         uintptr_t pc) {
  if (size == 0) return;
  HashCallArgument(value);
  HashCallArgument(result);
  const bool done = WithType(size, address, [&]<typename T>(T) {
    SetValue(result,
             AtomicExchange(static_cast<volatile T*>(address), ValueAt<T>(value), order, pc));
  });
  if (done) return;
  if (!InExecution()) {
    HostLock lock(&host_locked);
    CopyForward(result, address, size);
    CopyForward(address, value, size);
    return;
  }
  AtomicStep step =
      Step(op::Kind::kAtomicExchange, address, size, order, FirstWord(value, size), pc);
  step.ExchangeBytes(value, result);
}

bool AtomicCompareExchangeBytes(size_t size, void* address, void* expected, const void* desired,
                                int order, int failure_order, uintptr_t pc) {
  if (size == 0) return true;
  HashCallArgument(expected);
  HashCallArgument(desired);
  bool equal = false;
  const bool done = WithType(size, address, [&]<typename T>(T) {
    const T wanted = ValueAt<T>(expected);
    const T found = AtomicCompareExchange(static_cast<volatile T*>(address), wanted,
                                          ValueAt<T>(desired), order, failure_order, pc);
    equal = found == wanted;
    if (!equal) SetValue(expected, found);
  });
  if (done) return equal;
  if (!InExecution()) {
    HostLock lock(&host_locked);
    equal = EqualBytes(address, expected, size);
    CopyForward(equal ? address : expected, equal ? desired : address, size);
    return equal;
  }
  AtomicStep step = Step(op::Kind::kAtomicCompareExchange, address, size, {order, failure_order},
                         FirstWord(desired, size), pc);
  return step.CompareExchangeBytes(expected, desired);
}

}  // namespace heddle::runtime
