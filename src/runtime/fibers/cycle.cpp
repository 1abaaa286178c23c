#include "runtime/fibers/cycle.h"

#include "op/dependence.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/objects/enabled.h"
#include "runtime/objects/table.h"

namespace heddle::runtime {
namespace {

// Has the thread met `object` at this level in the cycle?
bool Met(const Cycle& cycle, op::ThreadId id, uint32_t object, op::Level level) {
  const TraceBuffers& t = *g_trace;
  for (uint32_t e = cycle.first_event; e < t.event_count; ++e) {
    const trace::Event& event = t.events[e];
    if (event.thread == id && event.object == object && event.level == level) return true;
  }
  return false;
}

// The thread changed nothing in the cycle. Could it have found something else at some moment of it?
bool CouldFindMore(const Cycle& cycle, op::ThreadId id) {
  const TraceBuffers& t = *g_trace;
  for (uint32_t e = cycle.first_event; e < t.event_count; ++e) {
    const trace::Event& event = t.events[e];
    if (event.thread != id || event.object == trace::kNoObject) continue;
    if ((event.detail & op::kListed) != 0) return true;
    for (uint32_t other = cycle.first_event; other < t.event_count; ++other) {
      const trace::Event& at = t.events[other];
      if ((at.detail & op::kListed) != 0) return true;
      if (at.object == event.object && !Met(cycle, id, at.object, at.level)) return true;
    }
  }
  return false;
}

// It stands before a look that would find what it has not found in the cycle.
bool WouldFindMore(const Cycle& cycle, const Fiber& fiber) {
  const op::Operation& pending = fiber.pending;
  const bool word = op::IsAtomic(pending.kind) || op::IsPlain(pending.kind);
  for (const ObjectKind kind : {ObjectKind::kWord, ObjectKind::kMutex, ObjectKind::kSpinLock,
                                ObjectKind::kRwLock, ObjectKind::kSemaphore}) {
    if (word != (kind == ObjectKind::kWord)) continue;
    const Object* object = LookUpObject(pending.object, kind);
    if (object == nullptr) continue;
    const op::Level level =
        word ? LevelOfBytes(reinterpret_cast<const void*>(object->address), object->atom_bytes)
             : LevelOf(*object);
    return !Met(cycle, fiber.id, object->number, level);
  }
  return false;
}

// The next time that the thread of event `e` comes to a lock, going round from there. Itself:
// never.
uint32_t NextAtLock(const Cycle& cycle, uint32_t e) {
  const TraceBuffers& t = *g_trace;
  uint32_t next = e;
  do {
    if (++next == t.event_count) next = cycle.first_event;
    const trace::Event& event = t.events[next];
    const bool takes = op::Has(event.kind, op::kLocks) &&
                       (op::Has(event.kind, op::kBlocks) || op::Has(event.kind, op::kTries));
    if (event.thread == t.events[e].thread && takes) break;
  } while (next != e);
  return next;
}

}  // namespace

uint64_t KeptOutNow(const Cycle& cycle, uint64_t enabled_now) {
  uint64_t out = enabled_now & ~cycle.ran;
  if (out != 0) return out;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    if ((enabled_now & BitOf(id)) == 0 || (cycle.changed & BitOf(id)) != 0) continue;
    if (WouldFindMore(cycle, g_fibers[id])) out |= BitOf(id);
  }
  return out;
}

bool IsFair(const Cycle& cycle) {
  if ((cycle.enabled & ~cycle.ran) != 0) return false;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const bool only_waits = (cycle.ran & BitOf(id)) != 0 && (cycle.changed & BitOf(id)) == 0;
    if (only_waits && CouldFindMore(cycle, id)) return false;
  }
  return true;
}

bool IsPoliteBackOff(const Cycle& cycle) {
  const TraceBuffers& t = *g_trace;
  uint64_t fails = 0;
  uint64_t otherwise = 0;  // threads that do anything else
  for (uint32_t e = cycle.first_event; e < t.event_count; ++e) {
    const trace::Event& event = t.events[e];
    if (event.access == op::Access::kNone) continue;
    const uint64_t thread = BitOf(event.thread);
    if (!op::Has(event.kind, op::kLocks)) otherwise |= thread;
    if (!op::Has(event.kind, op::kTries) || event.access != op::Access::kRead) continue;
    fails |= thread;
    const trace::Event& next = t.events[NextAtLock(cycle, e)];
    if (!op::Has(next.kind, op::kBlocks) || next.object != event.object) otherwise |= thread;
  }
  return (cycle.changed & fails & ~otherwise) != 0;
}

bool GivesWay(const Cycle& cycle) {
  const TraceBuffers& t = *g_trace;
  for (uint32_t e = cycle.first_event; e < t.event_count; ++e)
    if (op::Has(t.events[e].kind, op::kYields)) return true;
  return false;
}

}  // namespace heddle::runtime
