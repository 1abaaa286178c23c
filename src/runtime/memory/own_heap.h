// heddle's own heap. Explorers, traces and reports live here, never in the program's heap.
//
// All state, free lists included, lies inside the region it manages. The region is shared memory at
// a fixed address, so it outlives the process: the next process opens it and finds everything again
// from the roots.
//
//   region:  [Head: sizes, free lists, roots][block][block] ... top, then untouched memory
//   block:   16 bytes of header, then the payload
//
// Sizes are 2^n and 1.5 * 2^n. Freed blocks wait in a list per size and are never split or merged:
// worst waste is a third, and a vector that grows finds what others outgrew.
//
// Invariant: a list head changes in one store, so a process that dies between two instructions
// leaks at most one block. Thread-safety: none; heddle's code runs on one kernel thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

class OwnHeap {
 public:
  static constexpr unsigned kRoots = 64;
  static constexpr unsigned kClasses = 80;

  // The region [base, base + bytes), mapped by the caller and zero when `fresh`; otherwise as the
  // last process left it. REQUIRES: base is page-aligned, and the same address in every process
  // that opens the region.
  void Open(void* base, size_t bytes, bool fresh);
  bool IsOpen() const { return head_ != nullptr; }
  bool Contains(const void* payload) const {
    return reinterpret_cast<uintptr_t>(payload) - reinterpret_cast<uintptr_t>(head_) < bytes_;
  }

  // Null when the region is full. REQUIRES: alignment is a power of two.
  void* Take(size_t bytes, size_t alignment = 16);
  // The same, all zero. What nobody has had yet is so already, and stays untouched: large tables
  // that are hardly used cost no pages.
  void* TakeZeroed(size_t bytes);
  // REQUIRES: `payload` came from Take and was not given back since.
  void GiveBack(void* payload);

  // A word that survives the process, to find a data structure again.
  void*& Root(unsigned index);

  size_t LiveBytes() const;  // in blocks handed out, rounded to their size class
  size_t TopBytes() const;   // region used so far: what the process pays for

 private:
  struct Head;
  Head* head_ = nullptr;
  size_t bytes_ = 0;
};

// The heap behind operator new. Until it is opened, a private region stands in; what came from
// there is still good later.
void* TakeOwn(size_t bytes, size_t alignment = 16);
void GiveBackOwn(void* payload);
// Has TakeOwn returned it, or something around it?
bool IsOwnMemory(const void* address);
extern constinit OwnHeap g_own_heap;

}  // namespace heddle::runtime
