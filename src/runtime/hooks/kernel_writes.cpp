// System calls that only look at something and write the answer into the program's memory, which is
// an access of the program's. Where that memory belongs to the snapshot the kernel would answer
// EFAULT (memory/rewind.h), so it is made writable first.

#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/libc_answer.h"
#include "runtime/prim/optimizer.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/plain.h"
#include "runtime/runtime.h"
#include "runtime/world/descriptors.h"
#include "runtime/world/transfer.h"
#include "runtime/world/unseen_calls.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

void Prepare(void* buffer, size_t bytes) {
  // The compiler knows these as write-only, and would warn that we look at them.
  buffer = Unknown(buffer);
  if (InExecution() && buffer != nullptr) MakeWritable(buffer, bytes);
}

template <typename T>
void Prepare(T* answer) {
  Prepare(answer, sizeof *answer);
}

void NoteAnswer(void* answer, size_t bytes, uintptr_t pc) {
  if (InExecution()) PlainRange(answer, bytes, true, pc);
}

// What the call answers, which has filled `answer` if that is 0.
template <typename T>
int Filled(int result, T* answer, uintptr_t pc) {
  if (result == 0) NoteAnswer(Unknown(answer), sizeof *answer, pc);
  return result;
}

ssize_t FilledBytes(ssize_t count, void* buffer, uintptr_t pc) {
  if (count > 0) NoteAnswer(buffer, static_cast<size_t>(count), pc);
  return count;
}

// As many bytes as `length` tells, of which the kernel writes those there is room for.
int FilledWithLength(int result, void* value, socklen_t room, socklen_t* length, uintptr_t pc) {
  if (result != 0) return result;
  NoteAnswer(value, *length < room ? *length : room, pc);
  NoteAnswer(length, sizeof *length, pc);
  return result;
}

void Use(int descriptor, uintptr_t pc) {
  if (InExecution()) UseDescriptor(descriptor, pc);
}

int ChangeByIoctl(int descriptor, unsigned long request, void* argument, uintptr_t pc) {
  auto call = [=] { return Real<&ioctl>("ioctl")(descriptor, request, argument); };
  if (request == FIONBIO || request == FIOCLEX || request == FIONCLEX) {  // as fcntl
    KeepFlags(descriptor);
    const Transfer transfer(descriptor, 0, pc);
    return call();
  }
  const Transfer transfer(descriptor, 0, pc);  // FIONREAD tells what others have written
  const long all[6] = {descriptor, static_cast<long>(request), reinterpret_cast<long>(argument)};
  return static_cast<int>(LibcAnswer(MakeUnseenCall(SYS_ioctl, all, "ioctl", pc)));
}

}  // namespace

