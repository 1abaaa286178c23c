#include "runtime/states/hook_state.h"

#include "base/hash.h"
#include "base/wide_hash.h"
#include "check/shadow.h"
#include "runtime/bounded_text.h"
#include "runtime/control.h"
#include "runtime/fibers/fiber.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/memory_hash.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "runtime/states/state_digest.h"

namespace heddle::runtime {
namespace {

using base::WideHash;

struct SharedRange {
  uintptr_t begin;
  size_t bytes;
};
struct Ranges {
  uint32_t count;
  SharedRange* all;  // in bump memory; most programs have none
};
[[HEDDLE_OF_EXECUTION]] Ranges ranges;
[[HEDDLE_OF_EXECUTION]] uint64_t semaphores_up;        // a hash of which are
[[HEDDLE_LASTS("of the program")]] bool compares_all;  // it names nothing that is shared
[[HEDDLE_OF_EXECUTION]] uint32_t moments;              // so far

// Eight bytes at a time.
void PutBytes(WideHash& hash, uintptr_t begin, size_t bytes) {
  const auto* at = reinterpret_cast<const char*>(begin);
  for (; bytes >= sizeof(uint64_t); at += sizeof(uint64_t), bytes -= sizeof(uint64_t))
    hash.Put(LoadAt<uint64_t>(at));
  uint64_t rest = 0;
  for (size_t i = 0; i < bytes; ++i) rest |= uint64_t{LoadAt<uint8_t>(at + i)} << 8 * i;
  hash.Put(rest);
}

bool HasEnded(const Fiber& fiber) { return fiber.state == FiberState::kFinished || fiber.done; }

// The bytes as a number, if they can be one; else the first of them.
void TellValue(BoundedText& told, uintptr_t begin, size_t bytes) {
  const auto* at = reinterpret_cast<const unsigned char*>(begin);
  const bool number = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  if (number) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value |= uint64_t{at[i]} << 8 * i;
    const auto unused = static_cast<unsigned>(64 - 8 * bytes);
    told.Add("%lld", static_cast<long long>(static_cast<int64_t>(value << unused) >> unused));
    return;
  }
  constexpr size_t kMostBytes = 24;
  size_t text = 0;
  while (text < bytes && at[text] >= ' ' && at[text] <= '~' && at[text] != '%') ++text;
  if (text != 0 && (text == bytes || at[text] == 0)) {
    told.Add("\"%.*s\"", static_cast<int>(text < kMostBytes ? text : kMostBytes),
             reinterpret_cast<const char*>(at));
    return;
  }
  for (size_t i = 0; i < bytes && i < kMostBytes; ++i) told.Add(i == 0 ? "%02x" : " %02x", at[i]);
}

void TellCounters(BoundedText& told) {
  constexpr uint32_t kMostThreads = 8;
  uint32_t threads = 0;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (fiber.state == FiberState::kUnused || fiber.hooks == 0) continue;
    if (++threads > kMostThreads) continue;
    told.Add("%s%%T%u%% %u", threads == 1 ? "" : ", ", id, fiber.hooks);
  }
  if (threads > kMostThreads) told.Add(", ...");
}

void TellShared(BoundedText& told) {
  constexpr uint32_t kMostTold = 4;
  for (uint32_t i = 0; i < ranges.count && i < kMostTold; ++i) {
    told.Add("%s%%O%lx%% is ", i == 0 ? ": " : ", ",
             static_cast<unsigned long>(ranges.all[i].begin));
    TellValue(told, ranges.all[i].begin, ranges.all[i].bytes);
  }
  if (ranges.count > kMostTold) told.Add(", ...");
}

// The execution is one of the two orders of a race condition, and is where it shows.
[[noreturn]] void EndAsRaceCondition(bool is_other) {
  char text[sizeof(trace::Ending::message)];
  BoundedText told = {text, text + sizeof text};
  told.Add(
      "what the threads share depends on the order in which they come to the same calls of "
      "heddle_hook (");
  TellCounters(told);
  told.Add(")");
  TellShared(told);
  g_trace->ending.moment = moments;
  EndExecution(trace::EndKind::kRaceCondition, is_other ? trace::kOtherOrder : 0, 0,
               Current().pending.pc, "%s", text);
}

