// longjmp and its kin: the memory that they find the registers in. Who fills it in is not seen:
// setjmp returns twice, and nobody may stand in between.

#include <setjmp.h>

#include <cstddef>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/real.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" [[noreturn]] void __longjmp_chk(__jmp_buf_tag* buffer, int value) noexcept(false);

namespace {

// The mask of signals behind them is saved on request only.
void SeeRegisters(const __jmp_buf_tag* buffer, uintptr_t pc) {
  SeeBytesRead(buffer, offsetof(__jmp_buf_tag, __saved_mask), pc);
}

}  // namespace

#define HEDDLE_JUMPS(name)                                                              \
  extern "C" HEDDLE_EXPORT HEDDLE_PASSING void name(__jmp_buf_tag* buffer, int value) { \
    SeeRegisters(buffer, HEDDLE_ACCESS_CALLER);                                         \
    Real<&name>(#name)(buffer, value);                                                  \
    __builtin_unreachable();                                                            \
  }

HEDDLE_JUMPS(longjmp)
HEDDLE_JUMPS(_longjmp)
HEDDLE_JUMPS(siglongjmp)
HEDDLE_JUMPS(__longjmp_chk)
