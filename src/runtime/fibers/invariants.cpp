#include "runtime/fibers/invariants.h"

#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

[[HEDDLE_OF_EXECUTION]] Invariant* g_invariants;

void AddInvariant(int (*holds)(void*), void* argument) {
  ReduceNoMore();
  NoteIncomplete(Incomplete::kInvariant);
  auto* invariant = static_cast<Invariant*>(g_state.bump.Take(sizeof(Invariant)));
  *invariant = {holds, argument, g_invariants};
  g_invariants = invariant;
}

void CheckEveryInvariant() {
  Fiber& self = Current();
  if (self.atomic_depth != 0) return;
  for (const Invariant* at = g_invariants; at != nullptr; at = at->next) {
    // Its reads are heddle's: no events, no races. No destructor does this, because the function is
    // the program's and might throw.
    g_state.in_execution = false;
    const bool holds = at->holds(at->argument) != 0;
    g_state.in_execution = true;
    if (holds) continue;
    // The operation that opened the step is still in `pending`.
    const auto function = reinterpret_cast<uintptr_t>(at->holds);
    EndExecution(trace::EndKind::kInvariant, 0, function, self.pending.pc,
                 "the invariant %%F%lx%% does not hold after this step of %%T%u%%",
                 static_cast<unsigned long>(function), self.id);
  }
}

}  // namespace heddle::runtime
