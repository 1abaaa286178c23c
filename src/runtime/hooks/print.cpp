// printf and its kin: what they read, and what those write that print into memory. Which arguments
// are strings says prim/print_arguments.h, how they are read printed.h; the printing does libc's
// function.

#define __NO_INLINE__  // or <stdio.h> defines some of these names itself
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/export.h"
#include "runtime/hooks/print.h"
#include "runtime/hooks/printed.h"
#include "runtime/hooks/stream.h"
#include "runtime/hooks/strings.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/real.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" {

int vprintf(const char* format, va_list list);
int vfprintf(FILE* stream, const char* format, va_list list);
int vdprintf(int descriptor, const char* format, va_list list);
int vsprintf(char* to, const char* format, va_list list) noexcept;
int vsnprintf(char* to, size_t size, const char* format, va_list list) noexcept;
int vasprintf(char** to, const char* format, va_list list) noexcept;
int __vprintf_chk(int flag, const char* format, va_list list);
int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list list);
int __vdprintf_chk(int descriptor, int flag, const char* format, va_list list);
int __vsprintf_chk(char* to, int flag, size_t room, const char* format, va_list list) noexcept;
int __vsnprintf_chk(char* to, size_t size, int flag, size_t room, const char* format,
                    va_list list) noexcept;
int __vasprintf_chk(char** to, int flag, const char* format, va_list list) noexcept;

}  // extern "C"

namespace {

HEDDLE_PASSING int PrintTo(FILE* stream, int flag, const char* format, va_list list, uintptr_t pc) {
  Printed<char> printed;
  See(printed, format, list, pc);
  SeeTransfer(stream, pc);
  const int result = flag == kUnchecked ? Real<&vfprintf>("vfprintf")(stream, printed.format, list)
                                        : Real<&__vfprintf_chk>("__vfprintf_chk")(
                                              stream, flag, printed.format, list);
  Return(printed.arguments);
  return result;
}

HEDDLE_PASSING int PrintToDescriptor(int descriptor, int flag, const char* format, va_list list,
                                     uintptr_t pc) {
  Printed<char> printed;
  See(printed, format, list, pc);
  const int result =
      flag == kUnchecked
          ? Real<&vdprintf>("vdprintf")(descriptor, printed.format, list)
          : Real<&__vdprintf_chk>("__vdprintf_chk")(descriptor, flag, printed.format, list);
  Return(printed.arguments);
  return result;
}

// The call as the program makes it. `size` kEndless: sprintf.
HEDDLE_PASSING int PrintDirectly(char* to, size_t size, int flag, size_t room, const char* format,
                                 va_list list) {
  if (flag == kUnchecked)
    return size == kEndless ? Real<&vsprintf>("vsprintf")(to, format, list)
                            : Real<&vsnprintf>("vsnprintf")(to, size, format, list);
  return size == kEndless
             ? Real<&__vsprintf_chk>("__vsprintf_chk")(to, flag, room, format, list)
             : Real<&__vsnprintf_chk>("__vsnprintf_chk")(to, size, flag, room, format, list);
}

HEDDLE_PASSING int PrintPiece(char* to, size_t size, int flag, const char* format, va_list list) {
  va_list copy;
  va_copy(copy, list);
  const int length = PrintDirectly(to, size, flag, kEndless, format, copy);
  va_end(copy);
  return length;
}

// What is printed is known before the access to `to`, whose length it says.
HEDDLE_PASSING int PrintSeen(char* to, size_t size, int flag, size_t room,
                             const Printed<char>& printed, va_list list, uintptr_t pc) {
  constexpr size_t kKept = 512;
  char piece[kKept];
  if (size != kEndless && size > room)  // fails
    return PrintDirectly(to, size, flag, room, printed.format, list);
  const int length = PrintPiece(piece, kKept, flag, printed.format, list);
  const auto all = static_cast<size_t>(length) + 1;
  if (length < 0 || (size == kEndless && all > room))  // likewise
    return PrintDirectly(to, size, flag, room, printed.format, list);
  const size_t written = all < size ? all : size;
  if (written == 0) return length;
  const char* text = piece;
  if (written > kKept) {
    if (!IsPlainPoint(pc)) {
      SeeRange(to, written, true, pc);
      return PrintDirectly(to, size, flag, room, printed.format, list);
    }
    auto* const larger = static_cast<char*>(g_state.bump.Take(all));
    PrintPiece(larger, all, flag, printed.format, list);
    text = larger;
  }
  if (IsPlainPoint(pc)) HoldPiece(written, text, written - 1);
  SeeRange(to, written, true, pc);
  CopyForward(to, text, written - 1);
  to[written - 1] = 0;
  return length;
}

HEDDLE_PASSING int PrintInto(char* to, size_t size, int flag, size_t room, const char* format,
                             va_list list, uintptr_t pc) {
  if (!IsSeen(pc)) return PrintDirectly(to, size, flag, room, format, list);
  Printed<char> printed;
  See(printed, format, list, pc);
  const int length = PrintSeen(to, size, flag, room, printed, list, pc);
  Return(printed.arguments);
  return length;
}

// libc allocates it.
HEDDLE_PASSING int PrintNew(char** to, int flag, const char* format, va_list list, uintptr_t pc) {
  Printed<char> printed;
  See(printed, format, list, pc);
  if (IsSeen(pc)) SeeRange(to, 1, true, pc);
  const int length = flag == kUnchecked ? Real<&vasprintf>("vasprintf")(to, printed.format, list)
                                        : Real<&__vasprintf_chk>("__vasprintf_chk")(
                                              to, flag, printed.format, list);
  Return(printed.arguments);
  if (length >= 0 && IsSeen(pc)) SeeRange(*to, static_cast<size_t>(length) + 1, true, pc);
  return length;
}

}  // namespace

