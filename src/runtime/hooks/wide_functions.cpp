// Wide strings that libc reads and writes for the program, and what std::wstring is made of;
// strings.h has what they do.

#include <cstddef>
#include <cstdint>

#include "runtime/export.h"
#include "runtime/hooks/copies.h"
#include "runtime/hooks/strings.h"
#include "runtime/prim/real.h"

extern "C" unsigned towlower(unsigned) noexcept;

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

constexpr size_t kSize = sizeof(wchar_t);

// As the program's locale has it.
int FoldedWide(wchar_t c) { return static_cast<int>(towlower(static_cast<unsigned>(c))); }

wchar_t* CopyWide(wchar_t* to, const wchar_t* from, size_t count, uintptr_t pc) {
  if (!SeeCopy(to, from, count * kSize, pc)) CopyOverlapping(to, from, count * kSize);
  return to;
}

wchar_t* SetWide(wchar_t* to, wchar_t value, size_t count, uintptr_t pc) {
  if (IsSeen(pc)) {
    if (IsPlainPoint(pc)) HashCallArgument(count, static_cast<uint64_t>(value));
    SeeRange(to, count, true, pc);
  }
  for (size_t i = 0; i < count; ++i) to[i] = value;
  return to;
}

using Finding = const wchar_t* (*)(const wchar_t*, const wchar_t*);
constexpr Finding kFindWide = &wcsstr;

}  // namespace

