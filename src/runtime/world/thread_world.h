// What the world knows of each thread, beside its Fiber: its random numbers and its signals.
#pragma once

#include <signal.h>

#include <cstdint>

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// Signals as one word: bit n-1 is signal n, as in the kernel.
using SignalSet = uint64_t;

// A handler that runs, and what its end restores.
struct HandlerFrame {
  HandlerFrame* outer;
  uintptr_t stack;  // heddle's frame around it; a jump that leaves it goes above
  SignalSet mask;
  bool in_handler;
};

struct ThreadWorld {
  uint64_t serial;            // execution in which the fields below were last reset
  uint64_t random;            // state of the thread's random numbers
  SignalSet mask;             // blocked by the program
  SignalSet pending_signals;  // sent to this thread while blocked
  SignalSet awaited;          // signals that would end the wait it is in; 0: it waits for none
  HandlerFrame* handlers;     // innermost first, in bump memory
  stack_t alternate;          // what the program gave to sigaltstack
  char name[16];              // pthread_setname_np; as long as the kernel's
};

// REQUIRES: InitThreadWorlds() has run.
ThreadWorld& WorldOf(const Fiber& fiber);

// The running thread's; before main, one that all of the program's constructors share.
ThreadWorld& RunningWorld();

// `mask`: what is blocked when main starts.
void InitThreadWorlds(SignalSet mask);

}  // namespace heddle::runtime
