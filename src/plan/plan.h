// What should happen next: one half of the conversation between "run the program" and "decide what
// next" (the other is trace/execution.h).
//
// A schedule is a sequence of choices. The runtime meets a choice point whenever more than one
// option is open, and by itself takes the default option, which is a pure function of the execution
// so far:
//   * which thread runs next: the running thread while it is enabled and not about to yield, else
//     the enabled thread with the lowest number above it, cyclically, those about to yield after
//     all others; if only time can let a thread go on, the one with the earliest deadline;
//   * every other kind of choice: option 0.
// A plan lists only where to deviate from that. So a plan is a delta, as small as what is special
// about it, and the empty plan is the non-preemptive run-to-block schedule. A dense schedule (a
// replay file) is a plan that names every choice point.
#pragma once

#include <cstdint>
#include <span>

#include "op/operation.h"
#include "plan/sampler.h"
#include "plan/steering.h"
#include "plan/visited.h"

namespace heddle::plan {

// At a yield, going on although others could is no preemption, as no thread is left; but after this
// many times in a row it costs one, or threads that wait for each other by yielding would have
// infinitely many free schedules.
inline constexpr uint32_t kFreeStays = 4;  // libstdc++'s waits yield four times before they sleep

struct Deviation {
  uint32_t choice = 0;  // index of the choice point within the execution, from 0
  // Thread number, or index of the option for other kinds of choice; trace::Choice::InSchedule.
  uint32_t option = 0;

  friend bool operator==(const Deviation&, const Deviation&) = default;
};

// What to do at choice points after the last deviation.
enum class Tail : uint8_t { kDefault, kRandom };

// A choice other than of threads, in a script: the next one that `thread` makes.
struct ScriptOption {
  op::ThreadId thread = 0;
  uint32_t option = 0;

  friend bool operator==(const ScriptOption&, const ScriptOption&) = default;
};

// The next step of a thread, which need not be run before another one that depends on it has: the
// executions that begin with it are explored elsewhere (sleep sets: Godefroid, 1996). One entry for
// each access that it makes; the step wakes with any of them.
struct Sleeper {
  op::ThreadId thread = 0;
  op::Access access = op::Access::kNone;  // kNone: nothing wakes it
  uint32_t object = 0;                    // kAnyObject: everything does

  static constexpr uint32_t kAnyObject = 0xffffffffu;
};

// The execution is one of the two that a race condition takes, and ends at the moment (visited.h)
// with this number, from 1, where that shows; 0: it goes on to its own end.
struct EndAt {
  uint32_t moment = 0;
  bool is_other = false;  // the one that the other differs from
};

struct Plan {
  std::span<const Deviation> deviations;  // strictly increasing by choice
  // Instead of deviations: the thread of every step (trace::Step) from step 1 on, and the options
  // other than threads that they take, for each thread in its order. After that, defaults.
  std::span<const op::ThreadId> script = {};
  std::span<const ScriptOption> options = {};
  // By step of the script: how many writes are newer than the one that its atomic access reads
  // from, or comes before (trace::ChoiceKind). Empty: none. Afterwards the newest is read, or
  // become.
  std::span<const uint32_t> newer = {};
  // Asleep before the last step of the script. When only sleeping threads are open, the execution
  // ends as redundant.
  std::span<const Sleeper> sleepers = {};
  // A step of the script that is not open ends the execution as redundant; but the last one is
  // passed over, as if it were vain (trace::Step).
  bool tentative = false;
  // After the script, the thread with the lowest number goes on, those about to yield after all
  // others, and who ran last does not matter.
  bool lowest_first = false;
  // Its last step ends the execution as redundant, too, if it is vain or would be passed over. So
  // does a round in vain for which a load has read an older write (runtime/loops/await.h).
  bool end_if_vain = false;
  // After the script, a thread that waits in a loop looks as soon as it can, and one that changes
  // what loops wait for goes last (loops/await.h).
  bool looks_first = false;
  Steered steering = {};   // after the script, in place of the default
  Visiting visiting = {};  // after the deviations
  Tail tail = Tail::kDefault;
  uint64_t seed = 0;     // of the random tail
  Sampled sampled = {};  // chooses the threads of the random tail, if it is somebody
  // Of the random tail: nothing is taken that makes the execution cost more (trace/cost.h).
  uint32_t most_cost = 0xffffffffu;
  // Likewise: so many accesses that are not of the newest write (ChoiceKind::kReadsFrom ...).
  uint32_t most_stale = 0xffffffffu;
  bool lenient = false;  // an option that is not open is replaced by the default instead of ending
                         // the run (minimising)
  EndAt end_at = {};
  bool record = false;  // record plain accesses and call stacks for the report; slow
};

}  // namespace heddle::plan
