#include "runtime/prim/print_arguments.h"

#include <cstring>

#include "runtime/prim/argument_slot.h"

namespace heddle::runtime {
namespace {

constexpr unsigned kMost = PrintArguments::kMost;

// How an argument is passed; integers and pointers are all alike.
enum class Passed : uint8_t { kUnknown, kWord, kDouble, kLongDouble };

struct Parsed {
  PrintArgument::Kind kind;
  uint8_t size;
  uint8_t value;      // number of the argument
  uint8_t precision;  // number of the argument that says it; kMost: none
  size_t most;
};

struct Format {
  bool is_whole = false;  // no unknown conversion
  unsigned parsed_count = 0;
  unsigned passed_count = 0;
  Parsed parsed[kMost];
  Passed passed[kMost] = {};
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads the number at `at`; too large ones count as the largest.
size_t ReadNumber(const char*& at) {
  size_t number = 0;
  for (; IsDigit(*at); ++at)
    if (number < size_t{1} << 31) number = number * 10 + static_cast<size_t>(*at - '0');
  return number;
}

class Parser {
 public:
  Parser(const char* format, Format& result) : at_(format), result_(result) {}

  void Run() {
    while (SkipText())
      if (!Conversion()) return;
    result_.is_whole = true;
  }

 private:
  // Behind the next '%'.
  bool SkipText() {
    while (*at_ != 0 && *at_ != '%') ++at_;
    return *at_ != 0 && *at_++ == '%';
  }

  // The position in "2$", or 0. Whether arguments have positions, all agree on.
  bool Position(size_t& position) {
    const char* behind = at_;
    position = IsDigit(*behind) ? ReadNumber(behind) : 0;
    const bool has_position = behind != at_ && *behind == '$';
    if (!has_position) position = 0;
    if (has_position && position == 0) return false;
    if (has_position) at_ = behind + 1;
    if (is_known_ && has_position != positions_) return false;
    is_known_ = true;
    positions_ = has_position;
    return true;
  }

  // Takes the argument at `position`, or the next; false: there are too many, or it is passed in
  // two ways.
  bool Take(size_t position, Passed passed, unsigned& number) {
    const size_t index = position != 0 ? position - 1 : next_++;
    if (index >= kMost) return false;
    number = static_cast<unsigned>(index);
    if (result_.passed[number] != Passed::kUnknown && result_.passed[number] != passed)
      return false;
    result_.passed[number] = passed;
    if (result_.passed_count <= number) result_.passed_count = number + 1;
    return true;
  }

  // A number, or `*` and the argument that says it.
  bool NumberOrArgument(size_t& number, unsigned& argument) {
    argument = kMost;
    number = 0;
    if (*at_ != '*') {
      number = ReadNumber(at_);
      return true;
    }
    ++at_;
    size_t position;
    return Position(position) && Take(position, Passed::kWord, argument);
  }

  // Length modifiers: the size of an integer, and whether a real is long.
  uint8_t Length(bool& is_long) {
    uint8_t size = sizeof(int);
    for (;; ++at_) switch (*at_) {
        case 'h':
          size = size == sizeof(int) ? sizeof(short) : sizeof(char);
          break;
        case 'l':
          is_long = size == sizeof(long);
          size = sizeof(long);
          break;
        case 'q':
        case 'L':
          is_long = true;
          size = sizeof(long long);
          break;
        case 'j':
        case 'z':
        case 'Z':
        case 't':
          size = sizeof(size_t);
          break;
        default:
          return size;
      }
  }

