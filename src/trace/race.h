// Two accesses that are not ordered: a data race, or a pair of atomic accesses that weak memory may
// show in another order (check/data_race.h).
#pragma once

#include <cstdint>

#include "op/operation.h"

namespace heddle::trace {

struct Race {
  uintptr_t address;  // the bytes that both accessed, within one granule
  uint32_t size;
  // The earlier access: the last one of its kind that this thread made to these bytes in its tick.
  op::ThreadId first_thread;
  uint32_t first_tick;
  bool first_write;
  bool first_atomic;
  bool first_visible;  // plain, and a scheduling point
  op::ThreadId second_thread;
  uint32_t second_tick;
  bool second_write;
  bool second_atomic;
  bool second_frees;     // it gave the memory back
  bool second_destroys;  // as the end of a static object (check::GivenBack)
  uintptr_t second_pc;
  bool allowed;         // the program said that these bytes may be raced for (AllowRaces)
  bool told_otherwise;  // allowed, but not by the program: another finding tells of it
};

}  // namespace heddle::trace
