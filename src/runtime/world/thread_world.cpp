#include "runtime/world/thread_world.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/hash.h"
#include "runtime/fibers/table.h"
#include "runtime/memory/pages.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

ThreadWorld* worlds;  // kMaxFibers records; address space until touched
ThreadWorld before_main = {.serial = 0,
                           .random = base::Mix(1),
                           .mask = 0,
                           .pending = 0,
                           .awaited = 0,
                           .alternate = {},
                           .name = {}};
SignalSet initial_mask;
char initial_name[sizeof ThreadWorld::name];

}  // namespace

void InitThreadWorlds(SignalSet mask) {
  worlds = static_cast<ThreadWorld*>(ReserveMemory(sizeof(ThreadWorld) * kMaxFibers));
  initial_mask = mask;
  RawSyscall(SYS_prctl, PR_GET_NAME, reinterpret_cast<long>(initial_name));
}

ThreadWorld& WorldOf(const Fiber& fiber) {
  ThreadWorld& world = worlds[fiber.id];
  if (world.serial == g_state.serial) return world;
  world = {};
  world.serial = g_state.serial;
  world.random = base::Mix(fiber.id + 2);
  // A thread starts with its parent's mask and name. Read at the first use instead of at creation:
  // programs that block signals do so before they create threads.
  const ThreadWorld* parent = fiber.id == 0 ? nullptr : &WorldOf(FiberAt(fiber.parent));
  world.mask = parent == nullptr ? initial_mask : parent->mask;
  memcpy(world.name, parent == nullptr ? initial_name : parent->name, sizeof world.name);
  world.alternate.ss_flags = SS_DISABLE;
  return world;
}

ThreadWorld& RunningWorld() { return InExecution() ? WorldOf(Current()) : before_main; }

}  // namespace heddle::runtime
