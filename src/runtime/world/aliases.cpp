#include "runtime/world/aliases.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

struct Mapped {
  uintptr_t address;
  size_t bytes;
  dev_t device;
  ino_t inode;
  long offset;
  bool writes;  // what is written there is in the file
};
// An execution that maps memory runs in a process of its own, so there is nothing to rewind.
constexpr unsigned kMost = 20;
[[HEDDLE_LASTS("of the process")]] Mapped mapped[kMost];
[[HEDDLE_LASTS("of the process")]] unsigned mapped_count;
[[HEDDLE_LASTS("of the process")]] bool aliased_before_main;
[[HEDDLE_LASTS("of the process")]] bool shares_memory;

bool Overlap(const Mapped& a, const Mapped& b) {
  return a.device == b.device && a.inode == b.inode &&
         a.offset < b.offset + static_cast<long>(b.bytes) &&
         b.offset < a.offset + static_cast<long>(a.bytes);
}

void NoteAlias() {
  if (InExecution())
    NoteIncomplete(Incomplete::kAliasedMemory);
  else
    aliased_before_main = true;
}

}  // namespace

void NoteMapping(uintptr_t address, size_t bytes, int protection, int flags, int file,
                 long offset) {
  const bool shares = (flags & MAP_TYPE) != MAP_PRIVATE;
  shares_memory |= shares && (protection & PROT_WRITE) != 0;
  struct stat status;
  if ((flags & MAP_ANONYMOUS) != 0 ||
      RawSyscall(SYS_fstat, file, reinterpret_cast<long>(&status)) != 0)
    return;
  const Mapped now = {address,       bytes,  status.st_dev,
                      status.st_ino, offset, shares && (protection & PROT_WRITE) != 0};
  for (unsigned i = 0; i < mapped_count; ++i)
    if ((now.writes || mapped[i].writes) && Overlap(now, mapped[i])) return NoteAlias();
  if (mapped_count == kMost) return NoteAlias();  // perhaps with what is forgotten
  mapped[mapped_count++] = now;
}

void NoteUnmapping(uintptr_t address, size_t bytes) {
  for (unsigned i = 0; i < mapped_count;) {
    const Mapped& each = mapped[i];
    const bool whole = each.address >= address && each.address + each.bytes <= address + bytes;
    if (whole)
      mapped[i] = mapped[--mapped_count];
    else
      ++i;
  }
}

bool AliasesBeforeMain() { return aliased_before_main; }
bool SharesMemory() { return shares_memory; }

}  // namespace heddle::runtime