  bool Conversion() {
    if (*at_ == '%') return ++at_, true;
    // "%m", and "%%" with flags, take no argument, so they have no position; what is before others
    // may be a position or a width.
    size_t position = 0;
    const char* behind = at_;
    if (IsDigit(*behind) && *behind != '0') ReadNumber(behind);
    if (behind != at_ && *behind == '$') {
      if (!Position(position)) return false;
    }
    while (*at_ != 0 && strchr("#0- +'I", *at_) != nullptr) ++at_;
    size_t width;
    unsigned width_argument;
    if (!NumberOrArgument(width, width_argument)) return false;
    size_t precision = ~size_t{0};
    unsigned precision_argument = kMost;
    if (*at_ == '.') {
      ++at_;
      if (!NumberOrArgument(precision, precision_argument)) return false;
    }
    bool is_long = false;
    const uint8_t size = Length(is_long);
    const bool is_wide = size == sizeof(long);
    const char letter = *at_;
    if (letter == 0) return false;
    ++at_;
    if (strchr("%m", letter) != nullptr) return true;
    Passed passed = Passed::kWord;
    if (strchr("aAeEfFgG", letter) != nullptr)
      passed = is_long ? Passed::kLongDouble : Passed::kDouble;
    else if (strchr("diouxXbBcCsSpn", letter) == nullptr)
      return false;
    if (is_known_ && positions_ != (position != 0)) return false;
    is_known_ = true;
    positions_ = position != 0;
    unsigned value;
    if (!Take(position, passed, value)) return false;
    if (letter == 's' || letter == 'S') {
      const bool wide = letter == 'S' || is_wide;
      Add({wide ? PrintArgument::Kind::kWideString : PrintArgument::Kind::kString, 0,
           static_cast<uint8_t>(value), static_cast<uint8_t>(precision_argument), precision});
    } else if (letter == 'n') {
      Add({PrintArgument::Kind::kCount, size, static_cast<uint8_t>(value), kMost, 0});
    }
    return true;
  }

  void Add(const Parsed& parsed) {
    if (result_.parsed_count < kMost) result_.parsed[result_.parsed_count++] = parsed;
  }

  const char* at_;
  Format& result_;
  size_t next_ = 0;
  bool is_known_ = false;  // that arguments have positions, or have none
  bool positions_ = false;
};

}  // namespace

void FindPrintArguments(const char* format, va_list list, PrintArguments& found) {
  found.count = 0;
  Format parsed;
  Parser(format, parsed).Run();
  if (parsed.parsed_count == 0) return;
  uint64_t words[kMost];
  void** slots[kMost];
  va_list rest;
  va_copy(rest, list);
  unsigned count = 0;
  for (; count < parsed.passed_count; ++count) {
    // Nobody asks for it: the C library takes it for an int. What comes later might have.
    if (parsed.passed[count] == Passed::kUnknown && !parsed.is_whole) break;
    words[count] = 0;
    slots[count] = nullptr;
    if (parsed.passed[count] == Passed::kDouble) {
      (void)va_arg(rest, double);
    } else if (parsed.passed[count] == Passed::kLongDouble) {
      (void)va_arg(rest, long double);
    } else {
      slots[count] = NextWordSlot(rest);
      words[count] = va_arg(rest, uint64_t);
    }
  }
  va_end(rest);
  for (unsigned i = 0; i < parsed.parsed_count; ++i) {
    const Parsed& one = parsed.parsed[i];
    if (one.value >= count || words[one.value] == 0) continue;
    size_t most = one.most;
    if (one.precision != kMost) {
      if (one.precision >= count) continue;
      const int given = static_cast<int>(words[one.precision]);
      most = given >= 0 ? static_cast<size_t>(given) : ~size_t{0};
    }
    // One that is printed twice is read once, as far as the longer.
    PrintArgument* same = nullptr;
    for (unsigned j = 0; j < found.count; ++j)
      if (found.all[j].slot == slots[one.value] && found.all[j].kind == one.kind)
        same = &found.all[j];
    if (same != nullptr) {
      if (same->most < most) same->most = most;
      continue;
    }
    found.all[found.count++] = {one.kind, one.size, most, slots[one.value],
                                reinterpret_cast<void*>(words[one.value])};
  }
}

}  // namespace heddle::runtime
