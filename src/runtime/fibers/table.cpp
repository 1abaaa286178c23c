#include "runtime/fibers/table.h"

#include <cstddef>
#include <new>

#include "base/check.h"
#include "base/hash.h"
#include "channel/channel.h"
#include "runtime/control.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/names_lock.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/tables.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

[[HEDDLE_LASTS("where the table is")]] Fiber* g_fibers;
[[HEDDLE_OF_EXECUTION]] uint32_t g_used_fibers;
[[HEDDLE_OF_EXECUTION]] uint32_t g_live_threads;

namespace {

// (parent, child) -> number, open addressing. Grows by doubling; lives outside the shared arena and
// is rebuilt from the names in the channel, which are the truth.
struct Slot {
  uint64_t key;  // parent << 32 | child; 0: free (child counts from 1)
  uint32_t number;
};
[[HEDDLE_LASTS("numbers are names")]] Slot* slots;
[[HEDDLE_LASTS("as above")]] uint32_t slot_capacity;

uint64_t HashOf(uint64_t key) { return base::Spread(key) >> 20; }

void Insert(uint64_t key, uint32_t number) {
  uint64_t at = HashOf(key) & (slot_capacity - 1);
  while (slots[at].key != 0) at = (at + 1) & (slot_capacity - 1);
  slots[at] = {key, number};
}

void Rebuild(uint32_t capacity) {
  if (slots != nullptr) UnmapMemory(slots, slot_capacity * sizeof(Slot));
  slot_capacity = capacity;
  slots = static_cast<Slot*>(ReserveMemory(capacity * sizeof(Slot)));
  const channel::ThreadName* names = Names();
  for (uint32_t i = 1; i < g_fiber_count; ++i)
    Insert(uint64_t{names[i].parent} << 32 | names[i].child, i);
}

}  // namespace

namespace {

// Of each record what may still be read: loops matter while a thread lives, and of the ring of
// writes only what was written.
constexpr size_t kHead = offsetof(Fiber, windows);
static_assert(offsetof(Fiber, pending_object) == 5 * 64 && kHead == 10 * 64, "lines of the cache");
constexpr size_t kRing = kHead + offsetof(LoopWindows, recent);
size_t TailOf(const Fiber& fiber) {
  if (fiber.state == FiberState::kFinished || fiber.state == FiberState::kUnused) return 0;
  const uint64_t writes = fiber.written < kRecentWrites ? fiber.written : kRecentWrites;
  return kRing - kHead + writes * sizeof(RecentWrite);
}

void SaveFibers(base::SavedBytes& to) {
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    const char* record = reinterpret_cast<const char*>(&g_fibers[id]);
    to.Put(record, kHead + TailOf(g_fibers[id]));
  }
}

void RestoreFibers(base::SavedBytesReader& from) {
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    char* record = reinterpret_cast<char*>(&g_fibers[id]);
    from.Get(record, kHead);
    from.Get(record + kHead, TailOf(g_fibers[id]));
  }
}

}  // namespace

void InitFiberTable() {
  g_fibers = static_cast<Fiber*>(MapTable(kFibersTable, sizeof(Fiber) * kMaxFibers));
  AddExecutionTable({.reset = nullptr, .save = SaveFibers, .restore = RestoreFibers});
  uint32_t known = NameCount().load(std::memory_order_acquire);
  if (known == 0) {
    const NamesLock lock;
    Names()[0] = {op::kNoThread, 0};
    if (NameCount().load() == 0) NameCount().store(1, std::memory_order_release);
    known = NameCount().load();
  }
  g_fiber_count = known;
  uint32_t capacity = 256;
  while (capacity < 2 * known) capacity *= 2;
  Rebuild(capacity);
}

void SyncFiberTable() {
  const uint32_t known = NameCount().load(std::memory_order_acquire);
  if (known == g_fiber_count) return;
  TellOfThreads(known);
  g_fiber_count = known;
  uint32_t capacity = slot_capacity;
  while (capacity < 2 * known) capacity *= 2;
  Rebuild(capacity);
}

// 0, which is no child's: it has none.
static uint32_t KnownNumber(uint64_t key) {
  uint64_t at = HashOf(key) & (slot_capacity - 1);
  for (; slots[at].key != 0; at = (at + 1) & (slot_capacity - 1))
    if (slots[at].key == key) return slots[at].number;
  return 0;
}

uint32_t NumberOfChild(uint32_t parent, uint32_t child) {
  const uint64_t key = uint64_t{parent} << 32 | child;
  if (const uint32_t known = KnownNumber(key)) return known;
  const NamesLock lock;
  SyncFiberTable();
  if (const uint32_t known = KnownNumber(key)) return known;
  const uint32_t number = g_fiber_count;
  HEDDLE_CHECK(number < kMaxFibers && number < channel::kMaxNames);
  Names()[number] = {parent, child};
  g_fiber_count = number + 1;
  TellOfThreads(g_fiber_count);
  NameCount().store(number + 1, std::memory_order_release);
  if (2 * (number + 1) > slot_capacity)
    Rebuild(2 * slot_capacity);
  else
    Insert(key, number);
  return number;
}

Fiber& BeginFiber(uint32_t number, uint32_t parent) {
  Fiber& fiber = g_fibers[number];
  new (&fiber) Fiber;  // in place: the record is too large to build beside and copy
  fiber.id = number;
  fiber.parent = parent;
  if (parent != op::kNoThread)
    fiber.path = base::MixTwo(g_fibers[parent].path + 1, Names()[number].child);
  fiber.state = FiberState::kCreated;
  fiber.may_fail = static_cast<uint8_t>(ChannelHeader().settings.fail_allocations);
  g_trace->pending[number] = {op::Kind::kThreadStart, 0, trace::kNoObject};
  ++g_trace->created;
  if (number >= g_used_fibers) {
    // Numbers in between may belong to paths that this execution does not take. Nothing is left of
    // who had them in another one.
    for (uint32_t i = g_used_fibers; i < number; ++i) {
      new (&g_fibers[i]) Fiber;
      g_fibers[i].id = i;
    }
    g_used_fibers = number + 1;
  }
  return fiber;
}

Fiber& FiberAt(op::ThreadId id) { return g_fibers[id]; }

}  // namespace heddle::runtime
