// What prints wide characters, and reads them by the line: what it reads of the program's memory
// (printed.h), and what it writes there. The printing does libc's function.

#define __NO_INLINE__  // or headers define some of these names themselves
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/hooks/printed.h"
#include "runtime/hooks/stream.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/real.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" {

int __vfwprintf_chk(FILE* stream, int flag, const wchar_t* format, va_list list);
int __vswprintf_chk(wchar_t* to, size_t size, int flag, size_t room, const wchar_t* format,
                    va_list list) noexcept;
wchar_t* __fgetws_chk(wchar_t* to, size_t room, int size, FILE* stream);
wchar_t* __fgetws_unlocked_chk(wchar_t* to, size_t room, int size, FILE* stream);

}  // extern "C"

namespace {

// In bytes.
size_t RoomFor(size_t characters) {
  size_t bytes;
  return __builtin_mul_overflow(characters, sizeof(wchar_t), &bytes) ? kEndless : bytes;
}

HEDDLE_PASSING int PrintTo(FILE* stream, int flag, const wchar_t* format, va_list list,
                           uintptr_t pc) {
  Printed<wchar_t> printed;
  See(printed, format, list, pc);
  SeeTransfer(stream, pc);
  const int result =
      flag == kUnchecked
          ? Real<&vfwprintf>("vfwprintf")(stream, printed.format, list)
          : Real<&__vfwprintf_chk>("__vfwprintf_chk")(stream, flag, printed.format, list);
  Return(printed.arguments);
  return result;
}

// What it leaves there if there is too little room is not specified.
HEDDLE_PASSING int PrintInto(wchar_t* to, size_t size, int flag, size_t room, const wchar_t* format,
                             va_list list, uintptr_t pc) {
  Printed<wchar_t> printed;
  if (IsSeen(pc)) HoldArguments(to, size);
  See(printed, format, list, pc);
  int length = -1;
  const auto print = [&](char* at) HEDDLE_PASSING -> size_t {
    auto* const piece = reinterpret_cast<wchar_t*>(at);
    length = flag == kUnchecked ? Real<&vswprintf>("vswprintf")(piece, size, printed.format, list)
                                : Real<&__vswprintf_chk>("__vswprintf_chk")(piece, size, flag, room,
                                                                            printed.format, list);
    return length >= 0 ? (static_cast<size_t>(length) + 1) * sizeof(wchar_t) : 0;
  };
  AnswerBytes(reinterpret_cast<char*>(to), RoomFor(size), pc, print);
  Return(printed.arguments);
  return length;
}

// `get(to)` reads a line, of at most `size` characters, to there. Behind what is seen of the
// stream.
template <typename Get>
HEDDLE_PASSING wchar_t* ReadLine(wchar_t* to, int size, uintptr_t pc, Get get) {
  wchar_t* line = nullptr;
  const auto read = [&](char* at) HEDDLE_PASSING -> size_t {
    line = get(reinterpret_cast<wchar_t*>(at));
    return line != nullptr ? (Length(line, kEndless) + 1) * sizeof(wchar_t) : 0;
  };
  AnswerBytes(reinterpret_cast<char*>(to), RoomFor(size > 0 ? static_cast<size_t>(size) : 0), pc,
              read);
  return line != nullptr ? to : nullptr;
}

}  // namespace

