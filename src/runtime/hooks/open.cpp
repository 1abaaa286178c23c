// Calls that make descriptors, end them or give them another number. One line a symbol;
// world/descriptors.h has what is put back after an execution, world/transfer.h what threads wait
// for in the scheduler.

#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <optional>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/plain.h"
#include "runtime/runtime.h"
#include "runtime/world/descriptors.h"
#include "runtime/world/outside.h"
#include "runtime/world/pretended_debugger.h"
#include "runtime/world/random.h"
#include "runtime/world/shared_files.h"
#include "runtime/world/streams.h"
#include "runtime/world/transfer.h"
#include "runtime/world/unseen_calls.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// A file that heddle makes up in place of `path`: a random device, or what tells of a debugger.
// Nothing if it is none.
std::optional<int> OpenMadeUp(const char* path, int flags) {
  if (IsRandomDevice(path) && RandomnessIsOurs()) return NoteOpened(OpenRandomBytes(flags));
  if (TellsOfDebugger(path)) return NoteOpened(OpenPretendedStatus(flags));
  return std::nullopt;
}

// Opens `path` by `open`, unless heddle makes it up. `directory`: as openat has it.
template <typename Open>
int OpenPath(int directory, const char* path, int flags, uintptr_t pc, Open open) {
  if (!InExecution()) return open();
  SeeString(path, pc);
  DescriptorChange change(heddle::op::Kind::kDescriptorOpen, pc);
  change.Uses(directory);
  if (const std::optional<int> made = OpenMadeUp(path, flags)) return change.Opens(*made);
  const int descriptor = change.Opens(NoteOpened(open()));
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (writes) NoteWritten(descriptor);
  if (descriptor >= 0) NoteFile(path, writes, pc);
  return descriptor;
}

// The answer is `stream`, which the change has opened, or null.
FILE* TakeStream(FILE* stream, const char* path, const char* mode, DescriptorChange& change,
                 uintptr_t pc) {
  if (stream == nullptr) return nullptr;
  change.Opens(NoteOpened(fileno(stream)));
  const bool writes = strpbrk(mode, "wa+") != nullptr;
  if (writes) NoteWritten(fileno(stream));
  if (path != nullptr) NoteFile(path, writes, pc);
  return stream;
}

template <typename Open>
FILE* OpenStream(const char* path, const char* mode, uintptr_t pc, Open open) {
  if (!InExecution()) return open();
  SeeString(path, pc);
  SeeString(mode, pc);
  DescriptorChange change(heddle::op::Kind::kDescriptorOpen, pc);
  if (const std::optional<int> made = OpenMadeUp(path, 0))
    return change.Opens(*made) >= 0 ? fdopen(*made, mode) : nullptr;
  return TakeStream(open(), path, mode, change, pc);
}

template <typename Open>
FILE* ReopenStream(const char* path, const char* mode, FILE* stream, uintptr_t pc, Open open) {
  if (!InExecution()) return open();
  SeeString(path, pc);
  SeeString(mode, pc);
  DescriptorChange change(heddle::op::Kind::kDescriptorOpen, pc);
  change.Closes(fileno(stream));
  return TakeStream(open(), path, mode, change, pc);
}

// A call that answers a new descriptor, which no other thread's transfer can be at the other end
// of.
template <typename Open>
int OpenNumber(uintptr_t pc, Open open) {
  if (!InExecution()) return open();
  DescriptorChange change(heddle::op::Kind::kDescriptorOpen, pc);
  return change.Opens(NoteOpened(open()));
}

// mkstemp puts other letters in place of the six X at the end.
void SeePattern(char* pattern, uintptr_t pc) {
  constexpr size_t kLetters = 6;
  if (!IsSeen(pc)) return;
  const size_t length = LengthOf(pattern, kEndless, pc);
  if (length >= kLetters) SeeBytesWritten(pattern + length - kLetters, kLetters, pc);
}

// A call that makes both ends of something between threads.
template <typename Open>
int OpenPair(int* ends, uintptr_t pc, Open open) {
  if (!InExecution()) return open();
  DescriptorChange change(heddle::op::Kind::kDescriptorOpen, pc);
  MakeWritable(ends, 2 * sizeof *ends);
  if (const int status = open(); status != 0) return status;
  FollowDescriptors(change.Opens(NoteOpened(ends[0])), change.Opens(NoteOpened(ends[1])));
  PlainRange(ends, 2 * sizeof *ends, true, pc);
  return 0;
}

