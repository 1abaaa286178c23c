// Strings and bytes that libc reads and writes for the program: strlen, strcmp, strcpy and their
// kin. As in memory_functions.cpp, whose ground rules hold here, too.
//
// How much is read depends on what is there: up to and with the byte that decides. Where plain
// accesses are scheduling points, others may write in between, so a piece is looked at right behind
// its point, and what it said is kept; and how long a piece is to be is looked at before.

#include <cstddef>
#include <cstdint>

#include "runtime/export.h"
#include "runtime/hooks/own_code.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/plain.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

constexpr size_t kPiece = 256;
constexpr size_t kEndless = ~size_t{0};

bool IsSeen(uintptr_t pc) { return InExecution() && !IsOurs(pc); }

int ByteOf(char c) { return static_cast<unsigned char>(c); }
// As in the "C" locale.
int Folded(char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : ByteOf(c); }

bool IsEnd(char c) { return c == 0; }

// Looks at bytes up to and with the first that `ends` is true of, and no more than `most`. Returns
// its index, or `most`. `see` is given each once, in turn.
template <typename Ends, typename See>
size_t Scan(const char* at, size_t most, uintptr_t pc, Ends ends, See see) {
  if (!IsSeen(pc) || !PlainAccessesArePoints()) {
    size_t i = 0;
    while (i < most && !ends(at[i])) see(at[i++]);
    if (i < most) see(at[i]);
    if (IsSeen(pc)) PlainRange(at, i < most ? i + 1 : most, false, pc);
    return i;
  }
  for (size_t done = 0; done < most;) {
    size_t count = 1;  // as it looks now
    while (count < kPiece && count < most - done && !ends(at[done + count - 1])) ++count;
    Hold(done, most);
    PlainRange(at + done, count, false, pc);
    for (const size_t end = done + count; done < end; ++done) {
      see(at[done]);
      if (ends(at[done])) return done;
    }
  }
  return most;
}

// A word at a time; the whole words that a string lies in can be read.
size_t Length(const char* string, size_t most) {
  size_t i = 0;
  while (i < most && reinterpret_cast<uintptr_t>(string + i) % 8 != 0)
    if (string[i++] == 0) return i - 1;
  constexpr uint64_t kOnes = 0x0101010101010101;
  for (uint64_t word; i < most; i += 8) {
    word = LoadAt<uint64_t>(string + i);
    if (((word - kOnes) & ~word & kOnes << 7) != 0) break;
  }
  while (i < most && string[i] != 0) ++i;
  return i < most ? i : most;
}

size_t LengthOf(const char* string, size_t most, uintptr_t pc) {
  if (!IsSeen(pc)) return Length(string, most);
  if (!PlainAccessesArePoints()) {
    const size_t length = Length(string, most);
    PlainRange(string, length < most ? length + 1 : most, false, pc);
    return length;
  }
  return Scan(string, most, pc, IsEnd, [](char) {});
}

// The first `size` bytes or, of strings, up to the first difference or the end.
struct Comparison {
  size_t size;
  bool strings;
  bool folds;

  // False: they are equal so far, and there is more. Else `order` is what it comes to.
  bool Decides(char a, char b, int& order) const {
    order = folds ? Folded(a) - Folded(b) : ByteOf(a) - ByteOf(b);
    return order != 0 || (strings && a == 0);
  }
};

__attribute__((noinline)) int CompareByPoints(const char* a, const char* b,
                                              const Comparison& comparison, uintptr_t pc) {
  char piece[kPiece];
  int order = 0;
  bool is_decided = false;
  for (size_t done = 0; done < comparison.size;) {
    size_t count = 0;
    int now = 0;
    while (count < kPiece && count < comparison.size - done) {
      const bool ends = comparison.Decides(a[done + count], b[done + count], now);
      ++count;
      if (ends && comparison.strings) break;
    }
    Hold(reinterpret_cast<uintptr_t>(b), comparison.size);
    Hold(done, static_cast<uint64_t>(order));
    PlainRange(a + done, count, false, pc);
    CopyForward(piece, a + done, count);
    Hold(reinterpret_cast<uintptr_t>(a), comparison.size);
    Hold(done, heddle::base::HashBytes(piece, count));
    PlainRange(b + done, count, false, pc);
    for (size_t i = 0; i < count && !is_decided; ++i)
      is_decided = comparison.Decides(piece[i], b[done + i], order);
    if (is_decided && comparison.strings) return order;
    done += count;
  }
  return order;
}

