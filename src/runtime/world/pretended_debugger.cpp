#include "runtime/world/pretended_debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/control.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

bool TellsOfDebugger(const char* path) {
  return path != nullptr && InExecution() && ChannelHeader().settings.test_breaks != 0 &&
         strcmp(path, "/proc/self/status") == 0;
}

int OpenPretendedStatus(int flags) {
  char text[8192];
  const long real = RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/status"),
                               O_RDONLY | O_CLOEXEC);
  long size = real >= 0 ? RawSyscall(SYS_read, real, reinterpret_cast<long>(text), sizeof text) : 0;
  if (real >= 0) RawSyscall(SYS_close, real);
  if (size < 0) size = 0;
  constexpr char kNobody[] = "\nTracerPid:\t0";
  constexpr size_t kLength = sizeof kNobody - 1;
  if (void* at = memmem(text, static_cast<size_t>(size), kNobody, kLength))
    static_cast<char*>(at)[kLength - 1] = '1';
  const unsigned memory_flags = (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0;
  const long file = RawSyscall(SYS_memfd_create, reinterpret_cast<long>("status"), memory_flags);
  if (file < 0) {
    errno = static_cast<int>(-file);
    return -1;
  }
  RawSyscall(SYS_pwrite64, file, reinterpret_cast<long>(text), size, 0);
  return static_cast<int>(file);
}

}  // namespace heddle::runtime
