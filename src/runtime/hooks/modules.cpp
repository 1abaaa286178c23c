// Modules that come and go. One line a symbol; world/opened_libraries.h tells which came.

#include <dlfcn.h>

#include "runtime/export.h"
#include "runtime/fibers/table.h"
#include "runtime/prim/real.h"
#include "runtime/rewind_mode.h"
#include "runtime/runtime.h"
#include "runtime/world/opened_libraries.h"
#include "runtime/world/processes.h"
#include "runtime/world/static_objects.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// In another order, a thread that has ended would live: unless somebody has joined it.
bool OthersMayLive() {
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (&fiber != &Current() && fiber.state != FiberState::kUnused && !fiber.joined) return true;
  }
  return false;
}

}  // namespace

extern "C" {

// A module that is loaded already only gets one more user, which is memory. The call must be the
// last thing done here: libc looks at the return address to know who asks.
HEDDLE_EXPORT void* dlopen(const char* file, int flags) noexcept {
  auto* real = Real<&dlopen>("dlopen");
  if (InExecution() && file != nullptr && (flags & RTLD_NOLOAD) == 0 && !RewindsByFork()) {
    const int only_look = (flags & ~(RTLD_NOW | RTLD_LAZY)) | RTLD_NOLOAD | RTLD_LAZY;
    if (real(file, only_look) == nullptr) RequestForkRewind("dlopen");
  }
  if (InExecution() && file != nullptr && (flags & RTLD_NOLOAD) == 0) NoteOpening();
  return real(file, flags);
}

HEDDLE_EXPORT void* dlmopen(Lmid_t space, const char* file, int flags) noexcept {
  if (InExecution()) {
    NeedOwnProcess("dlmopen");
    NoteOpening();
    if (space != LM_ID_BASE) NoteIncomplete(Incomplete::kOwnNamespace);
  }
  return Real<&dlmopen>("dlmopen")(space, file, flags);
}

// Unloading what the snapshot knows would leave it pointing into nothing; the module stays. Which
// steps of other threads need it is not known, so a reduction cannot tell with which of them the
// end of its code and its destructors have to be ordered.
HEDDLE_EXPORT int dlclose(void* module) noexcept {
  if (InExecution() && OthersMayLive()) {
    ++Current().changes;
    NoteIncomplete(Incomplete::kUnseenSyscall, "dlclose, while other threads may use the library");
  }
  if (InExecution() && !RewindsByFork()) return 0;
  auto* const real = Real<&dlclose>("dlclose");
  if (!InExecution()) return real(module);
  ReportOpenedLibraries();
  const int result = real(module);
  ForgetClosedObjects();
  return result;
}

}  // extern "C"