int Compare(const void* first, const void* second, const Comparison& comparison, uintptr_t pc) {
  const auto* a = static_cast<const char*>(first);
  const auto* b = static_cast<const char*>(second);
  if (IsSeen(pc) && PlainAccessesArePoints()) return CompareByPoints(a, b, comparison, pc);
  int order = 0;
  size_t i = 0;
  if (!comparison.strings)
    while (comparison.size - i >= 8 && LoadAt<uint64_t>(a + i) == LoadAt<uint64_t>(b + i)) i += 8;
  while (i < comparison.size && !comparison.Decides(a[i], b[i], order)) ++i;
  if (IsSeen(pc)) {
    // All of the bytes are the call's operands; of strings only those up to the end.
    const bool decided = comparison.strings && i < comparison.size;
    PlainRange(a, decided ? i + 1 : comparison.size, false, pc);
    PlainRange(b, decided ? i + 1 : comparison.size, false, pc);
  }
  return order;
}

// Copies up to `most` bytes of a string, and its end if that is among them. Returns how many bytes
// come before the end, or `most`.
size_t CopyString(char* to, const char* from, size_t most, uintptr_t pc) {
  if (!IsSeen(pc) || !PlainAccessesArePoints()) {
    const size_t length = LengthOf(from, most, pc);
    const size_t count = length < most ? length + 1 : most;
    if (IsSeen(pc)) PlainRange(to, count, true, pc);
    CopyForward(to, from, count);
    return length;
  }
  char piece[kPiece];
  for (size_t done = 0; done < most;) {
    size_t count = 0;
    const size_t room = most - done < kPiece ? most - done : kPiece;
    Hold(reinterpret_cast<uintptr_t>(to), most);
    const bool ended =
        Scan(from + done, room, pc, IsEnd, [&](char c) { piece[count++] = c; }) < room;
    Hold(reinterpret_cast<uintptr_t>(from), most);
    Hold(done, heddle::base::HashBytes(piece, count));
    PlainRange(to + done, count, true, pc);
    CopyForward(to + done, piece, count);
    done += count;
    if (ended) return done - 1;
  }
  return most;
}

// strncpy: zeros up to `size`. Returns the end of the string in `to`.
char* CopyAndFill(char* to, const char* from, size_t size, uintptr_t pc) {
  const size_t length = CopyString(to, from, size, pc);
  const size_t done = length < size ? length + 1 : size;
  if (done < size) {
    if (IsSeen(pc)) PlainRange(to + done, size - done, true, pc);
    Fill(to + done, 0, size - done);
  }
  return to + length;
}

// Behind the string in `to`, and with an end.
void Append(char* to, const char* from, size_t most, uintptr_t pc) {
  const size_t before = LengthOf(to, kEndless, pc);
  const size_t length = CopyString(to + before, from, most, pc);
  if (length == most) {
    if (IsSeen(pc)) PlainRange(to + before + length, 1, true, pc);
    to[before + length] = 0;
  }
}

char* At(const void* string, size_t index) {
  return const_cast<char*>(static_cast<const char*>(string)) + index;
}

char* Find(const char* string, size_t size, char wanted, bool stops_at_end, uintptr_t pc) {
  char last = 0;
  const auto ends = [&](char c) { return c == wanted || (stops_at_end && c == 0); };
  const size_t index = Scan(string, size, pc, ends, [&](char c) { last = c; });
  return index < size && last == wanted ? At(string, index) : nullptr;
}

char* FindLast(const char* string, char wanted, uintptr_t pc) {
  size_t next = 0;
  size_t last = kEndless;
  Scan(string, kEndless, pc, IsEnd, [&](char c) {
    if (c == wanted) last = next;
    ++next;
  });
  return last != kEndless ? At(string, last) : nullptr;
}

// What libc allocates and writes: heddle's malloc sees the allocation.
char* Duplicate(char* copy, size_t length, uintptr_t pc) {
  if (copy != nullptr && IsSeen(pc)) PlainRange(copy, length + 1, true, pc);
  return copy;
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
  return Compare(a, b, {kEndless, true, false}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int strncmp(const char* a, const char* b, size_t size) noexcept {
  return Compare(a, b, {size, true, false}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int memcmp(const void* a, const void* b, size_t size) noexcept {
  return Compare(a, b, {size, false, false}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int bcmp(const void* a, const void* b, size_t size) noexcept {
  return Compare(a, b, {size, false, false}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int strcasecmp(const char* a, const char* b) noexcept {
  return Compare(a, b, {kEndless, true, true}, HEDDLE_ACCESS_CALLER);
}
HEDDLE_EXPORT int strncasecmp(const char* a, const char* b, size_t size) noexcept {
  return Compare(a, b, {size, true, true}, HEDDLE_ACCESS_CALLER);
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
