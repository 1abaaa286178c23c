// What the race check remembers of an execution, in a form that says no more than which races may
// still be found: of each access that it remembers, which clocks know it.
//
// Clocks count the releases of each thread, so they grow for ever, and two executions that come to
// the same state of the program seldom have the same ones. But a clock is only ever compared with
// the accesses that are remembered. So of thread t's component of a clock it matters only how many
// of t's remembered accesses it covers: its *rank* among their ticks. And an access that every
// thread knows, which can still make one, races with nothing any more; it is as good as forgotten.
// What is left has finitely many values for a program with finitely many states.
//
//   1. FindKnown   what all live threads know
//   2. Remember    the ticks of accesses beyond that, by thread, sorted: for the ranks
//   3. HashAccesses, HashClock
//
// Tested by tests/unit/known_accesses_test.cpp against the definition.
#pragma once

#include <cstdint>
#include <span>

#include "base/wide_hash.h"
#include "check/shadow.h"
#include "trace/clock.h"

namespace heddle::check {

class KnownAccesses {
 public:
  static constexpr uint32_t kThreads = 64;
  static constexpr uint32_t kMostTicks = 1u << 16;

  // `live`: the clocks of the threads that may still access memory. Accesses in [dead.begin,
  // dead.end) of one of `dead` are left out. False: there is too much.
  struct Range {
    uintptr_t begin, end;
  };
  bool Begin(std::span<const trace::Clock* const> live, std::span<const Range> dead);
  // All components of a clock that others are compared with count as remembered, too. Between Begin
  // and Sort.
  void Remember(const trace::Clock& clock);
  void Sort();

  base::WideHash HashAccesses() const;
  // A clock from which threads may learn. Zero if it knows nothing that is not known anyway.
  base::WideHash HashClock(const trace::Clock& clock) const;

 private:
  template <typename Visit>
  void ForEachCell(Visit visit) const;
  template <typename Visit>
  static void ForEachEpoch(History history, Visit visit);
  bool IsDead(uintptr_t address) const;
  bool IsKnown(op::ThreadId thread, uint32_t tick) const { return tick <= known_[thread]; }
  uint32_t RankOf(op::ThreadId thread, uint32_t tick) const;
  uint64_t HashOf(History history) const;
  void WriteDown(History history) const;
  void Add(op::ThreadId thread, uint32_t tick);

  std::span<const Range> dead_;
  uint32_t known_[kThreads];
  // thread << 32 | tick of all remembered accesses; sorted and each once after Sort.
  uint64_t ticks_[kMostTicks];
  uint32_t tick_count_ = 0;
  uint32_t first_[kThreads + 1];  // where a thread's begin
  bool too_much_ = false;
};

}  // namespace heddle::check
