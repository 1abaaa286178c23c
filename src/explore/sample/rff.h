// Reads-from fuzzing: keeps what was asked of executions that showed something new, asks for a
// little more or less of it, and lets the execution come as near to that as it can.
//
// Source: Wolff, Shi, Duck, Mathur, Roychoudhury, "Greybox fuzzing for concurrency testing",
// ASPLOS'24: its abstract schedules, their mutation, the power schedule and the proactive
// scheduler. What an execution does is decided by which write each of its reads reads from, and a
// bug needs few such pairs, of which the rest of the schedule is free. So the schedules that
// fuzzing mutates are sets of constraints, each of a write and a read: some such read reads from
// such a write (positive), or none does (negative). An execution is worth keeping if its set of
// pairs (write, read) is new. How often a kept schedule is mutated doubles with each turn it has,
// and is nothing while its set of pairs is more frequent than the mean (cut-off exponential).
//
// Events are abstract: an access is named by its place in the code and its object, not by its
// thread, so threads that do the same are one, and their number does not matter.
//
// The guarantee: none that is a number. Where no constraint decides, priorities do (pos.h), and
// mutations can leave no constraint, so every schedule can come.
//
// How a constraint (w, r) on an object x is enforced:
//   positive  until w was the last write to x, threads before r are delayed; from then on, threads
//             before other writes to x are, and one before r goes first, until some r has read from
//             w. Then, or when w was the initial value and is overwritten, it asks nothing more.
//   negative  while w is the last write to x, threads before r are delayed
// Whom all that delays goes on all the same when nobody else can.
//
// Our differences: what takes effect on other objects than memory is a read and a write, too (a
// lock reads from the unlock before it); a compare-exchange counts as a write though it may fail,
// as that is not known before; accesses are to the same memory if they begin at the same address.
// A new schedule has one change or more, each further one with probability 1/2. Threads that wait
// by yielding or by time limits give way at a toss, from the fifth time on (course.h).
//
// Invariant between executions: corpus[0] is the empty schedule; `frequency` has every set of pairs
// that was seen, and how often.
#pragma once

#include "explore/sample/course.h"
#include "explore/sample/pos.h"
#include "explore/sample/stamped_table.h"

namespace heddle::explore {

struct RffState : PosState {
  // Of an access: its place in the code, and 1. The write that nobody made is none.
  using CodeSite = uint64_t;
  static constexpr CodeSite kInitial = 0;

  struct Constraint {
    uintptr_t object = 0;
    CodeSite write = kInitial;
    CodeSite read = kInitial;
    bool positive = true;
  };
  static constexpr uint32_t kMostConstraints = 16;
  struct Schedule {
    Constraint constraints[kMostConstraints];
    uint32_t count = 0;
    uint64_t pairs = 0;  // hash of the set that its execution had
    uint32_t turns = 0;
  };

  // --- learnt ---
  struct Object {
    uintptr_t address = 0;
    op::ThreadId thread = op::kNoThread;  // that accessed it first
    bool shared = false;                  // others did, too
    std::vector<CodeSite> writes = {kInitial};
    std::vector<CodeSite> reads;
    bool IsOfUse() const { return shared && writes.size() > 1 && !reads.empty(); }
  };
  std::vector<Object> objects;
  std::vector<uint32_t> of_use;      // indices of objects with a pair to ask for
  StampedTable<uint32_t> index_of;   // of an object, plus 1; never begins anew
  StampedTable<uint64_t> frequency;  // by set of pairs; likewise
  std::vector<Schedule> corpus;
  size_t turn = 0;      // whose it is
  uint32_t energy = 0;  // mutations that it has left

  // --- of the execution that runs ---
  Schedule schedule;
  bool met[kMostConstraints];  // asks nothing more
  StampedTable<CodeSite> last_write;
  struct Access {
    uintptr_t object = 0;
    op::ThreadId thread = 0;
    CodeSite place = 0;
    bool shared = false;
    bool reads = false;
    bool writes = false;
  };
  StampedTable<Access> made;
  StampedTable<char> pairs;
  std::vector<uint64_t> undelayed;  // scratch

  void Prepare(const explore::Options& options);
  void BeginExecution();
  op::ThreadId Choose(const plan::SchedulerView& view);
  void Learn(const trace::Execution& execution);

 private:
  enum class Wish : uint8_t { kDelayed, kFree, kFirst };

  Constraint DrawConstraint(uint64_t& stream) const;
  void Mutate(uint64_t& stream);
  void TakeTurn();
  CodeSite LastWrite(uintptr_t object);
  Wish WishOf(const Constraint& constraint, const op::Operation& operation);
  void NoteAccess(const op::Operation& operation, op::ThreadId thread);
  void LearnAccess(const Access& access);
};

class Rff final : public SamplingWalk<RffState> {
 public:
  using SamplingWalk::SamplingWalk;
};

}  // namespace heddle::explore
