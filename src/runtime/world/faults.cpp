// A signal may come while heddle's own code runs, in the middle of a change. What must not happen
// there (ending the execution, calling the program's handler) is put off to the moment when the
// code is left: the processor runs it one instruction at a time until the program counter is
// outside.
//
// A fault of the program's own code, or of a hook that accesses its memory for it, ends the
// program, which is an operation like any other end (termination.h). All handlers share one stack,
// and cannot be left for another thread; so the handler returns to a call on the faulting thread's
// own stack, below the fault, as if the kernel had delivered the signal there. A hook has read or
// written the bad address before it changed anything of heddle's. A fault in a library of the
// system ends the execution at once: it may hold locks that others would wait for.

#include "runtime/world/faults.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/check.h"
#include "channel/channel.h"
#include "channel/records.h"
#include "check/data_race.h"
#include "op/known_libraries.h"
#include "runtime/control.h"
#include "runtime/fibers/switch.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/rewind.h"
#include "runtime/memory/tables.h"
#include "runtime/places.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/linkage.h"
#include "runtime/prim/machine.h"
#include "runtime/prim/real.h"
#include "runtime/prim/signal_mask.h"
#include "runtime/prim/syscall.h"
#include "runtime/prim/trapped_call.h"
#include "runtime/record.h"
#include "runtime/rewind_mode.h"
#include "runtime/runtime.h"
#include "runtime/start.h"
#include "runtime/steps/program_end.h"
#include "runtime/steps/thread_life.h"
#include "runtime/world/fault_end.h"
#include "runtime/world/kept_output.h"
#include "runtime/world/loop_sample.h"
#include "runtime/world/own_code.h"
#include "runtime/world/signal_actions.h"
#include "runtime/world/signal_delivery.h"
#include "runtime/world/termination.h"
#include "runtime/world/unseen_calls.h"

