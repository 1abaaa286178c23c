#include "runtime/record.h"

#include <string.h>
#include <unwind.h>

#include <optional>
#include <span>
#include <utility>

#include "runtime/debugger.h"
#include "runtime/early_blocks.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/memory/execution_state.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/own_module.h"
#include "runtime/prim/readable.h"
#include "runtime/runtime.h"
#include "trace/cost.h"

namespace heddle::runtime {
namespace {

// In heddle's heap: what a forked execution recorded is there afterwards.
[[HEDDLE_LASTS("where they are")]] std::vector<channel::StepRecord>* steps;
[[HEDDLE_LASTS("as above")]] std::vector<uint32_t>* ticks;
[[HEDDLE_LASTS("as above")]] std::vector<channel::BlockRecord>* blocks;
struct Counts {
  uint64_t steps;
  uint64_t accesses;  // plain ones, watched or not
};
[[HEDDLE_LASTS("as above")]] Counts* counts;
// By thread: where it stands.
[[HEDDLE_LASTS("as above")]] std::vector<channel::StepRecord>* pending;
[[HEDDLE_OF_EXECUTION]] uint32_t choices_before;
[[HEDDLE_OF_EXECUTION]] uint64_t moments;  // events and plain accesses so far

// Unwinding takes tens of thousands of instructions: too many to be made in single steps.
[[HEDDLE_OF_EXECUTION]] bool without_stacks;

[[HEDDLE_LASTS("of a finding")]] uintptr_t watched_address;
[[HEDDLE_LASTS("of a finding")]] uint64_t watched_size;

// Steps kept from the beginning, and at least as many from the end.
constexpr size_t kKept = 10'000;
// Blocks kept. Each is an unwound stack, so more would take long.
constexpr size_t kBlocksKept = 50'000;
// So many were allocated before the first execution. Each execution begins with them.
[[HEDDLE_LASTS("as above")]] size_t early_blocks;

// The last step is a write that has not been made yet, a plain one or that of an asm statement:
// what it writes is told by the memory when the thread is heard of again. Nobody else runs before
// that.
[[HEDDLE_OF_EXECUTION]] bool write_open;
[[HEDDLE_OF_EXECUTION]] std::optional<uint64_t> expected;  // RecordExpected

// Of main's thread, behind those of its fiber (RememberCallers).
[[HEDDLE_LASTS("from before the first execution")]] channel::StepRecord callers;

struct Frames {
  channel::StepRecord* step;
  uintptr_t from;  // frames are kept from the one with this return address on
  bool started;
  uintptr_t within = 0;  // the frame within the first one that is kept
};

_Unwind_Reason_Code KeepFrame(_Unwind_Context* context, void* argument) {
  auto* frames = static_cast<Frames*>(argument);
  const uintptr_t pc = _Unwind_GetIP(context);
  if (pc == frames->from) frames->started = true;
  if (without_stacks || frames->step->frames == channel::kMaxFrames) return _URC_END_OF_STACK;
  if (!frames->started) {
    frames->within = pc;
    return _URC_NO_REASON;
  }
  frames->step->sp[frames->step->frames] = _Unwind_GetCFA(context);  // of the frame within it
  frames->step->pc[frames->step->frames++] = pc;
  return _URC_NO_REASON;
}

// The number in the `size` bytes at `address`; nothing if there is no such number, or no memory.
std::optional<uint64_t> ReadNumber(uintptr_t address, uint64_t size) {
  if (size == 0 || size > 8) return std::nullopt;
  constexpr uintptr_t kWord = 8;
  if (!IsReadable(address & -kWord) || !IsReadable((address + size - 1) & -kWord))
    return std::nullopt;
  uint64_t number = 0;
  memcpy(&number, reinterpret_cast<const void*>(address), size);
  return number;
}

void TellWritten(channel::StepRecord& step) {
  const std::optional<uint64_t> number = ReadNumber(step.object, step.size);
  if (!number) return;
  step.written = *number;
  step.facts |= channel::kFactWritten;
}

void TellRead(channel::StepRecord& step, std::optional<uint64_t> number) {
  if (!number || step.size > 8) return;
  step.value = *number;
  step.facts |= channel::kFactRead;
}

void CloseWrite() {
  if (std::exchange(write_open, false)) TellWritten(steps->back());
}

// What `step`, an access that was made, or is about to be made if it is a plain one, reads and
// writes.
void TellValues(channel::StepRecord& step, op::Kind kind, op::Access access, uint64_t value) {
  if (kind == op::Kind::kPlainRead) return TellRead(step, ReadNumber(step.object, step.size));
  if (kind == op::Kind::kPlainWrite) {
    write_open = true;
    return;
  }
  if (!op::IsAtomic(kind)) {
    step.value = value;
    return;
  }
  const std::optional<uint64_t> wanted = std::exchange(expected, std::nullopt);
  if (wanted) {
    step.expected = *wanted;
    step.facts |= channel::kFactExpected;
  }
  if (kind != op::Kind::kAtomicStore) TellRead(step, value);
  if (access == op::Access::kWrite) TellWritten(step);
}

void AddCallers(channel::StepRecord& step) {
  for (uint32_t i = 0; i < callers.frames && step.frames < channel::kMaxFrames; ++i) {
    step.sp[step.frames] = callers.sp[i];
    step.pc[step.frames++] = callers.pc[i];
  }
}

void TakeStack(channel::StepRecord& step, uintptr_t pc) {
  const OutsideExecution outside;
  Frames frames = {&step, pc, false};
  if (pc != 0 && !without_stacks) _Unwind_Backtrace(KeepFrame, &frames);
  if (step.frames != 0 && IsOwnCode(frames.within)) step.hook = frames.within;
  if (step.frames == 0 && pc != 0) step.pc[step.frames++] = pc;
  if (Current().id == 0 && !without_stacks) AddCallers(step);
}

channel::StepRecord& NewStep(op::Kind kind) {
  CloseWrite();
  if (steps->size() == 3 * kKept) {
    steps->erase(steps->begin() + kKept, steps->begin() + 2 * kKept);
    ticks->erase(ticks->begin() + kKept, ticks->begin() + 2 * kKept);
  }
  steps->emplace_back();
  channel::StepRecord& step = steps->back();
  step.head.kind = channel::RecordKind::kStep;
  step.number = ++counts->steps;
  step.thread = Current().id;
  step.op_kind = static_cast<uint8_t>(kind);
  step.other = op::kNoThread;
  step.moment = channel::kNotMade;
  ticks->push_back(Current().tick);
  return step;
}

// What the choices since the step before cost, as flags of a step.
uint32_t PriceOfChoices() {
  trace::Execution view;
  view.choices = {g_trace->choices, g_trace->choice_count};
  view.words = {g_trace->words, g_trace->word_count};
  uint32_t flags = 0;
  for (; choices_before < g_trace->choice_count; ++choices_before) {
    const trace::Choice& choice = view.choices[choices_before];
    const trace::Price price = trace::PriceOf(view, choice, choice.chosen);
    if (price == trace::Price::kPreemption) flags |= channel::kStepPreempts;
    if (price == trace::Price::kEarlyTimeout) flags |= channel::kStepEarly;
  }
  return flags;
}

// The graph has the event of the step already, if the step has one.
uint32_t EventOfStep() {
  if (!g_state.weak || g_weak->Events() == 0) return 0;
  const uint32_t event = g_weak->Events();
  const model::Event& e = g_weak->Graph().At(static_cast<model::EventId>(event) - 1);
  return e.thread == Current().id ? event : 0;
}

// A store that goes before another one in modification order is not in memory.
void TellStored(channel::StepRecord& step) {
  if (step.event == 0 || (step.facts & channel::kFactWritten) == 0) return;
  const model::Event& e = g_weak->Graph().At(static_cast<model::EventId>(step.event) - 1);
  if (e.IsStore() && e.label.level == 0) step.written = e.value;  // else WeakMemory::Use
}

void ClearRecording() {
  steps->clear();
  ticks->clear();
  blocks->resize(early_blocks);
  *counts = {};
}

// But the first `always`, which are there in each execution.
template <typename T>
void SaveVector(const std::vector<T>& from, base::SavedBytes& to, size_t always = 0) {
  to.Put(from.size() - always);
  to.Put(from.data() + always, from.size() - always);
}

template <typename T>
void RestoreVector(std::vector<T>& to, base::SavedBytesReader& from, size_t always = 0) {
  to.resize(always + from.Get<size_t>());
  from.Get(to.data() + always, to.size() - always);
}

void SaveRecording(base::SavedBytes& to) {
  SaveVector(*steps, to);
  SaveVector(*ticks, to);
  SaveVector(*blocks, to, early_blocks);
  to.Put(*counts);
  SaveVector(*pending, to);
}

void RestoreRecording(base::SavedBytesReader& from) {
  RestoreVector(*steps, from);
  RestoreVector(*ticks, from);
  RestoreVector(*blocks, from, early_blocks);
  *counts = from.Get<Counts>();
  RestoreVector(*pending, from);
}

}  // namespace

void InitRecording() {
  steps = new std::vector<channel::StepRecord>;
  ticks = new std::vector<uint32_t>;
  const std::span<const channel::BlockRecord> early = KeepEarlyBlocks();
  blocks = new std::vector<channel::BlockRecord>(early.begin(), early.end());
  early_blocks = early.size();
  counts = new Counts{};
  pending = new std::vector<channel::StepRecord>;
  AddExecutionTable({.reset = ClearRecording, .save = SaveRecording, .restore = RestoreRecording});
}

std::vector<channel::StepRecord>& RecordedSteps() { return *steps; }
std::vector<uint32_t>& RecordedTicks() { return *ticks; }
std::vector<channel::BlockRecord>& RecordedBlocks() { return *blocks; }
uint64_t AccessesSeen() { return counts->accesses; }

void RecordStep(const op::Operation& operation, op::Access access, uint64_t value) {
  if (operation.kind == op::Kind::kUse || op::IsFrame(operation.kind)) return;  // in no report
  ++moments;
  const bool life = operation.kind == op::Kind::kInitialise || operation.kind == op::Kind::kDestroy;
  if (life && LiveThreads() < 2) return;  // no step of the program's threads with each other
  channel::StepRecord& step = NewStep(operation.kind);
  // Its event comes after its release, which begins another tick than the one it was checked in.
  if (op::IsAtomic(operation.kind)) ticks->back() = Current().checked_tick;
  step.size = operation.size;
  step.order = operation.order;
  step.detail = operation.detail;
  step.other = operation.other;
  step.object = operation.object;
  step.object2 = operation.object2;
  if (op::IsPlain(operation.kind)) step.facts |= channel::kFactPoint;
  step.event = EventOfStep();
  TellValues(step, operation.kind, access, value);
  if (op::IsAtomic(operation.kind)) TellStored(step);
  step.flags |= PriceOfChoices();
  if (op::Has(operation.kind, op::kTries) && access == op::Access::kRead)
    step.flags |= channel::kStepFailed;
  if (Current().wake == Wake::kTimedOut) step.flags |= channel::kStepTimedOut;
  step.moment = moments;
  TakeStack(step, operation.pc);
  DebuggerAtMoment(moments);
}

void RecordPending(const op::Operation& operation) {
  CloseWrite();
  const op::ThreadId thread = Current().id;
  if (pending->size() <= thread) pending->resize(thread + 1);
  channel::StepRecord& step = (*pending)[thread];
  step = {};
  step.head.kind = channel::RecordKind::kStep;
  step.thread = thread;
  step.op_kind = static_cast<uint8_t>(operation.kind);
  step.moment = channel::kNotMade;
  TakeStack(step, operation.pc);
  DebuggerAtOperation();
}

void RecordStanding(op::ThreadId thread, channel::StepFlags flag, uintptr_t object,
                    op::ThreadId other) {
  channel::StepRecord& step = (*pending)[thread];
  step.number = counts->steps + 1;  // what it is about is called as it is now
  step.flags = flag;
  step.object = object;
  step.other = other;
  steps->push_back(step);
  ticks->push_back(FiberAt(thread).tick);
}

void RecordLoop(uint32_t facts, const uintptr_t (&places)[3]) {
  channel::StepRecord& step = steps->back();
  step.facts |= channel::kFactLoop | facts;
  step.value = places[0];
  step.written = places[1];
  step.expected = places[2];
}

void WatchAccesses(uintptr_t address, uint64_t size) {
  watched_address = address;
  watched_size = size;
}

bool RecordAccess(uintptr_t address, uint32_t size, bool write, uintptr_t pc) {
  ++counts->accesses;
  ++moments;
  if (address - watched_address >= watched_size && watched_address - address >= size) return false;
  const op::Kind kind = write ? op::Kind::kPlainWrite : op::Kind::kPlainRead;
  channel::StepRecord& step = NewStep(kind);
  step.size = static_cast<uint8_t>(size < 255 ? size : 255);
  step.object = address;
  step.object2 = size;
  step.moment = moments;
  TellValues(step, kind, write ? op::Access::kWrite : op::Access::kRead, 0);
  TakeStack(step, pc);
  DebuggerAtMoment(moments);
  return true;
}

void RecordStepFrees(bool destroys) {
  write_open = false;
  steps->back().facts |= channel::kFactFrees;
  if (destroys) steps->back().facts |= channel::kFactDestroys;
}

void RecordFree(uintptr_t address, uint32_t size, uintptr_t pc, bool destroys) {
  if (RecordAccess(address, size, true, pc)) RecordStepFrees(destroys);
}

void RecordExpected(uint64_t value) { expected = value; }

void RecordWriteFollows() {
  write_open = !steps->empty() && (steps->back().facts & channel::kFactWritten) != 0;
}

void RecordBlock(uintptr_t address, size_t bytes) {
  if (blocks->size() == kBlocksKept) return;
  const OutsideExecution outside;
  channel::BlockRecord& block = blocks->emplace_back(BlockOf(address, bytes, !without_stacks));
  block.number = counts->steps;
  block.thread = Current().id;
}

void RememberCallers(uintptr_t pc) {
  // The first of them lies on another stack than the one within it. Between them stands a frame of
  // heddle's, so that none of the program's seems to reach from one to the other.
  callers.pc[0] = HEDDLE_ACCESS_CALLER;
  callers.sp[0] = 0;
  callers.frames = 1;
  Frames frames = {&callers, pc, false};
  _Unwind_Backtrace(KeepFrame, &frames);
}

void RecordWithoutStacks() { without_stacks = true; }

const channel::BlockRecord* RecordedBlock(uintptr_t address) {
  for (auto block = blocks->rbegin(); block != blocks->rend(); ++block)
    if (block->address == address) return &*block;
  return nullptr;
}

// Where each was allocated, by whom, and by which calls.
static void RecordLeaks() {
  for (const trace::Leak& leak : std::span(g_trace->leaks, g_trace->leak_count)) {
    channel::StepRecord& step = NewStep(op::Kind::kHook);
    step.flags = channel::kStepMade;
    step.object = leak.block;
    if (const channel::BlockRecord* block = RecordedBlock(leak.block)) {
      step.thread = block->thread;
      for (uint32_t i = 0; i < block->frames && step.frames < trace::kLeakFrames; ++i)
        if (step.frames != 0 || block->pc[i] == leak.pc) step.pc[step.frames++] = block->pc[i];
    }
    if (step.frames == 0) step.pc[step.frames++] = leak.pc;
  }
}

void RecordEnding(const trace::Ending& ending) {
  without_stacks = false;
  if (ending.kind == trace::EndKind::kLeak) return RecordLeaks();
  const bool unplaced = ending.kind == trace::EndKind::kExit && !ending.before_return;
  if (unplaced || ending.pc == 0) return;
  channel::StepRecord& step = NewStep(op::Kind::kHook);
  step.flags = ending.made_there ? channel::kStepMade : channel::kStepEnding;
  step.object = ending.address;
  TakeStack(step, ending.pc);
  step.exact = ending.kind == trace::EndKind::kCrash || ending.kind == trace::EndKind::kHang;
}

}  // namespace heddle::runtime
