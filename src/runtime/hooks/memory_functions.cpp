// memcpy and its family. Compilers do not instrument what these do, so it is seen here: the program
// and the libraries it uses call these names. libc's own inner calls stay its own.
//
// Ground rules of this file: the names are called before any constructor ran, and by compiler-made
// calls of heddle's own code, wherever that runs. So nothing here may depend on anything but
// g_state, and accesses of heddle itself are left out by the return address.

#include <cstddef>
#include <cstdint>

#include "runtime/export.h"
#include "runtime/hooks/copies.h"
#include "runtime/hooks/own_code.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/optimizer.h"
#include "runtime/primitives/plain.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

void* Copy(void* to, const void* from, size_t size, uintptr_t pc) {
  if (!SeeCopy(to, from, size, pc)) CopyForward(to, from, size);
  return to;
}

void* Move(void* to, const void* from, size_t size, uintptr_t pc) {
  if (!SeeCopy(to, from, size, pc)) CopyOverlapping(to, from, size);
  return to;
}

void* Set(void* to, int value, size_t size, uintptr_t pc) {
  if (IsSeen(pc)) {
    if (IsPlainPoint(pc)) HashCallArgument(size, static_cast<unsigned char>(value));
    PlainRange(to, size, true, pc);
  }
  Fill(to, static_cast<unsigned char>(value), size);
  return to;
}

void* End(void* begin, size_t size) { return static_cast<char*>(begin) + size; }

}  // namespace

extern "C" {

HEDDLE_EXPORT void* memcpy(void* to, const void* from, size_t size) noexcept {
  return Copy(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void* memmove(void* to, const void* from, size_t size) noexcept {
  return Move(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void* memset(void* to, int value, size_t size) noexcept {
  return Set(to, value, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void* mempcpy(void* to, const void* from, size_t size) noexcept {
  return End(Copy(to, from, size, HEDDLE_ACCESS_CALLER), size);
}
HEDDLE_EXPORT void bcopy(const void* from, void* to, size_t size) noexcept {
  Move(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void bzero(void* to, size_t size) noexcept { Set(to, 0, size, HEDDLE_ACCESS_CALLER); }
HEDDLE_EXPORT void explicit_bzero(void* to, size_t size) noexcept {
  Set(to, 0, size, HEDDLE_ACCESS_CALLER);
  KeepWrites(to);
}

HEDDLE_EXPORT void* __memcpy_chk(void* to, const void* from, size_t size, size_t room) noexcept {
  CheckRoom(size, room);
  return Copy(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void* __memmove_chk(void* to, const void* from, size_t size, size_t room) noexcept {
  CheckRoom(size, room);
  return Move(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void* __memset_chk(void* to, int value, size_t size, size_t room) noexcept {
  CheckRoom(size, room);
  return Set(to, value, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void* __mempcpy_chk(void* to, const void* from, size_t size, size_t room) noexcept {
  CheckRoom(size, room);
  return End(Copy(to, from, size, HEDDLE_ACCESS_CALLER), size);
}

// What Clang calls from version 15 on, and when it compiles without builtins.
HEDDLE_EXPORT void* __tsan_memcpy(void* to, const void* from, size_t size) {
  return Copy(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void* __tsan_memmove(void* to, const void* from, size_t size) {
  return Move(to, from, size, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void* __tsan_memset(void* to, int value, size_t size) {
  return Set(to, value, size, HEDDLE_ACCESS_CALLER);
}

}  // extern "C"
