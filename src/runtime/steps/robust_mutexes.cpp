#include "runtime/steps/robust_mutexes.h"

#include "runtime/objects/mutex.h"
#include "runtime/prim/lifetime.h"
#include "runtime/steps/perform.h"
#include "runtime/visible.h"

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
  NeedThreadEnds("a robust mutex is given up by the end of the thread that holds it");
  for (RobustEntry* entry = robust_list; entry != nullptr; entry = entry->next)
    if (entry->mutex == &mutex) return;
  auto* entry = static_cast<RobustEntry*>(g_state.bump.Take(sizeof(RobustEntry)));
  *entry = {&mutex, robust_list};
  robust_list = entry;
}

void GiveUpRobust(const Fiber& self) {
  for (RobustEntry* entry = robust_list; entry != nullptr; entry = entry->next) {
    Object& object = *entry->mutex;
    if (object.mutex.owner != self.id) continue;
    TakeEffect({.kind = op::Kind::kThreadExit, .object = object.address}, object,
               OwnerEnded(object.mutex));
  }
}

}  // namespace heddle::runtime
