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
  NoteIncompleteReduction(
      "the program forks beside other threads, and uses a lock for the first time after that: that "
      "it may be used before the fork is not explored with a reduction other than bounded");
}

}  // namespace heddle::runtime
