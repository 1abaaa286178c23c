// What a process that the program forks finds of its parent's locks: a copy of each, as it was. In
// an execution heddle has their state, and libc's objects in the program's memory know nothing of
// it; the child uses libc's.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Before fork: a step that depends on what other threads do to the locks.
void ReachFork(uintptr_t pc);

// In the child, which has only the thread that forked: what that thread holds it holds there, and
// what others hold stays locked, because who could unlock it does not exist.
void HandLocksToChild();

}  // namespace heddle::runtime
