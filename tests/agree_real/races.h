// Data races by definition, as the reference for the race check: the happens-before relation that
// the language guarantees, as the set of all predecessors of every event, and a search through all
// pairs of plain accesses. No clocks. All atomics are sequentially consistent here.
#pragma once

#include <algorithm>
#include <vector>

#include "target/fake_program.h"
#include "trace/execution.h"

namespace heddle::agree {

class Races {
 public:
  explicit Races(const trace::Execution& execution)
      : execution_(execution), events_(execution.events) {
    for (size_t j = 0; j < events_.size(); ++j) {
      before_.emplace_back(events_.size());
      for (size_t i = j; i-- > 0;) {
        if (before_[j][i]) continue;
        if (events_[i].thread == events_[j].thread || Synchronises(i, j)) AddBefore(i, j);
      }
    }
  }

  // Are there conflicting plain accesses in no order?
  bool Any() const {
    for (size_t j = 0; j < events_.size(); ++j) {
      for (size_t i = 0; i < j; ++i) {
        if (Conflict(events_[i], events_[j]) && !before_[j][i]) return true;
      }
    }
    return false;
  }

 private:
  using Kind = op::Kind;

  static bool IsPlain(Kind kind) { return kind == Kind::kPlainRead || kind == Kind::kPlainWrite; }

  static bool Conflict(const trace::Event& a, const trace::Event& b) {
    return IsPlain(a.kind) && IsPlain(b.kind) && a.object == b.object && a.thread != b.thread &&
           (a.kind == Kind::kPlainWrite || b.kind == Kind::kPlainWrite);
  }

  void AddBefore(size_t i, size_t j) {
    before_[j][i] = true;
    for (size_t k = 0; k < i; ++k) {
      if (before_[i][k]) before_[j][k] = true;
    }
  }

  // Does event `j` take what event `i` < j gave?
  bool Synchronises(size_t i, size_t j) const {
    const trace::Event& give = events_[i];
    const trace::Event& take = events_[j];
    if (take.kind == Kind::kAtomicLoad || take.kind == Kind::kAtomicFetch ||
        take.kind == Kind::kAtomicCompareExchange) {
      return ReadsFrom(i, j);
    }
    if (take.kind == Kind::kBarrierLeave) return SameRound(i, j);
    if (take.kind == Kind::kThreadJoin) return give.thread == take.other;
    if (take.kind == Kind::kThreadTryJoin || take.kind == Kind::kThreadTimedJoin) {
      return take.value == 0 && give.thread == take.other;
    }
    if (take.kind == Kind::kBarrierArrive) return take.value == 1 && SameRound(i, j);
    if (take.access == op::Access::kRead) return false;  // it failed
    const bool on_it = give.object == take.object;
    if (take.kind == Kind::kSemWait || take.kind == Kind::kSemTryWait) {
      return give.kind == Kind::kSemPost && on_it;
    }
    if (take.kind == Kind::kRwWriteLock || take.kind == Kind::kRwTryWriteLock) {
      return give.kind == Kind::kRwUnlock && on_it;
    }
    if (take.kind == Kind::kRwReadLock || take.kind == Kind::kRwTryReadLock) {
      return give.kind == Kind::kRwUnlock && on_it && EndsWriting(i);
    }
    if (take.kind == Kind::kMutexLock || take.kind == Kind::kMutexTryLock ||
        take.kind == Kind::kMutexTimedLock || take.kind == Kind::kCondReacquire) {
      return ((give.kind == Kind::kMutexUnlock || give.kind == Kind::kThreadExit) && on_it) ||
             GivesUp(i, take.object);
    }
    return false;
  }

  // Is `i` the write that `j` reads, or one whose release sequence that write continues?
  bool ReadsFrom(size_t i, size_t j) const {
    for (size_t w = j; w-- > 0;) {
      if (events_[w].object != events_[j].object || events_[w].access != op::Access::kWrite) {
        continue;
      }
      if (w == i) return true;
      if (events_[w].kind == Kind::kAtomicStore) return false;
    }
    return false;
  }

  // Does event `i` wait for a condition variable, and give up `mutex`?
  bool GivesUp(size_t i, uint32_t mutex) const {
    if (events_[i].kind != Kind::kCondWait) return false;
    const trace::AccessList accesses = execution_.AccessesOf(i);
    bool found = false;
    for (size_t k = 0; k < accesses.size(); ++k) found |= accesses[k].object == mutex;
    return found;
  }

  // The last to arrive is marked by value 1.
  bool SameRound(size_t i, size_t j) const {
    if (events_[i].kind != Kind::kBarrierArrive || events_[i].object != events_[j].object) {
      return false;
    }
    size_t last = j;
    while (events_[last].kind != Kind::kBarrierArrive || events_[last].value != 1) --last;
    for (size_t k = i; k < last; ++k) {
      if (events_[k].kind == Kind::kBarrierArrive && events_[k].value == 1) return false;
    }
    return true;
  }

  // Did the thread of the unlock `i` hold the lock for writing?
  bool EndsWriting(size_t i) const {
    for (size_t k = i; k-- > 0;) {
      const trace::Event& e = events_[k];
      if (e.thread != events_[i].thread || e.access == op::Access::kRead) continue;
      if (e.kind == Kind::kRwWriteLock || e.kind == Kind::kRwTryWriteLock) return true;
      if (e.kind == Kind::kRwReadLock || e.kind == Kind::kRwTryReadLock) return false;
    }
    return false;
  }

  const trace::Execution& execution_;
  const std::span<const trace::Event> events_;
  std::vector<std::vector<bool>> before_;
};

}  // namespace heddle::agree
