// Reversible races: pairs of dependent steps j < i of different threads such that step i's
// operation stood there, enabled, already before j, and nothing that happens after j must come
// before i.
//
// Source: the races of optimal DPOR (Abdulla, Aronis, Jonsson, Sagonas, JACM 2017, section 4),
// which are "the latest transition that is dependent and may be co-enabled" of Inspect's Fig. 2,
// line 24. With blocking operations the latest dependent step need not be it: an unlock enables the
// lock that waited for it, so the race of that lock is with the lock before the unlock. So the
// chain of the object is walked back to the latest step before which the operation was enabled
// (op/dependence.h, levels). What lies further back is found once that one is reversed.

#include <algorithm>

#include "explore/order/step_graph.h"

namespace heddle::explore {

using op::ThreadId;

// Is it known that a loop that looks before `access` goes round once more, and nothing else? It
// does so in the same way as a round that is known
//   * if that was made in the same state, and found the same level: `repeatable`, it did nothing
//     else that could depend on anything; or
//   * if it was made in the execution in flight, at the same arrival, after the same write: then
//     all that happens before the two is the same.
bool StepGraph::IsVainBefore(const Attempt& attempt, const AccessRecord& access) const {
  if (attempt.await == 0) return false;
  if (vain_levels_.contains(uint64_t{attempt.await} << 32 | LevelBefore(access))) return true;
  const auto& own = steps_of_[attempt.thread];
  const auto next = std::ranges::lower_bound(own, attempt.before);
  const StepIndex arrival = next == own.begin() ? 0 : *(next - 1) + 1;
  const uint32_t write = WriteUpTo(access.previous);
  return std::ranges::any_of(looks_, [&](const KnownLook& look) {
    return look.thread == attempt.thread && look.await == attempt.await &&
           look.object == access.touch.object && look.write == write && look.step >= arrival &&
           look.step <= attempt.before;
  });
}

// A step that accesses the object of `access` more than once: what it does there comes as a whole,
// so what others find before it is what they find before the first.
const StepGraph::AccessRecord& StepGraph::FirstOfStep(const AccessRecord& access) const {
  const AccessRecord* first = &access;
  while (first->previous != 0 && accesses_[first->previous - 1].step == access.step) {
    first = &accesses_[first->previous - 1];
  }
  return *first;
}

// Was the operation enabled before `access`? Accesses of one group have no order, so only those
// that cannot come before it (they happen after it) are taken back.
bool StepGraph::IsEnabledBefore(const Attempt& attempt, const AccessRecord& access) const {
  return op::IsEnabledAt(attempt.kind, attempt.timed, LevelBefore(access));
}

op::Level StepGraph::LevelBefore(const AccessRecord& access) const {
  if (access.touch.access != op::Access::kShared) return access.level;
  op::Level level = accesses_[access.group_first].level;
  for (uint32_t at = chains_[access.touch.object]; at > access.group_first;
       at = accesses_[at - 1].previous) {
    const AccessRecord& other = accesses_[at - 1];
    if (other.group_first != access.group_first || other.step == access.step) continue;
    if (!IsFree(other.step, access.step)) continue;
    level += other.Change();
  }
  return level;
}

// What the object of `own` would hold before that access, if step j and all that happens after it
// were left out.
op::Level StepGraph::LevelWithout(const AccessRecord& own, StepIndex j) const {
  op::Level level = own.level;
  op::Level stays = 0;  // how those that are not left out moved it since
  for (uint32_t at = own.previous; at != 0; at = accesses_[at - 1].previous) {
    const AccessRecord& access = accesses_[at - 1];
    if (access.step < j) break;
    if (access.touch.access == op::Access::kRead) continue;
    if (access.step == j || HappensBefore(j, access.step)) {
      level = access.level + stays;
    } else if (access.touch.access == op::Access::kShared) {
      stays += access.Change();
    }
  }
  return level;
}

// In a step of several operations a later one may conflict where the first one, without which the
// step cannot begin, is not enabled: within a critical section of another thread, for which it
// waited. The race is then that of the first with the lock.
void StepGraph::DropUnlessBegins(const AccessRecord& first, size_t from, std::vector<Race>& races,
                                 StopToken stop_token) const {
  const auto cannot_begin = [&](const Race& race) {
    return stop_token.IsRequested() ||
           !op::IsEnabledAt(first.kind, first.timed, LevelWithout(first, race.j));
  };
  races.erase(
      std::remove_if(races.begin() + static_cast<ptrdiff_t>(from), races.end(), cannot_begin),
      races.end());
}

// What the attempt would turn out to be before `access`. A compare-exchange of several objects
// succeeds if every one of them holds what it looks for:
//
//   both bytes are 0   T1: byte 1 = 1   T2: compare-exchange of both, 0 to 2   T3: byte 0 = 1
//
// T2 fails after T1 and T3. Before T3 byte 0 is as expected, but byte 1 is not if T1 came first.
op::Access StepGraph::AccessBefore(const Attempt& attempt, const AccessRecord& access) const {
  const op::Access seen = attempt.touch.access;
  if (attempt.all.empty()) {
    return op::AccessAt(attempt.kind, LevelBefore(access), attempt.expected, seen);
  }
  if (op::Info(attempt.kind).needs != op::Needs::kExpected) return seen;
  for (const AccessRecord& own : attempt.all) {
    if (own.of_a_part) return op::Info(attempt.kind).access;  // it may: the stronger of the two
  }
  for (const AccessRecord& own : attempt.all) {
    if (LevelWithout(own, access.step) != own.expected) return op::Access::kRead;
  }
  return op::Info(attempt.kind).access;
}

// `chain`: the last access to the attempt's object before it, index + 1.
void StepGraph::FindRacesOf(const Attempt& attempt, uint32_t chain, std::vector<Race>& races,
                            StopToken stop_token) const {
  const bool tentative = op::Info(attempt.kind).needs == op::Needs::kOutside || attempt.await != 0;
  for (uint32_t at = chain; at != 0;) {
    const AccessRecord& last = accesses_[at - 1];
    const uint32_t stop = accesses_[last.group_first].previous;
    if (op::Commute(last.touch.access, attempt.touch.access)) {
      at = stop;
      continue;
    }
    const uint32_t chain_end = at;
    bool found = false;
    bool known = true;  // all of the group happens before the attempt anyway
    for (; at != stop; at = accesses_[at - 1].previous) {
      const AccessRecord& access = accesses_[at - 1];
      const ThreadId thread = steps_[access.step].thread;
      if (access.step >= attempt.before || thread == op::kNoThread) continue;
      if (thread == attempt.thread || attempt.base[thread] > access.step) continue;
      known = false;
      // Whether it is enabled there, accesses back to the first of the group decide.
      if (stop_token.IsRequested()) return;
      const AccessRecord& begin = FirstOfStep(access);
      const bool enabled = IsEnabledBefore(attempt, begin) && !IsVainBefore(attempt, begin);
      if (!enabled && !finds_all_) continue;
      races.push_back({access.step, access.touch.object, attempt.operation,
                       AccessBefore(attempt, begin), tentative,
                       access.touch.access == op::Access::kWrite, false});
      found = true;
    }
    // Readers that do not leave hinder a writer wherever it stands among them: it comes before the
    // first of them.
    if (!found && !known && last.touch.access == op::Access::kShared) {
      for (uint32_t k = chain_end; k != stop && !found; k = accesses_[k - 1].previous) {
        const AccessRecord& access = accesses_[k - 1];
        const ThreadId thread = steps_[access.step].thread;
        if (access.step >= attempt.before || thread == op::kNoThread) continue;
        if (attempt.base[thread] > access.step || thread == attempt.thread) break;
        const op::Level level = FirstOfStep(access).level;
        if (!op::IsEnabledAt(attempt.kind, attempt.timed, level)) continue;
        races.push_back({access.step, access.touch.object, attempt.operation, attempt.touch.access,
                         tentative, false, true});
        found = true;
      }
    }
    if (known || (found && !tentative && !finds_all_)) return;
  }
}

// A race with a step that happens before another one in a race waits until that one is reversed.
// REQUIRES: not all are to be found.
void StepGraph::DropDominated(size_t from, std::vector<Race>& races, StopToken stop_token) const {
  size_t kept = from;
  for (size_t a = from; a < races.size() && !stop_token.IsRequested(); ++a) {
    bool dominated = false;
    for (size_t b = from; b < races.size() && !dominated; ++b) {
      if (races[b].j == races[a].j) {
        dominated = b < a;  // twice: by two objects
      } else {
        dominated = !races[a].tentative && HappensBefore(races[a].j, races[b].j);
      }
    }
    if (!dominated) races[kept++] = races[a];
  }
  races.resize(kept);
}

void StepGraph::FindRaces(StepIndex i, std::vector<Race>& races, StopToken stop_token) const {
  const size_t from = races.size();
  const ThreadId thread = steps_[i].thread;
  if (thread == op::kNoThread) return;
  const std::span<const AccessRecord> accesses = AccessesOf(i);
  constexpr std::span<const AccessRecord> kAlone;
  uint32_t operation = 0;
  size_t begin = 0;
  size_t end = 0;
  for (size_t k = 0; k < accesses.size(); ++k) {
    const AccessRecord& access = accesses[k];
    if (k == end) {
      if (k != 0) ++operation;
      begin = end++;
      while (end != accesses.size() && accesses[end].further) ++end;
    }
    if (access.previous == 0) continue;  // nobody was at the object before
    const bool several = end - begin > 1 || access.of_a_part;
    const Attempt attempt = {.thread = thread,
                             .kind = access.kind,
                             .timed = access.timed,
                             .touch = access.touch,
                             .expected = access.expected,
                             .all = several ? accesses.subspan(begin, end - begin) : kAlone,
                             .operation = operation,
                             .base = BaseBefore(i),
                             .before = i,
                             .await = several || operation != 0 ? 0 : steps_[i].await};
    const size_t found = races.size();
    FindRacesOf(attempt, access.previous, races, stop_token);
    if (operation != 0) DropUnlessBegins(accesses[0], found, races, stop_token);
  }
  if (!finds_all_ && races.size() > from + 1) DropDominated(from, races, stop_token);
}

void StepGraph::FindRaces(const Attempt& attempt, std::vector<Race>& races,
                          StopToken stop_token) const {
  const size_t from = races.size();
  if (attempt.touch.object >= chains_.size()) return;
  uint32_t chain = chains_[attempt.touch.object];
  while (chain != 0 && accesses_[chain - 1].step >= attempt.before) {
    chain = accesses_[chain - 1].previous;  // after time passed
  }
  FindRacesOf(attempt, chain, races, stop_token);
  if (!finds_all_ && races.size() > from + 1) DropDominated(from, races, stop_token);
}

}  // namespace heddle::explore