int OpenDuplicate(int descriptor, int copy, DescriptorChange& change) {
  change.Opens(NoteOpened(copy));
  FollowCopy(descriptor, copy);
  NoteCopiedFile(descriptor, copy);
  return copy;
}

template <typename Call>
int Duplicate(int descriptor, uintptr_t pc, Call call) {
  DescriptorChange change(heddle::op::Kind::kDescriptorOpen, pc);
  change.Uses(descriptor);
  return OpenDuplicate(descriptor, call(), change);
}

int DuplicateTo(int descriptor, int target, uintptr_t pc, int flags, bool is_dup3) {
  if (descriptor == target) {
    UseDescriptor(descriptor, pc);
    return DuplicateOnto(descriptor, target, flags, is_dup3);
  }
  DescriptorChange change(heddle::op::Kind::kDescriptorOpen, pc);
  change.Uses(descriptor);
  change.Closes(target);
  return OpenDuplicate(descriptor, DuplicateOnto(descriptor, target, flags, is_dup3), change);
}

// Every command's argument fits in a word.
int FcntlWord(int descriptor, int command, long argument, uintptr_t pc) {
  if (command == F_GETLK || command == F_OFD_GETLK)
    MakeWritable(reinterpret_cast<void*>(argument), sizeof(struct flock));
  const auto call = [=] { return Real<&fcntl>("fcntl64")(descriptor, command, argument); };
  // Those of the process (F_SETLK) are the same for all of its threads.
  const bool locks = command == F_OFD_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  if (locks) NoteUnseenCall(SYS_fcntl, "fcntl", pc);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) return Duplicate(descriptor, pc, call);
  if (command == F_SETFL || command == F_SETFD || command == F_GETFL) {
    if (command != F_GETFL) KeepFlags(descriptor);
    const Transfer transfer(descriptor, 0, pc);  // copies share flags, and others may wait there
    return call();
  }
  UseDescriptor(descriptor, pc);
  return call();
}

// A call that closes `descriptor`.
template <typename Close>
int CloseBy(int descriptor, uintptr_t pc, Close close) {
  DescriptorChange change(heddle::op::Kind::kDescriptorClose, pc);
  change.Closes(descriptor);
  return close();
}

int CloseNumber(int descriptor, uintptr_t pc) {
  return CloseBy(descriptor, pc, [=] { return CloseDescriptor(descriptor); });
}

// The kernel, too, closes one after the other, and lets other threads in between.
int CloseNumbers(unsigned first, unsigned last, int flags, uintptr_t pc) {
  if (!g_state.several_threads || first > last || (flags & ~CLOSE_RANGE_UNSHARE) != 0)
    return CloseRange(first, last, flags);
  if ((flags & CLOSE_RANGE_UNSHARE) != 0) NoteIncomplete(Incomplete::kOwnDescriptors);
  LookAtDescriptors(pc);
  const auto end = static_cast<unsigned>(DescriptorsEnd());
  for (unsigned i = first; i <= last && i < end; ++i)
    if (IsOpen(static_cast<int>(i))) CloseNumber(static_cast<int>(i), pc);
  return 0;
}

// The mode is only there when a file may be made.
mode_t ModeOf(int flags, va_list list) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}
#define HEDDLE_MODE(mode, flags)           \
  va_list list;                            \
  va_start(list, flags);                   \
  const mode_t mode = ModeOf(flags, list); \
  va_end(list)

}  // namespace

extern "C" {

HEDDLE_EXPORT int open(const char* path, int flags, ...) {
  HEDDLE_MODE(mode, flags);
  return OpenPath(AT_FDCWD, path, flags, HEDDLE_CALLER,
                  [=] { return Real<&open>("open")(path, flags, mode); });
}

HEDDLE_EXPORT int open64(const char* path, int flags, ...) {
  HEDDLE_MODE(mode, flags);
  return OpenPath(AT_FDCWD, path, flags, HEDDLE_CALLER,
                  [=] { return Real<&open64>("open64")(path, flags, mode); });
}

HEDDLE_EXPORT int openat(int directory, const char* path, int flags, ...) {
  HEDDLE_MODE(mode, flags);
  return OpenPath(directory, path, flags, HEDDLE_CALLER,
                  [=] { return Real<&openat>("openat")(directory, path, flags, mode); });
}

HEDDLE_EXPORT int openat64(int directory, const char* path, int flags, ...) {
  HEDDLE_MODE(mode, flags);
  return OpenPath(directory, path, flags, HEDDLE_CALLER,
                  [=] { return Real<&openat64>("openat64")(directory, path, flags, mode); });
}
#undef HEDDLE_MODE

// What the headers make of open() when they check its arguments.
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int directory, const char* path, int flags);
int __openat64_2(int directory, const char* path, int flags);
HEDDLE_EXPORT int __open_2(const char* path, int flags) { return open(path, flags); }
HEDDLE_EXPORT int __open64_2(const char* path, int flags) { return open64(path, flags); }
HEDDLE_EXPORT int __openat_2(int directory, const char* path, int flags) {
  return openat(directory, path, flags);
}
HEDDLE_EXPORT int __openat64_2(int directory, const char* path, int flags) {
  return openat64(directory, path, flags);
}

