// How an execution ended. A crash, a hang or a divergence of the program is data, not an error.
#pragma once

#include <cstdint>

#include "op/operation.h"

namespace heddle::trace {

enum class EndKind : uint8_t {
#define ENDING(name, end_class) k##name,
#include "trace/ending.def"
};

// What an ending says of the execution.
enum class EndClass : uint8_t {
  kComplete,      // it ran to an end of its own: its dependence graph is that of a whole execution
  kTruncated,     // stopped on the way, by a limit or with its process
  kCutShort,      // explored elsewhere, or not wanted
  kUncontrolled,  // heddle does not control the program: the search cannot go on
  kInternal,      // not told to explorers: it is run again, or the search begins again, or ends
};

inline EndClass ClassOf(EndKind kind) {
  static constexpr EndClass kTable[] = {
#define ENDING(name, end_class) EndClass::end_class,
#include "trace/ending.def"
  };
  return kTable[static_cast<unsigned>(kind)];
}

// Ending::status of a kRedundant execution that the plan cut short (plan::Sleeper), not the
// program.
inline constexpr int32_t kCutByPlan = 1;
// Of a kRaceCondition: the schedule that the other one differs from.
inline constexpr int32_t kOtherOrder = 1;
// Of a kDeadlock: some threads wait for each other, but others could have gone on.
inline constexpr int32_t kOthersCouldGoOn = 1;

struct Ending {
  EndKind kind = EndKind::kRunning;
  int32_t status = 0;
  op::ThreadId thread = op::kNoThread;  // who ended it
  uintptr_t address = 0;
  uintptr_t pc = 0;
  uintptr_t block = 0;  // of the heap, that it is about: what malloc returned
  // `pc` is one of many places where it could have shown (a hang, a full stack).
  bool place_varies = false;
  // Where `pc` is the same for many bugs (a test framework's breakpoint): a hash of where it was
  // called from. Else 0.
  uint64_t callers = 0;
  // Of kUseAfterFree and kUseAfterDestroy: the code that gave the memory back, if it is known.
  uintptr_t freed_at = 0;
  // The program exited although the body of heddle::Check had not returned: a bug with any status.
  bool before_return = false;
  uint32_t moment = 0;      // of a kRaceCondition: plan::EndAt
  bool made_there = false;  // `pc` is where the object was made that the message is about
  char message[488] = {};   // one line, zero-terminated, for the report
};

}  // namespace heddle::trace
