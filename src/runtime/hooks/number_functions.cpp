// Numbers that libc reads from strings: strtol, strtod, atoi and their kin. How much is read says
// libc's own function: up to and with the character that is no part of the number.

#include <errno.h>
#include <inttypes.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cwctype>

#include "runtime/export.h"
#include "runtime/hooks/strings.h"
#include "runtime/prim/real.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

bool IsBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool IsBlank(wchar_t c) { return std::iswspace(static_cast<wint_t>(c)) != 0; }

// Where there is no number, it is the first character behind blanks and a sign that says so.
template <typename Char>
size_t ReadInVain(const Char* string) {
  size_t i = 0;
  while (IsBlank(string[i])) ++i;
  if (string[i] == '+' || string[i] == '-') ++i;
  return i + 1;
}

// `call` is libc's function, given where to say the number's end.
template <typename Char, typename Call>
auto ReadNumber(const Char* string, Char** end, uintptr_t pc, Call call) {
  if (!IsSeen(pc)) return call(end);
  const int before = errno;
  Char* behind = At(string, 0);
  decltype(call(end)) value{};
  SeeAsItIs(string, pc, [&] {
    errno = before;
    value = call(&behind);
    return behind != string ? static_cast<size_t>(behind - string) + 1 : ReadInVain(string);
  });
  if (end == nullptr) return value;
  const int after = errno;
  Store(end, behind, pc);
  errno = after;
  return value;
}

template <typename Char, typename Call>
auto ReadInteger(const Char* string, Char** end, int base, uintptr_t pc, Call* call) {
  if (base < 0 || base == 1 || base > 36) return call(string, end, base);  // reads nothing
  return ReadNumber(string, end, pc, [=](Char** behind) { return call(string, behind, base); });
}

template <typename Char, typename Call>
auto ReadReal(const Char* string, Char** end, uintptr_t pc, Call* call) {
  return ReadNumber(string, end, pc, [=](Char** behind) { return call(string, behind); });
}

}  // namespace

#define INTEGER_HOOK(name, type, character)                                              \
  type name(const character* string, character** end, int base) noexcept;                \
  HEDDLE_EXPORT type name(const character* string, character** end, int base) noexcept { \
    return ReadInteger(string, end, base, HEDDLE_ACCESS_CALLER, Real<&name>(#name));     \
  }
#define REAL_HOOK(name, type, character)                                       \
  type name(const character* string, character** end) noexcept;                \
  HEDDLE_EXPORT type name(const character* string, character** end) noexcept { \
    return ReadReal(string, end, HEDDLE_ACCESS_CALLER, Real<&name>(#name));    \
  }

extern "C" {

INTEGER_HOOK(strtol, long, char)
INTEGER_HOOK(strtoul, unsigned long, char)
INTEGER_HOOK(strtoll, long long, char)
INTEGER_HOOK(strtoull, unsigned long long, char)
INTEGER_HOOK(strtoq, long long, char)
INTEGER_HOOK(strtouq, unsigned long long, char)
INTEGER_HOOK(strtoimax, intmax_t, char)
INTEGER_HOOK(strtoumax, uintmax_t, char)
INTEGER_HOOK(wcstol, long, wchar_t)
INTEGER_HOOK(wcstoul, unsigned long, wchar_t)
INTEGER_HOOK(wcstoll, long long, wchar_t)
INTEGER_HOOK(wcstoull, unsigned long long, wchar_t)
REAL_HOOK(strtof, float, char)
REAL_HOOK(strtod, double, char)
REAL_HOOK(strtold, long double, char)
REAL_HOOK(wcstof, float, wchar_t)
REAL_HOOK(wcstod, double, wchar_t)
REAL_HOOK(wcstold, long double, wchar_t)

int atoi(const char* string) noexcept;
HEDDLE_EXPORT int atoi(const char* string) noexcept {
  return static_cast<int>(
      ReadInteger<char>(string, nullptr, 10, HEDDLE_ACCESS_CALLER, Real<&strtol>("strtol")));
}
long atol(const char* string) noexcept;
HEDDLE_EXPORT long atol(const char* string) noexcept {
  return ReadInteger<char>(string, nullptr, 10, HEDDLE_ACCESS_CALLER, Real<&strtol>("strtol"));
}
long long atoll(const char* string) noexcept;
HEDDLE_EXPORT long long atoll(const char* string) noexcept {
  return ReadInteger<char>(string, nullptr, 10, HEDDLE_ACCESS_CALLER, Real<&strtoll>("strtoll"));
}
double atof(const char* string) noexcept;
HEDDLE_EXPORT double atof(const char* string) noexcept {
  return ReadReal<char>(string, nullptr, HEDDLE_ACCESS_CALLER, Real<&strtod>("strtod"));
}

}  // extern "C"