// As <wchar.h> declares them for C++: each symbol has two declarations.
HEDDLE_EXPORT const wchar_t* wmemchr(const wchar_t* at, wchar_t wanted, size_t size) noexcept {
  return Find(at, size, wanted, false, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT const wchar_t* wcschr(const wchar_t* string, wchar_t wanted) noexcept {
  return Find(string, kEndless, wanted, true, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT const wchar_t* wcsrchr(const wchar_t* string, wchar_t wanted) noexcept {
  return FindLast(string, wanted, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT const wchar_t* wcspbrk(const wchar_t* string, const wchar_t* set) noexcept {
  const auto found = SpanWithout(string, set, HEDDLE_ACCESS_CALLER);
  return found.last != 0 ? At(string, found.index) : nullptr;
}
HEDDLE_EXPORT const wchar_t* wcsstr(const wchar_t* string, const wchar_t* wanted) noexcept {
  return FindString(string, wanted, HEDDLE_ACCESS_CALLER, Real<kFindWide>("wcsstr"));
}

extern "C" {

HEDDLE_EXPORT size_t wcslen(const wchar_t* string) noexcept {
  return LengthOf(string, kEndless, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT size_t wcsnlen(const wchar_t* string, size_t most) noexcept {
  return LengthOf(string, most, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int wcscmp(const wchar_t* a, const wchar_t* b) noexcept {
  return Compare<wchar_t>(a, b, {kEndless, true}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int wcsncmp(const wchar_t* a, const wchar_t* b, size_t size) noexcept {
  return Compare<wchar_t>(a, b, {size, true}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int wcscasecmp(const wchar_t* a, const wchar_t* b) noexcept {
  return Compare<wchar_t>(a, b, {kEndless, true, FoldedWide}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int wcsncasecmp(const wchar_t* a, const wchar_t* b, size_t size) noexcept {
  return Compare<wchar_t>(a, b, {size, true, FoldedWide}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int wmemcmp(const wchar_t* a, const wchar_t* b, size_t size) noexcept {
  return Compare<wchar_t>(a, b, {size, false}, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT size_t wcsspn(const wchar_t* string, const wchar_t* set) noexcept {
  return Span(string, set, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT size_t wcscspn(const wchar_t* string, const wchar_t* set) noexcept {
  return SpanWithout(string, set, HEDDLE_ACCESS_CALLER).index;
}
HEDDLE_EXPORT wchar_t* wcstok(wchar_t* string, const wchar_t* set, wchar_t** next) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  wchar_t* begin = string != nullptr ? string : LoadNext(next, pc);
  if (begin == nullptr) return nullptr;
  begin += Span(begin, set, pc);
  const auto none = [](wchar_t*) -> wchar_t* { return nullptr; };
  if (*begin == 0) return *next = nullptr;
  EndToken<wchar_t>(begin, set, next, none, pc);
  return begin;
}

HEDDLE_EXPORT wchar_t* wcscpy(wchar_t* to, const wchar_t* from) noexcept {
  CopyString(to, from, kEndless, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT wchar_t* wcpcpy(wchar_t* to, const wchar_t* from) noexcept {
  return to + CopyString(to, from, kEndless, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT wchar_t* wcsncpy(wchar_t* to, const wchar_t* from, size_t size) noexcept {
  CopyAndFill(to, from, size, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT wchar_t* wcpncpy(wchar_t* to, const wchar_t* from, size_t size) noexcept {
  return CopyAndFill(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT wchar_t* wcscat(wchar_t* to, const wchar_t* from) noexcept {
  Append(to, from, kEndless, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT wchar_t* wcsncat(wchar_t* to, const wchar_t* from, size_t size) noexcept {
  Append(to, from, size, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT wchar_t* wcsdup(const wchar_t* string) noexcept {
  const size_t length = LengthOf(string, kEndless, HEDDLE_ACCESS_CALLER);
  return Duplicate(Real<&wcsdup>("wcsdup")(string), length, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT wchar_t* wmemcpy(wchar_t* to, const wchar_t* from, size_t count) noexcept {
  return CopyWide(to, from, count, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT wchar_t* wmemmove(wchar_t* to, const wchar_t* from, size_t count) noexcept {
  return CopyWide(to, from, count, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT wchar_t* wmempcpy(wchar_t* to, const wchar_t* from, size_t count) noexcept {
  return CopyWide(to, from, count, HEDDLE_ACCESS_CALLER) + count;
}
HEDDLE_EXPORT wchar_t* wmemset(wchar_t* to, wchar_t value, size_t count) noexcept {
  return SetWide(to, value, count, HEDDLE_ACCESS_CALLER);
}

// The room is counted in characters.
HEDDLE_EXPORT wchar_t* __wmemcpy_chk(wchar_t* to, const wchar_t* from, size_t count,
                                     size_t room) noexcept {
  CheckRoom(count, room);
  return CopyWide(to, from, count, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT wchar_t* __wmemmove_chk(wchar_t* to, const wchar_t* from, size_t count,
                                      size_t room) noexcept {
  CheckRoom(count, room);
  return CopyWide(to, from, count, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT wchar_t* __wmempcpy_chk(wchar_t* to, const wchar_t* from, size_t count,
                                      size_t room) noexcept {
  CheckRoom(count, room);
  return CopyWide(to, from, count, HEDDLE_ACCESS_CALLER) + count;
}
HEDDLE_EXPORT wchar_t* __wmemset_chk(wchar_t* to, wchar_t value, size_t count,
                                     size_t room) noexcept {
  CheckRoom(count, room);
  return SetWide(to, value, count, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT wchar_t* __wcscpy_chk(wchar_t* to, const wchar_t* from, size_t room) noexcept {
  CheckRoom(Length(from, kEndless) + 1, room);
  CopyString(to, from, kEndless, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT wchar_t* __wcpcpy_chk(wchar_t* to, const wchar_t* from, size_t room) noexcept {
  CheckRoom(Length(from, kEndless) + 1, room);
  return to + CopyString(to, from, kEndless, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT wchar_t* __wcsncpy_chk(wchar_t* to, const wchar_t* from, size_t size,
                                     size_t room) noexcept {
  CheckRoom(size, room);
  CopyAndFill(to, from, size, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT wchar_t* __wcpncpy_chk(wchar_t* to, const wchar_t* from, size_t size,
                                     size_t room) noexcept {
  CheckRoom(size, room);
  return CopyAndFill(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT wchar_t* __wcscat_chk(wchar_t* to, const wchar_t* from, size_t room) noexcept {
  CheckRoom(Length(to, kEndless) + Length(from, kEndless) + 1, room);
  Append(to, from, kEndless, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT wchar_t* __wcsncat_chk(wchar_t* to, const wchar_t* from, size_t size,
                                     size_t room) noexcept {
  CheckRoom(Length(to, kEndless) + Length(from, size) + 1, room);
  Append(to, from, size, HEDDLE_ACCESS_CALLER);
  return to;
}

}  // extern "C"
