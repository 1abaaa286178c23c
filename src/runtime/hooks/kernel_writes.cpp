// System calls that only look at something and write the answer into the program's memory. Where
// that memory belongs to the snapshot the kernel would answer EFAULT (memory/rewind.h), so it is
// made writable first. One line a symbol.

#include <stdarg.h>
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
#include "runtime/memory/rewind.h"
#include "runtime/prim/libc_answer.h"
#include "runtime/prim/optimizer.h"
#include "runtime/prim/real.h"
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
  Prepare(answer);
  return Real<&stat>("stat")(path, answer);
}

HEDDLE_EXPORT int stat64(const char* path, struct stat64* answer) noexcept {
  Prepare(answer);
  return Real<&stat64>("stat64")(path, answer);
}

HEDDLE_EXPORT int lstat(const char* path, struct stat* answer) noexcept {
  Prepare(answer);
  return Real<&lstat>("lstat")(path, answer);
}

HEDDLE_EXPORT int lstat64(const char* path, struct stat64* answer) noexcept {
  Prepare(answer);
  return Real<&lstat64>("lstat64")(path, answer);
}

HEDDLE_EXPORT int fstat(int descriptor, struct stat* answer) noexcept {
  Use(descriptor, HEDDLE_CALLER);
  Prepare(answer);
  return Real<&fstat>("fstat")(descriptor, answer);
}

HEDDLE_EXPORT int fstat64(int descriptor, struct stat64* answer) noexcept {
  Use(descriptor, HEDDLE_CALLER);
  Prepare(answer);
  return Real<&fstat64>("fstat64")(descriptor, answer);
}

HEDDLE_EXPORT int fstatat(int directory, const char* path, struct stat* answer,
                          int flags) noexcept {
  Prepare(answer);
  return Real<&fstatat>("fstatat")(directory, path, answer, flags);
}

HEDDLE_EXPORT int fstatat64(int directory, const char* path, struct stat64* answer,
                            int flags) noexcept {
  Prepare(answer);
  return Real<&fstatat64>("fstatat64")(directory, path, answer, flags);
}

HEDDLE_EXPORT int statx(int directory, const char* path, int flags, unsigned mask,
                        struct statx* answer) noexcept {
  Prepare(answer);
  return Real<&statx>("statx")(directory, path, flags, mask, answer);
}

HEDDLE_EXPORT int statfs(const char* path, struct statfs* answer) noexcept {
  Prepare(answer);
  return Real<&statfs>("statfs")(path, answer);
}

HEDDLE_EXPORT int fstatfs(int descriptor, struct statfs* answer) noexcept {
  Prepare(answer);
  return Real<&fstatfs>("fstatfs")(descriptor, answer);
}

HEDDLE_EXPORT ssize_t readlink(const char* path, char* buffer, size_t bytes) noexcept {
  Prepare(buffer, bytes);
  return Real<&readlink>("readlink")(path, buffer, bytes);
}

HEDDLE_EXPORT ssize_t readlinkat(int directory, const char* path, char* buffer,
                                 size_t bytes) noexcept {
  Prepare(buffer, bytes);
  return Real<&readlinkat>("readlinkat")(directory, path, buffer, bytes);
}

HEDDLE_EXPORT char* getcwd(char* buffer, size_t bytes) noexcept {
  Prepare(buffer, bytes);
  return Real<&getcwd>("getcwd")(buffer, bytes);
}

HEDDLE_EXPORT int uname(utsname* answer) noexcept {
  Prepare(answer);
  return Real<&uname>("uname")(answer);
}

HEDDLE_EXPORT int sysinfo(struct sysinfo* answer) noexcept {
  Prepare(answer);
  return Real<&sysinfo>("sysinfo")(answer);
}

HEDDLE_EXPORT int getrlimit(__rlimit_resource_t resource, rlimit* answer) noexcept {
  Prepare(answer);
  return Real<&getrlimit>("getrlimit")(resource, answer);
}

HEDDLE_EXPORT int getrusage(__rusage_who_t who, rusage* answer) noexcept {
  Prepare(answer);
  return Real<&getrusage>("getrusage")(who, answer);
}

HEDDLE_EXPORT int getgroups(int count, gid_t* answer) noexcept {
  if (count > 0) Prepare(answer, static_cast<size_t>(count) * sizeof *answer);
  return Real<&getgroups>("getgroups")(count, answer);
}

HEDDLE_EXPORT int getsockname(int descriptor, sockaddr* address, socklen_t* length) noexcept {
  Use(descriptor, HEDDLE_CALLER);
  if (InExecution()) Prepare(address, *length);
  Prepare(length);
  return Real<&getsockname>("getsockname")(descriptor, address, length);
}

HEDDLE_EXPORT int getpeername(int descriptor, sockaddr* address, socklen_t* length) noexcept {
  Use(descriptor, HEDDLE_CALLER);
  if (InExecution()) Prepare(address, *length);
  Prepare(length);
  return Real<&getpeername>("getpeername")(descriptor, address, length);
}

HEDDLE_EXPORT int getsockopt(int descriptor, int level, int option, void* value,
                             socklen_t* length) noexcept {
  Use(descriptor, HEDDLE_CALLER);
  if (InExecution()) Prepare(value, *length);
  Prepare(length);
  return Real<&getsockopt>("getsockopt")(descriptor, level, option, value, length);
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
