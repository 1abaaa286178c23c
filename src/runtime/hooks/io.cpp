// Reading and writing. Three things happen around the real call: a thread waits in the scheduler
// for what other threads do (world/transfer.h); memory that the kernel is about to write is made
// writable, because the kernel answers EFAULT where the program would fault; and the race check
// sees the buffer.

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/hooks/vectors.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/plain.h"
#include "runtime/runtime.h"
#include "runtime/world/transfer.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// `call` reads from `descriptor` into `buffer` and answers how many bytes.
template <typename Call>
ssize_t Input(int descriptor, void* buffer, size_t bytes, uintptr_t pc, Call call) {
  Transfer transfer(descriptor, POLLIN, pc);
  if (transfer.IsInterrupted()) return -1;
  MakeWritable(buffer, bytes);
  const ssize_t count = call();
  if (count > 0) PlainRange(buffer, static_cast<size_t>(count), true, pc);
  return count;
}

template <typename Call>
ssize_t Output(int descriptor, const void* buffer, size_t bytes, uintptr_t pc, Call call) {
  Transfer transfer(descriptor, POLLOUT, pc);
  if (transfer.IsInterrupted()) return -1;
  PlainRange(buffer, bytes, false, pc);
  return call();
}

template <typename Call>
ssize_t InputVector(int descriptor, const iovec* parts, int count, uintptr_t pc, Call call) {
  Transfer transfer(descriptor, POLLIN, pc);
  if (transfer.IsInterrupted()) return -1;
  SeeVector(parts, count, pc);
  for (int i = 0; i < count; ++i) MakeWritable(parts[i].iov_base, parts[i].iov_len);
  const ssize_t answer = call();
  NoteInput(parts, count, answer, pc);
  return answer;
}

template <typename Call>
ssize_t OutputVector(int descriptor, const iovec* parts, int count, uintptr_t pc, Call call) {
  Transfer transfer(descriptor, POLLOUT, pc);
  if (transfer.IsInterrupted()) return -1;
  SeeVector(parts, count, pc);
  NoteOutput(parts, count, pc);
  return call();
}

bool IsPipe(int descriptor) {
  struct stat status;
  return Real<&fstat>("fstat")(descriptor, &status) == 0 && S_ISFIFO(status.st_mode);
}

// A pipe takes more than its room only while somebody reads; so a thread that writes much goes
// through the scheduler after every piece. A piece is what the kernel takes whole.
ssize_t WritePieces(int descriptor, const char* buffer, size_t bytes, uintptr_t pc) {
  constexpr size_t kPiece = 4096;  // PIPE_BUF
  size_t done = 0;
  while (done < bytes) {
    const size_t piece = bytes - done < kPiece ? bytes - done : kPiece;
    const ssize_t count = Output(descriptor, buffer + done, piece, pc, [=] {
      return Real<&write>("write")(descriptor, buffer + done, piece);
    });
    if (count < 0) return done != 0 ? static_cast<ssize_t>(done) : -1;
    done += static_cast<size_t>(count);
    if (static_cast<size_t>(count) < piece) break;
  }
  return static_cast<ssize_t>(done);
}

}  // namespace

extern "C" {

HEDDLE_EXPORT ssize_t read(int descriptor, void* buffer, size_t bytes) {
  if (!InExecution()) return Real<&read>("read")(descriptor, buffer, bytes);
  return Input(descriptor, buffer, bytes, HEDDLE_CALLER,
               [=] { return Real<&read>("read")(descriptor, buffer, bytes); });
}

ssize_t __read_chk(int descriptor, void* buffer, size_t bytes, size_t room);
HEDDLE_EXPORT ssize_t __read_chk(int descriptor, void* buffer, size_t bytes, size_t room) {
  if (!InExecution()) return Real<&__read_chk>("__read_chk")(descriptor, buffer, bytes, room);
  return Input(descriptor, buffer, bytes < room ? bytes : room, HEDDLE_CALLER,
               [=] { return Real<&__read_chk>("__read_chk")(descriptor, buffer, bytes, room); });
}

HEDDLE_EXPORT ssize_t pread(int descriptor, void* buffer, size_t bytes, off_t at) {
  if (!InExecution()) return Real<&pread>("pread")(descriptor, buffer, bytes, at);
  return Input(descriptor, buffer, bytes, HEDDLE_CALLER,
               [=] { return Real<&pread>("pread")(descriptor, buffer, bytes, at); });
}

HEDDLE_EXPORT ssize_t pread64(int descriptor, void* buffer, size_t bytes, off64_t at) {
  return pread(descriptor, buffer, bytes, at);
}

HEDDLE_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  if (!InExecution()) return Real<&readv>("readv")(descriptor, parts, count);
  return InputVector(descriptor, parts, count, HEDDLE_CALLER,
                     [=] { return Real<&readv>("readv")(descriptor, parts, count); });
}

