// Small programs on which the memory models are tested: threads of straight-line code on shared
// locations.
//
// An implicit main writes 0 to all locations, starts all threads at once, joins them, and reads the
// final values: its writes happen before everything, its reads after everything. They are no events
// of the program; location l is written by main first, by the event kInitial of l.
//
// An instruction makes at most one event, which is called (thread, instruction): its place in the
// program's text, skipped ones counted. So both sides of a comparison call it the same. A failed
// compare-exchange is a load with the failure order.
//
// The same as text, of which litmus.csv is written: litmus_text.h.
#pragma once

#include <vector>

namespace heddle::litmus {

enum class Order { kPlain, kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst };

enum class Kind {
  kLoad,             // result = location
  kStore,            // location = value
  kExchange,         // result = location; location = value
  kFetchAdd,         // result = location; location += value
  kCompareExchange,  // result = location; if (result == expected) location = value. Strong.
  kFence,
  kSkipIf,  // if (condition == equals), the next `skip` instructions do nothing. Forward only,
            // within the thread.
};

// Registers are numbered across the program, and each is written and read by one thread. They begin
// as 0.
constexpr int kNoRegister = -1;

struct Operand {
  int reg = kNoRegister;  // adds its value, if there is one
  int constant = 0;
  bool operator==(const Operand&) const = default;
};

struct Instruction {
  Kind kind = Kind::kFence;
  // Of the access or fence. Loads and stores alone may be plain. Of a compare-exchange: if it
  // succeeds.
  Order order = Order::kRelaxed;
  Order failure = Order::kRelaxed;  // relaxed, acquire or seq_cst
  int location = 0;
  int result = kNoRegister;  // of all that read: a register
  Operand value;
  Operand expected;
  int condition = kNoRegister;
  int equals = 0;
  int skip = 0;
  bool operator==(const Instruction&) const = default;
};

using Thread = std::vector<Instruction>;

struct Program {
  int locations = 0;
  int registers = 0;
  std::vector<Thread> threads;          // 2 to 4
  std::vector<int> observed_locations;  // whose final values are part of the outcome
  bool operator==(const Program&) const = default;
};

// The values of all registers, then the final values of the observed locations.
using Outcome = std::vector<int>;

struct EventName {
  int thread = 0;
  int instruction = 0;
  auto operator<=>(const EventName&) const = default;
};
// Main's write to location l: (kInitial, l).
constexpr int kInitial = -1;

}  // namespace heddle::litmus
