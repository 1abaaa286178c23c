// How an execution ended. A crash, a hang or a divergence of the program is data, not an error.
#pragma once

#include <cstdint>

#include "op/operation.h"

namespace heddle::trace {

// The first seven are the kinds of bugs that end an execution (docs/checks.md).
enum class EndKind : uint8_t {
  kRunning,            // not ended (or died while running: see kDied)
  kExit,               // main returned or exit was called; `status` is the exit status
  kDeadlock,           // no thread enabled, some not finished
  kLivelock,           // only threads that spin on locations nobody can write
  kAssertion,          // assert() failed
  kAbort,              // abort() was called
  kCrash,              // a fatal signal; `status` is its number, `address` what was touched
  kUncaughtException,  // std::terminate without assert or abort of the program's own
  kDoubleFree,
  kInvariant,    // a function given to heddle_invariant() answered 0; `address` is the function
  kMisuse,       // a misused primitive that makes going on meaningless
  kHang,         // event or wall-clock limit reached
  kDied,         // the process died; the supervisor filled in `status` (wait status)
  kRedundant,    // cut short: explored elsewhere (sleep sets), or dropped (heddle_assume(0))
  kDiverged,     // the plan named an option that was not open: uncontrolled nondeterminism
  kUnsupported,  // the program used something that is not modelled; `message` names it
  kRestart,      // internal: run this plan again (more threads prepared, or another way to rewind)
  kGrew,         // internal: what is visible grew (runtime/visible.h); the search begins again
};

// Ending::status of a kRedundant execution that the plan cut short (plan::Sleeper), not the
// program.
inline constexpr int32_t kCutByPlan = 1;
// Of a kDeadlock: some threads wait for each other, but others could have gone on.
inline constexpr int32_t kOthersCouldGoOn = 1;

struct Ending {
  EndKind kind = EndKind::kRunning;
  int32_t status = 0;
  op::ThreadId thread = op::kNoThread;  // who ended it
  uintptr_t address = 0;
  uintptr_t pc = 0;
  bool place_varies =
      false;  // `pc` is one of many places where it could have shown (a hang, a full stack)
  bool made_there = false;  // `pc` is where the object was made that the message is about
  char message[488] = {};   // one line, zero-terminated, for the report
};

}  // namespace heddle::trace
