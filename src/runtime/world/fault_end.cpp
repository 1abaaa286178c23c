#include "runtime/world/fault_end.h"

#include <string.h>
#include <unwind.h>

#include "base/hash.h"
#include "check/finding.h"
#include "runtime/control.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/prim/machine.h"
#include "runtime/runtime.h"
#include "runtime/world/own_code.h"
#include "runtime/world/termination.h"

namespace heddle::runtime {
namespace {

_Unwind_Reason_Code FindProgramFrame(_Unwind_Context* context, void* argument) {
  // [0] where the signal hit, 0 once passed; [1] the answer.
  auto* search = static_cast<uintptr_t*>(argument);
  const uintptr_t pc = _Unwind_GetIP(context);
  if (pc == search[0]) search[0] = 0;
  if (search[0] != 0 || IsOwnCode(pc)) return _URC_NO_REASON;
  search[1] = pc;
  return _URC_END_OF_STACK;
}

// The address is just below the running thread's stack, or the stack pointer is and the access is
// near it.
bool IsStackOverflow(uintptr_t address, uintptr_t stack_pointer) {
  constexpr uintptr_t kNear = 1 << 20;
  constexpr uintptr_t kGuard = 64 << 10;
  const auto begin = reinterpret_cast<uintptr_t>(Current().stack_begin);
  if (address >= begin) return false;
  if (address >= begin - kGuard) return true;
  return stack_pointer < begin + kPageBytes && stack_pointer + kNear > address &&
         address + kNear > stack_pointer;
}

// The running thread is making a visible write there. Before that heddle reads what there is.
bool IsWritingTo(uintptr_t address) {
  const op::Operation& operation = Current().pending;
  const bool writes =
      operation.kind == op::Kind::kAtomicStore || operation.kind == op::Kind::kAtomicExchange ||
      operation.kind == op::Kind::kAtomicFetch || operation.kind == op::Kind::kPlainWrite;
  return writes && address - operation.object < operation.size;
}

// The first of the frames from the one with this program counter on, as a hash.
struct Callers {
  uintptr_t from;
  unsigned left;
  uint64_t hash;
};

_Unwind_Reason_Code AddCaller(_Unwind_Context* context, void* argument) {
  auto* callers = static_cast<Callers*>(argument);
  const uintptr_t pc = _Unwind_GetIP(context);
  if (pc == callers->from) callers->from = 0;
  if (callers->from != 0) return _URC_NO_REASON;
  callers->hash = base::Fold(callers->hash, pc);
  return --callers->left != 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// The framework breaks in a function of its own, two calls below the assertion at most.
[[noreturn]] void EndByTestBreak(uintptr_t pc) {
  Callers callers = {pc, check::kFramesOfBreak, 1};
  if (FaultsBeingHandled() == 1) {  // else the stack could not be walked
    const OutsideExecution outside;
    _Unwind_Backtrace(AddCaller, &callers);
  }
  g_trace->ending.callers = callers.hash;
  EndExecution(trace::EndKind::kAssertion, SIGTRAP, 0, pc, "an assertion of the test failed");
}

}  // namespace

uintptr_t ProgramPlace(const ucontext_t& context, bool executed) {
  const uintptr_t pc = ProgramCounter(context);
  if (executed) {
    const Fiber& self = Current();
    const auto begin = reinterpret_cast<uintptr_t>(self.stack_begin);
    const uintptr_t stack = StackPointer(context);
    return stack >= begin && stack + 8 <= begin + self.stack_size ? ReturnAddress(context) : 0;
  }
  if (!IsOwnCode(pc) || FaultsBeingHandled() > 1) return pc;
  const OutsideExecution outside;  // walking the stack takes locks of the C library
  uintptr_t search[2] = {pc, 0};
  _Unwind_Backtrace(FindProgramFrame, search);
  return search[1] != 0 ? search[1] - 1 : pc;  // it returns behind the call
}

uintptr_t PlaceOfFault(const siginfo_t& info, const ucontext_t& context) {
  const bool bad_address = info.si_signo == SIGSEGV && info.si_code > 0;
  return ProgramPlace(context, bad_address && FaultWasExecution(context));
}

bool IsTestBreak(int number) {
  return number == SIGTRAP && ChannelHeader().settings.test_breaks != 0;
}

namespace {

[[noreturn]] void EndByBadAddress(int number, const siginfo_t& info, const ucontext_t& context) {
  const uintptr_t address = FaultAddress(info);
  const bool executed = FaultWasExecution(context);
  const uintptr_t pc = PlaceOfFault(info, context);
  const bool write = FaultWasWrite(context) || IsWritingTo(address);
  const char* tried = executed ? "jump to" : write ? "write to" : "read of";
  constexpr auto kCrash = trace::EndKind::kCrash;
  if (FaultHasNoAddress(info))
    EndExecution(kCrash, number, 0, pc,
                 "access through a wild pointer (no valid address on this machine)");
  if (IsStackOverflow(address, StackPointer(context))) {
    g_trace->ending.place_varies = true;
    EndExecution(kCrash, number, address, pc,
                 "stack overflow: the %lu KiB stack of %%T%u%% is full",
                 static_cast<unsigned long>(Current().stack_size >> 10), Current().id);
  }
  if (address < kPageBytes)
    EndExecution(kCrash, number, address, pc, "null pointer: %s address 0x%lx", tried, address);
  if (info.si_code == SEGV_ACCERR && FaultWasWrite(context))
    EndExecution(kCrash, number, address, pc, "write to read-only memory at 0x%lx", address);
  if (info.si_code == SEGV_ACCERR)
    EndExecution(kCrash, number, address, pc, "%s address 0x%lx, which is not allowed", tried,
                 address);
  EndExecution(kCrash, number, address, pc, "%s address 0x%lx, where nothing is mapped", tried,
               address);
}

}  // namespace

void EndByFault(int number, const siginfo_t& info, const ucontext_t& context) {
  if (number == SIGSEGV && info.si_code > 0) EndByBadAddress(number, info, context);
  if (IsTestBreak(number)) EndByTestBreak(ProgramPlace(context, false));
  const char* what = "signal";
  switch (info.si_code > 0 || number == SIGPIPE ? number : 0) {
    case SIGBUS:
      what = info.si_code == BUS_ADRALN ? "misaligned access (SIGBUS)"
                                        : "access behind the end of a mapped file (SIGBUS)";
      break;
    case SIGFPE:
      what = info.si_code == FPE_INTDIV ? "integer division by zero (SIGFPE)"
                                        : "arithmetic error (SIGFPE)";
      break;
    case SIGILL:
      what =
          "illegal instruction (SIGILL): a trap that the compiler put behind undefined behaviour "
          "(a function that ends without return), or a jump into data";
      break;
    case SIGTRAP:
      what = "breakpoint instruction (SIGTRAP)";
      break;
    case SIGPIPE:
      what = "write to a pipe or socket whose other end is closed (SIGPIPE)";
      break;
    case SIGSYS:
      what = "system call forbidden by a sandbox (SIGSYS)";
      break;
    default:
      EndExecution(trace::EndKind::kCrash, number, 0, ProgramPlace(context, false), "signal SIG%s",
                   sigabbrev_np(number) != nullptr ? sigabbrev_np(number) : "RT");
  }
  EndExecution(trace::EndKind::kCrash, number, FaultAddress(info), ProgramPlace(context, false),
               "%s", what);
}

}  // namespace heddle::runtime
