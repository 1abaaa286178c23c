#include "runtime/world/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/prim/lifetime.h"
#include "runtime/prim/old_syscalls.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"
#include "runtime/world/transfer.h"
#include "runtime/world/unseen_calls.h"

namespace heddle::runtime {
namespace {

// Descriptors are looked at below this number; higher ones that the program inherits are left
// alone.
constexpr int kMost = 1024;
// Ours while an execution runs: copies of what the program closed, and its first working directory.
// In the numbers from here on, which programs do not reach.
[[HEDDLE_LASTS("found once")]] int reserved_from;

struct Inherited {
  bool open;
  bool rewinds;  // a file that is read: its position is part of the state
  int flags;     // FD_CLOEXEC
  int status;    // F_GETFL, since the program changed flags; -1: it has not
  int saved;     // copy of it, since the program closed or replaced it; -1: none
  long position;
};
// What the kernel has now, to be undone after the execution (RewindDescriptors): going back in the
// middle of one does not change it.
Inherited inherited[kMost];
[[HEDDLE_LASTS("from before main")]] int inherited_end;   // one past the highest
[[HEDDLE_LASTS("from before main")]] int position_count;  // how many have `rewinds`

[[HEDDLE_LASTS("what is to be undone")]] bool opened;  // the execution opened something
[[HEDDLE_LASTS("as above")]] bool replaced;            // some `saved` is set
[[HEDDLE_LASTS("as above")]] bool flags_changed;       // some `status` is set
[[HEDDLE_LASTS("found once")]] int first_directory = -1;
[[HEDDLE_LASTS("what is to be undone")]] bool moved;
[[HEDDLE_LASTS("found once")]] unsigned first_umask;
[[HEDDLE_LASTS("what is to be undone")]] bool umask_changed;

// libc makes descriptors where no hook sees it (opendir, getaddrinfo, locale files). They are
// looked for now and then.
constexpr uint32_t kExecutionsPerSweep = 64;
[[HEDDLE_LASTS("counts executions")]] uint32_t since_sweep;
[[HEDDLE_LASTS("counts checkpoints")]] uint32_t looks;

int Answer(long answer) {
  if (!Failed(answer)) return static_cast<int>(answer);
  errno = static_cast<int>(-answer);
  return -1;
}

bool IsReserved(int descriptor) { return descriptor >= reserved_from && reserved_from != 0; }

void InitPositions(int descriptor, Inherited& entry) {
  struct stat status;
  const bool is_file = RawSyscall(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) == 0 &&
                       S_ISREG(status.st_mode);
  const bool is_output = descriptor == 1 || descriptor == 2;  // what is shown stays shown
  const bool is_read = (RawSyscall(SYS_fcntl, descriptor, F_GETFL) & O_ACCMODE) != O_WRONLY;
  if (!is_file || is_output || !is_read) return;
  entry.rewinds = true;
  entry.position = RawSyscall(SYS_lseek, descriptor, 0, SEEK_CUR);
  ++position_count;
}

// Closes everything from the program that was not open at first.
void CloseOpened() {
  for (int gap = 0; gap < reserved_from;) {
    if (gap < inherited_end && inherited[gap].open) {
      ++gap;
      continue;
    }
    int end = gap;
    while (end < inherited_end && !inherited[end].open) ++end;
    const int last = end < inherited_end ? end - 1 : reserved_from - 1;
    RawSyscall(SYS_close_range, gap, last, 0);
    gap = last + 1;
  }
}

void RestoreReplaced() {
  for (int descriptor = 0; descriptor < inherited_end; ++descriptor) {
    Inherited& entry = inherited[descriptor];
    if (entry.saved < 0) continue;
    RawSyscall(SYS_dup3, entry.saved, descriptor, entry.flags != 0 ? O_CLOEXEC : 0);
    RawSyscall(SYS_close, entry.saved);
    entry.saved = -1;
  }
}

void RestoreFlags() {
  for (int descriptor = 0; descriptor < inherited_end; ++descriptor) {
    Inherited& entry = inherited[descriptor];
    if (entry.status < 0) continue;
    RawSyscall(SYS_fcntl, descriptor, F_SETFD, entry.flags);
    RawSyscall(SYS_fcntl, descriptor, F_SETFL, entry.status);
    entry.status = -1;
  }
}

}  // namespace

int DuplicateHigh(int descriptor) {
  return static_cast<int>(RawSyscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, reserved_from));
}

void KeepDescriptor(int descriptor) {
  if (descriptor < 0 || descriptor >= inherited_end) return;
  Inherited& entry = inherited[descriptor];
  if (!entry.open || entry.saved >= 0) return;
  entry.saved = DuplicateHigh(descriptor);
  replaced = true;
}

// What it stands for is shared with whoever started the program.
void KeepFlags(int descriptor) {
  if (!IsInherited(descriptor) || inherited[descriptor].status >= 0) return;
  inherited[descriptor].status = static_cast<int>(RawSyscall(SYS_fcntl, descriptor, F_GETFL));
  flags_changed = true;
}

void InitDescriptors() {
  struct rlimit limit = {kMost, kMost};
  RawSyscall(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, reinterpret_cast<long>(&limit));
  const int most = limit.rlim_cur < kMost ? static_cast<int>(limit.rlim_cur) : kMost;
  reserved_from = most - most / 4;
  static struct pollfd all[kMost];
  for (int i = 0; i < most; ++i) all[i] = {i, 0, 0};
  RawPoll(all, static_cast<size_t>(most), 0);  // the cheapest way to ask for all at once
  for (int i = 0; i < reserved_from; ++i) {
    inherited[i] = {};
    inherited[i].saved = -1;
    inherited[i].status = -1;
    if ((all[i].revents & POLLNVAL) != 0) continue;
    inherited[i].open = true;
    inherited[i].flags = static_cast<int>(RawSyscall(SYS_fcntl, i, F_GETFD));
    inherited_end = i + 1;
    InitPositions(i, inherited[i]);
  }
  first_umask = static_cast<unsigned>(RawSyscall(SYS_umask, 0));
  RawSyscall(SYS_umask, first_umask);
}

