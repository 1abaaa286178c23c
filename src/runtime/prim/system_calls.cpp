#include "runtime/prim/system_calls.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace heddle::runtime {
namespace {

struct Known {
  const char* name = nullptr;
  CallEffect effect = CallEffect::kUnknown;
};
constexpr size_t kNumbers = 512;

struct Table {
  Known calls[kNumbers];
  constexpr Table() : calls{} {
#define SYSTEM_CALL(name, effect) calls[SYS_##name] = {#name, CallEffect::effect};
#include "runtime/prim/system_calls.def"
  }
};
constexpr Table kTable;

// Those that have no line in the headers of an older kernel have none in the table.
Known KnownOf(long number) {
  return number >= 0 && static_cast<size_t>(number) < kNumbers ? kTable.calls[number] : Known{};
}

CallEffect EffectOfFcntl(long command) {
  switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      return CallEffect::kOpens;
    case F_GETFD:
    case F_GETFL:
    case F_GETLK:
    case F_GETOWN:
    case F_GETSIG:
    case F_GETPIPE_SZ:
    case F_GET_SEALS:
    case F_OFD_GETLK:
    // Of the process, which never meets its own locks.
    case F_SETLK:
    case F_SETLKW:
      return CallEffect::kNone;
    case F_SETFD:
      return CallEffect::kFlags;
    default:
      return CallEffect::kSets;
  }
}

CallEffect EffectOfIoctl(unsigned long request) {
  switch (request) {
    case TCGETS:
    case TIOCGWINSZ:
    case TIOCGPGRP:
    case TIOCGSID:
    case TIOCOUTQ:
    case FIONREAD:
      return CallEffect::kNone;
    case FIONBIO:
    case FIOCLEX:
    case FIONCLEX:
    case TCSETS:
    case TCSETSW:
    case TCSETSF:
    case TIOCSWINSZ:
    case TIOCSPTLCK:
    case TIOCGPTN:
      return CallEffect::kSets;
    default:
      return CallEffect::kUnknown;
  }
}

CallEffect EffectOfPrctl(long option) {
  switch (option) {
    case PR_GET_DUMPABLE:
    case PR_GET_KEEPCAPS:
    case PR_GET_NAME:
    case PR_GET_NO_NEW_PRIVS:
    case PR_GET_PDEATHSIG:
    case PR_GET_SECCOMP:
    case PR_GET_TIMERSLACK:
    case PR_CAPBSET_READ:
    case PR_SET_NAME:
    case PR_SET_PDEATHSIG:  // heddle has set one, which programs that write profiles put off
    case PR_SET_VMA:        // names of mappings
      return CallEffect::kNone;
    case PR_SET_SECCOMP:
    case PR_SET_MM:
    case PR_SET_SYSCALL_USER_DISPATCH:  // heddle's own
      return CallEffect::kUnknown;
    default:
      return CallEffect::kOfProcess;
  }
}

CallEffect EffectOfClone(const SystemCall& call) {
  const auto flags = call.number == SYS_clone3 ? *reinterpret_cast<const uint64_t*>(call.a[0])
                                               : static_cast<uint64_t>(call.a[0]);
  const bool goes_on_beside = (flags & CLONE_VM) != 0 && (flags & CLONE_VFORK) == 0;
  return goes_on_beside ? CallEffect::kMakesThread : CallEffect::kMakesProcess;
}

}  // namespace

const long kSignalMaskCall = SYS_rt_sigprocmask;

CallEffect EffectOf(const SystemCall& call) {
  switch (call.number) {
    case SYS_fcntl:
      return EffectOfFcntl(call.a[1]);
    case SYS_ioctl:
      return EffectOfIoctl(static_cast<unsigned long>(call.a[1]));
    case SYS_prctl:
      return EffectOfPrctl(call.a[0]);
    case SYS_rt_sigprocmask:
      return call.a[1] == 0 ? CallEffect::kNone : CallEffect::kMask;
    case SYS_clone:
    case SYS_clone3:
      return EffectOfClone(call);
    case SYS_rt_sigaction:
    case SYS_sigaltstack:
      return call.a[call.number == SYS_rt_sigaction ? 1 : 0] == 0 ? CallEffect::kNone
                                                                  : CallEffect::kUnknown;
    case SYS_prlimit64:
      return call.a[2] == 0 ? CallEffect::kNone : CallEffect::kOfProcess;
    case SYS_brk:
      return call.a[0] == 0 ? CallEffect::kNone : CallEffect::kRemaps;
    default:
      return KnownOf(call.number).effect;
  }
}

const char* NameOf(long number) { return KnownOf(number).name; }

bool OpensForWriting(const SystemCall& call) {
  switch (call.number) {
    case SYS_creat:
    case SYS_openat2:  // its flags are in memory
      return true;
    case SYS_open:
      return (call.a[1] & O_ACCMODE) != O_RDONLY;
    case SYS_openat:
    case SYS_open_by_handle_at:
      return (call.a[2] & O_ACCMODE) != O_RDONLY;
    default:
      return false;
  }
}

int* DescriptorsOf(const SystemCall& call) {
  return reinterpret_cast<int*>(call.a[call.number == SYS_socketpair ? 3 : 0]);
}

Mapping MappingOf(const SystemCall& call) {
  const long protection = call.a[2];
  const long flags = call.a[3];
  const bool of_file = (flags & MAP_ANONYMOUS) == 0;
  const bool shared = (flags & MAP_TYPE) != MAP_PRIVATE;
  return {.fresh = (flags & (MAP_FIXED | MAP_GROWSDOWN)) == 0,
          .writes = of_file && shared && (protection & PROT_WRITE) != 0,
          .is_code = of_file && (protection & PROT_EXEC) != 0,
          .is_writable = (protection & PROT_WRITE) != 0};
}

}  // namespace heddle::runtime
