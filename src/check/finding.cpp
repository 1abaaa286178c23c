#include "check/finding.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <iterator>

#include "base/hash.h"

namespace heddle::check {
namespace {

using base::Fold;
using base::HashText;

// Is an ending a bug, and as which is it reported (trace/ending.def)?
struct BugInfo {
  enum IsBug : uint8_t { kNever, kByStatus, kAlways };
  IsBug is_bug;
  channel::BugKind kind;  // unless it is kNever
};

const BugInfo& InfoOf(trace::EndKind kind) {
  static constexpr BugInfo kTable[] = {
#define ENDING(name, end_class) {BugInfo::kNever, {}},
#define BUG_ENDING(name, end_class, is_bug, bug) {BugInfo::is_bug, channel::BugKind::bug},
#include "trace/ending.def"
  };
  return kTable[static_cast<unsigned>(kind)];
}

channel::BugKind KindOf(const trace::Ending& ending) {
  const bool by_signal = ending.kind == trace::EndKind::kDied && WIFSIGNALED(ending.status);
  return by_signal ? channel::BugKind::kCrash : InfoOf(ending.kind).kind;
}

// Of an ending with a status.
bool HasBadStatus(const trace::Ending& ending) {
  if (ending.kind != trace::EndKind::kDied) return ending.status != 0 || ending.before_return;
  if (KilledFromOutside(ending)) return false;
  return !WIFEXITED(ending.status) || WEXITSTATUS(ending.status) != 0;
}

bool IsBug(const trace::Ending& ending) {
  const BugInfo::IsBug is_bug = InfoOf(ending.kind).is_bug;
  return is_bug == BugInfo::kAlways || (is_bug == BugInfo::kByStatus && HasBadStatus(ending));
}

}  // namespace

bool EndsTooEarly(const Finding& finding) {
  using channel::BugKind;
  constexpr BugKind kKinds[] = {BugKind::kMisuse,
                                BugKind::kUseAfterFree,
                                BugKind::kUseAfterReturn,
                                BugKind::kUseAfterDestroy,
                                BugKind::kHeapBufferOverflow,
                                BugKind::kHeapBufferUnderflow,
                                BugKind::kAllocDeallocMismatch,
                                BugKind::kUninitialisedRead};
  return !finding.IsRace() &&
         std::find(std::begin(kKinds), std::end(kKinds), finding.kind) != std::end(kKinds);
}

bool KilledFromOutside(const trace::Ending& ending) {
  return ending.kind == trace::EndKind::kDied && WIFSIGNALED(ending.status) &&
         WTERMSIG(ending.status) == SIGKILL;
}

bool IsTestBreak(const Finding& finding) {
  return finding.kind == channel::BugKind::kAssertion && finding.status == SIGTRAP;
}

bool FindingOfEnding(const trace::Execution& execution, Finding* finding) {
  const trace::Ending& ending = execution.ending;
  if (!IsBug(ending)) return false;
  *finding = {};
  finding->kind = KindOf(ending);
  finding->thread = ending.thread;
  finding->status = ending.status;
  finding->address = ending.address;
  finding->block = ending.block;
  const bool too_late = IsUseAfterEnd(finding->kind);
  if (too_late) finding->freed_at = ending.freed_at;
  if (too_late || ending.block != 0) finding->size = 1;
  if (ending.kind == trace::EndKind::kRaceCondition) finding->moment = ending.moment;
  memcpy(finding->message, ending.message, sizeof finding->message);
  uint64_t key =
      Fold(static_cast<uint64_t>(finding->kind) + 1, static_cast<uint32_t>(ending.status));
  // Recording makes an execution slower, so a hang that the events ended may be ended by the clock
  // when it is explained.
  const bool place = !ending.place_varies && ending.kind != trace::EndKind::kHang;
  if (place) key = Fold(key, ending.pc);
  // A deadlock is where its threads stand, an invariant its function, an assertion its text. A
  // crash's address may be anything.
  if (ending.kind == trace::EndKind::kDeadlock || ending.kind == trace::EndKind::kInvariant)
    key = Fold(key, ending.address);
  if (ending.kind == trace::EndKind::kAssertion)
    key = Fold(Fold(key, HashText(ending.message)), ending.callers);
  // What else is used too late in the same place was freed in another one.
  if (too_late) key = Fold(key, ending.freed_at);
  if (ending.kind == trace::EndKind::kDied) {
    finding->status =
        WIFSIGNALED(ending.status) ? WTERMSIG(ending.status) : WEXITSTATUS(ending.status);
    if (WIFSIGNALED(ending.status))
      snprintf(finding->message, sizeof finding->message,
               "the process was killed by signal %d (%s)", finding->status,
               strsignal(finding->status));
    else
      snprintf(finding->message, sizeof finding->message,
               "a system call ended the process, with status %d", finding->status);
  }
  finding->key = key;
  return true;
}

namespace {

uint64_t KeyOf(const Race& race) {
  const uint64_t kinds = race.second_frees * 64u + race.allowed * 32u + race.first_visible * 16u +
                         race.first_write * 8u + race.first_atomic * 4u + race.second_write * 2u +
                         race.second_atomic;
  return Fold(Fold(uint64_t{1} << 40, race.second_pc), kinds);
}

}  // namespace

Finding FindingOfWeakPair(const Race& pair) {
  Finding finding = {};
  finding.kind = channel::BugKind::kDataRace;
  finding.weak = true;
  finding.thread = pair.second_thread;
  finding.address = pair.address;
  finding.size = pair.size;
  finding.race = pair;
  snprintf(finding.message, sizeof finding.message, "%%O%lx%%",
           static_cast<unsigned long>(pair.address));
  finding.key = Fold(KeyOf(pair), 1);
  return finding;
}

Finding FindingOfRace(const Race& race) {
  Finding finding = {};
  finding.kind = race.second_destroys ? channel::BugKind::kUseAfterDestroy
                 : race.second_frees  ? channel::BugKind::kUseAfterFree
                                      : channel::BugKind::kDataRace;
  finding.thread = race.second_thread;
  finding.address = race.address;
  finding.size = race.size;
  finding.race = race;
  const auto what = [](bool write, bool atomic) {
    return write ? (atomic ? "atomic write" : "write") : (atomic ? "atomic read" : "read");
  };
  if (race.second_frees)
    snprintf(finding.message, sizeof finding.message,
             "use after %s of %%O%lx%%: %%T%u%% %s it%%P2%%%s, and the %s by %%T%u%%%%P1%% may "
             "come after that: no synchronisation orders the two",
             race.second_destroys ? "destroy" : "free", static_cast<unsigned long>(race.address),
             race.second_thread, race.second_destroys ? "destroys" : "frees",
             race.second_destroys ? " with its static object, at exit" : "",
             what(race.first_write, race.first_atomic), race.first_thread);
  else
    snprintf(
        finding.message, sizeof finding.message,
        "data race on %%O%lx%%: %s by %%T%u%%%%P1%% and %s by %%T%u%%%%P2%% are not ordered by "
        "any synchronisation",
        static_cast<unsigned long>(race.address), what(race.first_write, race.first_atomic),
        race.first_thread, what(race.second_write, race.second_atomic), race.second_thread);
  finding.key = KeyOf(race);
  return finding;
}

Finding FindingOfLeak(const trace::Ending& ending, const trace::Leak& leak) {
  Finding finding = {};
  finding.kind = channel::BugKind::kLeak;
  finding.thread = ending.thread;
  finding.address = finding.block = leak.block;
  finding.size = 1;
  finding.leak = leak;
  const auto block = static_cast<unsigned long>(leak.block);
  const int length =
      snprintf(finding.message, sizeof finding.message,
               "nothing points to %%B%lx%%, %zu bytes%%A%lx%%, when the program ends", block,
               leak.bytes, block);
  const bool one = leak.others == 1;
  if (leak.others != 0)
    snprintf(finding.message + length, sizeof finding.message - static_cast<size_t>(length),
             "; %u other block%s, %zu bytes, %s lost, too", leak.others, one ? "" : "s",
             leak.other_bytes, one ? "is" : "are");
  finding.key = Fold(Fold(static_cast<uint64_t>(finding.kind) + 1, leak.pc), leak.stack);
  return finding;
}

std::vector<Finding> FindingsOf(const trace::Execution& execution) {
  std::vector<Finding> findings;
  Finding ending;
  if (execution.ending.kind == trace::EndKind::kLeak)
    for (const trace::Leak& leak : execution.leaks)
      findings.push_back(FindingOfLeak(execution.ending, leak));
  else if (FindingOfEnding(execution, &ending))
    findings.push_back(ending);
  for (const Race& race : execution.races) findings.push_back(FindingOfRace(race));
  for (const Race& pair : execution.weak_pairs) findings.push_back(FindingOfWeakPair(pair));
  return findings;
}

}  // namespace heddle::check
