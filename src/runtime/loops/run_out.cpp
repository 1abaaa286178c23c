#include "runtime/loops/run_out.h"

#include <algorithm>
#include <new>

#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/schedule.h"
#include "runtime/loops/recurrence.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// More rounds than any lock or queue in use spins (moodycamel's semaphore: 10,000).
constexpr uint32_t kMostRounds = 20'000;
// Waits of one thread that may end so in one execution: a loop of many operations, which is not
// followed to its end, would else be gone on with for ever.
constexpr uint32_t kMostTimes = 256;

// After so many rounds of one look it is asked whether they have an end. (libstdc++ makes 16.)
constexpr uint32_t kFirstDoubt = 64;

RunOut& RunOutOf(Fiber& self) {
  if (self.loops.run_out == nullptr)
    self.loops.run_out = new (g_state.bump.Take(sizeof(RunOut))) RunOut;
  return *self.loops.run_out;
}

// A loop in a loop that counts nothing comes back to the very same state, its counter included.
bool IsEndless(Fiber& self, RunOut& loop, const op::Operation& operation) {
  if (loop.rounds < kFirstDoubt) return false;
  if (loop.ends == nullptr) loop.ends = new (g_state.bump.Take(sizeof(Recurrence))) Recurrence;
  self.pending = operation;
  if (loop.rounds == kFirstDoubt) BeginRecurrence(*loop.ends, self, operation, 0);
  return VisitAnchor(self, *loop.ends, true, false) == Visit::kMet;
}

// `self`, which makes its last look, stands before `operation`.
bool StillLooks(Fiber& self, RunOut& loop, const op::Operation& operation) {
  if (self.changes == loop.changes) {
    if (op::Has(operation.kind, op::kYields)) return loop.yields = true;
    const op::Operation& look = loop.look;
    if (operation.pc == look.pc && operation.object == look.object && operation.kind == look.kind) {
      loop.yields = false;
      const bool endless = IsEndless(self, loop, operation);
      if (!endless && ++loop.rounds <= kMostRounds) return self.repeats_reads = true;
      if (!endless) loop.gave_up = look.pc;
    }
  }
  loop.look.pc = 0;
  loop.runs = self.repeats_reads = false;
  return false;
}

bool IsPartOfRound(const Fiber& self, const RunOut& loop, const op::Operation& operation) {
  if (loop.window == nullptr) return false;
  const SpinWindow& window = *loop.window;
  const uint64_t changes = loop.window == &self.windows.quiet ? self.changes : LastingChanges(self);
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
  RunOut& loop = RunOutOf(self);
  loop.window = window;
  self.may_run_out = true;
}

void BeginRunningOut(Fiber& self) {
  RunOut& loop = *self.loops.run_out;
  if (++loop.times > kMostTimes) EndIfOthersCould();
  self.may_run_out = false;
  loop.runs = true;
  loop.rounds = 0;
  loop.yields = false;
  RespectAtomicSections();
}

void BeginLastLook(Fiber& self, const op::Operation& look) {
  RunOut& loop = RunOutOf(self);
  loop.look = look;
  loop.changes = self.changes;
  loop.runs = true;
  loop.rounds = 0;
  loop.yields = false;
  NoteIncomplete(Incomplete::kRunOutTable);
  // A graph has one load: the looks before it could have read the same write.
  if (g_state.tells_atomics && look.kind != op::Kind::kAtomicLoad)
    NoteIncomplete(Incomplete::kReadsFromOperation);
  RespectAtomicSections();
}

bool FollowsRounds(const Fiber& self, const op::Operation& look) {
  return self.loops.run_out == nullptr || self.loops.run_out->gave_up != look.pc;
}

bool StillRunsOut(Fiber& self, const op::Operation& operation) {
  RunOut& loop = *self.loops.run_out;
  if (loop.look.pc != 0) return StillLooks(self, loop, operation);
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
