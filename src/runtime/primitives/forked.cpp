#include "runtime/primitives/forked.h"

#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_OF_EXECUTION]] bool forked;

}  // namespace

void NoteForked() { forked = true; }

void NoteFirstUse() {
  if (!forked) return;
  NoteIncomplete(Incomplete::kForkedLock);
}

}  // namespace heddle::runtime
