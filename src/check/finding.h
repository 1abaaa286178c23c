// What an execution says about the program: a bug of which kind, or nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "channel/records.h"
#include "check/data_race.h"
#include "trace/execution.h"

namespace heddle::check {

struct Finding {
  channel::BugKind kind;
  op::ThreadId thread;
  int32_t status;  // signal, exit status
  uintptr_t address;
  uintptr_t block;     // trace::Ending
  uintptr_t freed_at;  // likewise
  uint32_t size;
  uint32_t moment;   // kRaceCondition: plan::EndAt
  uint64_t key;      // same key: same bug, within this process
  Race race;         // of two accesses that nothing orders, of which one may be a free
  bool weak;         // no race but a weak pair (data_race.h)
  trace::Leak leak;  // of a kLeak
  char message[488];

  bool IsRace() const { return race.size != 0; }
};

// Is one thing wrong, that the memory was given back, whoever comes too late?
inline bool IsUseAfterEnd(channel::BugKind kind) {
  return kind == channel::BugKind::kUseAfterFree || kind == channel::BugKind::kUseAfterDestroy;
}

// Might the program have gone on behind `finding`, which ended the execution, and in the real world
// often does?
bool EndsTooEarly(const Finding& finding);

// The process was killed by SIGKILL, and no call for that came by: an administrator, a limit on
// processor time, or the kernel that ran out of memory. Shows nothing about the program.
bool KilledFromOutside(const trace::Ending& ending);

// The breakpoint of a test framework (channel::Settings::test_breaks), which is the same for all
// assertions: so many frames, the innermost, tell them apart. GoogleTest's is two calls below the
// assertion, Catch2's one, doctest's at it.
inline constexpr uint32_t kFramesOfBreak = 3;
bool IsTestBreak(const Finding& finding);

// Does the way `execution` ended show a bug? Fills `finding` if so.
bool FindingOfEnding(const trace::Execution& execution, Finding* finding);

// A race as a finding.
Finding FindingOfRace(const Race& race);
Finding FindingOfWeakPair(const Race& pair);
Finding FindingOfLeak(const trace::Ending& ending, const trace::Leak& leak);

// All that `execution` shows: the ending first, then races, then weak pairs.
std::vector<Finding> FindingsOf(const trace::Execution& execution);

}  // namespace heddle::check
