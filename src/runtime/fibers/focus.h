// Is the operation that a thread stands before one that the user named (--focus-function,
// --focus-variable)? For the priority functions `method` and `var` (explore/best).
//
// An operation is made in a function if its code lies in that one, inlined or not, or if the
// function has called what makes it: instrumented functions tell when they begin and end, and where
// the stack is then. Who ends with the stack where the outermost such function began, or above, is
// that one, or a caller that it was left for in another way (longjmp). What is wrong here decides
// an order only.
#pragma once

#include <cstdint>

#include "op/operation.h"
#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// Is anything in focus?
extern bool g_focuses;

void InitFocus();
// Bits, as of trace::Step.
uint8_t FocusOf(const Fiber& fiber, const op::Operation& operation);
// An instrumented function begins, with code at `pc`; it ends. `frame`: of the hook.
void EnterFunction(uintptr_t pc, uintptr_t frame);
void LeaveFunction(uintptr_t frame);

}  // namespace heddle::runtime
