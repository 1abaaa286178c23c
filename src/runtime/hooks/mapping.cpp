// What changes the mappings of the process. The snapshot knows the memory that was mapped when it
// was taken, at its addresses, with its protection. So a program that maps, unmaps or protects
// memory runs every execution in a process of its own. Memory that a constructor mapped before main
// is no part of the snapshot, either: then all executions do.

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "check/data_race.h"
#include "runtime/export.h"
#include "runtime/memory/execution_state.h"
#include "runtime/prim/libc_answer.h"
#include "runtime/prim/page.h"
#include "runtime/prim/syscall.h"
#include "runtime/rewind_mode.h"
#include "runtime/runtime.h"
#include "runtime/world/aliases.h"
#include "runtime/world/allocate.h"
#include "runtime/world/processes.h"
#include "runtime/world/transfer.h"
#include "runtime/world/unseen_calls.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// Called before any constructor ran, too: nothing here looks symbols up.

long Number(const void* pointer) { return reinterpret_cast<long>(pointer); }

// Whole pages go.
size_t Mapped(size_t length) { return RoundUp(length, kPageBytes); }

void* Map(void* address, size_t length, int protection, int flags, int file, long offset,
          uintptr_t pc) {
  if (InExecution()) NeedOwnProcess("mmap");
  if (g_execution == 0 && (protection & PROT_WRITE) != 0) {
    NoteMappedBeforeMain((flags & MAP_TYPE) != MAP_PRIVATE);
  }
  if (InExecution() && (flags & MAP_ANONYMOUS) == 0) UseDescriptor(file, pc);
  const bool replaces = (flags & MAP_FIXED) != 0;
  if (replaces) NoteUnseenCall(SYS_mmap, "mmap", pc);
  const long at = RawSyscall(SYS_mmap, Number(address), static_cast<long>(length), protection,
                             flags, file, offset);
  if (Failed(at)) return reinterpret_cast<void*>(LibcAnswer(at));
  const auto begin = static_cast<uintptr_t>(at);
  if (replaces) NoteUnmapping(begin, Mapped(length));
  NoteMapping(begin, Mapped(length), protection, flags, file, offset);
  if (InExecution()) heddle::check::ForgetRange(begin, length);
  return reinterpret_cast<void*>(at);
}

}  // namespace

extern "C" {

HEDDLE_EXPORT void* mmap(void* address, size_t length, int protection, int flags, int file,
                         off_t offset) noexcept {
  return Map(address, length, protection, flags, file, offset, HEDDLE_CALLER);
}
HEDDLE_EXPORT void* mmap64(void* address, size_t length, int protection, int flags, int file,
                           off64_t offset) noexcept {
  return Map(address, length, protection, flags, file, offset, HEDDLE_CALLER);
}

HEDDLE_EXPORT int munmap(void* address, size_t length) noexcept {
  if (InExecution()) {
    NeedOwnProcess("munmap");
    const bool fails = length == 0 || reinterpret_cast<uintptr_t>(address) % kPageBytes != 0;
    if (!fails) GiveBack(address, Mapped(length), HEDDLE_ACCESS_CALLER);
  }
  const long answer = RawSyscall(SYS_munmap, Number(address), static_cast<long>(length));
  if (!Failed(answer)) NoteUnmapping(reinterpret_cast<uintptr_t>(address), Mapped(length));
  return static_cast<int>(LibcAnswer(answer));
}

HEDDLE_EXPORT void* mremap(void* address, size_t length, size_t wanted, int flags, ...) noexcept {
  if (InExecution()) NeedOwnProcess("mremap");
  NoteUnseenCall(SYS_mremap, "mremap", HEDDLE_CALLER);
  va_list arguments;
  va_start(arguments, flags);
  void* place = (flags & MREMAP_FIXED) != 0 ? va_arg(arguments, void*) : nullptr;
  va_end(arguments);
  const long at = RawSyscall(SYS_mremap, Number(address), static_cast<long>(length),
                             static_cast<long>(wanted), flags, Number(place));
  if (InExecution() && !Failed(at)) {
    const bool moved = at != Number(address) && (flags & MREMAP_DONTUNMAP) == 0;
    const size_t kept = moved ? 0 : Mapped(wanted);
    if (kept < Mapped(length))
      GiveBack(static_cast<char*>(address) + kept, Mapped(length) - kept, HEDDLE_ACCESS_CALLER);
    heddle::check::ForgetRange(static_cast<uintptr_t>(at), wanted);
  }
  return reinterpret_cast<void*>(LibcAnswer(at));
}

HEDDLE_EXPORT int mprotect(void* address, size_t length, int protection) noexcept {
  if (InExecution()) NeedOwnProcess("mprotect");
  NoteUnseenCall(SYS_mprotect, "mprotect", HEDDLE_CALLER);
  return static_cast<int>(
      LibcAnswer(RawSyscall(SYS_mprotect, Number(address), static_cast<long>(length), protection)));
}

HEDDLE_EXPORT int madvise(void* address, size_t length, int advice) noexcept {
  if (InExecution()) NeedOwnProcess("madvise");
  const bool empties = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
  if (empties) NoteUnseenCall(SYS_madvise, "madvise", HEDDLE_CALLER);
  return static_cast<int>(
      LibcAnswer(RawSyscall(SYS_madvise, Number(address), static_cast<long>(length), advice)));
}

}  // extern "C"
