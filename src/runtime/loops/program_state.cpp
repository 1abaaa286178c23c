#include "runtime/loops/program_state.h"

#include <algorithm>

#include "base/hash.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/loops/cycle.h"
#include "runtime/loops/recurrence.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/readable.h"

namespace heddle::runtime {
namespace {

using base::MixTwo;

uint64_t HashOfObject(const Object& object) {
  switch (object.kind) {
    case ObjectKind::kMutex:
    case ObjectKind::kSpinLock:
    case ObjectKind::kStream:
      if (object.mutex.owner == op::kNoThread) return object.mutex.owner_died ? 1 : 0;
      return MixTwo(object.mutex.owner + 1, object.mutex.count);
    case ObjectKind::kRwLock: {
      uint64_t sum = MixTwo(object.rwlock.writer, object.rwlock.readers);
      for (const ReadHold* hold = object.rwlock.holds; hold != nullptr; hold = hold->next)
        sum += hold->count == 0 ? 0 : MixTwo(hold->thread, hold->count);
      return sum;
    }
    case ObjectKind::kSemaphore:
      return object.semaphore.value;
    case ObjectKind::kFree:
    case ObjectKind::kWord:
    case ObjectKind::kFutex:
    case ObjectKind::kCondition:
    case ObjectKind::kOnce:
    case ObjectKind::kBarrier:
    case ObjectKind::kException:
    case ObjectKind::kThread:
    case ObjectKind::kStack:
    case ObjectKind::kProgram:
      break;
  }
  return object.uses;  // no state with another use of it is the same
}

}  // namespace

uint64_t LastingChanges() {
  uint64_t sum = g_used_fibers;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    sum += fiber.changes - fiber.memory_changes - fiber.lock_operations - fiber.semaphore_changes;
  }
  return sum;
}

void ProgramState::Begin(bool from_start) {
  from_start_ = from_start;
  object_count_ = unknown_objects_ = 0;
  next_event_ = from_start ? 0 : g_trace->event_count;
  ForgetWrites();
  for (op::ThreadId id = 0; id < kThreads; ++id) {
    const bool known = id < g_used_fibers;
    written_[id] = known ? g_fibers[id].written : 0;
    changes_[id] = known ? g_fibers[id].changes : 0;
    local_[id] = 1;
  }
}

void ProgramState::NoteStands(const Fiber& fiber) { local_[fiber.id] = StateOf(fiber); }

void ProgramState::ForgetWrites() {
  cell_count_ = 0;
  std::fill_n(cells_, kCells, Cell{});
}

bool ProgramState::NoteObject(uint32_t number) {
  const ObjectKind kind = ObjectOfNumber(number).kind;
  if (kind == ObjectKind::kWord) return true;
  if (std::find(objects_, objects_ + object_count_, number) != objects_ + object_count_)
    return true;
  if (object_count_ == kObjects) return false;
  objects_[object_count_++] = number;
  if (!from_start_ || !IsMutexLike(kind)) ++unknown_objects_;
  return true;
}

bool ProgramState::NoteEvents() {
  const TraceBuffers& t = *g_trace;
  for (; next_event_ < t.event_count; ++next_event_) {
    const trace::Event& event = t.events[next_event_];
    if (event.object != trace::kNoObject && !NoteObject(event.object)) return false;
  }
  return true;
}

bool ProgramState::NoteCell(RecentWrite write) {
  constexpr uint64_t kAddress = (uint64_t{1} << kWriteAddressBits) - 1;
  if (write == 0) return false;
  if (IsOfSnapshot(write & kAddress)) return true;
  if (cell_count_ >= kCells / 2) return false;
  uint32_t at = base::Spread(write) >> 40 & (kCells - 1);
  while (cells_[at].write != 0 && cells_[at].write != write) at = (at + 1) & (kCells - 1);
  if (cells_[at].write == 0) ++cell_count_;
  cells_[at].write = write;
  return true;
}

uint64_t ProgramState::NoteWrites() {
  uint64_t changed = 0;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (fiber.changes != changes_[id]) changed |= BitOf(id);
    changes_[id] = fiber.changes;
    if (fiber.written - written_[id] > kRecentWrites) return ~uint64_t{0};
    for (; written_[id] != fiber.written; ++written_[id])
      if (!NoteCell(fiber.windows.recent[written_[id] % kRecentWrites])) return ~uint64_t{0};
  }
  return changed;
}

uint64_t ProgramState::HashOfCells() const {
  uint64_t sum = cell_count_ + 1;
  if (cell_count_ == 0) return sum;
  constexpr uint64_t kAddress = (uint64_t{1} << kWriteAddressBits) - 1;
  for (const Cell& cell : cells_) {
    if (cell.write == 0) continue;
    const uintptr_t address = cell.write & kAddress;
    const size_t size = cell.write >> kWriteAddressBits;
    if (!IsReadable(address & -8ull) || !IsReadable((address + size - 1) & -8ull)) return 0;
    sum += MixTwo(cell.write, base::HashBytes(reinterpret_cast<const char*>(address), size));
  }
  return sum;
}

uint64_t ProgramState::HashOfThread(const Fiber& fiber) const {
  const op::Operation& pending = fiber.pending;
  const bool timed = fiber.timed && !fiber.spinning;
  const uint64_t flags = uint64_t{fiber.spinning} | uint64_t{fiber.polling} << 1 |
                         uint64_t{fiber.timed} << 2 | uint64_t{fiber.late} << 3 |
                         uint64_t{fiber.done} << 4 | uint64_t{fiber.atomic_depth != 0} << 5 |
                         static_cast<uint64_t>(fiber.wake) << 8 |
                         static_cast<uint64_t>(fiber.state) << 16 | uint64_t{fiber.id} << 32;
  if (fiber.state != FiberState::kPublished) return MixTwo(flags, 1);
  uint64_t hash = MixTwo(flags, local_[fiber.id]);
  hash = MixTwo(hash, pending.pc);
  hash = MixTwo(hash, pending.object);
  hash = MixTwo(hash, pending.object2);
  hash = MixTwo(hash, pending.operand);
  hash = MixTwo(hash, uint64_t{pending.other} << 16 | static_cast<uint64_t>(pending.kind) << 8 |
                          pending.detail);
  return timed ? MixTwo(hash, fiber.deadline) : hash;
}

uint64_t ProgramState::Hash() const {
  const Fiber& last = g_fibers[g_schedule.running];
  const uint64_t cells = HashOfCells();
  if (cells == 0) return 0;
  // Who ran last says what a schedule from here on costs.
  uint64_t hash = MixTwo(g_schedule.running, uint64_t{last.yielding} << 1 | 1);
  hash = MixTwo(hash, cells);
  hash = MixTwo(hash, uint64_t{object_count_} << 32 | unknown_objects_);
  hash = MixTwo(hash, HashOfSnapshot());
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    const bool large = op::IsAtomic(fiber.pending.kind) && fiber.pending.size > 8;
    if (fiber.state == FiberState::kPublished && (large || local_[id] == 0)) return 0;
    hash += HashOfThread(fiber);
  }
  for (uint32_t i = 0; i < object_count_; ++i) {
    const uint64_t of_object = HashOfObject(ObjectOfNumber(objects_[i]));
    if (of_object != 0) hash += MixTwo(objects_[i], of_object);
  }
  return hash | 1;
}

}  // namespace heddle::runtime
