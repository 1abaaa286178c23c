#include "runtime/world/loop_sample.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/hash.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/linkage.h"
#include "runtime/prim/machine.h"
#include "runtime/primitives/plain.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/world/own_code.h"

extern "C" {
#define SIZES(X) X(1) X(2) X(4) X(8) X(16)
#define DECLARE(size)                     \
  void __tsan_read##size(void*);          \
  void __tsan_write##size(void*);         \
  void __tsan_volatile_read##size(void*); \
  void __tsan_volatile_write##size(void*);
SIZES(DECLARE)
#define DECLARE_UNALIGNED(size)            \
  void __tsan_unaligned_read##size(void*); \
  void __tsan_unaligned_write##size(void*);
DECLARE_UNALIGNED(2)
DECLARE_UNALIGNED(4)
DECLARE_UNALIGNED(8)
DECLARE_UNALIGNED(16)
void __tsan_read_range(void*, unsigned long);
void __tsan_write_range(void*, unsigned long);
}

namespace heddle::runtime {
namespace {

struct Hook {
  void (*entry)(void*);
  bool write;
};
constexpr Hook kHooks[] = {
#define ENTRIES(size)                                                                          \
  {__tsan_read##size, false}, {__tsan_write##size, true}, {__tsan_volatile_read##size, false}, \
      {__tsan_volatile_write##size, true},
    SIZES(ENTRIES)
#define UNALIGNED_ENTRIES(size) \
  {__tsan_unaligned_read##size, false}, {__tsan_unaligned_write##size, true},
        UNALIGNED_ENTRIES(2) UNALIGNED_ENTRIES(4) UNALIGNED_ENTRIES(8) UNALIGNED_ENTRIES(16)};

// Instructions to look at; and at most so many more until the thread is back in the loop itself.
constexpr uint32_t kEnough = 20'000;
constexpr uint32_t kMost = 2 * kEnough;
constexpr uint32_t kAlike = 8;  // rounds in the same state, one after the other, are no accident
constexpr uint32_t kMostReads = 4;
constexpr size_t kStackBytes = 64 << 10;  // a deeper stack is not looked at, and nothing proved

// A place that is passed in every round, and the state there.
struct Anchor {
  uintptr_t pc;
  uintptr_t address;
  uint64_t state;
  uint32_t alike;  // times in a row that the state was the same
};

struct Sample {
  uint32_t instructions;
  uint32_t events;      // of the execution when it began
  uintptr_t outermost;  // highest stack pointer seen: of the frame that the loop is in
  uintptr_t first;      // of the instructions seen in that frame, by address
  uintptr_t last;
  uintptr_t lowest_code;  // of all instructions but heddle's
  uintptr_t highest_code;
  bool in_hook;      // the thread is in heddle's code
  bool writes;       // to plain memory
  uint64_t unknown;  // rounds of which the state is not known: no two are alike
  uint32_t reads;
  uintptr_t read[kMostReads];  // addresses
  Anchor at_read;              // the first access, by the address that it returns to
  Anchor at_first;             // the lowest instruction of the frame
};
[[HEDDLE_OF_EXECUTION]] Sample s;

// Hash of what a round may have changed without being seen: registers, and the stack close by.
uint64_t StateOf(const ucontext_t& context, bool at_call) {
  uint64_t hash = 1;
  const auto add = [&](uint64_t value) { hash = base::Fold(hash, value); };
  if (at_call)
    VisitKeptRegisters(context, add);
  else
    VisitRegisters(context, add);
  const Fiber& self = Current();
  const uintptr_t begin = StackPointer(context);
  VisitVectorRegisters(context, add);
  const auto stack = reinterpret_cast<uintptr_t>(self.stack_begin);
  const uintptr_t end = stack + self.stack_size;
  if (begin - stack >= self.stack_size || end - begin > kStackBytes) return ++s.unknown;
  for (uintptr_t at = begin & ~uintptr_t{7}; at + 8 <= end; at += 8)
    hash = base::Fold(hash, *reinterpret_cast<const uint64_t*>(at));
  return hash;
}

void Pass(Anchor& anchor, uint64_t state) {
  anchor.alike = state == anchor.state ? anchor.alike + 1 : 0;
  anchor.state = state;
}

void NoteRead(uintptr_t address) {
  for (uint32_t i = 0; i < s.reads && i < kMostReads; ++i)
    if (s.read[i] == address) return;
  if (s.reads < kMostReads) s.read[s.reads] = address;
  ++s.reads;
}

// The thread enters heddle's code.
void NoteCall(const ucontext_t& context) {
  const uintptr_t pc = ProgramCounter(context);
  bool write = pc == reinterpret_cast<uintptr_t>(__tsan_write_range);
  bool access = write || pc == reinterpret_cast<uintptr_t>(__tsan_read_range);
  for (const Hook& hook : kHooks) {
    if (pc != reinterpret_cast<uintptr_t>(hook.entry)) continue;
    access = true;
    write = hook.write;
  }
  if (!access) return;
  const uintptr_t address = FirstArgument(context);
  if (write) {
    s.writes = true;
    return;
  }
  if (!IsOnOwnStack(Current(), address)) NoteRead(address);
  if (s.at_read.pc == 0) s.at_read = {ReturnAddress(context), address, 0, 0};
  if (s.at_read.pc == ReturnAddress(context) && s.at_read.address == address)
    Pass(s.at_read, StateOf(context, true));
}

// What other code changes is not seen.
bool RanOwnCodeOnly() {
  Dl_info lowest, highest;
  return dladdr(reinterpret_cast<void*>(s.lowest_code), &lowest) != 0 &&
         dladdr(reinterpret_cast<void*>(s.highest_code), &highest) != 0 &&
         lowest.dli_fbase == highest.dli_fbase && AnnouncesAccesses(s.lowest_code);
}

bool NothingHappened() { return !s.writes && g_trace->event_count == s.events; }
bool OnlyReads() { return NothingHappened() && s.reads != 0 && s.reads <= kMostReads; }
bool SpinsOnPlain() { return OnlyReads() && s.at_read.alike >= kAlike; }
bool SpinsOnNothing() {
  return NothingHappened() && s.at_read.pc == 0 && s.at_first.alike >= kAlike;
}

// The variables read, as placeholders, in `text`.
void ListReads(char* text, size_t size) {
  int length = 0;
  for (uint32_t i = 0; i < s.reads && i < kMostReads; ++i)
    length += snprintf(text + length, size - static_cast<size_t>(length), "%s%%O%lx%%",
                       i == 0 ? "" : ", ", s.read[i]);
}

}  // namespace

void BeginLoopSample() {
  s = {};
  s.lowest_code = ~uintptr_t{0};
  s.events = g_trace->event_count;
  WatchAccesses(0, 0);  // a replay that shows them all need not show more rounds of the loop
}

bool SampleInstruction(const ucontext_t& context) {
  ++s.instructions;
  const uintptr_t pc = ProgramCounter(context);
  if (IsOwnCode(pc)) {
    if (!s.in_hook) NoteCall(context);
    s.in_hook = true;
    return false;
  }
  s.in_hook = false;
  if (pc < s.lowest_code) s.lowest_code = pc;
  if (pc > s.highest_code) s.highest_code = pc;
  const uintptr_t stack = StackPointer(context);
  if (stack > s.outermost) {
    s.outermost = stack;
    s.first = s.last = pc;
    s.at_first = {};
  }
  if (stack == s.outermost) {
    if (pc < s.first) {
      s.first = pc;
      s.at_first = {};
    }
    if (pc > s.last) s.last = pc;
    if (pc == s.first) Pass(s.at_first, StateOf(context, false));
  }
  // A loop with visible operations needs no closer look: they are in the report.
  if (s.instructions >= kMost || g_trace->event_count != s.events) return true;
  if (SpinsOnPlain()) return pc == s.at_read.pc;
  return s.instructions >= kEnough && stack == s.outermost;
}

uintptr_t SpinPlace() { return OnlyReads() ? s.at_read.pc : 0; }

bool DescribeLoop(char* text, size_t size) {
  char reads[120] = "";
  ListReads(reads, sizeof reads);
  constexpr const char* kNobodyElse = "no other thread can run inside the loop";
  // %L names the line of the call before a return address: one more than where the thread stood.
  if (SpinsOnPlain()) {
    snprintf(text, size,
             "spins at %%L%lx%% on plain memory %s, which is not atomic: a compiler may move the "
             "read out of the loop, and %s",
             s.at_read.pc, reads, kNobodyElse);
  } else if (SpinsOnNothing()) {
    snprintf(text, size,
             "loops for ever at %%L%lx%% to %%L%lx%%, where nothing changes: if it waits for a "
             "variable that is not atomic, the compiler may have moved the read out of the loop, "
             "and %s",
             s.first + 1, s.last + 1, kNobodyElse);
  } else {
    snprintf(text, size,
             "is in a loop at %%L%lx%% to %%L%lx%% that never ends, or the computation needs more "
             "time",
             s.first + 1, s.last + 1);
  }
  return (SpinsOnPlain() || SpinsOnNothing()) && RanOwnCodeOnly();
}

}  // namespace heddle::runtime
