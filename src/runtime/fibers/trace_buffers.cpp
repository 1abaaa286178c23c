#include "runtime/fibers/trace_buffers.h"

#include <stddef.h>
#include <string.h>

#include <algorithm>

#include "channel/layout.h"
#include "channel/sharing.h"
#include "runtime/control.h"
#include "runtime/fibers/fiber.h"
#include "runtime/memory/execution_state.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

[[HEDDLE_LASTS("where the trace is")]] TraceBuffers* g_trace;
[[HEDDLE_LASTS("numbers are names")]] uint32_t g_fiber_count;

namespace {
// Not at the same place of two pages that a cache cannot tell apart (memory/execution_state.h).
constexpr uint64_t kApart = 29 * kPageBytes;
constexpr uint64_t kEventsAt = kPageBytes;
constexpr uint64_t kEventsBytes = 9ull << 30;
constexpr uint64_t kTouchesAt = kEventsAt + kEventsBytes + kApart;
constexpr uint64_t kTouchesBytes = 2ull << 30;
constexpr uint64_t kChoicesAt = kTouchesAt + kTouchesBytes + kApart;
constexpr uint64_t kChoicesBytes = 9ull << 30;
constexpr uint64_t kWordsAt = kChoicesAt + kChoicesBytes + kApart;
constexpr uint64_t kWordsBytes = 3ull << 30;
constexpr uint64_t kStepsAt = kWordsAt + kWordsBytes + kApart;
constexpr uint64_t kStepsBytes = 8ull << 30;
constexpr uint64_t kLetGoAt = kStepsAt + kStepsBytes + kApart;
constexpr uint64_t kLetGoBytes = 1ull << 29;
constexpr uint64_t kPendingAt = kLetGoAt + kLetGoBytes + kApart;
constexpr uint64_t kPendingBytes = uint64_t{kMaxFibers} * sizeof(trace::Pending);
constexpr uint64_t kStalledAt = RoundUp(kPendingAt + kPendingBytes, kPageBytes) + kApart;
constexpr uint64_t kStalledBytes = 1ull << 27;
constexpr uint64_t kLeaksAt = kStalledAt + kStalledBytes + kApart;
constexpr uint64_t kLeaksBytes = 1ull << 26;
constexpr uint64_t kObjectsAt = kLeaksAt + kLeaksBytes + kApart;
constexpr uint64_t kObjectsBytes = 1ull << 30;
constexpr uint64_t kAtomicsAt = kObjectsAt + kObjectsBytes + kApart;
constexpr uint64_t kAtomicsBytes = 5ull << 30;
static_assert(kTraceOffset + kAtomicsAt + kAtomicsBytes <= channel::kArenaBytes);
static_assert(kStepsBytes / sizeof(trace::Step) > kEventsBytes / sizeof(trace::Event));

constexpr trace::Pending kNotCreated = {op::Kind::kThreadStart, 0, trace::kNoObject};

void ResetTrace() {
  TraceBuffers& t = *g_trace;
  static_cast<TraceCounts&>(t) = {};
  t.steps[0] = {op::kNoThread, 0, 0};
  t.step_count = 1;
  t.pending_count = 0;
  TellOfThreads(g_fiber_count);
  t.outcome[0] = '\0';
  // All of it: what ends this execution may leave parts as they are.
  constexpr trace::Ending kNone = {};
  CopyEnding(kNone, t.ending);
}

// Events, choices and the like are only added: what was there before is there still. (Steps that
// may turn out vain: await.cpp.)
void SaveTrace(base::SavedBytes& to) {
  const TraceBuffers& t = *g_trace;
  to.Put(static_cast<const TraceCounts&>(t));
  to.Put(t.outcome);
  to.Put(g_fiber_count);
  to.Put(t.pending, g_fiber_count);
}

void RestoreTrace(base::SavedBytesReader& from) {
  TraceBuffers& t = *g_trace;
  static_cast<TraceCounts&>(t) = from.Get<TraceCounts>();
  from.Get(&t.outcome, 1);
  const auto threads = from.Get<uint32_t>();
  from.Get(t.pending, threads);
  t.pending_count = threads;
  TellOfThreads(g_fiber_count);  // more may have got a name since
  constexpr trace::Ending kNone = {};
  CopyEnding(kNone, t.ending);
}

}  // namespace

void CopyEnding(const trace::Ending& from, trace::Ending& to) {
  memcpy(static_cast<void*>(&to), &from, offsetof(trace::Ending, message));
  strcpy(to.message, from.message);
}

void TellOfThreads(uint32_t numbers) {
  uint32_t& told = g_trace->pending_count;
  for (; told < numbers; ++told) g_trace->pending[told] = kNotCreated;
}

void InitTraceBuffers(uint64_t max_events) {
  const uint64_t base = channel::kArenaAddress + kTraceOffset;
  constexpr uint64_t kMost = kEventsBytes / sizeof(trace::Event) - 16;
  g_trace = reinterpret_cast<TraceBuffers*>(base);
  g_trace->event_limit = static_cast<uint32_t>(max_events < kMost ? max_events : kMost);
  g_trace->events = reinterpret_cast<trace::Event*>(base + kEventsAt);
  g_trace->atomics = reinterpret_cast<trace::AtomicAccess*>(base + kAtomicsAt);
  g_trace->atomic_capacity = kAtomicsBytes / sizeof(trace::AtomicAccess);
  g_trace->touches = reinterpret_cast<trace::Touch*>(base + kTouchesAt);
  g_trace->choices = reinterpret_cast<trace::Choice*>(base + kChoicesAt);
  g_trace->words = reinterpret_cast<uint64_t*>(base + kWordsAt);
  g_trace->steps = reinterpret_cast<trace::Step*>(base + kStepsAt);
  g_trace->let_go = reinterpret_cast<trace::LetGo*>(base + kLetGoAt);
  g_trace->pending = reinterpret_cast<trace::Pending*>(base + kPendingAt);
  g_trace->stalled = reinterpret_cast<trace::Stalled*>(base + kStalledAt);
  g_trace->stalled_capacity = kStalledBytes / sizeof(trace::Stalled);
  g_trace->leaks = reinterpret_cast<trace::Leak*>(base + kLeaksAt);
  g_trace->leak_capacity = kLeaksBytes / sizeof(trace::Leak);
  static_assert(kObjectsBytes == channel::kSharedObjectsBytes);
  const auto shared = reinterpret_cast<uintptr_t>(NamesShared());
  const uint64_t objects = shared != 0 ? shared + channel::kSharedObjectsAt : base + kObjectsAt;
  g_trace->objects = reinterpret_cast<ObjectName*>(objects);
  g_trace->let_go_capacity = kLetGoBytes / sizeof(trace::LetGo);
  g_trace->touch_capacity = kTouchesBytes / sizeof(trace::Touch);
  g_trace->choice_capacity = kChoicesBytes / sizeof(trace::Choice);
  g_trace->word_capacity = kWordsBytes / sizeof(uint64_t);
  TellOfThreads(g_fiber_count);  // of the execution in which the last process died
  AddExecutionTable({.reset = ResetTrace, .save = SaveTrace, .restore = RestoreTrace});
}

}  // namespace heddle::runtime
