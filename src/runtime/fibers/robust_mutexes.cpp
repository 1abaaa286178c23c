#include "runtime/fibers/robust_mutexes.h"

#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// Robust mutexes owned in this execution, so that the end of their owner finds them. Few; a list in
// bump memory.
struct RobustEntry {
  Object* mutex;
  RobustEntry* next;
};
[[HEDDLE_OF_EXECUTION]] RobustEntry* robust_list;

}  // namespace

void RememberRobust(Object& mutex) {
  for (RobustEntry* entry = robust_list; entry != nullptr; entry = entry->next)
    if (entry->mutex == &mutex) return;
  auto* entry = static_cast<RobustEntry*>(g_state.bump.Take(sizeof(RobustEntry)));
  *entry = {&mutex, robust_list};
  robust_list = entry;
}

void GiveUpRobust(Fiber& ended) {
  for (RobustEntry* entry = robust_list; entry != nullptr; entry = entry->next) {
    Object& object = *entry->mutex;
    if (object.mutex.owner != ended.id) continue;
    object.mutex.owner = op::kNoThread;
    object.mutex.count = 0;
    object.mutex.owner_died = true;
    ReleaseAs(ended, object.release);
    Commit({.kind = op::Kind::kThreadExit, .object = object.address}, &object, op::Access::kWrite);
    Changed(object);
  }
}

}  // namespace heddle::runtime
