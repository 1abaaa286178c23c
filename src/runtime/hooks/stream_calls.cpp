// Calls on streams of which nothing else is looked at than their order (world/streams.h); those
// that read and write memory of the program's, too, are in streams.cpp, print.cpp and
// wide_print.cpp.

#define __NO_INLINE__  // or <stdio.h> defines some of these names itself
#include <stdio.h>
#include <wchar.h>

#include "runtime/export.h"
#include "runtime/hooks/stream.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/real.h"

#undef feof_unlocked
#undef ferror_unlocked

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

#define HEDDLE_USES(stream, result, name, parameters, arguments) \
  HEDDLE_EXPORT HEDDLE_PASSING result name parameters {          \
    SeeStream(stream, HEDDLE_CALLER);                            \
    return Real<&name>(#name) arguments;                         \
  }
#define HEDDLE_TRANSFERS(stream, result, name, parameters, arguments) \
  HEDDLE_EXPORT HEDDLE_PASSING result name parameters {               \
    SeeTransfer(stream, HEDDLE_CALLER);                               \
    return Real<&name>(#name) arguments;                              \
  }
#define HEDDLE_USES_UNLOCKED(stream, result, name, parameters, arguments) \
  HEDDLE_EXPORT HEDDLE_PASSING result name parameters {                   \
    SeeStreamUnlocked(stream, HEDDLE_CALLER);                             \
    return Real<&name>(#name) arguments;                                  \
  }

extern "C" {

// ---- characters ----

int _IO_getc(FILE* stream);
int _IO_putc(int c, FILE* stream);
HEDDLE_TRANSFERS(stream, int, fgetc, (FILE * stream), (stream))
HEDDLE_TRANSFERS(stream, int, getc, (FILE * stream), (stream))
HEDDLE_TRANSFERS(stream, int, _IO_getc, (FILE * stream), (stream))
HEDDLE_TRANSFERS(stdin, int, getchar, (), ())
HEDDLE_TRANSFERS(stream, int, fputc, (int c, FILE* stream), (c, stream))
HEDDLE_TRANSFERS(stream, int, putc, (int c, FILE* stream), (c, stream))
HEDDLE_TRANSFERS(stream, int, _IO_putc, (int c, FILE* stream), (c, stream))
HEDDLE_TRANSFERS(stdout, int, putchar, (int c), (c))
HEDDLE_TRANSFERS(stream, int, ungetc, (int c, FILE* stream), (c, stream))
HEDDLE_TRANSFERS(stream, int, getw, (FILE * stream), (stream))
HEDDLE_TRANSFERS(stream, int, putw, (int word, FILE* stream), (word, stream))
HEDDLE_USES_UNLOCKED(stream, int, fgetc_unlocked, (FILE * stream), (stream))
HEDDLE_USES_UNLOCKED(stream, int, getc_unlocked, (FILE * stream), (stream))
HEDDLE_USES_UNLOCKED(stdin, int, getchar_unlocked, (), ())
HEDDLE_USES_UNLOCKED(stream, int, fputc_unlocked, (int c, FILE* stream), (c, stream))
HEDDLE_USES_UNLOCKED(stream, int, putc_unlocked, (int c, FILE* stream), (c, stream))
HEDDLE_USES_UNLOCKED(stdout, int, putchar_unlocked, (int c), (c))

// ---- places and states ----

HEDDLE_USES(stream, int, fseek, (FILE * stream, long to, int from), (stream, to, from))
HEDDLE_USES(stream, int, fseeko, (FILE * stream, off_t to, int from), (stream, to, from))
HEDDLE_USES(stream, int, fseeko64, (FILE * stream, off64_t to, int from), (stream, to, from))
HEDDLE_USES(stream, long, ftell, (FILE * stream), (stream))
HEDDLE_USES(stream, off_t, ftello, (FILE * stream), (stream))
HEDDLE_USES(stream, off64_t, ftello64, (FILE * stream), (stream))
HEDDLE_USES(stream, void, rewind, (FILE * stream), (stream))
HEDDLE_USES(stream, int, fgetpos, (FILE * stream, fpos_t* place), (stream, place))
HEDDLE_USES(stream, int, fgetpos64, (FILE * stream, fpos64_t* place), (stream, place))
HEDDLE_USES(stream, int, fsetpos, (FILE * stream, const fpos_t* place), (stream, place))
HEDDLE_USES(stream, int, fsetpos64, (FILE * stream, const fpos64_t* place), (stream, place))
HEDDLE_EXPORT HEDDLE_PASSING int fflush(FILE* stream) {
  SeeStream(stream, HEDDLE_CALLER);
  if (stream != nullptr && IsSeen(HEDDLE_CALLER) && HasOutput(stream))
    CheckBufferOf(stream, HEDDLE_CALLER);
  return Real<&fflush>("fflush")(stream);
}
HEDDLE_USES(stream, int, feof, (FILE * stream) noexcept, (stream))
HEDDLE_USES(stream, int, ferror, (FILE * stream) noexcept, (stream))
HEDDLE_USES(stream, void, clearerr, (FILE * stream) noexcept, (stream))
HEDDLE_USES_UNLOCKED(stream, int, fflush_unlocked, (FILE * stream), (stream))
HEDDLE_USES_UNLOCKED(stream, int, feof_unlocked, (FILE * stream) noexcept, (stream))
HEDDLE_USES_UNLOCKED(stream, int, ferror_unlocked, (FILE * stream) noexcept, (stream))
HEDDLE_USES_UNLOCKED(stream, void, clearerr_unlocked, (FILE * stream) noexcept, (stream))

// ---- wide characters ----

HEDDLE_TRANSFERS(stream, wint_t, fgetwc, (FILE * stream), (stream))
HEDDLE_TRANSFERS(stream, wint_t, getwc, (FILE * stream), (stream))
HEDDLE_TRANSFERS(stdin, wint_t, getwchar, (), ())
HEDDLE_TRANSFERS(stream, wint_t, fputwc, (wchar_t c, FILE* stream), (c, stream))
HEDDLE_TRANSFERS(stream, wint_t, putwc, (wchar_t c, FILE* stream), (c, stream))
HEDDLE_TRANSFERS(stdout, wint_t, putwchar, (wchar_t c), (c))
HEDDLE_TRANSFERS(stream, wint_t, ungetwc, (wint_t c, FILE* stream), (c, stream))
HEDDLE_USES_UNLOCKED(stream, wint_t, fgetwc_unlocked, (FILE * stream), (stream))
HEDDLE_USES_UNLOCKED(stream, wint_t, getwc_unlocked, (FILE * stream), (stream))
HEDDLE_USES_UNLOCKED(stdin, wint_t, getwchar_unlocked, (), ())
HEDDLE_USES_UNLOCKED(stream, wint_t, fputwc_unlocked, (wchar_t c, FILE* stream), (c, stream))
HEDDLE_USES_UNLOCKED(stream, wint_t, putwc_unlocked, (wchar_t c, FILE* stream), (c, stream))
HEDDLE_USES_UNLOCKED(stdout, wint_t, putwchar_unlocked, (wchar_t c), (c))

// ---- locks ----

HEDDLE_EXPORT void flockfile(FILE* stream) noexcept {
  if (!InExecution()) return Real<&flockfile>("flockfile")(stream);
  LockStream(stream, HEDDLE_CALLER);
}
HEDDLE_EXPORT int ftrylockfile(FILE* stream) noexcept {
  if (!InExecution()) return Real<&ftrylockfile>("ftrylockfile")(stream);
  return TryLockStream(stream, HEDDLE_CALLER) ? 0 : -1;
}
HEDDLE_EXPORT void funlockfile(FILE* stream) noexcept {
  if (!InExecution()) return Real<&funlockfile>("funlockfile")(stream);
  UnlockStream(stream, HEDDLE_CALLER);
}

}  // extern "C"