namespace heddle::runtime {
namespace {

constexpr int kOwnSignals[] = {
    SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPIPE, SIGABRT, channel::kHangSignal};
constexpr size_t kStackBytes = 256 << 10;

struct PutOff {
  bool hang;
  bool sampling;  // the hang is being looked at (loop_sample.h)
  SignalSet signals;
};
[[HEDDLE_OF_EXECUTION]] PutOff put_off;
// A table, by number, of the signals put off.
constexpr size_t kSignalNumbers = 65;
siginfo_t* const put_off_info = reinterpret_cast<siginfo_t*>(TableAddress(kSignalsPutOffTable));
// FaultsBeingHandled.
[[HEDDLE_OF_EXECUTION]] int depth;
struct Fault {
  int number;
  siginfo_t info;
  ucontext_t context;
};
// A table of one entry: the program's own, when depth > 0.
Fault& first_fault = *reinterpret_cast<Fault*>(TableAddress(kFaultTable));
// The execution ends in a handler, which therefore never returns.
[[HEDDLE_LASTS("what is to be undone before the next")]] bool leaves_handler;

// The default action, now.
void DieBy(int number) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  Real<&sigaction>("sigaction")(number, &action, nullptr);
  RawSyscall(SYS_tgkill, RawSyscall(SYS_getpid), RawSyscall(SYS_gettid), number);
}

bool OnProgramStack(const ucontext_t& context) {
  if (g_state.current == nullptr || g_trace->ending.kind != trace::EndKind::kRunning) return false;
  const auto begin = reinterpret_cast<uintptr_t>(Current().stack_begin);
  return StackPointer(context) - (begin - kPageBytes) < Current().stack_size + kPageBytes;
}

// The stack could not be walked: makes do without it.
[[noreturn]] void EndByFirstFault() {
  const trace::Ending& ending = g_trace->ending;
  if (ending.kind == trace::EndKind::kRunning) {
    g_state.recording = false;
    EndByFault(first_fault.number, first_fault.info, first_fault.context);
  }
  channel::StepRecord& step = RecordedSteps().back();  // RecordEnding was at it
  if (step.frames == 0) step.pc[step.frames++] = ending.pc;
  LeaveToLoop();
}

// The library that the instruction at `pc` is in, if heddle sees nothing of what it does. Else
// null.
const char* UncontrolledLibrary(uintptr_t pc) {
  const OutsideExecution outside;
  Dl_info here, program;
  const auto main = reinterpret_cast<uintptr_t>(g_program.main);
  if (dladdr(reinterpret_cast<void*>(pc), &here) == 0 || here.dli_fname == nullptr) return nullptr;
  if (dladdr(reinterpret_cast<void*>(main), &program) != 0 && program.dli_fbase == here.dli_fbase)
    return nullptr;
  const char* slash = strrchr(here.dli_fname, '/');
  const char* name = slash != nullptr ? slash + 1 : here.dli_fname;
  return op::IsKnownLibrary(name) || AnnouncesAccesses(pc) ? nullptr : name;
}

// Others could go on, and may be what it waits for: says nothing about the program.
void EndIfUncontrolled(const ucontext_t& context) {
  if (LiveThreads() < 2) return;
  const char* library = UncontrolledLibrary(ProgramCounter(context));
  if (library == nullptr) return;
  EndExecution(
      trace::EndKind::kUnsupported, 0, 0, 0,
      "%%T%u%% waits in %.100s by means that heddle does not see (a system call of its own, "
      "or a loop), perhaps for another thread of the program, which cannot run meanwhile: "
      "the library has to be rebuilt with heddle-cc",
      Current().id, library);
}

// A thread spins on plain memory: as soon as the reads are scheduling points, others can run
// between them, and the race is found. Returns if that cannot be done.
void BeginAgainIfSpins() {
  const uintptr_t place = SpinPlace();
  if (place == 0 || !WishSpinPlace(place)) return;
  ++depth;
  leaves_handler = true;
  EndExecution(trace::EndKind::kNeedsMorePoints, 0, 0, place, "a loop reads plain memory for ever");
}

[[noreturn]] void EndByHang(const ucontext_t& context) {
  ++depth;
  leaves_handler = true;
  EndIfUncontrolled(context);
  g_trace->ending.place_varies = true;
  const uintptr_t place = ProgramPlace(context, false);
  const auto limit = static_cast<unsigned long>(ChannelHeader().settings.hang_ms);
  if (WasWaitingInSystemCall(context))
    EndAsCut(place,
             "an execution was cut after %lu ms of waiting (--hang-after, %u visible operations): "
             "%%T%u%% waits at %%L%lx%% in a system call for something outside",
             limit, g_trace->event_count, Current().id, place);
  char what[360];
  const bool proved = DescribeLoop(what, sizeof what);
  if (!proved)
    EndAsCut(place,
             "an execution was cut after %lu ms of processor time (--hang-after, %u visible "
             "operations): %%T%u%% %s",
             limit, g_trace->event_count, Current().id, what);
  EndExecution(
      trace::EndKind::kHang, 0, 0, place,
      "the execution never ends (after %lu ms of processor time and %u visible operations): "
      "%%T%u%% %s",
      limit, g_trace->event_count, Current().id, what);
}

// The access was noted before it was tried. Where there is no memory nothing was accessed, and
// others who try it there do not race with it.
void ForgetAccess(const siginfo_t& info) {
  if (info.si_signo != SIGSEGV || info.si_code != SEGV_MAPERR) return;
  check::ForgetRange(FaultAddress(info) & ~(kPageBytes - 1), kPageBytes);
}

// On the faulting thread's stack.
void OnFaultOfProgram(int number, siginfo_t* info, void* machine) {
  const ucontext_t& context = *static_cast<ucontext_t*>(machine);
  ForgetAccess(*info);
  Fiber& self = Current();
  const op::Operation operation = self.pending;
  constexpr uintptr_t kNotTold = 0;  // what a fault has left of the stack may be no good to walk
  ReachProgramEnd(kNotTold);
  self.pending = operation;  // IsWritingTo asks for it
  ++depth;
  first_fault = {number, *info, context};
  EndByFault(number, *info, context);
}

// May the thread wait there for others, before it ends the program?
bool CanBeLeft(const siginfo_t& info, const ucontext_t& context) {
  constexpr uintptr_t kRoom = 48 << 10;  // on the stack: for the end, and its report
  const Fiber& self = Current();
  if (LiveThreads() < 2 || self.atomic_depth != 0) return false;
  const auto begin = reinterpret_cast<uintptr_t>(self.stack_begin);
  const uintptr_t stack = StackPointer(context);
  if (stack < begin + kRoom || stack + 8 > begin + self.stack_size) return false;
  return !IsSystemCode(PlaceOfFault(info, context));
}

// Heddle's code runs on behalf of the program, on whatever stack.
bool InTheMiddle(const ucontext_t& context) {
  if (!InExecution()) return OnProgramStack(context);
  return IsOwnCode(ProgramCounter(context));
}

// The search is to end: what the execution would still have shown nobody will see.
[[noreturn]] void EndByRequest() {
  ++depth;
  leaves_handler = true;
  EndExecution(trace::EndKind::kStopped, 0, 0, 0, "stopped");
}

bool StopIsRequested() { return ChannelHeader().stop_request.load(std::memory_order_relaxed) != 0; }

// The program stands where it can be left.
void LookAtHang(ucontext_t& context) {
  if (StopIsRequested()) EndByRequest();
  if (put_off.sampling || WasWaitingInSystemCall(context)) EndByHang(context);
  put_off.hang = put_off.sampling = true;
  BeginLoopSample();
  SetSingleStep(context, true);
}

void OnStep(ucontext_t& context) {
  if (put_off.sampling && InExecution()) {
    if (!SampleInstruction(context)) return;
    BeginAgainIfSpins();
    EndByHang(context);
  }
  if (InTheMiddle(context)) return;
  SetSingleStep(context, false);
  const SignalSet signals = put_off.signals;
  const bool hang = put_off.hang;
  put_off.signals = 0;
  put_off.hang = put_off.sampling = false;
  if (!InExecution()) return;
  for (SignalSet left = signals; left != 0; left &= left - 1)
    DeliverFromOutside(put_off_info[__builtin_ctzll(left) + 1], context);
  if (hang) LookAtHang(context);
}

// The signal comes again while the process does not answer it.
void OnHang(ucontext_t& context) {
  if (const long child = ForkedExecution(); child != 0) {
    RawSyscall(SYS_kill, child, channel::kHangSignal);
    return;
  }
  RecordWithoutStacks();
  if (InTheMiddle(context)) {
    put_off.hang = true;
    SetSingleStep(context, true);
  } else if (InExecution()) {
    LookAtHang(context);
  }
}

// What it has to do may end the execution.
void OnCall(ucontext_t& context) {
  leaves_handler = true;
  OnTrappedCall(context);
  leaves_handler = false;
}

void OnOwnSignal(int number, siginfo_t* info, void* machine) {
  ucontext_t& context = *static_cast<ucontext_t*>(machine);
  if (IsTrappedCall(*info)) return OnCall(context);
  ReturnFromCall(context);
  if (number == SIGSEGV && info->si_code > 0 && HandleWriteFault(FaultAddress(*info))) return;
  if (number == channel::kHangSignal) return OnHang(context);
  if (number == SIGTRAP && (put_off.hang || put_off.signals != 0)) return OnStep(context);
  const bool in_program = InExecution() && depth == 0;
  if (!InExecution()) {
    if (depth == 0 && !OnProgramStack(context)) return DieBy(number);
    g_state.in_execution = true;  // heddle was at work for the program, on its stack
  }
  if (number == SIGABRT) {
    leaves_handler = true;
    EndByAbort(ProgramPlace(context, false));
  }
  const struct sigaction& action = DispositionOf(number);
  if (number == SIGPIPE && (action.sa_handler == SIG_IGN || IsOwnCode(ProgramCounter(context))))
    return;
  const bool handled = action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
  if (handled && !IsOwnCode(ProgramCounter(context))) return DeliverFromOutside(*info, context);
  // Others may go on, and print, before the execution ends.
  if (in_program && IsTestBreak(number))
    NoteBreak(Current().id);
  else if (in_program)
    NoteEndOfOutput(Current().id, ProgramCounter(context));
  leaves_handler = true;
  if (++depth > 1) EndByFirstFault();
  first_fault = {number, *info, context};
  if (in_program && CanBeLeft(*info, context)) {
    leaves_handler = false;
    depth = 0;
    struct sigaction on_its_stack = {};
    on_its_stack.sa_sigaction = OnFaultOfProgram;
    return EnterHandler(context, *info, on_its_stack, 0);
  }
  EndByFault(number, *info, context);
}

size_t PutOffCount() { return put_off.signals != 0 ? kSignalNumbers : 0; }
size_t FaultCount() { return depth != 0 ? 1 : 0; }

void SaveFaults(base::SavedBytes& to) {
  to.Put(put_off_info, PutOffCount());
  to.Put(&first_fault, FaultCount());
}

void RestoreFaults(base::SavedBytesReader& from) {
  from.Get(put_off_info, PutOffCount());
  from.Get(&first_fault, FaultCount());
}

}  // namespace

