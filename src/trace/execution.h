// What happened: the other half of the conversation (see plan/plan.h).
//
// An Execution is plain data in buffers that the target owns (for the fiber target: shared memory,
// so it survives the death of the program's process). It is valid until the target's next Run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "op/dependence.h"
#include "op/operation.h"
#include "op/thread_set.h"
#include "trace/ending.h"
#include "trace/leak.h"
#include "trace/race.h"

namespace heddle::channel {
struct BlockRecord;  // channel/records.h
struct StepRecord;   // channel/records.h
}  // namespace heddle::channel

namespace heddle::trace {

// One visible operation that took effect.
struct Event {
  op::ThreadId thread;
  op::Kind kind;
  op::Access access;  // as it turned out: a failed compare-exchange is a read
  uint8_t order;      // memory order, for atomics
  uint8_t detail;
  uint32_t object;     // number within the search; kNoObject. Of several (Touch), the first
  op::Level level;     // of the object, before the event
  op::Level expected;  // of a compare-exchange: what it looks for, folded
  op::ThreadId other;  // the thread created or joined; kNoThread
  uint64_t value;      // value read, or result
};

// What an atomic access of up to eight bytes was asked to do, where the search wants to know
// (Execution::atomics). Values are of that many bytes, the others 0.
struct AtomicAccess {
  uint64_t found;     // read, or what a store writes over
  uint64_t operand;   // stored, added ..., or exchanged for what was expected
  uint64_t expected;  // by a compare-exchange
  uint8_t size;       // bytes; 0: the event is no such access
  uint8_t failure;    // memory order of a compare-exchange that fails
  uint8_t order;      // the other one
  uint8_t fetch;      // of a kAtomicFetch: what it does (op::Fetch)
  bool continues;     // of a store: the release sequences of its thread (release_sequence.h)
};

// One of several objects that an event touches: atoms of memory (runtime/fibers/atoms.h), or what
// a wait for a condition variable waits on and gives up. The event has the first of them as its
// object; here are all, in a row.
struct Touch {
  uint32_t event;  // index
  uint32_t object;
  op::Level level;     // of this object, before the event
  op::Level expected;  // of a compare-exchange: what it looks for in this object, folded
};

// What an event did to one object: to a mutex, say, or to so many bytes as the atom has that goes
// by this number.
struct Access {
  uint32_t object;
  op::Access access;
  op::Level level;     // before the event
  op::Level expected;  // of a compare-exchange: what it looks for in this object, folded
};

// All accesses of an event. Most have one, and an event has no room for a list: so it has that one
// itself (Event::object), and Execution::touches has those of all others.
class AccessList {
 public:
  AccessList(const Event& event, std::span<const Touch> listed)
      : event_(event), listed_(listed), size_(CountOf(event, listed)) {}
  size_t size() const { return size_; }
  Access operator[](size_t i) const {
    if (listed_.empty()) return {event_.object, event_.access, event_.level, event_.expected};
    const Touch& touch = listed_[i];
    return {touch.object, event_.access, touch.level, touch.expected};
  }

 private:
  static size_t CountOf(const Event& event, std::span<const Touch> listed);

