// Selectively uniform random walk: all orders of some operations are equally likely.
//
// Source: Zhao, Wolff, Mathur, Roychoudhury, "Selectively uniform concurrency testing", ASPLOS'25:
// URW and SURW. A toss among the threads at every choice prefers the orders in which short threads
// end early. Where a thread is drawn with a weight of as many operations as it still has to make,
// all orders have the same probability: the numbers of orders that are left after each choice are
// in these proportions (multinomial coefficients). There are so many orders of all operations that
// most of them are of no interest, so SURW makes only some operations uniform, the interesting
// ones: the thread that makes the next of them is drawn by weight; the others wait before theirs
// until it has, and what is not interesting goes in any order.
//
// The guarantee: where no thread waits for another one, and threads make as many operations as was
// learnt, all orders of the interesting operations are equally likely.
//
// Which are interesting is drawn for each execution: those on one object, of the objects that
// several threads access and not all of them only read, or all operations there are. So each of
// them comes with probability 1 / (m + 1), for m such objects.
//
// Our differences:
//   * No runs apart to learn from: the first execution is by a toss at every choice, and all later
//     ones learn. A thread's weight is the mean of how many operations it has made.
//   * The operations of a thread that is not created yet count for its parent, with those of its
//     own children: so orders that the creation forbids are not counted (the orders of a forest).
//   * Where the thread that is to make the next interesting operation has to wait, another one is
//     drawn. Threads that wait by yielding or by time limits give way at a toss, from the fifth
//     time on (course.h).
//
// Invariant: `left` of a thread that was seen to exist is what it has left of its own and of the
// threads below it that were not; of one that was not, what it begins with.
#pragma once

#include "explore/sample/course.h"
#include "explore/sample/stamped_table.h"

namespace heddle::explore {

struct SurwState : Course {
  // --- learnt ---
  struct Thread {
    op::ThreadId thread;
    uint64_t steps;  // in all executions
  };
  struct Object {
    uintptr_t address = 0;
    bool written = false;
    std::vector<Thread> threads;
  };
  std::vector<Object> objects;        // the first is none: all operations that there are
  std::vector<uint32_t> shared;       // indices of those with a race
  StampedTable<uint32_t> index_of;    // by address; never begins anew
  std::vector<op::ThreadId> parents;  // by thread; kNoThread: not known

  // --- of the execution that runs ---
  uint32_t interesting = 0;           // index of the object
  bool by_weight = false;             // false: nothing is known yet
  std::vector<uint64_t> begins_with;  // by thread: interesting operations, of it and those below
  std::vector<uint64_t> left;
  std::vector<bool> born;
  op::ThreadId intended = op::kNoThread;  // who makes the next interesting operation
  struct Steps {
    uintptr_t address = 0;
    op::ThreadId thread = 0;
    uint32_t count = 0;
    bool writes = false;
  };
  StampedTable<Steps> made;  // by object and thread

  void Prepare(const explore::Options& options);
  void BeginExecution();
  op::ThreadId Choose(const plan::SchedulerView& view);
  void Learn(const trace::Execution& execution);

 private:
  bool IsInteresting(const op::Operation& operation) const {
    return interesting == 0 || operation.object == objects[interesting].address;
  }
  uint64_t WeightOf(const plan::SchedulerView& view, op::ThreadId thread) const;
  void NoteBirths(const plan::SchedulerView& view);
  void Intend(const plan::SchedulerView& view, const op::ThreadSet& options);
  op::ThreadId Draw(const plan::SchedulerView& view, const op::ThreadSet& options);
  void Count(const op::Operation& operation, uintptr_t address, op::ThreadId thread);
  void LearnSteps(const Steps& steps);
};

class Surw final : public SamplingWalk<SurwState> {
 public:
  using SamplingWalk::SamplingWalk;
};

}  // namespace heddle::explore
