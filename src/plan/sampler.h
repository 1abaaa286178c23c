// Who goes on, when a search draws schedules by more than a toss at every choice: it is asked while
// the execution runs, because what it goes by (which threads can go on, what each of them stands
// before) is known only then.
//
// Asked for every step after the plan's deviations, also where only one thread can go on, so it
// sees them all; what threads do without a choice (before there is a second thread, in an atomic
// section) is no step. The object has no state of its own, as it may not outlive the process;
// `search` is the explorer's (explore/explorer.h). No allocation and no system call: it runs on the
// way of an event.
#pragma once

#include "op/operation.h"
#include "op/thread_set.h"

namespace heddle::plan {

// What threads stand before.
class PendingOperations {
 public:
  // The next operation of a thread that can go on. Its objects are named by address.
  virtual const op::Operation& Before(op::ThreadId thread) const = 0;

 protected:
  ~PendingOperations() = default;
};

struct SchedulerView {
  op::ThreadSet open;      // who can go on
  op::ThreadSet early;     // of these, who does by its time limit although others need not wait
  op::ThreadSet yielding;  // of these, who stands before a yield, or goes round in a loop
  const PendingOperations& stands;
};

class Sampler {
 public:
  // An execution begins, perhaps the same one again: it must then be the same.
  virtual void Begin(void* search) const = 0;
  // Who makes the next step.
  // ENSURES: one of view.open.
  virtual op::ThreadId Thread(void* search, const SchedulerView& view) const = 0;

 protected:
  ~Sampler() = default;
};

// Of a plan: who is asked; null: nobody.
struct Sampled {
  const Sampler* by = nullptr;
  void* search = nullptr;
};

}  // namespace heddle::plan
