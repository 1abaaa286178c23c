// Strings that libc looks for in strings, and tokens that it makes of them: strstr, strspn, strtok
// and their kin. strings.h has how it is seen what they read.

#include <cstddef>
#include <cstdint>

#include "runtime/export.h"
#include "runtime/hooks/strings.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/real.h"

extern "C" void* memmem(const void*, size_t, const void*, size_t) noexcept;

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

// What strtok goes on with, as libc has it, too: threads that share it race for it. Named as a
// report may have it.
[[HEDDLE_OF_EXECUTION]] static char* next_of_strtok;

namespace {

char* Same(char* at) { return at; }

// Where libc's strtok will go on, and what it will read and write.
void SeeToken(char* string, const char* set, uintptr_t pc) {
  SeeRange(&next_of_strtok, 1, true, pc);
  char* begin = string != nullptr ? string : next_of_strtok;
  if (begin == nullptr) return;  // it began before main
  set = Operand(set, kEndless, pc);
  char* end = begin;
  SeeAsItIs(begin, pc, [&] {
    end = begin;
    while (*end != 0 && IsIn(set, *end)) ++end;
    while (*end != 0 && !IsIn(set, *end)) ++end;
    return static_cast<size_t>(end - begin) + 1;
  });
  const bool ends_early = *end != 0;
  if (ends_early) SeeRange(end, 1, true, pc);
  next_of_strtok = ends_early ? end + 1 : end;
}

// Both ranges are read; of the first only what comes before the end of what is found.
void* FindBytes(const char* bytes, size_t size, const char* wanted, size_t length, uintptr_t pc) {
  auto* const find = Real<&memmem>("memmem");
  if (!IsSeen(pc) || length > size || length == 0) return find(bytes, size, wanted, length);
  SeeRange(wanted, length, false, pc);
  if (IsPlainPoint(pc)) {
    auto* const copy = static_cast<char*>(g_state.bump.Take(length));
    CopyForward(copy, wanted, length);
    wanted = copy;
  }
  void* found = nullptr;
  SeeAsItIs(bytes, pc, [&] {
    found = find(bytes, size, wanted, length);
    if (found == nullptr) return size;
    return static_cast<size_t>(static_cast<char*>(found) - bytes) + length;
  });
  return found;
}

char* FindLastByte(const char* bytes, size_t size, char wanted, uintptr_t pc) {
  const auto look = [=] {
    size_t i = size;
    while (i > 0 && bytes[i - 1] != wanted) --i;
    return i;
  };
  size_t behind = look();
  for (size_t seen = size; IsSeen(pc);) {  // from there on
    const size_t from = behind > 0 ? behind - 1 : 0;
    if (from >= seen) break;
    HashCallArgument(size, seen);
    SeeRange(bytes + from, seen - from, false, pc);
    seen = from;
    if (!IsPlainPoint(pc)) break;
    behind = look();
  }
  return behind > 0 ? At(bytes, behind - 1) : nullptr;
}

char* NextToken(char* string, const char* set, char** next, uintptr_t pc) {
  char* begin = string != nullptr ? string : LoadNext(next, pc);
  begin += Span(begin, set, pc);
  if (*begin == 0) {
    Store(next, begin, pc);
    return nullptr;
  }
  EndToken<char>(begin, set, next, Same, pc);
  return begin;
}

}  // namespace

extern "C" {

HEDDLE_EXPORT char* strstr(const char* string, const char* wanted) noexcept {
  return FindString(string, wanted, HEDDLE_ACCESS_CALLER, Real<&strstr>("strstr"));
}
HEDDLE_EXPORT char* strcasestr(const char* string, const char* wanted) noexcept {
  return FindString(string, wanted, HEDDLE_ACCESS_CALLER, Real<&strcasestr>("strcasestr"));
}
HEDDLE_EXPORT void* memmem(const void* bytes, size_t size, const void* wanted,
                           size_t length) noexcept {
  return FindBytes(static_cast<const char*>(bytes), size, static_cast<const char*>(wanted), length,
                   HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void* memrchr(const void* bytes, int wanted, size_t size) noexcept {
  return FindLastByte(static_cast<const char*>(bytes), size, static_cast<char>(wanted),
                      HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT void* rawmemchr(const void* bytes, int wanted) noexcept {
  return Find(static_cast<const char*>(bytes), kEndless, static_cast<char>(wanted), false,
              HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT char* strchrnul(const char* string, int wanted) noexcept {
  const char c = static_cast<char>(wanted);
  return At(string, FindFirst(string, kEndless, HEDDLE_ACCESS_CALLER, [=](char at) {
                      return at == c || at == 0;
                    }).index);
}

HEDDLE_EXPORT size_t strspn(const char* string, const char* set) noexcept {
  return Span(string, set, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT size_t strcspn(const char* string, const char* set) noexcept {
  return SpanWithout(string, set, HEDDLE_ACCESS_CALLER).index;
}
HEDDLE_EXPORT char* strpbrk(const char* string, const char* set) noexcept {
  const auto found = SpanWithout(string, set, HEDDLE_ACCESS_CALLER);
  return found.last != 0 ? At(string, found.index) : nullptr;
}

HEDDLE_EXPORT char* strsep(char** string, const char* set) noexcept {
  const uintptr_t pc = HEDDLE_ACCESS_CALLER;
  char* const begin = LoadNext(string, pc);
  if (begin == nullptr) return nullptr;
  const auto none = [](char*) -> char* { return nullptr; };
  EndToken<char>(begin, set, string, none, pc);
  return begin;
}

HEDDLE_EXPORT char* strtok_r(char* string, const char* set, char** next) noexcept {
  return NextToken(string, set, next, HEDDLE_ACCESS_CALLER);
}
// The name under which old headers have it.
char* __strtok_r(char* string, const char* set, char** next) noexcept;
HEDDLE_EXPORT char* __strtok_r(char* string, const char* set, char** next) noexcept {
  return NextToken(string, set, next, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT char* strtok(char* string, const char* set) noexcept {
  if (IsSeen(HEDDLE_ACCESS_CALLER)) SeeToken(string, set, HEDDLE_ACCESS_CALLER);
  return Real<&strtok>("strtok")(string, set);
}

}  // extern "C"
