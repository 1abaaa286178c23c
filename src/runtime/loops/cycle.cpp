#include "runtime/loops/cycle.h"

#include "op/dependence.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/loops/loop_progress.h"
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
                                ObjectKind::kStream, ObjectKind::kRwLock, ObjectKind::kSemaphore}) {
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

bool TriesInVain(const trace::Event& event) {
  return op::Has(event.kind, op::kTries) && event.access == op::Access::kRead;
}

// Is there an object of which the thread tries to get hold, and never does?
bool FailsAlways(const Cycle& cycle, op::ThreadId id) {
  const TraceBuffers& t = *g_trace;
  for (uint32_t e = cycle.first_event; e < t.event_count; ++e) {
    const trace::Event& event = t.events[e];
    if (event.thread != id || !TriesInVain(event)) continue;
    bool succeeds = false;
    for (uint32_t other = cycle.first_event; other < t.event_count && !succeeds; ++other) {
      const trace::Event& at = t.events[other];
      const bool takes = op::Has(at.kind, op::kTries) || op::Has(at.kind, op::kBlocks);
      succeeds =
          at.thread == id && at.object == event.object && takes && at.access != op::Access::kRead;
    }
    if (!succeeds) return true;
  }
  return false;
}

// Did the thread try to get hold of something lately, and fail?
bool FailsLately(op::ThreadId id) {
  constexpr uint32_t kLately = 64;  // more than the rounds of loops that poll have
  uint32_t seen = 0;
  for (uint32_t e = g_trace->event_count; e-- > 0 && seen < kLately;) {
    const trace::Event& event = g_trace->events[e];
    if (event.thread != id) continue;
    ++seen;
    if (TriesInVain(event)) return true;
  }
  return false;
}

// Is it in an endless loop alone at some place of the cycle, or in two that it could leave?
CycleProgress LeavesLoops(const Cycle& cycle, const StepLog& log, op::ThreadId id) {
  const TraceBuffers& t = *g_trace;
  if (t.step_count > cycle.first_step + log.kept) return CycleProgress::kNotKnown;
  uint32_t stays_in = kEndlessLoop;
  bool leaves = false;
  for (uint32_t step = cycle.first_step; step < t.step_count; ++step) {
    if (t.steps[step].thread != id) continue;
    const uint32_t loop = log.loops[step % log.kept];
    if (loop == kNotLookedAt) return CycleProgress::kNotKnown;
    if (loop == kUnknownLoop) return CycleProgress::kNo;
    leaves |= loop == kEndlessLoop || (stays_in != kEndlessLoop && loop != stays_in);
    stays_in = loop;
  }
  return leaves ? CycleProgress::kYes : CycleProgress::kNo;
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
    if (!TriesInVain(event)) continue;
    fails |= thread;
    const trace::Event& next = t.events[NextAtLock(cycle, e)];
    if (!op::Has(next.kind, op::kBlocks) || next.object != event.object) otherwise |= thread;
  }
  return (cycle.changed & fails & ~otherwise) != 0;
}

CycleProgress AllMakeProgress(const Cycle& cycle, const StepLog& log) {
  CycleProgress all = CycleProgress::kYes;
  const uint64_t wait = ThreadsThatStand() & ~cycle.ran;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    if ((wait & BitOf(id)) != 0) {
      if (log.now_in == nullptr || !PollsInEndlessLoop(g_fibers[id], log.now_in[id]))
        return CycleProgress::kNo;
      continue;
    }
    if ((cycle.ran & BitOf(id)) == 0) continue;
    if ((cycle.changed & BitOf(id)) == 0 || FailsAlways(cycle, id)) return CycleProgress::kNo;
    const CycleProgress one = LeavesLoops(cycle, log, id);
    if (one == CycleProgress::kNo) return one;
    if (one == CycleProgress::kNotKnown) all = one;
  }
  return all;
}

bool PollsInEndlessLoop(const Fiber& fiber, uint32_t loop) {
  const bool polls = fiber.polling || fiber.waits_after_round;
  return polls && loop == kEndlessLoop && !FailsLately(fiber.id);
}

uint64_t ThreadsThatStand() {
  uint64_t threads = 0;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    const bool stands = fiber.state == FiberState::kPublished;
    if (stands && fiber.pending.kind != op::Kind::kThreadJoin) threads |= BitOf(id);
  }
  return threads;
}

bool GivesWay(const Cycle& cycle) {
  const TraceBuffers& t = *g_trace;
  for (uint32_t e = cycle.first_event; e < t.event_count; ++e)
    if (op::Has(t.events[e].kind, op::kYields)) return true;
  return false;
}

}  // namespace heddle::runtime
