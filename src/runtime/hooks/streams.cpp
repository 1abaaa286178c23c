// Streams: the memory from which they are written, and into which they are read. A call
// on a stream is a step (world/streams.h). One over a pipe between threads is not followed, and its
// reads wait for real.
//
// How much is read from a stream is known afterwards, so then its access is seen. Where that is a
// scheduling point, others are not to see the memory before it: it is read into other memory first.

#define __NO_INLINE__  // or <stdio.h> defines some of these names itself
#include <stdio.h>
#include <string.h>

#include "runtime/export.h"
#include "runtime/hooks/stream.h"
#include "runtime/hooks/strings.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/real.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// What is read from a stream into `to`.
struct Reading {
  char* to;
  char* into;
};

Reading BeginReading(void* to, size_t bytes, uintptr_t pc) {
  auto* const memory = static_cast<char*>(to);
  if (!IsSeen(pc) || bytes == 0) return {memory, memory};
  MakeWritable(to, bytes);  // the kernel may write there
  if (!IsPlainPoint(pc)) return {memory, memory};
  auto* const into = static_cast<char*>(g_state.bump.Take(bytes));
  return {memory, into};
}

void EndReading(const Reading& reading, size_t bytes, uintptr_t pc) {
  if (!IsSeen(pc)) return;
  if (reading.into != reading.to && bytes != 0) HoldPiece(bytes, reading.into, bytes);
  SeeRange(reading.to, bytes, true, pc);
  if (reading.into != reading.to) CopyForward(reading.to, reading.into, bytes);
}

size_t Bytes(size_t size, size_t count) {
  size_t bytes;
  return __builtin_mul_overflow(size, count, &bytes) ? 0 : bytes;
}

// Through the end of the line, which fgets writes.
char* EndLine(const Reading& reading, const char* line, uintptr_t pc) {
  if (line == nullptr) return nullptr;
  EndReading(reading, IsSeen(pc) ? Length(line, kEndless) + 1 : 0, pc);
  return reading.to;
}

void SeeWritten(const void* from, size_t size, size_t count, uintptr_t pc) {
  if (IsSeen(pc)) PlainRange(from, Bytes(size, count), false, pc);
}

}  // namespace