int FaultsBeingHandled() { return depth; }

uint64_t OwnSignals() {
  uint64_t set = 0;
  for (const int number : kOwnSignals) set |= uint64_t{1} << (number - 1);
  return set;
}

bool IsOwnSignal(int number) {
  for (int own : kOwnSignals)
    if (own == number) return true;
  return false;
}

void OnOutsideSignal(int number, siginfo_t* info, void* machine) {
  ucontext_t& context = *static_cast<ucontext_t*>(machine);
  ReturnFromCall(context);
  if (InTheMiddle(context)) {
    put_off.signals |= SignalSet{1} << (number - 1);
    put_off_info[number] = *info;
    SetSingleStep(context, true);
  } else if (InExecution()) {
    DeliverFromOutside(*info, context);
  }
}

void InstallFaultHandlers() {
  MapTable(kSignalsPutOffTable, sizeof(siginfo_t) * kSignalNumbers);
  MapTable(kFaultTable, sizeof(Fault));
  AddExecutionTable({.reset = nullptr, .save = SaveFaults, .restore = RestoreFaults});
  stack_t stack = {};
  stack.ss_sp = ReserveMemory(kStackBytes);
  stack.ss_size = kStackBytes;
  HEDDLE_CHECK(Real<&sigaltstack>("sigaltstack")(&stack, nullptr) == 0);
  struct sigaction action = {};
  action.sa_sigaction = OnOwnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  // Handling a fault may fault (a write to the snapshot), but nothing else may come in between.
  sigfillset(&action.sa_mask);
  for (int number : kOwnSignals)
    if (number != channel::kHangSignal) sigdelset(&action.sa_mask, number);
  for (int number : kOwnSignals) HEDDLE_CHECK(SetKernelAction(number, action) == 0);
}

void LeaveHandler() {
  if (!leaves_handler) return;
  leaves_handler = false;
  SetKernelSignalMask(0);  // the handler's entry blocked signals
}

}  // namespace heddle::runtime
