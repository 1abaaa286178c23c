// The state of the whole program, where every thread stands before its next operation, as one hash
// of 64 bits: two moments of an execution that have the same one can be followed by the same. What
// is part of it, and what is not, stands in docs/algorithms/spinning.md (Joint cycles).
//
// Memory is noted from its first write on and objects from their first operation, so hashes can be
// compared only since the state was begun or its writes were forgotten.
#pragma once

#include <cstdint>

#include "runtime/fibers/fiber.h"
#include "runtime/objects/table.h"

namespace heddle::runtime {

class ProgramState {
 public:
  static constexpr uint32_t kThreads = 64;

  // What is noted begins with the next event; `from_start`: with the execution.
  void Begin(bool from_start);
  bool FromStart() const { return from_start_; }
  // The thread stands before its pending operation.
  void NoteStands(const Fiber& fiber);
  // False: there is too much to note.
  bool NoteEvents();
  // Threads that changed something since it was called last; all bits: too much was written.
  uint64_t NoteWrites();
  void ForgetWrites();
  // 0: not known.
  uint64_t Hash() const;

 private:
  static constexpr uint32_t kCells = 1024;
  static constexpr uint32_t kObjects = 64;

  // Memory that is not part of the snapshot (its pages are compared as a whole): what was written.
  struct Cell {
    RecentWrite write;  // 0: free
  };

  bool NoteObject(uint32_t number);
  bool NoteCell(RecentWrite write);
  uint64_t HashOfCells() const;
  uint64_t HashOfThread(const Fiber& fiber) const;

  bool from_start_;
  uint32_t cell_count_;
  uint32_t object_count_;
  uint32_t unknown_objects_;  // met for the first time, as what they were before is not known
  uint32_t next_event_;       // the first that has not been looked at
  uint64_t local_[kThreads];
  uint64_t written_[kThreads];
  uint64_t changes_[kThreads];
  uint32_t objects_[kObjects];
  Cell cells_[kCells];
};

// Changes of all threads that no state shows.
uint64_t LastingChanges();

}  // namespace heddle::runtime
