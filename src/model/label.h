// What a thread does to memory, as memory models see it.
#pragma once

#include <cstdint>
#include <optional>

namespace heddle::model {

using ThreadId = uint16_t;
using LocationId = uint32_t;
using Value = uint64_t;

enum class Order : uint8_t { kPlain, kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst };

inline bool IsAtomic(Order order) { return order != Order::kPlain; }
inline bool IsAcquire(Order order) {
  return order == Order::kAcquire || order == Order::kAcqRel || order == Order::kSeqCst;
}
inline bool IsRelease(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}

enum class Action : uint8_t { kLoad, kStore, kUpdate, kFence, kCreate, kJoin };

// What an update, a read-modify-write, makes of the value that it reads.
enum class Update : uint8_t { kExchange, kCompareExchange, kAdd, kAnd, kOr, kXor };

struct Label {
  Action action = Action::kFence;
  Order order = Order::kRelaxed;
  Order failure = Order::kRelaxed;  // of a compare-exchange that fails, which is a load
  Update update = Update::kExchange;
  // Of a store or update: C11's release sequences, by which it continues those that stores of its
  // own thread to this location head. C++20 has no such rule.
  bool continues_own_sequences = false;
  ThreadId other = 0;  // whom a kCreate creates, and a kJoin joins
  LocationId location = 0;
  Value operand = 0;   // what a store stores; of an update, its right-hand side
  Value expected = 0;  // of a compare-exchange

  bool operator==(const Label&) const = default;
};

// What an update stores that reads `value`; nothing if it is a compare-exchange and fails.
inline std::optional<Value> Updated(const Label& label, Value value) {
  switch (label.update) {
    case Update::kExchange:
      return label.operand;
    case Update::kCompareExchange:
      return value == label.expected ? std::optional(label.operand) : std::nullopt;
    case Update::kAdd:
      return value + label.operand;
    case Update::kAnd:
      return value & label.operand;
    case Update::kOr:
      return value | label.operand;
    case Update::kXor:
      return value ^ label.operand;
  }
  return std::nullopt;
}

}  // namespace heddle::model
