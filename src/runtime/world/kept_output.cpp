#include "runtime/world/kept_output.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <vector>

#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"
#include "runtime/world/descriptors.h"

namespace heddle::runtime {
namespace {

constexpr long kMostKept = 16 << 10;

// Of descriptors 1 and 2, each apart: what comes on stderr would else stand before what was printed
// earlier, and is still in the buffer of stdout.
[[HEDDLE_LASTS("while output is kept")]] int files[2] = {-1, -1};
[[HEDDLE_LASTS("as above")]] int before[2] = {-1, -1};  // the descriptors themselves
struct Printed {
  long bytes[2];
};
// By thread: how much was printed when it broke. In heddle's heap: a forked execution writes it.
[[HEDDLE_LASTS("where it is")]] std::vector<Printed>* printed;

// Descriptors 1 and 2 themselves, while what is printed is discarded.
[[HEDDLE_LASTS("while output is discarded")]] int shown[2] = {-1, -1};

bool AreKept() { return files[0] >= 0; }

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

bool IsInCLibrary(uintptr_t pc) {
  Dl_info at, library;
  return dladdr(reinterpret_cast<void*>(pc), &at) != 0 &&
         dladdr(reinterpret_cast<void*>(fflush_unlocked), &library) != 0 &&
         at.dli_fbase == library.dli_fbase;
}

void Note(op::ThreadId thread) {
  if (printed->size() <= thread) printed->resize(thread + 1);
  (*printed)[thread] = {{SizeOf(files[0]), SizeOf(files[1])}};
}

}  // namespace

void InitKeptOutput() { printed = new std::vector<Printed>; }

void BeginKeepingOutput() {
  printed->clear();
  for (int i = 0; i < 2; ++i) {
    int made = static_cast<int>(
        RawSyscall(SYS_memfd_create, reinterpret_cast<long>("output"), MFD_CLOEXEC));
    if (made < 0) return EndKeepingOutput();
    files[i] = DuplicateHigh(made);
    Close(made);
    before[i] = DuplicateHigh(i + 1);
    if (files[i] < 0 || before[i] < 0) return EndKeepingOutput();
  }
  for (int i = 0; i < 2; ++i) RawSyscall(SYS_dup3, files[i], i + 1, 0);
}

void EndKeepingOutput() {
  for (int i = 0; i < 2; ++i) {
    if (before[i] >= 0) RawSyscall(SYS_dup3, before[i], i + 1, 0);
    Close(before[i]);
    Close(files[i]);
  }
}

void BeginDiscardingOutput() {
  int null = static_cast<int>(
      RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/dev/null"), O_WRONLY | O_CLOEXEC));
  for (int i = 0; i < 2 && null >= 0; ++i) {
    shown[i] = DuplicateHigh(i + 1);
    if (shown[i] >= 0) RawSyscall(SYS_dup3, null, i + 1, 0);
  }
  Close(null);
}

void EndDiscardingOutput() {
  for (int i = 0; i < 2; ++i) {
    if (shown[i] >= 0) RawSyscall(SYS_dup3, shown[i], i + 1, 0);
    Close(shown[i]);
  }
}

bool IsOutputDiscarded() { return shown[0] >= 0 || shown[1] >= 0; }

void NoteBreak(op::ThreadId thread) {
  if (!AreKept()) return;
  const OutsideExecution outside;
  Flush(stdout);
  Flush(stderr);
  Note(thread);
}

void NoteEndOfOutput(op::ThreadId thread, uintptr_t pc) {
  if (!AreKept()) return;
  const OutsideExecution outside;
  if (pc == 0 || !IsInCLibrary(pc)) {
    Flush(stdout);
    Flush(stderr);
  }
  Note(thread);
}

std::string PrintedBefore(op::ThreadId thread, int descriptor) {
  std::string text;
  if (!AreKept() || thread >= printed->size()) return text;
  const long end = (*printed)[thread].bytes[descriptor - 1];
  const long begin = std::max(0L, end - kMostKept);
  text.resize(static_cast<size_t>(end - begin));
  const long got =
      RawSyscall(SYS_pread64, files[descriptor - 1], reinterpret_cast<long>(text.data()),
                 static_cast<long>(text.size()), begin);
  text.resize(static_cast<size_t>(std::max(0L, got)));
  return text;
}

}  // namespace heddle::runtime
