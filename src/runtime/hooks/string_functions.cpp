// Strings and bytes that libc reads and writes for the program: strlen, strcmp, strcpy and their
// kin; strings.h has what they do.

#include "runtime/hooks/strings.h"

#include <cstddef>
#include <cstdint>

#include "runtime/export.h"
#include "runtime/hooks/copies.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/real.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// As in the "C" locale.
int Folded(char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : ValueOf(c); }

int CompareBytes(const void* a, const void* b, size_t size, uintptr_t pc) {
  return Compare<char>(static_cast<const char*>(a), static_cast<const char*>(b), {size, false}, pc);
}

}  // namespace

extern "C" {

HEDDLE_EXPORT size_t strlen(const char* string) noexcept {
  return LengthOf(string, kEndless, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT size_t strnlen(const char* string, size_t most) noexcept {
  return LengthOf(string, most, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int strcmp(const char* a, const char* b) noexcept {
  return Compare<char>(a, b, {kEndless, true}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int strncmp(const char* a, const char* b, size_t size) noexcept {
  return Compare<char>(a, b, {size, true}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int memcmp(const void* a, const void* b, size_t size) noexcept {
  return CompareBytes(a, b, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int bcmp(const void* a, const void* b, size_t size) noexcept {
  return CompareBytes(a, b, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int strcasecmp(const char* a, const char* b) noexcept {
  return Compare<char>(a, b, {kEndless, true, Folded}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int strncasecmp(const char* a, const char* b, size_t size) noexcept {
  return Compare<char>(a, b, {size, true, Folded}, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT void* memchr(const void* bytes, int wanted, size_t size) noexcept {
  const auto* at = static_cast<const char*>(bytes);
  return Find(at, size, static_cast<char>(wanted), false, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT char* strchr(const char* string, int wanted) noexcept {
  return Find(string, kEndless, static_cast<char>(wanted), true, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT char* index(const char* string, int wanted) noexcept {
  return Find(string, kEndless, static_cast<char>(wanted), true, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT char* strrchr(const char* string, int wanted) noexcept {
  return FindLast(string, static_cast<char>(wanted), HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT char* rindex(const char* string, int wanted) noexcept {
  return FindLast(string, static_cast<char>(wanted), HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT char* strcpy(char* to, const char* from) noexcept {
  CopyString(to, from, kEndless, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT char* stpcpy(char* to, const char* from) noexcept {
  return to + CopyString(to, from, kEndless, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT char* strncpy(char* to, const char* from, size_t size) noexcept {
  CopyAndFill(to, from, size, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT char* stpncpy(char* to, const char* from, size_t size) noexcept {
  return CopyAndFill(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT char* strcat(char* to, const char* from) noexcept {
  Append(to, from, kEndless, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT char* strncat(char* to, const char* from, size_t size) noexcept {
  Append(to, from, size, HEDDLE_ACCESS_CALLER);
  return to;
}

HEDDLE_EXPORT void* memccpy(void* to, const void* from, int last, size_t size) noexcept {
  const auto* begin = static_cast<const char*>(from);
  const char* at = Find(begin, size, static_cast<char>(last), false, HEDDLE_ACCESS_CALLER);
  if (at != nullptr) size = static_cast<size_t>(at - begin) + 1;
  if (!SeeCopy(to, from, size, HEDDLE_ACCESS_CALLER)) CopyForward(to, from, size);
  return at == nullptr ? nullptr : static_cast<char*>(to) + size;
}

HEDDLE_EXPORT char* strdup(const char* string) noexcept {
  const size_t length = LengthOf(string, kEndless, HEDDLE_ACCESS_CALLER);
  return Duplicate(Real<&strdup>("strdup")(string), length, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT char* strndup(const char* string, size_t most) noexcept {
  const size_t length = LengthOf(string, most, HEDDLE_ACCESS_CALLER);
  return Duplicate(Real<&strndup>("strndup")(string, most), length, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT char* __strcpy_chk(char* to, const char* from, size_t room) noexcept {
  CheckRoom(Length(from, kEndless) + 1, room);
  CopyString(to, from, kEndless, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT char* __stpcpy_chk(char* to, const char* from, size_t room) noexcept {
  CheckRoom(Length(from, kEndless) + 1, room);
  return to + CopyString(to, from, kEndless, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT char* __strncpy_chk(char* to, const char* from, size_t size, size_t room) noexcept {
  CheckRoom(size, room);
  CopyAndFill(to, from, size, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT char* __stpncpy_chk(char* to, const char* from, size_t size, size_t room) noexcept {
  CheckRoom(size, room);
  return CopyAndFill(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT char* __strcat_chk(char* to, const char* from, size_t room) noexcept {
  CheckRoom(Length(to, kEndless) + Length(from, kEndless) + 1, room);
  Append(to, from, kEndless, HEDDLE_ACCESS_CALLER);
  return to;
}
HEDDLE_EXPORT char* __strncat_chk(char* to, const char* from, size_t size, size_t room) noexcept {
  CheckRoom(Length(to, kEndless) + Length(from, size) + 1, room);
  Append(to, from, size, HEDDLE_ACCESS_CALLER);
  return to;
}

}  // extern "C"
