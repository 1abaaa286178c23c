#include "explore/spill_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "runtime/prim/syscall.h"

namespace heddle::explore {
namespace {

// open, pread, pwrite and close are names that the runtime may interpose, and errno belongs to the
// program.
using runtime::RawSyscall;

// pread or pwrite until all is done; false on any error, end of file or full disk.
bool Transfer(long call, const char* path, uint64_t at, char* data, size_t bytes) {
  const long file =
      RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  while (bytes > 0) {
    const long done = RawSyscall(call, file, reinterpret_cast<long>(data), static_cast<long>(bytes),
                                 static_cast<long>(at));
    if (done == -EINTR) continue;
    if (done <= 0) break;
    data += done;
    at += static_cast<uint64_t>(done);
    bytes -= static_cast<size_t>(done);
  }
  RawSyscall(SYS_close, file);
  return bytes == 0;
}

// Beyond the limit of the process the kernel sends a signal that is the program's.
bool IsAllowed(uint64_t end) {
  rlimit limit = {};
  const long failed = RawSyscall(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, reinterpret_cast<long>(&limit));
  return failed != 0 || end <= limit.rlim_cur;
}

}  // namespace

bool SpillFile::Write(uint64_t at, const void* data, size_t bytes) {
  if (!IsAllowed(at + bytes)) return false;
  return Transfer(SYS_pwrite64, path_, at, static_cast<char*>(const_cast<void*>(data)), bytes);
}

bool SpillFile::Read(uint64_t at, void* data, size_t bytes) {
  return Transfer(SYS_pread64, path_, at, static_cast<char*>(data), bytes);
}

}  // namespace heddle::explore
