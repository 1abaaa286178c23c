// scanf and its kin: what they read, and where they write. Which arguments they write to says
// prim/scan_arguments.h; the reading does libc's function.
//
// How much is written is known when the call is over. So it writes to memory of heddle's wherever
// it is known how much that can be, and what it has written is copied behind the access.

#define __NO_INLINE__  // or <stdio.h> defines some of these names itself
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/hooks/stream.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/real.h"
#include "runtime/prim/scan_arguments.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

using Kind = ScanArgument::Kind;

constexpr size_t kUnknown = ~size_t{0};
constexpr size_t kMostKept = 4096;
constexpr unsigned char kUnwritten = 0xa5;  // in each byte: no number of characters read so far

struct Scanned {
  const char* format;
  ScanArguments arguments;
  char* kept[ScanArguments::kMost];  // what the call writes to; null: to the program's memory
};

// The most that a conversion writes, in bytes. `input`: how many characters there are to read.
size_t MostBytes(const ScanArgument& argument, size_t input) {
  if (argument.kind == Kind::kCharacters) return argument.width == 1 ? argument.size : kUnknown;
  if (argument.kind != Kind::kString) return argument.size;
  const size_t most = argument.width < input ? argument.width : input;
  return most < kMostKept ? (most + 1) * argument.size : kUnknown;
}

void BeginScan(Scanned& scanned, const char* format, va_list list, size_t input, uintptr_t pc) {
  scanned.format = format;
  scanned.arguments.count = 0;
  if (!IsSeen(pc)) return;
  scanned.format = Operand(format, kEndless, pc);
  FindScanArguments(scanned.format, list, scanned.arguments);
  for (unsigned i = 0; i < scanned.arguments.count; ++i) {
    const ScanArgument& argument = scanned.arguments.all[i];
    HoldArguments(argument.pointer);
    const size_t bytes = MostBytes(argument, input);
    scanned.kept[i] = bytes != kUnknown ? static_cast<char*>(g_state.bump.Take(bytes)) : nullptr;
    if (scanned.kept[i] == nullptr) continue;
    if (argument.kind == Kind::kCount) Fill(scanned.kept[i], kUnwritten, bytes);
    *argument.slot = scanned.kept[i];
  }
}

// How many bytes were written to `at`.
size_t WrittenBytes(const ScanArgument& argument, const char* at) {
  if (argument.kind == Kind::kCharacters) return argument.width * argument.size;
  if (argument.kind != Kind::kString) return argument.size;
  return argument.size == 1
             ? Length(at, kEndless) + 1
             : (Length(reinterpret_cast<const wchar_t*>(at), kEndless) + 1) * argument.size;
}

// The call has stored `assigned` values.
int EndScan(Scanned& scanned, int assigned, uintptr_t pc) {
  ScanArguments& arguments = scanned.arguments;
  for (unsigned i = 0; i < arguments.count; ++i) *arguments.all[i].slot = arguments.all[i].pointer;
  int stored = 0;
  for (unsigned i = 0; i < arguments.count; ++i) {
    const ScanArgument& argument = arguments.all[i];
    auto* const to = static_cast<char*>(argument.pointer);
    const char* const from = scanned.kept[i] != nullptr ? scanned.kept[i] : to;
    if (argument.kind == Kind::kCount) {
      if (static_cast<unsigned char>(from[argument.size - 1]) == kUnwritten) continue;
    } else if (stored++ >= assigned) {
      break;
    }
    const size_t bytes = WrittenBytes(argument, from);
    HashCallArgument(heddle::base::HashBytes(from, bytes));
    SeeBytesWritten(to, bytes, pc);
    if (from != to) CopyForward(to, from, bytes);
  }
  return assigned;
}

// `call` is libc's function, without the stream.
template <typename Call>
HEDDLE_PASSING int ScanStream(FILE* stream, const char* format, va_list list, uintptr_t pc,
                              Call* call) {
  Scanned scanned;
  BeginScan(scanned, format, list, kEndless, pc);
  SeeTransfer(stream, pc);
  return EndScan(scanned, call(stream, scanned.format, list), pc);
}

template <typename Call>
HEDDLE_PASSING int ScanString(const char* text, const char* format, va_list list, uintptr_t pc,
                              Call* call) {
  text = Operand(text, kEndless, pc);
  Scanned scanned;
  BeginScan(scanned, format, list, IsSeen(pc) ? Length(text, kEndless) : 0, pc);
  return EndScan(scanned, call(text, scanned.format, list), pc);
}

}  // namespace

// Under the names that standards of C have given them; `prefix` stands before those of libc.
#define HEDDLE_SCANS(prefix)                                                                       \
  int prefix##vfscanf(FILE* stream, const char* format, va_list list);                             \
  int prefix##vscanf(const char* format, va_list list);                                            \
  int prefix##vsscanf(const char* text, const char* format, va_list list) noexcept;                \
  int prefix##fscanf(FILE* stream, const char* format, ...);                                       \
  int prefix##scanf(const char* format, ...);                                                      \
  int prefix##sscanf(const char* text, const char* format, ...) noexcept;                          \
  HEDDLE_EXPORT HEDDLE_PASSING int prefix##vfscanf(FILE* stream, const char* format,               \
                                                   va_list list) {                                 \
    return ScanStream(stream, format, list, HEDDLE_CALLER,                                         \
                      Real<&prefix##vfscanf>(#prefix "vfscanf"));                                  \
  }                                                                                                \
  HEDDLE_EXPORT HEDDLE_PASSING int prefix##vscanf(const char* format, va_list list) {              \
    return ScanStream(stdin, format, list, HEDDLE_CALLER,                                          \
                      Real<&prefix##vfscanf>(#prefix "vfscanf"));                                  \
  }                                                                                                \
  HEDDLE_EXPORT HEDDLE_PASSING int prefix##vsscanf(const char* text, const char* format,           \
                                                   va_list list) noexcept {                        \
    return ScanString(text, format, list, HEDDLE_CALLER,                                           \
                      Real<&prefix##vsscanf>(#prefix "vsscanf"));                                  \
  }                                                                                                \
  HEDDLE_EXPORT HEDDLE_PASSING int prefix##fscanf(FILE* stream, const char* format, ...) {         \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    const int assigned = ScanStream(stream, format, list, HEDDLE_CALLER,                           \
                                    Real<&prefix##vfscanf>(#prefix "vfscanf"));                    \
    va_end(list);                                                                                  \
    return assigned;                                                                               \
  }                                                                                                \
  HEDDLE_EXPORT HEDDLE_PASSING int prefix##scanf(const char* format, ...) {                        \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    const int assigned =                                                                           \
        ScanStream(stdin, format, list, HEDDLE_CALLER, Real<&prefix##vfscanf>(#prefix "vfscanf")); \
    va_end(list);                                                                                  \
    return assigned;                                                                               \
  }                                                                                                \
  HEDDLE_EXPORT HEDDLE_PASSING int prefix##sscanf(const char* text, const char* format,            \
                                                  ...) noexcept {                                  \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    const int assigned =                                                                           \
        ScanString(text, format, list, HEDDLE_CALLER, Real<&prefix##vsscanf>(#prefix "vsscanf"));  \
    va_end(list);                                                                                  \
    return assigned;                                                                               \
  }

extern "C" {
HEDDLE_SCANS(__isoc99_)
HEDDLE_SCANS(__isoc23_)
}  // extern "C"
