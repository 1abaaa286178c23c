// What a thread does to memory, as memory models see it.
#pragma once

#include <cstdint>
#include <optional>

namespace heddle::model {

using ThreadId = uint16_t;
using LocationId = uint32_t;
using Value = uint64_t;

enum class Order : uint8_t { kPlain, kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst };

// A memory order of C11, as __ATOMIC_*; consume is acquire.
inline Order OrderOf(int order) {
  switch (order) {
    case __ATOMIC_RELAXED:
      return Order::kRelaxed;
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE:
      return Order::kAcquire;
    case __ATOMIC_RELEASE:
      return Order::kRelease;
    case __ATOMIC_ACQ_REL:
      return Order::kAcqRel;
    default:
      return Order::kSeqCst;
  }
}

inline bool IsAtomic(Order order) { return order != Order::kPlain; }
inline bool IsAcquire(Order order) {
  return order == Order::kAcquire || order == Order::kAcqRel || order == Order::kSeqCst;
}
inline bool IsRelease(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}

enum class Action : uint8_t { kLoad, kStore, kUpdate, kFence, kCreate, kJoin, kUse };

// What an update, a read-modify-write, makes of the value that it reads.
enum class Update : uint8_t { kExchange, kCompareExchange, kAdd, kAnd, kOr, kXor, kNand };

// What a use, an operation on a synchronisation object, needs of the object's level to succeed. The
// level is a number that the caller keeps: 1 of a locked mutex, a semaphore's permits, the readers
// of a read-write lock.
enum class Needs : uint8_t {
  kNothing,
  kZero,       // nobody holds it
  kNotWriter,  // no writer holds it
  kPositive,   // a permit
  kUnknown,    // only trying tells
};
constexpr uint32_t kWriter = UINT32_MAX;  // the level of a read-write lock that a writer holds

struct Label {
  Action action = Action::kFence;
  Order order = Order::kRelaxed;
  // Of a compare-exchange that fails, which is a load, or of a use that does not succeed.
  Order failure = Order::kRelaxed;
  Update update = Update::kExchange;
  // Of a store or update: C11's release sequences, by which it continues those that stores of its
  // own thread to this location head. C++20 has no such rule.
  bool continues_own_sequences : 1 = false;
  // Of a use: its thread is blocked before it while it cannot succeed. Else it fails instead, which
  // is a use, too.
  bool blocks : 1 = false;
  // Of a use that acquires: it learns from what writers have released only (a reader's lock). A
  // release at level kWriter is a writer's.
  bool shared : 1 = false;
  // For whoever runs the program: a step begins with it; the program ends with it.
  bool begins_step : 1 = false;
  // ... but where its thread's next event is there, the step is that one's.
  bool leaves_step : 1 = false;
  bool ends_program : 1 = false;
  uint8_t bytes = 8;  // of the location: values have no more
  Needs needs = Needs::kNothing;
  ThreadId other = 0;       // whom a kCreate creates, and a kJoin joins
  LocationId location = 0;  // of a use: the object, which is no location of accesses
  uint32_t level = 0;       // of a use: of its object, before it
  Value operand = 0;        // what a store stores; of an update, its right-hand side; of a use, any
  Value expected = 0;       // of a compare-exchange
  // The thread chooses here, among so many, and has taken that one. 1: there is nothing to choose.
  uint32_t options = 1;
  uint32_t option = 0;

  // Of a fence: its thread was let go by another one's event (ExecutionGraph::ComeAfter), which is
  // number `operand` - 1 of the thread `other`.
  bool ComesAfterOther() const { return action == Action::kFence && operand != 0; }

  bool operator==(const Label&) const = default;
};

// What an update stores that reads `value`; nothing if it is a compare-exchange and fails.
inline std::optional<Value> Updated(const Label& label, Value value) {
  const Value all = label.bytes < 8 ? (Value{1} << 8 * label.bytes) - 1 : ~Value{0};
  switch (label.update) {
    case Update::kExchange:
      return label.operand;
    case Update::kCompareExchange:
      return value == label.expected ? std::optional(label.operand) : std::nullopt;
    case Update::kAdd:
      return (value + label.operand) & all;
    case Update::kAnd:
      return value & label.operand;
    case Update::kOr:
      return value | label.operand;
    case Update::kXor:
      return value ^ label.operand;
    case Update::kNand:
      return ~(value & label.operand) & all;
  }
  return std::nullopt;
}

// Does a use succeed on an object of that level? If only trying tells, it may.
inline bool Succeeds(const Label& use, uint32_t level) {
  switch (use.needs) {
    case Needs::kZero:
      return level == 0;
    case Needs::kNotWriter:
      return level != kWriter;
    case Needs::kPositive:
      return level > 0;
    case Needs::kNothing:
    case Needs::kUnknown:
      return true;
  }
  return true;
}
inline bool IsEnabled(const Label& use, uint32_t level) {
  return !use.blocks || Succeeds(use, level);
}

}  // namespace heddle::model
