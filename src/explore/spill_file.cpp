#include "explore/spill_file.h"

#include <fcntl.h>
#include <sys/syscall.h>

namespace heddle::explore {
namespace {

constexpr long kInterrupted = -4;  // -EINTR

// Raw system calls: open, pread, pwrite and close are names that the runtime may interpose, and
// errno belongs to the program.
long RawCall(long number, long a, long b, long c, long d) {
  long result;
  register long r10 asm("r10") = d;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
               : "rcx", "r11", "memory");
  return result;
}

// pread or pwrite until all is done; false on any error, end of file or full disk.
bool Transfer(long call, const char* path, uint64_t at, char* data, size_t bytes) {
  const long file = RawCall(SYS_open, reinterpret_cast<long>(path), O_RDWR | O_CLOEXEC, 0, 0);
  if (file < 0) return false;
  while (bytes > 0) {
    const long done = RawCall(call, file, reinterpret_cast<long>(data), static_cast<long>(bytes),
                              static_cast<long>(at));
    if (done == kInterrupted) continue;
    if (done <= 0) break;
    data += done;
    at += static_cast<uint64_t>(done);
    bytes -= static_cast<size_t>(done);
  }
  RawCall(SYS_close, file, 0, 0, 0);
  return bytes == 0;
}

}  // namespace

bool SpillFile::Write(uint64_t at, const void* data, size_t bytes) {
  return Transfer(SYS_pwrite64, path_, at, static_cast<char*>(const_cast<void*>(data)), bytes);
}

bool SpillFile::Read(uint64_t at, void* data, size_t bytes) {
  return Transfer(SYS_pread64, path_, at, static_cast<char*>(data), bytes);
}

}  // namespace heddle::explore
