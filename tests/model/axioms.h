// One execution as relations, and what the models say of it.
#pragma once

#include <optional>
#include <vector>

#include "enumerate.h"
#include "relation.h"

namespace heddle::litmus {

enum class Type { kRead, kWrite, kFence, kUse };

struct Event {
  Type type = Type::kFence;
  EventName name;
  Order order = Order::kPlain;
  int location = -1;
  const Instruction* instruction = nullptr;  // none: main's write
  int object = -1;                           // of a use
  bool succeeds = true;                      // of a use
  int level = 0;                             // of a use: its object's, before it
  int partner = -1;                          // the other half of a read-modify-write
  bool locked = false;                       // x86 makes it with a locked instruction
};

// Main's writes come first, then thread by thread in program order.
struct Execution {
  std::vector<Event> events;
  std::vector<int> reads_from;                        // of each event; -1 if it reads nothing
  std::vector<std::vector<int>> modification_orders;  // by location, main's write first
  std::vector<std::vector<int>> chains;               // by object, its uses
};

struct Verdict {
  bool consistent = false;
  bool psc_alone_refuses = false;
  bool race = false;  // known only if it is consistent
};

// po, rf and chains without a cycle: what can be said before there is a modification order.
bool IsThinAir(const Execution& execution);

Verdict Judge(const Execution& execution, const Question& question);

}  // namespace heddle::litmus