extern "C" {

HEDDLE_EXPORT int stat(const char* path, struct stat* answer) noexcept {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  Prepare(answer);
  return Filled(Real<&stat>("stat")(path, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int stat64(const char* path, struct stat64* answer) noexcept {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  Prepare(answer);
  return Filled(Real<&stat64>("stat64")(path, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int lstat(const char* path, struct stat* answer) noexcept {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  Prepare(answer);
  return Filled(Real<&lstat>("lstat")(path, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int lstat64(const char* path, struct stat64* answer) noexcept {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  Prepare(answer);
  return Filled(Real<&lstat64>("lstat64")(path, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int fstat(int descriptor, struct stat* answer) noexcept {
  Use(descriptor, HEDDLE_CALLER);
  Prepare(answer);
  return Filled(Real<&fstat>("fstat")(descriptor, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int fstat64(int descriptor, struct stat64* answer) noexcept {
  Use(descriptor, HEDDLE_CALLER);
  Prepare(answer);
  return Filled(Real<&fstat64>("fstat64")(descriptor, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int fstatat(int directory, const char* path, struct stat* answer,
                          int flags) noexcept {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  Prepare(answer);
  return Filled(Real<&fstatat>("fstatat")(directory, path, answer, flags), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int fstatat64(int directory, const char* path, struct stat64* answer,
                            int flags) noexcept {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  Prepare(answer);
  return Filled(Real<&fstatat64>("fstatat64")(directory, path, answer, flags), answer,
                HEDDLE_CALLER);
}

HEDDLE_EXPORT int statx(int directory, const char* path, int flags, unsigned mask,
                        struct statx* answer) noexcept {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  Prepare(answer);
  return Filled(Real<&statx>("statx")(directory, path, flags, mask, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int statfs(const char* path, struct statfs* answer) noexcept {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  Prepare(answer);
  return Filled(Real<&statfs>("statfs")(path, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int fstatfs(int descriptor, struct statfs* answer) noexcept {
  Prepare(answer);
  return Filled(Real<&fstatfs>("fstatfs")(descriptor, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t readlink(const char* path, char* buffer, size_t bytes) noexcept {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  Prepare(buffer, bytes);
  return FilledBytes(Real<&readlink>("readlink")(path, buffer, bytes), buffer, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t readlinkat(int directory, const char* path, char* buffer,
                                 size_t bytes) noexcept {
  SeeString(path, HEDDLE_ACCESS_CALLER);
  Prepare(buffer, bytes);
  return FilledBytes(Real<&readlinkat>("readlinkat")(directory, path, buffer, bytes), buffer,
                     HEDDLE_CALLER);
}

HEDDLE_EXPORT char* getcwd(char* buffer, size_t bytes) noexcept {
  Prepare(buffer, bytes);
  char* const answer = Real<&getcwd>("getcwd")(buffer, bytes);
  if (answer != nullptr && answer == Unknown(buffer))
    NoteAnswer(answer, strlen(answer) + 1, HEDDLE_CALLER);
  return answer;
}

HEDDLE_EXPORT int uname(utsname* answer) noexcept {
  Prepare(answer);
  return Filled(Real<&uname>("uname")(answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sysinfo(struct sysinfo* answer) noexcept {
  Prepare(answer);
  return Filled(Real<&sysinfo>("sysinfo")(answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int getrlimit(__rlimit_resource_t resource, rlimit* answer) noexcept {
  Prepare(answer);
  return Filled(Real<&getrlimit>("getrlimit")(resource, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int getrusage(__rusage_who_t who, rusage* answer) noexcept {
  Prepare(answer);
  return Filled(Real<&getrusage>("getrusage")(who, answer), answer, HEDDLE_CALLER);
}

HEDDLE_EXPORT int getgroups(int count, gid_t* answer) noexcept {
  if (count > 0) Prepare(answer, static_cast<size_t>(count) * sizeof *answer);
  const int found = Real<&getgroups>("getgroups")(count, answer);
  if (count > 0) FilledBytes(found * static_cast<ssize_t>(sizeof *answer), answer, HEDDLE_CALLER);
  return found;
}

HEDDLE_EXPORT int getsockname(int descriptor, sockaddr* address, socklen_t* length) noexcept {
  Use(descriptor, HEDDLE_CALLER);
  const socklen_t room = InExecution() ? *length : 0;
  Prepare(address, room);
  Prepare(length);
  return FilledWithLength(Real<&getsockname>("getsockname")(descriptor, address, length), address,
                          room, length, HEDDLE_CALLER);
}

HEDDLE_EXPORT int getpeername(int descriptor, sockaddr* address, socklen_t* length) noexcept {
  Use(descriptor, HEDDLE_CALLER);
  const socklen_t room = InExecution() ? *length : 0;
  Prepare(address, room);
  Prepare(length);
  return FilledWithLength(Real<&getpeername>("getpeername")(descriptor, address, length), address,
                          room, length, HEDDLE_CALLER);
}

HEDDLE_EXPORT int getsockopt(int descriptor, int level, int option, void* value,
                             socklen_t* length) noexcept {
  Use(descriptor, HEDDLE_CALLER);
  const socklen_t room = InExecution() ? *length : 0;
  Prepare(value, room);
  Prepare(length);
  return FilledWithLength(Real<&getsockopt>("getsockopt")(descriptor, level, option, value, length),
                          value, room, length, HEDDLE_CALLER);
}

// How much an ioctl writes depends on the request. The largest answers in use (terminal settings,
// interface lists) are below this.
HEDDLE_EXPORT int ioctl(int descriptor, unsigned long request, ...) noexcept {
  constexpr size_t kMost = 1024;
  va_list list;
  va_start(list, request);
  void* argument = va_arg(list, void*);
  va_end(list);
  if (InExecution()) {
    Prepare(argument, kMost);
    return ChangeByIoctl(descriptor, request, argument, HEDDLE_CALLER);
  }
  return Real<&ioctl>("ioctl")(descriptor, request, argument);
}

}  // extern "C"
