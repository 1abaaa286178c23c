#include "runtime/world/thread_world.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/hash.h"
#include "runtime/fibers/table.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/tables.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// A table; kMaxFibers records.
ThreadWorld* const worlds = reinterpret_cast<ThreadWorld*>(TableAddress(kThreadWorldsTable));
[[HEDDLE_LASTS("from before main")]] ThreadWorld before_main = {.serial = 0,
                                                                .random = base::Mix(1),
                                                                .mask = 0,
                                                                .pending_signals = 0,
                                                                .awaited = 0,
                                                                .handlers = nullptr,
                                                                .alternate = {},
                                                                .name = {}};
[[HEDDLE_LASTS("found once")]] SignalSet initial_mask;
[[HEDDLE_LASTS("found once")]] char initial_name[sizeof ThreadWorld::name];

// Those of threads that have none yet are put in, too, as unused.
void SaveWorlds(base::SavedBytes& to) {
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    ThreadWorld world = worlds[id];
    world.serial = world.serial == g_execution;
    to.Put(world);
  }
}

void RestoreWorlds(base::SavedBytesReader& from) {
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    worlds[id] = from.Get<ThreadWorld>();
    worlds[id].serial *= g_execution;
  }
}

}  // namespace

void InitThreadWorlds(SignalSet mask) {
  MapTable(kThreadWorldsTable, sizeof(ThreadWorld) * kMaxFibers);
  AddExecutionTable({.reset = nullptr, .save = SaveWorlds, .restore = RestoreWorlds});
  initial_mask = mask;
  RawSyscall(SYS_prctl, PR_GET_NAME, reinterpret_cast<long>(initial_name));
}

ThreadWorld& WorldOf(const Fiber& fiber) {
  ThreadWorld& world = worlds[fiber.id];
  if (world.serial == g_execution) return world;
  world = {};
  world.serial = g_execution;
  world.random = base::Mix(fiber.id + 2);
  // A thread starts with its parent's mask and name: this is its creation (hooks/thread.cpp), or
  // the first that it does, within that.
  const ThreadWorld* parent = fiber.id == 0 ? nullptr : &WorldOf(FiberAt(fiber.parent));
  world.mask = parent == nullptr ? initial_mask : parent->mask;
  memcpy(world.name, parent == nullptr ? initial_name : parent->name, sizeof world.name);
  world.alternate.ss_flags = SS_DISABLE;
  return world;
}

ThreadWorld& RunningWorld() { return InExecution() ? WorldOf(Current()) : before_main; }

}  // namespace heddle::runtime
