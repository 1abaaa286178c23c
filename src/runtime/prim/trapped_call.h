// System calls that others than heddle make on this kernel thread while the program runs: the
// kernel hands them over (syscall user dispatch, Linux 5.11), as a signal, before they are made.
// Nothing is paid for it between two of them: the kernel itself looks at `on`.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstdint>

#include "runtime/prim/system_calls.h"

namespace heddle::runtime {

// From now on, each time that *on is true, calls from instructions outside of [allowed, end) come
// as SIGSYS. Of the calling kernel thread; not inherited by new threads and processes. False: the
// kernel cannot do so.
bool TrapSystemCalls(const bool* on, const void* allowed, const void* end);

bool IsTrappedCall(const siginfo_t& info);
SystemCall CallIn(const ucontext_t& context);

// The call is made when the handler returns, where it was to be made, but for the instruction.
void MakeCall(ucontext_t& context);
// If `context` stands where MakeCall has led it: it stands at the program's instruction again, or
// behind that one if the call was made.
void ReturnFromCall(ucontext_t& context);
// It was made, or need not be: this is its answer.
void AnswerCall(ucontext_t& context, long answer);

// Makes a call of kMask, as far as it blocks none of `never`: without these, no call could be
// handed over. Its answer; `blocks` is what the thread blocks then.
long ChangeMask(ucontext_t& context, const SystemCall& call, uint64_t never, uint64_t& blocks);

// sigaction, of a handler that returns by an instruction of heddle's own. The kernel's answer.
long SetKernelAction(int number, const struct sigaction& action);

}  // namespace heddle::runtime