  const Event& event_;
  const std::span<const Touch> listed_;
  const size_t size_;
};

// What happens between two points at which a thread is scheduled: the thread's next operation, the
// code up to the one after it, and whatever local steps of other threads that sets off (a join, a
// barrier that opens). Its events are those up to the next step's first. Step 0 is what comes
// before the first scheduling; it belongs to no thread.
inline constexpr uint8_t kFocusFunction = 1;
inline constexpr uint8_t kFocusVariable = 2;
struct Step {
  op::ThreadId thread;
  uint32_t event;        // number of events before it
  uint32_t choice : 27;  // number of choices before it, that of its thread not included
  // Nothing else could run, so a time limit of its thread passed (--timeouts last): it comes after
  // every step before it, and before every one after.
  uint32_t time_passes : 1 = 0;
  // A round of a loop that waits, which changed nothing: the execution without it is one, too, with
  // the same outcome. It has left the dependence graph.
  uint32_t vain : 1 = 0;
  uint32_t repeatable : 1 = 0;  // of a vain one: what it does is decided by `await` and the level
  // The operation that its thread stands before is one that the user named: kFocusFunction,
  // kFocusVariable.
  uint32_t focus : 2 = 0;
  // Where a loop waits that makes vain rounds: names the thread, its state, and what it reads. 0:
  // it stands elsewhere, or it is not known.
  uint32_t await = 0;
  uint64_t state = 0;  // Execution::state before it
};

// A step let a thread go that waited for more than the state of an object, or enabled one that only
// time could have let go, so that its timeout is lost.
struct LetGo {
  op::ThreadId thread;
  uint32_t event;  // number of events before it
  bool timeout_lost;
};

// The operation that a thread stood before at the end.
struct Pending {
  op::Kind kind;       // without an object, kThreadExit: it has ended; kThreadStart: not begun
  uint8_t detail;      // of a kCondReacquire: 1 if it waits for the mutex only
  uint32_t object;     // number; kNoObject if it is not known, or there is none
  uint32_t await = 0;  // as in Step, if the thread has made a vain round there
  uint8_t focus = 0;   // as in Step
};
inline constexpr uint32_t kNoObject = 0xffffffffu;

inline size_t AccessList::CountOf(const Event& event, std::span<const Touch> listed) {
  if (event.access == op::Access::kNone || event.object == kNoObject) return 0;
  return listed.empty() ? 1 : listed.size();
}

// When a step lets time pass, all threads are blocked: one of them, and before what.
struct Stalled {
  uint32_t step;  // the one that lets time pass
  op::ThreadId thread;
  Pending pending;
};

// kReadsFrom: so many writes are newer than the one that an atomic load reads; kStoresBefore: so
// many are than the place where a store goes (runtime/weak).
enum class ChoiceKind : uint8_t { kThread, kWaiter, kTimeout, kValue, kReadsFrom, kStoresBefore };

// In a schedule, beside the thread that is chosen: the one that ran before waits there
// (Choice::running_waits).
inline constexpr uint32_t kLeavesWaiting = 1u << 31;

// A point at which more than one option was open.
// For kThread the options are threads, given as sets; otherwise they are 0 .. option_count-1.
struct Choice {
  ChoiceKind kind;
  // Of kThread: `running` is open; and going on with it costs nothing, although it yields.
  bool running_open : 1;
  bool stays_free : 1;
  bool early_timeouts : 1;  // kThread: some options are; they are the second set
  // Of kThread: `running` goes round a loop by itself, and comes back to this very state (--visited
  // states), so nothing is lost where it is left.
  bool running_waits : 1;
  uint16_t set_words;  // kThread: width of each set
  uint32_t chosen;
  uint32_t fallback;  // the default option at this point
  uint32_t running;   // thread that ran last; kinds other than kThread: the one that chooses
  uint32_t option_count;
  uint32_t event;  // number of events before this point
  uint32_t sets;   // index into `words`: first the open set, then the early timeouts

