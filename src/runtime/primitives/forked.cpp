#include "runtime/primitives/forked.h"

#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_OF_EXECUTION]] bool forked;
[[HEDDLE_OF_EXECUTION]] bool has_ups_or_downs;

}  // namespace

void NoteForked() { forked = true; }

void NoteUpOrDown() { has_ups_or_downs = true; }

bool HasUpsOrDowns() { return has_ups_or_downs; }

void NoteFirstUse() {
  if (!forked) return;
  NoteIncompleteReduction(
      "the program forks beside other threads, and uses a lock for the first time after that: that "
      "it may be used before the fork is not explored with a reduction other than bounded");
}

}  // namespace heddle::runtime
