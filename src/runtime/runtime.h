// What hooks, the world and the primitives may use of the runtime. Ground rules are in README.md
// beside this file; how an operation is made: steps/scheduler.h.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "claim/incomplete.h"
#include "op/operation.h"
#include "runtime/fibers/fiber.h"
#include "runtime/objects/table.h"
#include "trace/ending.h"
#include "trace/execution.h"

namespace heddle::runtime {

// Some plain accesses are scheduling points (places.h); those of the running thread are noted, if
// it makes any (loops/await.h); and those of handlers that interrupted it (world/signals.h); and
// those that matter to loops with time limits (loops/timed_rounds.h); and reads of what nobody has
// written (primitives/uninitialised.h).
inline constexpr uint8_t kVisiblePlaces = 1;
inline constexpr uint8_t kWatchPlain = 2;
inline constexpr uint8_t kWatchHandlers = 4;
inline constexpr uint8_t kWatchRounds = 8;
inline constexpr uint8_t kWatchUnwritten = 16;

// Hot state, in one cache line or two.
struct State {
  bool controlled = false;    // started by heddle (decided before the first hook)
  bool in_execution = false;  // a fiber runs program code
  bool recording = false;     // plan.record: log plain accesses and call stacks
  bool check_races = true;
  // A second thread was created in this execution: plain accesses matter.
  bool several_threads = false;
  bool end_at_cycle = false;     // a circle of waiting threads ends the execution at once
  bool all_points = false;       // plain accesses are scheduling points too
  bool thread_ends = false;      // the end of a thread is one (visible.h)
  bool thread_finishes = false;  // what the program ends before (steps/program_end.h)
  bool thread_joins = false;     // to join or to detach a thread is one
  bool frame_ends = false;       // the return of a frame is an event (steps/frames.h)
  bool volatile_atomic = false;  // volatile accesses are atomic ones
  uint8_t places = 0;            // of the five above: what plain accesses look out for
  bool awaits = false;           // there are places where loops wait (loops/await.h)
  bool signals = false;          // threads look for signals before they go on (world/signals.h)
  bool waits_begin = false;      // to come to some waits is an operation (primitives/life.h)
  bool every_point = false;      // everything is one: no step is local (--points every)
  bool hooks_only = false;       // a step goes from heddle_hook to heddle_hook (--points hooks)
  bool asks_counters = false;    // was it visited? By the calls of heddle_hook (hook_state.h)
  bool timeouts_last = false;    // a time limit passes only when nothing else can run
  bool tells_atomics = false;    // trace::Execution::atomics is wanted
  bool weak = false;             // the memory model is tso or c11 (fibers/weak_events.h)
  // Atomics are told, or run with other orders than they say (primitives/order_overrides.h).
  bool order_overrides = false;
  bool shares_apart = false;     // of release sequences that several threads head (visible.h)
  bool kernel_threads = false;   // each fiber on its own: for a debugger (fibers/kernel_threads.h)
  // Relaxed stores continue their own thread's release sequences (primitives/atomic.h): those in
  // units that are compiled as C or as C++ before C++20, and those in all others.
  bool c11_continues = true;
  bool others_continue = false;
  // The search goes by the program's states (states/visiting.h): nobody waits in a loop that spins.
  bool takes_states = false;
  bool states_now = false;       // from here on they are taken
  bool state_has_clock = false;  // times are part of them
  bool joint_waits = false;      // threads wait as loops/joint_cycle.h says
  uint32_t joint_from = ~0u;     // the event from which on it looks for cycles
  // The step before which a checkpoint may be taken (steps/checkpoint.h); number 0 is none.
  uint32_t checkpoint_from = ~0u;
  Fiber* current = nullptr;
  trace::Bump bump;  // memory that dies with the execution
  // Of the hook that the running thread has called last since it was let go: its call returns to
  // this place, and the program's stack ended there. No place is 1.
  uintptr_t hook_pc = 1;
  uintptr_t hook_frame = 0;
  // There are static objects with destructors (world/static_objects.h), or the program maps memory,
  // which it may unmap (Settings::maps_memory).
  bool memory_ends = false;
  bool stacks_within = false;  // the program may run on a stack within a frame (steps/frames.h)
};
extern State g_state;

inline bool Controlled() { return __builtin_expect(g_state.controlled, 1); }
inline bool InExecution() { return __builtin_expect(g_state.in_execution, 1); }
inline Fiber& Current() { return *g_state.current; }
Fiber& FiberAt(op::ThreadId id);
// Does the time limit at its deadline pass only when nothing else can run (--timeouts last)? One
// that is over when the wait begins need not wait for others.
inline bool LimitComesLate(const Fiber& fiber) {
  return g_state.timeouts_last && fiber.deadline > fiber.now;
}

// While it lives, code that heddle calls (the unwinder, libc) is not taken for the program's: hooks
// forward.
class OutsideExecution {
 public:
  OutsideExecution() : was_(g_state.in_execution) { g_state.in_execution = false; }
  ~OutsideExecution() { g_state.in_execution = was_; }
  OutsideExecution(const OutsideExecution&) = delete;
  OutsideExecution& operator=(const OutsideExecution&) = delete;