HEDDLE_EXPORT ssize_t preadv(int descriptor, const iovec* parts, int count, off_t at) {
  if (!InExecution()) return Real<&preadv>("preadv")(descriptor, parts, count, at);
  return InputVector(descriptor, parts, count, HEDDLE_CALLER,
                     [=] { return Real<&preadv>("preadv")(descriptor, parts, count, at); });
}

HEDDLE_EXPORT ssize_t preadv64(int descriptor, const iovec* parts, int count, off64_t at) {
  return preadv(descriptor, parts, count, at);
}

HEDDLE_EXPORT ssize_t write(int descriptor, const void* buffer, size_t bytes) {
  if (!InExecution()) return Real<&write>("write")(descriptor, buffer, bytes);
  if (IsFollowed(descriptor) && bytes > 4096 && IsPipe(descriptor))
    return WritePieces(descriptor, static_cast<const char*>(buffer), bytes, HEDDLE_CALLER);
  return Output(descriptor, buffer, bytes, HEDDLE_CALLER,
                [=] { return Real<&write>("write")(descriptor, buffer, bytes); });
}

HEDDLE_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (!InExecution()) return Real<&writev>("writev")(descriptor, parts, count);
  return OutputVector(descriptor, parts, count, HEDDLE_CALLER,
                      [=] { return Real<&writev>("writev")(descriptor, parts, count); });
}

HEDDLE_EXPORT ssize_t pwrite(int descriptor, const void* buffer, size_t bytes, off_t at) {
  if (!InExecution()) return Real<&pwrite>("pwrite")(descriptor, buffer, bytes, at);
  return Output(descriptor, buffer, bytes, HEDDLE_CALLER,
                [=] { return Real<&pwrite>("pwrite")(descriptor, buffer, bytes, at); });
}

HEDDLE_EXPORT ssize_t pwrite64(int descriptor, const void* buffer, size_t bytes, off64_t at) {
  return pwrite(descriptor, buffer, bytes, at);
}

HEDDLE_EXPORT ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t at) {
  if (!InExecution()) return Real<&pwritev>("pwritev")(descriptor, parts, count, at);
  return OutputVector(descriptor, parts, count, HEDDLE_CALLER,
                      [=] { return Real<&pwritev>("pwritev")(descriptor, parts, count, at); });
}

HEDDLE_EXPORT ssize_t pwritev64(int descriptor, const iovec* parts, int count, off64_t at) {
  return pwritev(descriptor, parts, count, at);
}

HEDDLE_EXPORT off_t lseek(int descriptor, off_t offset, int from) noexcept {
  if (InExecution()) UseDescriptor(descriptor, HEDDLE_CALLER);
  return Real<&lseek>("lseek")(descriptor, offset, from);
}
HEDDLE_EXPORT off64_t lseek64(int descriptor, off64_t offset, int from) noexcept {
  if (InExecution()) UseDescriptor(descriptor, HEDDLE_CALLER);
  return Real<&lseek64>("lseek64")(descriptor, offset, from);
}

HEDDLE_EXPORT int eventfd_read(int descriptor, eventfd_t* value) {
  const ssize_t count = read(descriptor, value, sizeof *value);
  return count == sizeof *value ? 0 : -1;
}

HEDDLE_EXPORT int eventfd_write(int descriptor, eventfd_t value) {
  const ssize_t count = write(descriptor, &value, sizeof value);
  return count == sizeof value ? 0 : -1;
}

}  // extern "C"