// All memory is shared but stacks, and all of the program's state decides what follows.
bool CompareAll(plan::StateVisit& visit) {
  if (!HasSnapshot())
    EndExecution(trace::EndKind::kUnsupported, 0, 0, 0,
                 "all memory cannot be compared (--visited counters) where every execution has a "
                 "process of its own: name what the threads share by heddle_shared");
  compares_all = true;
  g_state.takes_states = g_state.states_now = true;  // not before it is known that they are needed
  if (!DigestState(Current(), visit.state)) {
    NoteIncomplete(Incomplete::kStatesUnknown);
    return false;
  }
  WideHash shared = HashOfMemory();
  shared.Put(semaphores_up);
  shared.Put(check::g_poisoned.first);
  shared.Put(check::g_poisoned.second);
  visit.shared = plan::KeyOf(shared);
  return true;
}

}  // namespace

void BeginHooks() {
  const plan::Visiting& visiting = VisitingOfPlan();
  const bool visits = visiting.by != nullptr && visiting.kind == plan::KeyKind::kCounters;
  g_state.asks_counters = visits || EndAtOfPlan().moment != 0;
  if (!visits) return;
  g_state.takes_states = compares_all;
  visiting.by->Begin(visiting.search);
}

void VisitCounters() {
  if (!g_state.several_threads) return;
  ++moments;
  if (const plan::EndAt& end = EndAtOfPlan(); end.moment != 0) {
    if (moments == end.moment) EndAsRaceCondition(end.is_other);
    return;
  }
  // What is repeated is known, but for another run of the same execution that is to be compared.
  const bool repeats = LeftOfPlan() != PlanLeft::kNothing;
  if (repeats && ChannelHeader().settings.verify == 0) return;
  plan::StateVisit visit = {.key = CountersKey(), .step = moments};
  if (SharesRanges())
    visit.shared = visit.state = SharedKey();
  else if (!CompareAll(visit))
    return;
  visit.pc = Current().pending.pc;
  const plan::Visiting& visiting = VisitingOfPlan();
  if (repeats) return visiting.by->Pass(visiting.search, visit);
  const plan::VisitResult result = visiting.by->Visit(visiting.search, visit);
  if (result.differs) EndAsRaceCondition(false);
  if (result.known) EndAsRedundant();
}

bool NoteShared(uintptr_t begin, size_t bytes) {
  if (bytes == 0) return true;
  if (ranges.count == kMostRanges) return false;
  if (ranges.all == nullptr)
    ranges.all = static_cast<SharedRange*>(g_state.bump.Take(kMostRanges * sizeof(SharedRange)));
  ranges.all[ranges.count++] = {begin, bytes};
  return true;
}

bool SharesRanges() { return ranges.count != 0; }

void NoteUp(uintptr_t semaphore, bool up) {
  const uint64_t hash = base::Mix(semaphore);
  semaphores_up += up ? hash : -hash;
}

plan::Key CountersKey() {
  WideHash hash;
  const FiberSet& open = reinterpret_cast<ThreadSets*>(TableAddress(kThreadSetsTable))->open;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (fiber.state == FiberState::kUnused) continue;
    const bool ended = HasEnded(fiber);
    const bool at_hook = !ended && fiber.pending.kind == op::Kind::kHook;
    // Which one it waits for says how far it has come, but that follows from who has ended.
    const bool joins = fiber.pending.kind == op::Kind::kThreadJoin && !open.Has(id);
    hash.Put(uint64_t{fiber.hooks} << 32 | id);
    hash.Put(ended ? 1 : at_hook ? 2 : joins ? 3 : 4);
    if (!ended && !at_hook && !joins) hash.Put(fiber.events - fiber.events_at_hook);
  }
  return plan::KeyOf(hash);
}

plan::Key SharedKey() {
  WideHash hash;
  for (uint32_t i = 0; i < ranges.count; ++i)
    PutBytes(hash, ranges.all[i].begin, ranges.all[i].bytes);
  hash.Put(semaphores_up);
  return plan::KeyOf(hash);
}

}  // namespace heddle::runtime