extern "C" {

HEDDLE_EXPORT HEDDLE_PASSING int wprintf(const wchar_t* format, ...) {
  HEDDLE_WITH_LIST(PrintTo(stdout, kUnchecked, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int vwprintf(const wchar_t* format, va_list list) {
  return PrintTo(stdout, kUnchecked, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int fwprintf(FILE* stream, const wchar_t* format, ...) {
  HEDDLE_WITH_LIST(PrintTo(stream, kUnchecked, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int vfwprintf(FILE* stream, const wchar_t* format, va_list list) {
  return PrintTo(stream, kUnchecked, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int swprintf(wchar_t* to, size_t size, const wchar_t* format,
                                          ...) noexcept {
  HEDDLE_WITH_LIST(PrintInto(to, size, kUnchecked, kEndless, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int vswprintf(wchar_t* to, size_t size, const wchar_t* format,
                                           va_list list) noexcept {
  return PrintInto(to, size, kUnchecked, kEndless, format, list, HEDDLE_ACCESS_CALLER);
}

// The fortified forms.
HEDDLE_EXPORT HEDDLE_PASSING int __wprintf_chk(int flag, const wchar_t* format, ...) {
  HEDDLE_WITH_LIST(PrintTo(stdout, flag, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int __vwprintf_chk(int flag, const wchar_t* format, va_list list) {
  return PrintTo(stdout, flag, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int __fwprintf_chk(FILE* stream, int flag, const wchar_t* format,
                                                ...) {
  HEDDLE_WITH_LIST(PrintTo(stream, flag, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int __vfwprintf_chk(FILE* stream, int flag, const wchar_t* format,
                                                 va_list list) {
  return PrintTo(stream, flag, format, list, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT HEDDLE_PASSING int __swprintf_chk(wchar_t* to, size_t size, int flag, size_t room,
                                                const wchar_t* format, ...) noexcept {
  HEDDLE_WITH_LIST(PrintInto(to, size, flag, room, format, list, HEDDLE_ACCESS_CALLER));
}
HEDDLE_EXPORT HEDDLE_PASSING int __vswprintf_chk(wchar_t* to, size_t size, int flag, size_t room,
                                                 const wchar_t* format, va_list list) noexcept {
  return PrintInto(to, size, flag, room, format, list, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT HEDDLE_PASSING int fputws(const wchar_t* string, FILE* stream) {
  string = Operand(string, kEndless, HEDDLE_ACCESS_CALLER);
  SeeTransfer(stream, HEDDLE_CALLER);
  return Real<&fputws>("fputws")(string, stream);
}
HEDDLE_EXPORT HEDDLE_PASSING int fputws_unlocked(const wchar_t* string, FILE* stream) {
  string = Operand(string, kEndless, HEDDLE_ACCESS_CALLER);
  SeeStreamUnlocked(stream, HEDDLE_CALLER);
  return Real<&fputws_unlocked>("fputws_unlocked")(string, stream);
}

HEDDLE_EXPORT HEDDLE_PASSING wchar_t* fgetws(wchar_t* to, int size, FILE* stream) {
  SeeTransfer(stream, HEDDLE_CALLER);
  return ReadLine(to, size, HEDDLE_ACCESS_CALLER, [=](wchar_t* at) HEDDLE_PASSING {
    return Real<&fgetws>("fgetws")(at, size, stream);
  });
}
HEDDLE_EXPORT HEDDLE_PASSING wchar_t* fgetws_unlocked(wchar_t* to, int size, FILE* stream) {
  SeeStreamUnlocked(stream, HEDDLE_CALLER);
  return ReadLine(to, size, HEDDLE_ACCESS_CALLER, [=](wchar_t* at) HEDDLE_PASSING {
    return Real<&fgetws_unlocked>("fgetws_unlocked")(at, size, stream);
  });
}
HEDDLE_EXPORT HEDDLE_PASSING wchar_t* __fgetws_chk(wchar_t* to, size_t room, int size,
                                                   FILE* stream) {
  SeeTransfer(stream, HEDDLE_CALLER);
  return ReadLine(to, size, HEDDLE_ACCESS_CALLER, [=](wchar_t* at) HEDDLE_PASSING {
    return Real<&__fgetws_chk>("__fgetws_chk")(at, room, size, stream);
  });
}
HEDDLE_EXPORT HEDDLE_PASSING wchar_t* __fgetws_unlocked_chk(wchar_t* to, size_t room, int size,
                                                            FILE* stream) {
  SeeStreamUnlocked(stream, HEDDLE_CALLER);
  return ReadLine(to, size, HEDDLE_ACCESS_CALLER, [=](wchar_t* at) HEDDLE_PASSING {
    return Real<&__fgetws_unlocked_chk>("__fgetws_unlocked_chk")(at, room, size, stream);
  });
}

}  // extern "C"
