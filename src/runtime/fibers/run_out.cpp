#include "runtime/fibers/run_out.h"

#include <algorithm>
#include <new>

#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/recurrence.h"
#include "runtime/fibers/scheduler.h"
#include "runtime/fibers/spin.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// More rounds than any lock or queue in use spins (moodycamel's semaphore: 10,000).
constexpr uint32_t kMostRounds = 20'000;
// Waits of one thread that may end so in one execution: a loop of many operations, which is not
// followed to its end, would else be gone on with for ever.
constexpr uint32_t kMostTimes = 256;

bool IsPartOfRound(const Fiber& self, const RunOut& loop, const op::Operation& operation) {
  if (loop.window == nullptr) return false;
  const SpinWindow& window = *loop.window;
  const uint64_t changes = loop.window == &self.quiet ? self.changes : LastingChanges(self);
  // Other rounds may yield where these did not, and after the loop a yield is no scheduling point
  // that anything depends on.
  if (changes == window.changes && op::Has(operation.kind, op::kYields)) return true;
  const uint32_t places = std::min(window.place_count, kPlacesOfRound);
  return changes == window.changes &&
         std::find(window.places, window.places + places, operation.pc) != window.places + places;
}

void EndIfOthersCould() {
  if (!OthersCouldGoOn()) return;
  NoteIncomplete(Incomplete::kManyRounds);
  EndAsRedundant();
}

}  // namespace

void WaitToRunOut(Fiber& self, SpinWindow* window) {
  if (self.run_out == nullptr) self.run_out = new (g_state.bump.Take(sizeof(RunOut))) RunOut;
  self.run_out->window = window;
  self.run_out->waits = true;
}

void BeginRunningOut(Fiber& self) {
  RunOut& loop = *self.run_out;
  if (++loop.times > kMostTimes) EndIfOthersCould();
  loop.waits = false;
  loop.runs = true;
  loop.rounds = 0;
  loop.yields = false;
  RespectAtomicSections();
}

bool StillRunsOut(Fiber& self, const op::Operation& operation) {
  RunOut& loop = *self.run_out;
  if (IsPartOfRound(self, loop, operation)) {
    loop.yields |= op::Has(operation.kind, op::kYields);
    if (!IsAt(loop.window->cycle, operation)) return true;
    loop.yields = false;
    self.repeats_reads = true;
    if (++loop.rounds <= kMostRounds) return true;
    EndIfOthersCould();
  }
  loop.runs = self.repeats_reads = false;
  return false;
}

}  // namespace heddle::runtime
