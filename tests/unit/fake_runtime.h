// The runtime as far as atomics, plain accesses and annotations need it, without fibers: a test
// says which thread runs, and every operation is chosen at once. The synchronisation order is the
// real one.
#pragma once

#include <vector>

#include "check/data_race.h"
#include "runtime/fibers/fiber.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

struct FakeEvent {
  op::Operation operation;
  op::Access access;
  uint64_t value;
  std::vector<trace::Touch> touches;  // what it touches: one entry for a single object, too
  bool of_a_part = false;
};

struct FakeRecord {
  uintptr_t address;
  uint32_t size;
  bool write;
};

struct FakeRuntime {
  std::vector<Fiber> fibers;
  std::vector<op::Operation> reached;
  std::vector<FakeEvent> events;
  std::vector<FakeRecord> records;
  std::vector<check::Race> races;
  bool wants_finer_atoms = false;
};
extern FakeRuntime g_fake;

// A new execution with `threads` threads that know nothing of each other.
void BeginFakeExecution(unsigned threads);
void EndFakeExecution();
// The following operations are made by `thread`.
void RunAs(unsigned thread);

}  // namespace heddle::runtime
