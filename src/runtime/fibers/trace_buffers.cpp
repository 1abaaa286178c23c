#include "runtime/fibers/trace_buffers.h"

#include <stddef.h>
#include <string.h>

#include "channel/channel.h"

namespace heddle::runtime {

TraceBuffers* g_trace;

namespace {
constexpr uint64_t kEventsAt = 4096;
constexpr uint64_t kEventsBytes = 12ull << 30;
constexpr uint64_t kChoicesAt = kEventsAt + kEventsBytes;
constexpr uint64_t kChoicesBytes = 12ull << 30;
constexpr uint64_t kWordsAt = kChoicesAt + kChoicesBytes;
constexpr uint64_t kWordsBytes = 6ull << 30;
static_assert(kTraceOffset + kWordsAt + kWordsBytes <= channel::kArenaBytes);

// The message comes last. Of it only what is there: copying all of it, three times, took 2 % of a
// short execution.
void CopyEnding(const trace::Ending& from, trace::Ending& to) {
  memcpy(static_cast<void*>(&to), &from, offsetof(trace::Ending, message));
  strcpy(to.message, from.message);
}

}  // namespace

void InitTraceBuffers(uint64_t max_events) {
  const uint64_t base = channel::kArenaAddress + kTraceOffset;
  constexpr uint64_t kMost = kEventsBytes / sizeof(trace::Event) - 16;
  g_trace = reinterpret_cast<TraceBuffers*>(base);
  g_trace->event_limit = static_cast<uint32_t>(max_events < kMost ? max_events : kMost);
  g_trace->events = reinterpret_cast<trace::Event*>(base + kEventsAt);
  g_trace->choices = reinterpret_cast<trace::Choice*>(base + kChoicesAt);
  g_trace->words = reinterpret_cast<uint64_t*>(base + kWordsAt);
  g_trace->choice_capacity = kChoicesBytes / sizeof(trace::Choice);
  g_trace->word_capacity = kWordsBytes / sizeof(uint64_t);
}

void ResetTrace() {
  g_trace->event_count = 0;
  g_trace->choice_count = 0;
  g_trace->word_count = 0;
  g_trace->preemptions = 0;
  g_trace->switches = 0;
  g_trace->findings = 0;
  g_trace->outcome[0] = '\0';
  g_trace->happens_before = 0;
  g_trace->steps_hash = 0;
  constexpr trace::Ending kNone =
      {};  // all of it: what ends this execution may leave parts as they are
  CopyEnding(kNone, g_trace->ending);
}

void ViewTrace(uint32_t threads, trace::Execution& view) {
  view.events = {g_trace->events, g_trace->event_count};
  view.choices = {g_trace->choices, g_trace->choice_count};
  view.words = {g_trace->words, g_trace->word_count};
  CopyEnding(g_trace->ending, view.ending);
  view.threads = threads;
  view.preemptions = g_trace->preemptions;
  view.switches = g_trace->switches;
  view.happens_before = g_trace->happens_before;
  view.steps_hash = g_trace->steps_hash;
  view.findings = g_trace->findings;
}

trace::Execution ViewOfTrace(uint32_t threads) {
  trace::Execution view;
  ViewTrace(threads, view);
  return view;
}

}  // namespace heddle::runtime
