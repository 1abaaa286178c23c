#include "runtime/prim/scan_arguments.h"

#include <cstring>

#include "runtime/prim/argument_slot.h"

namespace heddle::runtime {
namespace {

using Kind = ScanArgument::Kind;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// What stands between '%' and the letter.
struct Directive {
  bool is_stored = true;
  bool allocates = false;
  unsigned shorts = 0, longs = 0;
  bool is_word = false;  // j, z, t
  size_t width = ~size_t{0};
};

Directive ReadDirective(const char*& at) {
  Directive read;
  for (; *at == '*' || *at == '\'' || *at == 'I'; ++at)
    if (*at == '*') read.is_stored = false;
  if (IsDigit(*at)) read.width = 0;
  for (; IsDigit(*at); ++at)
    if (read.width < size_t{1} << 31) read.width = read.width * 10 + static_cast<size_t>(*at - '0');
  for (;; ++at) switch (*at) {
      case 'm':
        read.allocates = true;
        break;
      case 'h':
        ++read.shorts;
        break;
      case 'l':
        ++read.longs;
        break;
      case 'q':
      case 'L':
        read.longs = 2;
        break;
      case 'j':
      case 'z':
      case 'Z':
      case 't':
        read.is_word = true;
        break;
      default:
        return read;
    }
}

uint8_t IntegerSize(const Directive& read) {
  if (read.is_word || read.longs != 0) return sizeof(long);
  return read.shorts == 0 ? sizeof(int) : read.shorts == 1 ? sizeof(short) : sizeof(char);
}

uint8_t RealSize(const Directive& read) {
  return read.longs == 0 ? sizeof(float) : read.longs == 1 ? sizeof(double) : sizeof(long double);
}

// Behind the set of "%[...]"; null: it has no end.
const char* SkipSet(const char* at) {
  if (*at == '^') ++at;
  if (*at == ']') ++at;
  const char* const end = strchr(at, ']');
  return end != nullptr ? end + 1 : nullptr;
}

// Reads the conversion at `at`, behind '%'. False: it is unknown. `stores` unless it takes no
// argument.
bool ReadConversion(const char*& at, ScanArgument& argument, bool& stores) {
  stores = false;
  if (*at == '%') return ++at, true;
  const Directive read = ReadDirective(at);
  const char letter = *at;
  if (letter == 0) return false;
  ++at;
  const bool is_wide = read.longs != 0 || letter == 'C' || letter == 'S';
  const uint8_t character = is_wide ? sizeof(wchar_t) : sizeof(char);
  stores = read.is_stored;
  if (strchr("diouxX", letter) != nullptr) {
    argument = {Kind::kValue, IntegerSize(read), 0, nullptr, nullptr};
  } else if (strchr("aAeEfFgG", letter) != nullptr) {
    argument = {Kind::kValue, RealSize(read), 0, nullptr, nullptr};
  } else if (letter == 'p') {
    argument = {Kind::kValue, sizeof(void*), 0, nullptr, nullptr};
  } else if (letter == 'n') {
    argument = {Kind::kCount, IntegerSize(read), 0, nullptr, nullptr};
  } else if (letter == 'c' || letter == 'C') {
    argument = {Kind::kCharacters, character, read.width == ~size_t{0} ? 1 : read.width, nullptr,
                nullptr};
  } else if (letter == 's' || letter == 'S' || letter == '[') {
    if (letter == '[' && (at = SkipSet(at)) == nullptr) return false;
    argument = {Kind::kString, character, read.width, nullptr, nullptr};
  } else {
    return false;
  }
  if (read.allocates) argument = {Kind::kAllocated, sizeof(void*), 0, nullptr, nullptr};
  return true;
}

}  // namespace

void FindScanArguments(const char* format, va_list list, ScanArguments& found) {
  found.count = 0;
  va_list rest;
  va_copy(rest, list);
  const char* at = format;
  while (found.count < ScanArguments::kMost && (at = strchr(at, '%')) != nullptr) {
    ++at;
    ScanArgument argument;
    bool stores;
    const char* position = at;
    while (IsDigit(*position)) ++position;
    if (*position == '$' || !ReadConversion(at, argument, stores)) break;
    if (!stores) continue;
    argument.slot = NextWordSlot(rest);
    argument.pointer = va_arg(rest, void*);
    if (argument.pointer == nullptr) break;  // the call will not come far
    found.all[found.count++] = argument;
  }
  va_end(rest);
}

}  // namespace heddle::runtime