extern "C" {

HEDDLE_EXPORT HEDDLE_PASSING int puts(const char* string) {
  string = Operand(string, kEndless, HEDDLE_ACCESS_CALLER);
  SeeTransfer(stdout, HEDDLE_CALLER);
  return Real<&puts>("puts")(string);
}
HEDDLE_EXPORT HEDDLE_PASSING int fputs(const char* string, FILE* stream) {
  string = Operand(string, kEndless, HEDDLE_ACCESS_CALLER);
  SeeTransfer(stream, HEDDLE_CALLER);
  return Real<&fputs>("fputs")(string, stream);
}
HEDDLE_EXPORT HEDDLE_PASSING int fputs_unlocked(const char* string, FILE* stream) {
  string = Operand(string, kEndless, HEDDLE_ACCESS_CALLER);
  SeeStreamUnlocked(stream, HEDDLE_CALLER);
  return Real<&fputs_unlocked>("fputs_unlocked")(string, stream);
}
HEDDLE_EXPORT HEDDLE_PASSING void perror(const char* string) {
  if (string != nullptr) string = Operand(string, kEndless, HEDDLE_ACCESS_CALLER);
  SeeTransfer(stderr, HEDDLE_CALLER);
  Real<&perror>("perror")(string);
}
HEDDLE_EXPORT HEDDLE_PASSING size_t fwrite(const void* from, size_t size, size_t count,
                                           FILE* stream) {
  SeeWritten(from, size, count, HEDDLE_ACCESS_CALLER);
  SeeTransfer(stream, HEDDLE_CALLER);
  return Real<&fwrite>("fwrite")(from, size, count, stream);
}
HEDDLE_EXPORT HEDDLE_PASSING size_t fwrite_unlocked(const void* from, size_t size, size_t count,
                                                    FILE* stream) {
  SeeWritten(from, size, count, HEDDLE_ACCESS_CALLER);
  SeeStreamUnlocked(stream, HEDDLE_CALLER);
  return Real<&fwrite_unlocked>("fwrite_unlocked")(from, size, count, stream);
}

HEDDLE_EXPORT HEDDLE_PASSING size_t fread(void* to, size_t size, size_t count, FILE* stream) {
  const Reading reading = BeginReading(to, Bytes(size, count), HEDDLE_ACCESS_CALLER);
  SeeTransfer(stream, HEDDLE_CALLER);
  const size_t got = Real<&fread>("fread")(reading.into, size, count, stream);
  EndReading(reading, size * got, HEDDLE_ACCESS_CALLER);
  return got;
}
HEDDLE_EXPORT HEDDLE_PASSING size_t fread_unlocked(void* to, size_t size, size_t count,
                                                   FILE* stream) {
  const Reading reading = BeginReading(to, Bytes(size, count), HEDDLE_ACCESS_CALLER);
  SeeStreamUnlocked(stream, HEDDLE_CALLER);
  const size_t got = Real<&fread_unlocked>("fread_unlocked")(reading.into, size, count, stream);
  EndReading(reading, size * got, HEDDLE_ACCESS_CALLER);
  return got;
}
size_t __fread_chk(void* to, size_t room, size_t size, size_t count, FILE* stream);
HEDDLE_EXPORT HEDDLE_PASSING size_t __fread_chk(void* to, size_t room, size_t size, size_t count,
                                                FILE* stream) {
  const Reading reading = BeginReading(to, Bytes(size, count), HEDDLE_ACCESS_CALLER);
  SeeTransfer(stream, HEDDLE_CALLER);
  const size_t got = Real<&__fread_chk>("__fread_chk")(reading.into, room, size, count, stream);
  EndReading(reading, size * got, HEDDLE_ACCESS_CALLER);
  return got;
}
size_t __fread_unlocked_chk(void* to, size_t room, size_t size, size_t count, FILE* stream);
HEDDLE_EXPORT HEDDLE_PASSING size_t __fread_unlocked_chk(void* to, size_t room, size_t size,
                                                         size_t count, FILE* stream) {
  const Reading reading = BeginReading(to, Bytes(size, count), HEDDLE_ACCESS_CALLER);
  SeeStreamUnlocked(stream, HEDDLE_CALLER);
  const size_t got =
      Real<&__fread_unlocked_chk>("__fread_unlocked_chk")(reading.into, room, size, count, stream);
  EndReading(reading, size * got, HEDDLE_ACCESS_CALLER);
  return got;
}

HEDDLE_EXPORT HEDDLE_PASSING char* fgets(char* to, int size, FILE* stream) {
  const Reading reading =
      BeginReading(to, size > 0 ? static_cast<size_t>(size) : 0, HEDDLE_ACCESS_CALLER);
  SeeTransfer(stream, HEDDLE_CALLER);
  const char* line = Real<&fgets>("fgets")(reading.into, size, stream);
  return EndLine(reading, line, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING char* fgets_unlocked(char* to, int size, FILE* stream) {
  const Reading reading =
      BeginReading(to, size > 0 ? static_cast<size_t>(size) : 0, HEDDLE_ACCESS_CALLER);
  SeeStreamUnlocked(stream, HEDDLE_CALLER);
  const char* line = Real<&fgets_unlocked>("fgets_unlocked")(reading.into, size, stream);
  return EndLine(reading, line, HEDDLE_ACCESS_CALLER);
}
char* __fgets_chk(char* to, size_t room, int size, FILE* stream);
HEDDLE_EXPORT HEDDLE_PASSING char* __fgets_chk(char* to, size_t room, int size, FILE* stream) {
  const Reading reading =
      BeginReading(to, size > 0 ? static_cast<size_t>(size) : 0, HEDDLE_ACCESS_CALLER);
  SeeTransfer(stream, HEDDLE_CALLER);
  const char* line = Real<&__fgets_chk>("__fgets_chk")(reading.into, room, size, stream);
  return EndLine(reading, line, HEDDLE_ACCESS_CALLER);
}
char* __fgets_unlocked_chk(char* to, size_t room, int size, FILE* stream);
HEDDLE_EXPORT HEDDLE_PASSING char* __fgets_unlocked_chk(char* to, size_t room, int size,
                                                        FILE* stream) {
  const Reading reading =
      BeginReading(to, size > 0 ? static_cast<size_t>(size) : 0, HEDDLE_ACCESS_CALLER);
  SeeStreamUnlocked(stream, HEDDLE_CALLER);
  const char* line =
      Real<&__fgets_unlocked_chk>("__fgets_unlocked_chk")(reading.into, room, size, stream);
  return EndLine(reading, line, HEDDLE_ACCESS_CALLER);
}

}  // extern "C"

namespace {

// The line is in memory that libc allocates, or makes larger.
HEDDLE_PASSING ssize_t ReadLine(char** line, size_t* size, int end, FILE* stream, uintptr_t pc) {
  const bool seen = IsSeen(pc) && line != nullptr && size != nullptr;
  if (seen) {
    SeeRange(line, 1, false, pc);
    SeeRange(size, 1, false, pc);
  }
  SeeTransfer(stream, pc);
  char* const line_before = seen ? *line : nullptr;
  const size_t size_before = seen ? *size : 0;
  const ssize_t length = Real<&getdelim>("getdelim")(line, size, end, stream);
  if (!seen) return length;
  if (*line != line_before) SeeRange(line, 1, true, pc);
  if (*size != size_before) SeeRange(size, 1, true, pc);
  if (length >= 0) SeeRange(*line, static_cast<size_t>(length) + 1, true, pc);
  return length;
}

}  // namespace

extern "C" {

HEDDLE_EXPORT HEDDLE_PASSING ssize_t getline(char** line, size_t* size, FILE* stream) {
  const ssize_t length = ReadLine(line, size, '\n', stream, HEDDLE_ACCESS_CALLER);
  return length;
}
HEDDLE_EXPORT HEDDLE_PASSING ssize_t getdelim(char** line, size_t* size, int end, FILE* stream) {
  const ssize_t length = ReadLine(line, size, end, stream, HEDDLE_ACCESS_CALLER);
  return length;
}
HEDDLE_EXPORT HEDDLE_PASSING ssize_t __getdelim(char** line, size_t* size, int end, FILE* stream) {
  const ssize_t length = ReadLine(line, size, end, stream, HEDDLE_ACCESS_CALLER);
  return length;
}

}  // extern "C"
