#include "runtime/world/kept_output.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>

#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"
#include "runtime/world/descriptors.h"

namespace heddle::runtime {
namespace {

constexpr long kMostKept = 16 << 10;

[[HEDDLE_LASTS("while output is kept")]] int file = -1;
[[HEDDLE_LASTS("as above")]] int before[2] = {-1, -1};  // descriptors 1 and 2
// By thread: how much was printed when it broke. In heddle's heap: a forked execution writes it.
[[HEDDLE_LASTS("where it is")]] std::vector<long>* printed;

void Close(int& descriptor) {
  if (descriptor >= 0) RawSyscall(SYS_close, descriptor);
  descriptor = -1;
}

long SizeOf(int descriptor) {
  struct stat status = {};
  return RawSyscall(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) == 0 ? status.st_size
                                                                                 : 0;
}

// Not if another thread is in the middle of it, who would be waited for in vain.
void Flush(FILE* stream) {
  if (ftrylockfile(stream) != 0) return;
  fflush_unlocked(stream);
  funlockfile(stream);
}

}  // namespace

void InitKeptOutput() { printed = new std::vector<long>; }

void BeginKeepingOutput() {
  printed->clear();
  int made =
      static_cast<int>(RawSyscall(SYS_memfd_create, reinterpret_cast<long>("output"), MFD_CLOEXEC));
  if (made < 0) return;
  file = DuplicateHigh(made);
  Close(made);
  for (int i = 0; i < 2; ++i) before[i] = DuplicateHigh(i + 1);
  if (file < 0 || before[0] < 0 || before[1] < 0) return EndKeepingOutput();
  for (int i = 0; i < 2; ++i) RawSyscall(SYS_dup3, file, i + 1, 0);
}

void EndKeepingOutput() {
  for (int i = 0; i < 2; ++i) {
    if (before[i] >= 0 && file >= 0) RawSyscall(SYS_dup3, before[i], i + 1, 0);
    Close(before[i]);
  }
  Close(file);
}

void NoteBreak(op::ThreadId thread) {
  if (file < 0) return;
  const OutsideExecution outside;
  Flush(stdout);
  Flush(stderr);
  if (printed->size() <= thread) printed->resize(thread + 1);
  (*printed)[thread] = SizeOf(file);
}

std::vector<char> PrintedBefore(op::ThreadId thread) {
  std::vector<char> text;
  if (file < 0 || thread >= printed->size()) return text;
  const long end = (*printed)[thread];
  const long begin = std::max(0L, end - kMostKept);
  text.resize(static_cast<size_t>(end - begin));
  const long got = RawSyscall(SYS_pread64, file, reinterpret_cast<long>(text.data()),
                              static_cast<long>(text.size()), begin);
  text.resize(static_cast<size_t>(std::max(0L, got)));
  return text;
}

}  // namespace heddle::runtime