 private:
  const bool was_;
};

// What the call that the running thread is in was given, as far as its operation does not tell it:
// heddle's frames have it, and those are no part of the program's state (states/state_digest.h).
// Before the operation is published; it is forgotten when that was made.
inline void HashCallArgument(uint64_t first, uint64_t second = 0) {
  if (__builtin_expect(g_state.takes_states && g_state.in_execution, 0))
    Current().call_arguments =
        base::MixTwo(Current().call_arguments + first, base::kGolden + second);
}
inline void HashCallArgument(const void* pointer) {
  HashCallArgument(reinterpret_cast<uintptr_t>(pointer));
}

// Ends the execution; never returns. `format` is printf-like with %s %d %u %lx only.
[[noreturn]] void EndExecution(trace::EndKind kind, int status, uintptr_t address, uintptr_t pc,
                               const char* format, ...) __attribute__((format(printf, 5, 6)));
// The execution is longer than a limit allows, which is no bug: told once, the search goes on, and
// is not complete.
[[noreturn]] void EndAsCut(uintptr_t pc, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
// The program uses something that is not modelled: ends the execution and the search, naming it.
[[noreturn]] void Unsupported(const char* what);

// Why what is explored is not a proof (claim/incomplete.def); told once for each `detail`, in which
// names may be as in a finding's message. Nothing, where it is no reason in this search.
using claim::Incomplete;
void NoteIncomplete(Incomplete reason, const char* detail = "");
// A reduction that can do without, kBounded, leaves nothing out from now on, and need not be noted.
// After NoteIncomplete with a reason of claim::Scope::kReduced, too.
void ReduceNoMore();
bool IsReducible();  // not after that

// Makes room for notes, which are written on the way of events.
void PrepareNotes();

// Whether this is the first time in the search that the warning `key` is due. Of very many, those
// beyond the first 1,024 are never due, and the report says that there were more. REQUIRES: key !=
// 0.
bool IsFirstWarning(uint64_t key);

inline uintptr_t CallerPc(void* return_address) {
  return reinterpret_cast<uintptr_t>(return_address);
}
// In hooks that are called very often, and publish nothing as a rule.
#define HEDDLE_ACCESS_CALLER reinterpret_cast<uintptr_t>(__builtin_return_address(0))

inline uintptr_t NoteHook(uintptr_t pc, void* frame) {
  g_state.hook_pc = pc;
  g_state.hook_frame = reinterpret_cast<uintptr_t>(frame);
  return pc;
}
// In all others. What they publish with this place is known to be made by the function whose frame
// ends there (steps/frames.h).
#define HEDDLE_CALLER NoteHook(HEDDLE_ACCESS_CALLER, __builtin_dwarf_cfa())

}  // namespace heddle::runtime