  // `option` as schedules have it.
  uint32_t InSchedule(uint32_t option) const {
    return option | (running_waits && option != running ? kLeavesWaiting : 0);
  }
};

struct Execution {
  std::span<const Event> events;
  std::span<const Touch> touches;         // of the events that touch several objects
  std::span<const AtomicAccess> atomics;  // by event; empty where nobody wants them
  std::span<const Choice> choices;
  std::span<const uint64_t> words;
  std::span<const Step> steps;
  std::span<const LetGo> let_go;
  std::span<const Pending> pending;  // of every thread
  std::span<const Stalled> stalled;  // in the order of their steps
  Ending ending;
  uint32_t threads = 0;         // numbers in use are 0 .. threads-1
  uint32_t created = 0;         // threads that this execution had, main among them
  uint32_t hooks = 0;           // calls of heddle_hook, those included that have not returned
  uint32_t preemptions = 0;     // as PLDI'07 appendix A.1 defines NP
  uint32_t vain_steps = 0;      // of `steps`
  uint32_t early_timeouts = 0;  // time limits that passed while some thread could run
  uint32_t switches = 0;        // context switches of any kind
  uint64_t happens_before = 0;  // hash of the dependence graph (MSR-TR-2007-12 section 3.3)
  // The same, but for what comes by itself, within whatever step sets it off (op::ComesByItself).
  uint64_t state = 0;
  // Hash of the sequence of events: equal for the same schedule of a deterministic program.
  uint64_t steps_hash = 0;
  std::span<const Race> races;       // that it showed, of those with the same places one
  std::span<const Race> weak_pairs;  // the first few that no execution before it has shown
  std::span<const Leak> leaks;       // of a kLeak: at least one
  const char* outcome = "";          // the label it was given by heddle_outcome()
  // Nothing was met, in this execution or before it, for which a reduction leaves out too much: a
  // loop that polls under a lock, heddle_invariant ...
  bool reducible = true;
  // Of one that was recorded (plan::Plan::record): its steps, plain accesses among them, and for
  // each the thread's tick when it was made.
  std::span<const channel::StepRecord> recorded;
  std::span<const uint32_t> recorded_ticks;
  std::span<const channel::BlockRecord> recorded_blocks;

  std::span<const Event> EventsOf(size_t step) const {
    const bool last = step + 1 == steps.size();
    const size_t end = last ? events.size() : steps[step + 1].event;
    return events.subspan(steps[step].event, end - steps[step].event);
  }
  // By index of the event; valid as long as the execution is.
  AccessList AccessesOf(size_t event) const {
    const bool listed = (events[event].detail & op::kListed) != 0;
    return {events[event], listed ? TouchesOf(event) : std::span<const Touch>()};
  }
  // What the step added to `state`.
  uint64_t HashOf(size_t step) const {
    const bool last = step + 1 == steps.size();
    return (last ? state : steps[step + 1].state) - steps[step].state;
  }
  // Those made in the step, and before them that of its thread, if there was a choice.
  std::span<const Choice> ChoicesOf(size_t step) const {
    const bool last = step + 1 == steps.size();
    const size_t end = last ? choices.size() : steps[step + 1].choice;
    return choices.subspan(steps[step].choice, end - steps[step].choice);
  }

  // The choice of the step's thread; null if there was none. The beginning is nobody's step; if a
  // vain one followed it that was taken out (explore/order/vain.h), it has the choice of that.
  const Choice* ThreadChoiceOf(size_t step) const {
    if (steps[step].thread == op::kNoThread) return nullptr;
    const auto made = ChoicesOf(step);
    return !made.empty() && made[0].kind == ChoiceKind::kThread ? &made[0] : nullptr;
  }

  // The options of a choice of threads.
  op::ThreadSet Open(const Choice& c) const {
    return op::ThreadSet(words.subspan(c.sets, c.set_words));
  }
  // What a bound counts (cost.h).
  uint32_t Cost() const { return preemptions + early_timeouts; }
  // Empty if none is open.
  op::ThreadSet EarlyTimeouts(const Choice& c) const {
    return c.early_timeouts ? op::ThreadSet(words.subspan(c.sets + c.set_words, c.set_words))
                            : op::ThreadSet();
  }
  bool IsOpen(const Choice& c, uint32_t option) const {
    if (c.kind != ChoiceKind::kThread) return option < c.option_count;
    return Open(c).Has(option);
  }

 private:
  std::span<const Touch> TouchesOf(size_t event) const {
    // std::ranges::equal_range would do, but Clang 14 cannot compile libstdc++'s subranges.
    return {std::ranges::lower_bound(touches, event, {}, &Touch::event),
            std::ranges::upper_bound(touches, event, {}, &Touch::event)};
  }
};

}  // namespace heddle::trace
