#include "runtime/fibers/counted_wait.h"

#include <algorithm>
#include <new>

#include "base/hash.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/scheduler.h"
#include "runtime/memory/program_heap.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// More rounds than any lock or queue in use spins (moodycamel's semaphore: 10,000).
constexpr uint32_t kMostRounds = 20'000;

// Compares word by word. False: too much is different.
bool FindCounters(const Frame& before, const Frame& now, CountedLoop& found) {
  found.counter_count = 0;
  if (before.count != now.count) return false;
  for (uint32_t i = 0; i < now.count; ++i) {
    if (before.words[i] == now.words[i]) continue;
    if (found.counter_count == kCounters) return false;
    found.counters[found.counter_count++] = {i, now.words[i] - before.words[i]};
  }
  return found.counter_count != 0;
}

bool StepAsBefore(const CountedLoop& loop, const Frame& now) {
  if (loop.frame.count != now.count) return false;
  uint32_t next = 0;
  for (uint32_t i = 0; i < now.count; ++i) {
    uint64_t expected = loop.frame.words[i];
    if (next < loop.counter_count && loop.counters[next].word == i)
      expected += loop.counters[next++].step;
    if (now.words[i] != expected) return false;
  }
  return true;
}

bool IsPartOfRound(const Fiber& self, const op::Operation& operation) {
  const SpinWindow& window = self.quiet;
  return self.changes == window.changes &&
         std::find(window.places, window.places + window.place_count, operation.pc) !=
             window.places + window.place_count;
}

// Of what the thread reads in its rounds: if they are others, it may be somebody else who counts.
// 0 before the first round.
uint64_t VersionsRead(const SpinWindow& window) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < window.count && i < kSpinAccesses; ++i) {
    const SpinAccess& access = window.accesses[i];
    if (!access.written) hash = base::Fold(hash ^ access.object->number, access.object->version);
  }
  return hash;
}

}  // namespace

bool Counts(Fiber& self, const Frame& frame) {
  const Recurrence& cycle = self.quiet.cycle;
  if (frame.count == 0) return false;
  const bool first = self.counted == nullptr;
  if (first) self.counted = new (g_state.bump.Take(sizeof(CountedLoop))) CountedLoop;
  CountedLoop& loop = *self.counted;
  const uint64_t versions = VersionsRead(self.quiet);
  // While it has addresses of its own in each round, these look like counters (heap_rounds.h).
  const uintptr_t heap = g_program_heap.EndOf(self.id);
  const bool next = !first && loop.anchor == cycle.anchor && loop.visit + 1 == cycle.visits &&
                    loop.heap == heap && (loop.versions == versions || loop.versions == 0);
  if (!next)
    loop.steps = 0;
  else if (loop.steps != 0 && StepAsBefore(loop, frame))
    ++loop.steps;
  else
    loop.steps = FindCounters(loop.frame, frame, loop) ? 1 : 0;
  loop.anchor = cycle.anchor;
  loop.visit = cycle.visits;
  loop.versions = versions;
  loop.heap = heap;
  CopyFrame(loop.frame, frame);
  return loop.steps >= 2 && loop.endless != cycle.anchor;
}

void BeginRunningOut(Fiber& self) {
  self.counted->waits = false;
  self.counted->runs_out = true;
  self.counted->rounds = 0;
  self.counted->yields = false;
  RespectAtomicSections();
}

bool StillRunsOut(Fiber& self, const op::Operation& operation) {
  CountedLoop& loop = *self.counted;
  if (IsPartOfRound(self, operation)) {
    loop.yields |= op::Has(operation.kind, op::kYields);
    if (!IsAt(self.quiet.cycle, operation)) return true;
    loop.yields = false;
    self.repeats_reads = true;
    if (++loop.rounds <= kMostRounds) return true;
    if (OthersCouldGoOn()) {
      NoteWeakness(
          "a loop that waits went more than 20,000 rounds: that it ends by itself after more of "
          "them "
          "is not explored");
      EndAsRedundant();
    }
    loop.endless = operation.pc;
  }
  loop.runs_out = self.repeats_reads = false;
  return false;
}

}  // namespace heddle::runtime
