// A record for each thread of the execution that runs, which begins anew with every execution at no
// cost. Threads with the same number modulo the room share one: room is made between executions,
// from what was seen, as nothing is allocated while one runs.
#pragma once

#include <cstdint>
#include <vector>

#include "op/operation.h"

namespace heddle::explore {

template <typename Record>
class PerThread {
 public:
  // REQUIRES: no execution runs.
  void Reserve(uint32_t threads) {
    size_t size = slots_.empty() ? kLeast : slots_.size();
    while (size < threads) size *= 2;
    slots_.resize(size);
  }

  // All records are Record() from here on.
  void Begin() { ++execution_; }

  // REQUIRES: Reserve was called.
  Record& operator[](op::ThreadId thread) {
    Slot& slot = slots_[thread & (slots_.size() - 1)];
    if (slot.execution != execution_) slot = {execution_, Record()};
    return slot.record;
  }

 private:
  static constexpr size_t kLeast = 256;  // most programs have fewer

  struct Slot {
    uint64_t execution = 0;
    Record record = {};
  };
  std::vector<Slot> slots_;  // a power of two
  uint64_t execution_ = 0;
};

}  // namespace heddle::explore
