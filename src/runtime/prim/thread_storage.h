// How glibc lays out the thread-local storage of a thread (psABI: variant II on x86-64): the static
// block ends with the thread control block, at which the thread pointer points.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

struct ThreadStorage {
  size_t bytes;          // the static block, thread control block included
  size_t control_bytes;  // sizeof(struct pthread)
  size_t key_blocks;     // where that points to blocks of the values of pthread keys; 0: not known
  size_t key_block_count;

  char* Begin(uintptr_t thread_pointer) const {
    return reinterpret_cast<char*>(thread_pointer + control_bytes - bytes);
  }
  // The first block lies in the control block itself, the others are allocated.
  void** KeyBlocks(uintptr_t thread_pointer) const {
    return reinterpret_cast<void**>(thread_pointer + key_blocks);
  }
};

// False: this is not a glibc that tells.
bool FindThreadStorage(ThreadStorage& layout);

// glibc registers an area in the control block where the kernel writes on which processor the
// thread runs, at any time. A page that the kernel writes to cannot be write-protected, and an area
// that is rewound looks corrupted to the kernel, which then kills the process. So the kernel thread
// that runs the fibers does without. False: it cannot be switched off.
bool StopRestartableSequences();

}  // namespace heddle::runtime
