#include "runtime/world/random.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/hash.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"
#include "runtime/world/decide_control.h"
#include "runtime/world/thread_world.h"

namespace heddle::runtime {

bool RandomnessIsOurs() {
  if (__builtin_expect(!g_decided, 0)) DecideControl();
  return Controlled();
}

uint64_t NextRandom64() {
  if (InExecution()) ++Current().changes;  // the thread's world changed: it does not spin
  return base::NextRandom(RunningWorld().random);
}

void FillRandom(void* buffer, size_t bytes) {
  auto* to = static_cast<unsigned char*>(buffer);
  while (bytes != 0) {
    const uint64_t number = NextRandom64();
    const size_t part = bytes < sizeof number ? bytes : sizeof number;
    memcpy(to, &number, part);
    to += part;
    bytes -= part;
  }
}

bool IsRandomDevice(const char* path) {
  return path != nullptr && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

int OpenRandomBytes(int flags) {
  // A file in memory serves every way of reading it, stdio and mmap included. Its end is further
  // than programs read.
  constexpr size_t kBytes = 64 << 10;
  const unsigned memory_flags = (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0;
  const long file = RawSyscall(SYS_memfd_create, reinterpret_cast<long>("random"), memory_flags);
  if (file < 0) {
    errno = static_cast<int>(-file);
    return -1;
  }
  alignas(8) static unsigned char bytes[kBytes];
  FillRandom(bytes, kBytes);
  RawSyscall(SYS_pwrite64, file, reinterpret_cast<long>(bytes), kBytes, 0);
  return static_cast<int>(file);
}

}  // namespace heddle::runtime
