#include "runtime/world/world_state.h"

#include "runtime/fibers/table.h"
#include "runtime/runtime.h"
#include "runtime/world/descriptors.h"
#include "runtime/world/signals.h"
#include "runtime/world/termination.h"
#include "runtime/world/thread_world.h"

namespace heddle::runtime {

// A thread whose world was not touched has the one that it would find.
bool AddWorldState(base::WideHash& hash) {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (fiber.state != FiberState::kPublished) continue;
    const ThreadWorld& world = WorldOf(fiber);
    hash.Put(id);
    hash.Put(world.random);
    hash.Put(world.mask);
    hash.Put(world.pending_signals);
    hash.Put(world.awaited);
    hash.Put(reinterpret_cast<uintptr_t>(world.alternate.ss_sp));
    hash.Put(base::HashBytes(world.name, sizeof world.name));
  }
  hash.Put(HashOfQuickExitHandlers());
  AddSignals(hash);
  return !HasChangedDescriptors();
}

}  // namespace heddle::runtime
