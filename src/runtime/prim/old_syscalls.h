// System calls that only old architectures have, among them x86-64; on others they are made of
// newer ones. (Where the newer one does here, too, it is called directly.)
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/syscall.h>

#include "runtime/prim/syscall.h"

namespace heddle::runtime {

// The kernel's answers: -errno on failure.

inline long RawPoll(pollfd* descriptors, size_t count, int milliseconds) {
  return RawSyscall(SYS_poll, reinterpret_cast<long>(descriptors), static_cast<long>(count),
                    milliseconds);
}

inline long RawSelect(int count, fd_set* in, fd_set* out, fd_set* special, timeval* limit) {
  return RawSyscall(SYS_select, count, reinterpret_cast<long>(in), reinterpret_cast<long>(out),
                    reinterpret_cast<long>(special), reinterpret_cast<long>(limit));
}

inline long RawDup2(int descriptor, int target) { return RawSyscall(SYS_dup2, descriptor, target); }

// fork() without libc's part in it. The order of clone's arguments is the architecture's own.
inline long RawFork() { return RawSyscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }

}  // namespace heddle::runtime
