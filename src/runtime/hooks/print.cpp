// printf and its kin: what they read, and what those write that print into memory. Which arguments
// are strings says prim/print_arguments.h; the printing does libc's function.
//
// Where the accesses are scheduling points, a string may be written between its own point and the
// call. So it is copied at its point, and the call gets the copy.

#define __NO_INLINE__  // or <stdio.h> defines some of these names itself
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/export.h"
#include "runtime/hooks/print.h"
#include "runtime/hooks/stream.h"
#include "runtime/hooks/strings.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/print_arguments.h"
#include "runtime/prim/real.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// What a call reads. `format` and the arguments are what is to be printed until Return.
struct Printed {
  const char* format;
  PrintArguments arguments;
};

// How many characters of a wide string have room in `most` bytes, and its end, if that is read.
size_t WideCharacters(const wchar_t* string, size_t most) {
  const bool is_c = MB_CUR_MAX == 1;
  size_t bytes = 0;
  for (size_t i = 0;; ++i) {
    if (bytes >= most) return i;
    if (string[i] == 0) return i + 1;
    const auto c = static_cast<uint32_t>(string[i]);
    const size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (size > 1 && (is_c || c > 0x10ffff)) return i + 1;  // cannot be printed
    if (size > most - bytes) return i;
    bytes += size;
  }
}

void SeeString(PrintArgument& argument, uintptr_t pc) {
  const auto* string = static_cast<const char*>(argument.pointer);
  *argument.slot = const_cast<char*>(Operand(string, argument.most, pc));
}

void SeeWideString(PrintArgument& argument, uintptr_t pc) {
  const auto* string = static_cast<const wchar_t*>(argument.pointer);
  size_t count = 0;
  SeeAsItIs(string, pc, [&] { return count = WideCharacters(string, argument.most); });
  if (!IsPlainPoint(pc)) return;
  auto* const copy = static_cast<wchar_t*>(g_state.bump.Take((count + 1) * sizeof(wchar_t)));
  CopyChars(copy, string, count);
  copy[count] = 0;
  *argument.slot = copy;
}

// In the order of the conversions; what %n writes comes when all was read.
void See(Printed& printed, const char* format, va_list list, uintptr_t pc) {
  printed.format = format;
  printed.arguments.count = 0;
  if (!IsSeen(pc)) return;
  printed.format = Operand(format, kEndless, pc);
  FindPrintArguments(printed.format, list, printed.arguments);
  PrintArguments& found = printed.arguments;
  for (unsigned i = 0; i < found.count; ++i) {
    if (IsPlainPoint(pc)) HashCallArgument(reinterpret_cast<uintptr_t>(found.all[i].pointer), i);
    if (found.all[i].kind == PrintArgument::Kind::kString) SeeString(found.all[i], pc);
    if (found.all[i].kind == PrintArgument::Kind::kWideString) SeeWideString(found.all[i], pc);
  }
  for (unsigned i = 0; i < found.count; ++i)
    if (found.all[i].kind == PrintArgument::Kind::kCount)
      PlainRange(found.all[i].pointer, found.all[i].size, true, pc);
}

// The caller has its arguments back.
void Return(Printed& printed) {
  for (unsigned i = 0; i < printed.arguments.count; ++i)
    *printed.arguments.all[i].slot = printed.arguments.all[i].pointer;
}

}  // namespace

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

constexpr int kUnchecked = -1;  // in place of the flag of the fortified forms

HEDDLE_PASSING int PrintTo(FILE* stream, int flag, const char* format, va_list list, uintptr_t pc) {
  Printed printed;
  See(printed, format, list, pc);
  SeeStream(stream, pc);
  const int result = flag == kUnchecked ? Real<&vfprintf>("vfprintf")(stream, printed.format, list)
                                        : Real<&__vfprintf_chk>("__vfprintf_chk")(
                                              stream, flag, printed.format, list);
  Return(printed);
  return result;
}

HEDDLE_PASSING int PrintToDescriptor(int descriptor, int flag, const char* format, va_list list,
                                     uintptr_t pc) {
  Printed printed;
  See(printed, format, list, pc);
  const int result =
      flag == kUnchecked
          ? Real<&vdprintf>("vdprintf")(descriptor, printed.format, list)
          : Real<&__vdprintf_chk>("__vdprintf_chk")(descriptor, flag, printed.format, list);
  Return(printed);
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
HEDDLE_PASSING int PrintSeen(char* to, size_t size, int flag, size_t room, const Printed& printed,
                             va_list list, uintptr_t pc) {
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
  Printed printed;
  See(printed, format, list, pc);
  const int length = PrintSeen(to, size, flag, room, printed, list, pc);
  Return(printed);
  return length;
}

// libc allocates it.
HEDDLE_PASSING int PrintNew(char** to, int flag, const char* format, va_list list, uintptr_t pc) {
  Printed printed;
  See(printed, format, list, pc);
  if (IsSeen(pc)) SeeRange(to, 1, true, pc);
  const int length = flag == kUnchecked ? Real<&vasprintf>("vasprintf")(to, printed.format, list)
                                        : Real<&__vasprintf_chk>("__vasprintf_chk")(
                                              to, flag, printed.format, list);
  Return(printed);
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

// Calls `call` with the list of arguments behind `format`.
#define HEDDLE_WITH_LIST(call) \
  va_list list;                \
  va_start(list, format);      \
  const int result = call;     \
  va_end(list);                \
  return result

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
