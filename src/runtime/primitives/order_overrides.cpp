#include "runtime/primitives/order_overrides.h"

#include <string.h>
#include <unwind.h>

#include <algorithm>
#include <span>

#include "base/hash.h"
#include "channel/orders.h"
#include "runtime/control.h"
#include "runtime/memory/pages.h"
#include "runtime/places.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

using channel::kMaxOrderFrames;

// An operation, told apart by where it is and what it says.
struct Key {
  uintptr_t pc[kMaxOrderFrames];
  uint32_t count;  // of pc
  uint8_t kind, order, failure;
};

bool AreEqual(const Key& a, const Key& b) {
  return a.count == b.count && a.kind == b.kind && a.order == b.order && a.failure == b.failure &&
         std::equal(a.pc, a.pc + a.count, b.pc);
}

struct Entry {
  Key key;
  bool used, told;
  bool asked;  // an override says what follows
  uint8_t run_order, run_failure, fence_before;
};

// Of this process, by hash, open addressing. As many entries as there may be overrides, and as many
// operations that have none.
constexpr uint64_t kSlots = 16 * 1024;
constexpr uint64_t kMostEntries = kSlots / 2;
static_assert(channel::kMaxOrderOverrides < kMostEntries);

struct Table {
  Entry slots[kSlots];
  uint64_t entries;
  uintptr_t by_caller[channel::kMaxOrderOverrides];
  uint64_t by_caller_count;
  bool full_told;
};
[[HEDDLE_LASTS("of the search")]] Table* table;

// Null: the table is full.
Entry* FindEntry(const Key& key) {
  uint64_t hash = base::Fold(key.kind, (uint64_t{key.order} << 8) | key.failure);
  for (uint32_t i = 0; i < key.count; ++i) hash = base::Fold(hash, key.pc[i]);
  uint64_t at = hash & (kSlots - 1);
  for (; table->slots[at].used; at = (at + 1) & (kSlots - 1))
    if (AreEqual(table->slots[at].key, key)) return &table->slots[at];
  if (table->entries == kMostEntries) return nullptr;
  ++table->entries;
  Entry& entry = table->slots[at];
  entry = {key, true, false, false, key.order, key.failure, __ATOMIC_RELAXED};
  return &entry;
}

bool IsByCaller(uintptr_t pc) {
  const std::span all(table->by_caller, table->by_caller_count);
  return std::ranges::find(all, pc) != all.end();
}

void Add(const channel::OrderOverride& asked) {
  Key key = {};
  key.count = std::min(asked.frame_count, kMaxOrderFrames);
  for (uint32_t i = 0; i < key.count; ++i) {
    key.pc[i] = AddressOf(asked.frames[i].module, asked.frames[i].offset);
    if (key.pc[i] == 0) return;  // not loaded: nothing is made there
  }
  if (asked.by_caller != 0) {
    table->by_caller[table->by_caller_count++] = key.pc[0];
    return;
  }
  key.kind = asked.op_kind;
  key.order = asked.order;
  key.failure = asked.failure;
  Entry& entry = *FindEntry(key);
  entry.asked = true;
  entry.run_order = asked.run_order;
  entry.run_failure = asked.run_failure;
  entry.fence_before = asked.fence_before;
}

struct Stack {
  uintptr_t from;  // kept from the frame with this return address on
  uint32_t most;
  uint32_t count;
  uint64_t* pc;
};

_Unwind_Reason_Code KeepFrame(_Unwind_Context* context, void* argument) {
  auto* stack = static_cast<Stack*>(argument);
  const uintptr_t pc = _Unwind_GetIP(context);
  if (stack->count == 0 && pc != stack->from) return _URC_NO_REASON;
  stack->pc[stack->count++] = pc;
  return stack->count == stack->most ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// How many return addresses, from `pc` on, are in `to`.
uint32_t TakeStack(uintptr_t pc, uint64_t* to, uint32_t most) {
  const OutsideExecution outside;
  Stack stack = {pc, most, 0, to};
  _Unwind_Backtrace(KeepFrame, &stack);
  if (stack.count == 0) to[stack.count++] = pc;
  return stack.count;
}

void Tell(const Key& key, bool asked) {
  channel::AtomicRecord record = {};
  record.head.kind = channel::RecordKind::kAtomic;
  record.op_kind = key.kind;
  record.order = key.order;
  record.failure = key.failure;
  record.asked = asked;
  record.places = key.count;
  record.frames = TakeStack(key.pc[0], record.pc, channel::kMaxFrames);
  AppendRecord(&record.head, sizeof record, nullptr, 0);
}

void TellFull() {
  if (table->full_told) return;
  table->full_told = true;
  channel::AtomicRecord record = {};
  record.head.kind = channel::RecordKind::kAtomic;
  AppendRecord(&record.head, sizeof record, nullptr, 0);
}

Key KeyOf(op::Kind kind, const Orders& orders, uintptr_t pc) {
  Key key = {};
  key.kind = static_cast<uint8_t>(kind);
  key.order = static_cast<uint8_t>(StripOrderHints(orders.order));
  key.failure = static_cast<uint8_t>(StripOrderHints(orders.failure));
  key.pc[0] = pc;
  key.count = 1;
  if (!IsByCaller(pc)) return key;
  uint64_t stack[kMaxOrderFrames];
  const uint32_t frames = TakeStack(pc, stack, kMaxOrderFrames);
  while (key.count < frames && IsByCaller(key.pc[key.count - 1])) {
    key.pc[key.count] = stack[key.count];
    ++key.count;
  }
  return key;
}

int WithHints(int said, uint8_t run) { return (said & ~7) | run; }

}  // namespace

void InitOrderOverrides() {
  const channel::Settings& settings = ChannelHeader().settings;
  g_state.order_overrides = settings.order_overrides != 0 || settings.tell_orders != 0;
  if (!g_state.order_overrides) return;
  table = static_cast<Table*>(ReserveMemory(sizeof(Table)));
  for (uint32_t i = 0; i < settings.order_overrides; ++i) Add(OrderOverrides()[i]);
}

RunAs RunAsOf(op::Kind kind, const Orders& orders, uintptr_t pc) {
  if (orders.of_instruction) return {orders};
  const Key key = KeyOf(kind, orders, pc);
  Entry* const entry = FindEntry(key);
  if (entry == nullptr) {
    TellFull();
    return {orders};
  }
  if (!entry->told && ChannelHeader().settings.tell_orders != 0) {
    entry->told = true;
    Tell(key, entry->asked);
  }
  return {
      {WithHints(orders.order, entry->run_order), WithHints(orders.failure, entry->run_failure)},
      entry->fence_before};
}

}  // namespace heddle::runtime