void RewindDescriptors() {
  if (opened || ++since_sweep == kExecutionsPerSweep) {
    CloseOpened();
    opened = false;
    since_sweep = 0;
  }
  if (replaced) RestoreReplaced();
  replaced = false;
  if (flags_changed) RestoreFlags();
  flags_changed = false;
  for (int i = 0, left = position_count; left != 0; ++i) {
    if (!inherited[i].rewinds) continue;
    RawSyscall(SYS_lseek, i, inherited[i].position, SEEK_SET);
    --left;
  }
  if (moved && first_directory >= 0) RawSyscall(SYS_fchdir, first_directory);
  moved = false;
  if (umask_changed) RawSyscall(SYS_umask, first_umask);
  umask_changed = false;
}

namespace {

int LowestFree() {
  int lowest = 0;
  while (lowest < inherited_end && inherited[lowest].open) ++lowest;
  return lowest;
}

// The kernel gives the lowest number that is free, so what was opened unseen is among the first
// that were.
bool LowestAreFree() {
  constexpr unsigned kLooked = 8;
  // A program opens what it opens in its first executions already. From then on the lowest one,
  // which costs a fraction, is asked for mostly.
  constexpr uint32_t kWhole = 64;
  if (++looks > kWhole && looks % kWhole != 0) return !IsOpen(LowestFree());
  struct pollfd looked[kLooked];
  unsigned count = 0;
  for (int i = 0; i < kMost && count < kLooked; ++i)
    if (i >= inherited_end || !inherited[i].open) looked[count++] = {i, 0, 0};
  RawPoll(looked, count, 0);
  for (unsigned i = 0; i < count; ++i)
    if ((looked[i].revents & POLLNVAL) == 0) return false;
  return true;
}

}  // namespace

bool HasChangedDescriptors() {
  return opened || replaced || flags_changed || moved || umask_changed;
}

bool DescriptorsAreAsAtBegin() {
  if (HasChangedDescriptors()) return false;
  for (int i = 0, left = position_count; left != 0; ++i) {
    if (!inherited[i].rewinds) continue;
    if (RawSyscall(SYS_lseek, i, 0, SEEK_CUR) != inherited[i].position) return false;
    --left;
  }
  return LowestAreFree();
}

int NoteOpened(int descriptor) {
  if (InExecution() && descriptor >= 0) {
    opened = true;
    StopFollowing(descriptor);
  }
  return descriptor;
}

void NoteWritten(int descriptor) {
  if (!InExecution() || descriptor < 0) return;
  struct stat status;
  if (RawSyscall(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) == 0 &&
      S_ISREG(status.st_mode) && status.st_nlink != 0)
    NoteIncomplete(Incomplete::kWritesFiles);
}

bool IsInherited(int descriptor) {
  return descriptor >= 0 && descriptor < inherited_end && inherited[descriptor].open &&
         inherited[descriptor].saved < 0;
}

int DescriptorsEnd() { return reserved_from; }

bool IsOpen(int descriptor) { return RawSyscall(SYS_fcntl, descriptor, F_GETFD) >= 0; }

int CloseDescriptor(int descriptor) {
  if (IsReserved(descriptor)) return Answer(-EBADF);
  return Answer(RawSyscall(SYS_close, descriptor));
}

int DuplicateOnto(int descriptor, int target, int flags, bool is_dup3) {
  if (IsReserved(descriptor) || IsReserved(target)) return Answer(-EBADF);
  opened = true;
  return Answer(is_dup3 ? RawSyscall(SYS_dup3, descriptor, target, flags)
                        : RawDup2(descriptor, target));
}

int CloseRange(unsigned first, unsigned last, int flags) {
  if (first > last) return Answer(-EINVAL);
  const auto end = static_cast<unsigned>(reserved_from);
  if ((flags & CLOSE_RANGE_CLOEXEC) == 0)
    for (unsigned i = first; i <= last && i < end; ++i) KeepDescriptor(static_cast<int>(i));
  if (first >= end) return 0;
  return Answer(RawSyscall(SYS_close_range, first, last < end ? last : end - 1, flags));
}

void KeepDirectory() {
  if (moved) return;
  moved = true;
  if (first_directory >= 0) return;
  const long here = RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("."),
                               O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (Failed(here)) Unsupported("a change of a working directory that cannot be kept");
  first_directory = DuplicateHigh(static_cast<int>(here));
  RawSyscall(SYS_close, here);
}

int ChangeDirectory(const char* path, uintptr_t pc) {
  NoteUnseenCall(SYS_chdir, "chdir", pc);
  KeepDirectory();
  return Answer(RawSyscall(SYS_chdir, reinterpret_cast<long>(path)));
}

int ChangeDirectoryTo(int descriptor, uintptr_t pc) {
  NoteUnseenCall(SYS_fchdir, "fchdir", pc);
  KeepDirectory();
  return Answer(RawSyscall(SYS_fchdir, descriptor));
}

unsigned ChangeUmask(unsigned mask, uintptr_t pc) {
  NoteUnseenCall(SYS_umask, "umask", pc);
  umask_changed = true;
  ++Current().changes;  // what it answers depends on how often it was called
  return static_cast<unsigned>(RawSyscall(SYS_umask, mask));
}

}  // namespace heddle::runtime