HEDDLE_EXPORT int creat(const char* path, mode_t mode) {
  return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
HEDDLE_EXPORT int creat64(const char* path, mode_t mode) {
  return open64(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

HEDDLE_EXPORT FILE* fopen(const char* path, const char* mode) {
  return OpenStream(path, mode, HEDDLE_CALLER, [=] { return Real<&fopen>("fopen")(path, mode); });
}

HEDDLE_EXPORT FILE* fopen64(const char* path, const char* mode) {
  return OpenStream(path, mode, HEDDLE_CALLER,
                    [=] { return Real<&fopen64>("fopen64")(path, mode); });
}

HEDDLE_EXPORT FILE* freopen(const char* path, const char* mode, FILE* stream) {
  return ReopenStream(path, mode, stream, HEDDLE_CALLER,
                      [=] { return Real<&freopen>("freopen")(path, mode, stream); });
}

HEDDLE_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* stream) {
  return ReopenStream(path, mode, stream, HEDDLE_CALLER,
                      [=] { return Real<&freopen64>("freopen64")(path, mode, stream); });
}

HEDDLE_EXPORT FILE* tmpfile() {
  FILE* stream;
  OpenNumber(HEDDLE_CALLER, [&] {
    stream = Real<&tmpfile>("tmpfile")();
    return stream != nullptr ? fileno(stream) : -1;
  });
  return stream;
}

HEDDLE_EXPORT int fclose(FILE* stream) {
  if (!InExecution()) return Real<&fclose>("fclose")(stream);
  if (HasOutput(stream)) CheckBufferOf(stream, HEDDLE_CALLER);
  return CloseBy(fileno(stream), HEDDLE_CALLER, [=] { return Real<&fclose>("fclose")(stream); });
}

// The kernel fills the buffer from inside libc.
HEDDLE_EXPORT int setvbuf(FILE* stream, char* buffer, int mode, size_t bytes) noexcept {
  if (InExecution() && buffer != nullptr) MakeWritable(buffer, bytes);
  return Real<&setvbuf>("setvbuf")(stream, buffer, mode, bytes);
}

HEDDLE_EXPORT void setbuf(FILE* stream, char* buffer) noexcept {
  if (InExecution() && buffer != nullptr) MakeWritable(buffer, BUFSIZ);
  Real<&setbuf>("setbuf")(stream, buffer);
}

HEDDLE_EXPORT int mkstemp(char* pattern) {
  SeePattern(pattern, HEDDLE_ACCESS_CALLER);
  const int descriptor =
      OpenNumber(HEDDLE_CALLER, [=] { return Real<&mkstemp>("mkstemp")(pattern); });
  NoteWritten(descriptor);
  return descriptor;
}
HEDDLE_EXPORT int mkostemp(char* pattern, int flags) {
  SeePattern(pattern, HEDDLE_ACCESS_CALLER);
  const int descriptor =
      OpenNumber(HEDDLE_CALLER, [=] { return Real<&mkostemp>("mkostemp")(pattern, flags); });
  NoteWritten(descriptor);
  return descriptor;
}

HEDDLE_EXPORT DIR* opendir(const char* path) {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  DIR* directory;
  OpenNumber(HEDDLE_CALLER, [&] {
    directory = Real<&opendir>("opendir")(path);
    return directory != nullptr ? dirfd(directory) : -1;
  });
  return directory;
}

HEDDLE_EXPORT int closedir(DIR* directory) {
  const auto close = [=] { return Real<&closedir>("closedir")(directory); };
  if (!InExecution() || directory == nullptr) return close();
  return CloseBy(dirfd(directory), HEDDLE_CALLER, close);
}

HEDDLE_EXPORT int memfd_create(const char* name, unsigned flags) noexcept {
  return OpenNumber(HEDDLE_CALLER,
                    [=] { return Real<&memfd_create>("memfd_create")(name, flags); });
}

HEDDLE_EXPORT int epoll_create(int size) noexcept {
  return OpenNumber(HEDDLE_CALLER, [=] { return Real<&epoll_create>("epoll_create")(size); });
}
HEDDLE_EXPORT int epoll_create1(int flags) noexcept {
  return OpenNumber(HEDDLE_CALLER, [=] { return Real<&epoll_create1>("epoll_create1")(flags); });
}
HEDDLE_EXPORT int inotify_init() noexcept {
  return OpenNumber(HEDDLE_CALLER, [=] { return Real<&inotify_init>("inotify_init")(); });
}
HEDDLE_EXPORT int inotify_init1(int flags) noexcept {
  return OpenNumber(HEDDLE_CALLER, [=] { return Real<&inotify_init1>("inotify_init1")(flags); });
}

// ---- between threads ----

HEDDLE_EXPORT int pipe(int ends[2]) noexcept {
  return OpenPair(ends, HEDDLE_CALLER, [=] { return Real<&pipe>("pipe")(ends); });
}

HEDDLE_EXPORT int pipe2(int ends[2], int flags) noexcept {
  return OpenPair(ends, HEDDLE_CALLER, [=] { return Real<&pipe2>("pipe2")(ends, flags); });
}

HEDDLE_EXPORT int socketpair(int domain, int type, int protocol, int ends[2]) noexcept {
  return OpenPair(ends, HEDDLE_CALLER,
                  [=] { return Real<&socketpair>("socketpair")(domain, type, protocol, ends); });
}

HEDDLE_EXPORT int eventfd(unsigned value, int flags) noexcept {
  const int descriptor =
      OpenNumber(HEDDLE_CALLER, [=] { return Real<&eventfd>("eventfd")(value, flags); });
  if (InExecution() && descriptor >= 0) FollowDescriptors(descriptor, descriptor);
  return descriptor;
}

// ---- another number, or none ----

HEDDLE_EXPORT int dup(int descriptor) noexcept {
  if (!InExecution()) return Real<&dup>("dup")(descriptor);
  return Duplicate(descriptor, HEDDLE_CALLER, [=] { return Real<&dup>("dup")(descriptor); });
}

HEDDLE_EXPORT int dup2(int descriptor, int target) noexcept {
  if (!InExecution()) return Real<&dup2>("dup2")(descriptor, target);
  return DuplicateTo(descriptor, target, HEDDLE_CALLER, 0, false);
}

HEDDLE_EXPORT int dup3(int descriptor, int target, int flags) noexcept {
  if (!InExecution()) return Real<&dup3>("dup3")(descriptor, target, flags);
  return DuplicateTo(descriptor, target, HEDDLE_CALLER, flags, true);
}

HEDDLE_EXPORT int fcntl(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  if (!InExecution()) return Real<&fcntl>("fcntl")(descriptor, command, argument);
  return FcntlWord(descriptor, command, argument, HEDDLE_CALLER);
}

HEDDLE_EXPORT int fcntl64(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  if (!InExecution()) return Real<&fcntl64>("fcntl64")(descriptor, command, argument);
  return FcntlWord(descriptor, command, argument, HEDDLE_CALLER);
}

HEDDLE_EXPORT int close(int descriptor) {
  if (!InExecution()) return Real<&close>("close")(descriptor);
  return CloseNumber(descriptor, HEDDLE_CALLER);
}

HEDDLE_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (!InExecution()) return Real<&close_range>("close_range")(first, last, flags);
  return CloseNumbers(first, last, flags, HEDDLE_CALLER);
}

HEDDLE_EXPORT void closefrom(int first) noexcept {
  if (!InExecution()) return Real<&closefrom>("closefrom")(first);
  CloseNumbers(first < 0 ? 0u : static_cast<unsigned>(first), ~0u, 0, HEDDLE_CALLER);
}

// ---- the working directory and the like ----

HEDDLE_EXPORT int chdir(const char* path) noexcept {
  if (!InExecution()) return Real<&chdir>("chdir")(path);
  SeeString(path, HEDDLE_ACCESS_CALLER);
  return ChangeDirectory(path, HEDDLE_CALLER);
}

HEDDLE_EXPORT int fchdir(int descriptor) noexcept {
  if (!InExecution()) return Real<&fchdir>("fchdir")(descriptor);
  return ChangeDirectoryTo(descriptor, HEDDLE_CALLER);
}

HEDDLE_EXPORT mode_t umask(mode_t mask) noexcept {
  if (!InExecution()) return Real<&umask>("umask")(mask);
  return ChangeUmask(mask, HEDDLE_CALLER);
}

}  // extern "C"
