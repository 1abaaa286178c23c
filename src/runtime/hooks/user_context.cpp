// Contexts of the program's own (ucontext.h), which libc switches: only where their stacks lie is
// of interest (steps/frames.h).

#include <stdarg.h>
#include <ucontext.h>

#include "runtime/export.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/steps/frames.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" {

// Each argument is an int, but libc passes on whole registers, and programs rely on that.
HEDDLE_EXPORT void makecontext(ucontext_t* context, void (*function)(), int count, ...) noexcept {
  constexpr int kMost = 12;
  long values[kMost] = {};
  va_list arguments;
  va_start(arguments, count);
  for (int i = 0; i < count && i < kMost; ++i) values[i] = va_arg(arguments, long);
  va_end(arguments);
  if (InExecution()) {
    if (count > kMost) Unsupported("makecontext with more than 12 arguments");
    NoteStackMemory(context->uc_stack.ss_sp);
  }
  const long* v = values;
  Real<&makecontext>("makecontext")(context, function, count, v[0], v[1], v[2], v[3], v[4], v[5],
                                    v[6], v[7], v[8], v[9], v[10], v[11]);
}

}  // extern "C"
