// Changing who the process is (setuid and its kin). The kernel keeps credentials per thread; libc
// changes those of all by a signal to each. The threads of the pool have lent their thread-local
// storage to fibers, so they must not run libc's handler, and block it: only the one that runs the
// program changes. No rewind of memory undoes that, so the execution runs in a process of its own.

#include <errno.h>
#include <grp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/real.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"
#include "runtime/world/processes.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

int Change(const char* name, long number, long a, long b = 0, long c = 0) {
  NeedOwnProcess(name);
  const long result = RawSyscall(number, a, b, c);
  if (result >= 0) return 0;
  errno = static_cast<int>(-result);
  return -1;
}

constexpr long kSame = -1;  // this one of the three stays

}  // namespace

extern "C" {

HEDDLE_EXPORT int setuid(uid_t id) noexcept {
  return InExecution() ? Change("setuid", SYS_setuid, id) : Real<&setuid>("setuid")(id);
}

HEDDLE_EXPORT int seteuid(uid_t id) noexcept {
  return InExecution() ? Change("seteuid", SYS_setresuid, kSame, id, kSame)
                       : Real<&seteuid>("seteuid")(id);
}

HEDDLE_EXPORT int setreuid(uid_t real, uid_t effective) noexcept {
  return InExecution() ? Change("setreuid", SYS_setreuid, real, effective)
                       : Real<&setreuid>("setreuid")(real, effective);
}

HEDDLE_EXPORT int setresuid(uid_t real, uid_t effective, uid_t saved) noexcept {
  return InExecution() ? Change("setresuid", SYS_setresuid, real, effective, saved)
                       : Real<&setresuid>("setresuid")(real, effective, saved);
}

HEDDLE_EXPORT int setgid(gid_t id) noexcept {
  return InExecution() ? Change("setgid", SYS_setgid, id) : Real<&setgid>("setgid")(id);
}

HEDDLE_EXPORT int setegid(gid_t id) noexcept {
  return InExecution() ? Change("setegid", SYS_setresgid, kSame, id, kSame)
                       : Real<&setegid>("setegid")(id);
}

HEDDLE_EXPORT int setregid(gid_t real, gid_t effective) noexcept {
  return InExecution() ? Change("setregid", SYS_setregid, real, effective)
                       : Real<&setregid>("setregid")(real, effective);
}

HEDDLE_EXPORT int setresgid(gid_t real, gid_t effective, gid_t saved) noexcept {
  return InExecution() ? Change("setresgid", SYS_setresgid, real, effective, saved)
                       : Real<&setresgid>("setresgid")(real, effective, saved);
}

HEDDLE_EXPORT int setgroups(size_t count, const gid_t* groups) noexcept {
  return InExecution() ? Change("setgroups", SYS_setgroups, static_cast<long>(count),
                                reinterpret_cast<long>(groups))
                       : Real<&setgroups>("setgroups")(count, groups);
}

HEDDLE_EXPORT int initgroups(const char* user, gid_t group) {
  if (!InExecution()) return Real<&initgroups>("initgroups")(user, group);
  NeedOwnProcess("initgroups");
  constexpr int kMost = 1024;
  static gid_t groups[kMost];
  int count = kMost;
  if (getgrouplist(user, group, groups, &count) < 0) count = kMost;
  return setgroups(static_cast<size_t>(count), groups);
}

}  // extern "C"