namespace heddle::runtime {

void FindPrinting() {
  Real<&vfprintf>("vfprintf");
  Real<&__vfprintf_chk>("__vfprintf_chk");
  Real<&vdprintf>("vdprintf");
  Real<&__vdprintf_chk>("__vdprintf_chk");
  Real<&vsprintf>("vsprintf");
  Real<&vsnprintf>("vsnprintf");
  Real<&__vsprintf_chk>("__vsprintf_chk");
  Real<&__vsnprintf_chk>("__vsnprintf_chk");
  Real<&vasprintf>("vasprintf");
  Real<&__vasprintf_chk>("__vasprintf_chk");
  Real<&puts>("puts");
  Real<&fputs>("fputs");
  Real<&fputs_unlocked>("fputs_unlocked");
  Real<&perror>("perror");
  Real<&fwrite>("fwrite");
  Real<&fwrite_unlocked>("fwrite_unlocked");
}

}  // namespace heddle::runtime

extern "C" {

HEDDLE_EXPORT HEDDLE_PASSING int printf(const char* format, ...) {
  HEDDLE_WITH_LIST(PrintTo(stdout, kUnchecked, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int vprintf(const char* format, va_list list) {
  return PrintTo(stdout, kUnchecked, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int fprintf(FILE* stream, const char* format, ...) {
  HEDDLE_WITH_LIST(PrintTo(stream, kUnchecked, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int vfprintf(FILE* stream, const char* format, va_list list) {
  return PrintTo(stream, kUnchecked, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int dprintf(int descriptor, const char* format, ...) {
  HEDDLE_WITH_LIST(PrintToDescriptor(descriptor, kUnchecked, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int vdprintf(int descriptor, const char* format, va_list list) {
  return PrintToDescriptor(descriptor, kUnchecked, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int sprintf(char* to, const char* format, ...) noexcept {
  HEDDLE_WITH_LIST(
      PrintInto(to, kEndless, kUnchecked, kEndless, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int vsprintf(char* to, const char* format, va_list list) noexcept {
  return PrintInto(to, kEndless, kUnchecked, kEndless, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int snprintf(char* to, size_t size, const char* format, ...) noexcept {
  HEDDLE_WITH_LIST(PrintInto(to, size, kUnchecked, kEndless, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int vsnprintf(char* to, size_t size, const char* format,
                                           va_list list) noexcept {
  return PrintInto(to, size, kUnchecked, kEndless, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int asprintf(char** to, const char* format, ...) noexcept {
  HEDDLE_WITH_LIST(PrintNew(to, kUnchecked, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int vasprintf(char** to, const char* format, va_list list) noexcept {
  return PrintNew(to, kUnchecked, format, list, HEDDLE_ACCESS_CALLER);
}

// The fortified forms.
HEDDLE_EXPORT HEDDLE_PASSING int __printf_chk(int flag, const char* format, ...) {
  HEDDLE_WITH_LIST(PrintTo(stdout, flag, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int __vprintf_chk(int flag, const char* format, va_list list) {
  return PrintTo(stdout, flag, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  HEDDLE_WITH_LIST(PrintTo(stream, flag, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int __vfprintf_chk(FILE* stream, int flag, const char* format,
                                                va_list list) {
  return PrintTo(stream, flag, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int __dprintf_chk(int descriptor, int flag, const char* format, ...) {
  HEDDLE_WITH_LIST(PrintToDescriptor(descriptor, flag, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int __vdprintf_chk(int descriptor, int flag, const char* format,
                                                va_list list) {
  return PrintToDescriptor(descriptor, flag, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int __sprintf_chk(char* to, int flag, size_t room, const char* format,
                                               ...) noexcept {
  HEDDLE_WITH_LIST(PrintInto(to, kEndless, flag, room, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int __vsprintf_chk(char* to, int flag, size_t room, const char* format,
                                                va_list list) noexcept {
  return PrintInto(to, kEndless, flag, room, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int __snprintf_chk(char* to, size_t size, int flag, size_t room,
                                                const char* format, ...) noexcept {
  HEDDLE_WITH_LIST(PrintInto(to, size, flag, room, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int __vsnprintf_chk(char* to, size_t size, int flag, size_t room,
                                                 const char* format, va_list list) noexcept {
  return PrintInto(to, size, flag, room, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int __asprintf_chk(char** to, int flag, const char* format,
                                                ...) noexcept {
  HEDDLE_WITH_LIST(PrintNew(to, flag, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int __vasprintf_chk(char** to, int flag, const char* format,
                                                 va_list list) noexcept {
  return PrintNew(to, flag, format, list, HEDDLE_ACCESS_CALLER);
}

}  // extern "C"
