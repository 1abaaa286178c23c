// What a search that keeps states says to an execution while it runs: where the default would lead
// into what was explored already, which other option leads elsewhere. So the plan need not foresee
// the states that a schedule will pass through.
//
// A state is given by the hash of its happens-before graph (trace::Execution::state). Asked only
// after the plan's script. The object has no state of its own, as it may not outlive the process;
// `search` is the explorer's (explore/explorer.h).
#pragma once

#include <cstdint>

#include "op/thread_set.h"

namespace heddle::plan {

class Steering {
 public:
  // Who goes on from the state `graph`, where `open` can, `early` of these by an early timeout, and
  // `fallback` would; kNoThread: nobody need, and the execution ends as redundant.
  virtual op::ThreadId Thread(void* search, uint64_t graph, const op::ThreadSet& open,
                              const op::ThreadSet& early, op::ThreadId fallback) const = 0;
  // The same where nobody else can go on: need the thread?
  virtual bool LeadsOn(void* search, uint64_t graph, op::ThreadId only) const = 0;
  // Which of `options` the thread takes in the step that it makes from the state `graph`. Called in
  // the order of the choices.
  virtual uint32_t Option(void* search, uint64_t graph, op::ThreadId thread,
                          uint32_t options) const = 0;

 protected:
  ~Steering() = default;
};

// Of a plan: who is asked; null: nobody.
struct Steered {
  const Steering* by = nullptr;
  void* search = nullptr;
};

}  // namespace heddle::plan
