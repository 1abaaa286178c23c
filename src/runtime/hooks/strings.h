// What functions of libc for strings read and write, char by char or wchar_t by wchar_t. As in
// memory_functions.cpp, whose ground rules hold here, too.
//
// How much is read depends on what is there: up to and with the character that decides. Where plain
// accesses are scheduling points, others may write in between, so a piece is looked at right behind
// its point, and what it said is kept; and how long a piece is to be is looked at before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/hooks/own_code.h"
#include "runtime/prim/copy.h"
#include "runtime/primitives/plain.h"

namespace heddle::runtime {

inline constexpr size_t kPiece = 256;
inline constexpr size_t kEndless = ~size_t{0};

inline int ValueOf(char c) { return static_cast<unsigned char>(c); }
inline int ValueOf(wchar_t c) { return c; }

template <typename Char>
bool IsEnd(Char c) {
  return c == 0;
}

// Of characters.
template <typename Char>
void SeeRange(const Char* at, size_t count, bool write, uintptr_t pc) {
  PlainRange(at, count * sizeof(Char), write, pc);
}
template <typename Char>
void CopyChars(Char* to, const Char* from, size_t count) {
  CopyForward(to, from, count * sizeof(Char));
}
template <typename Char>
void HoldPiece(size_t done, const Char* piece, size_t count) {
  HashCallArgument(done,
                   base::HashBytes(reinterpret_cast<const char*>(piece), count * sizeof(Char)));
}

// Looks at characters up to and with the first that `ends` is true of, and no more than `most`.
// Returns its index, or `most`. `see` is given each once, in turn.
template <typename Char, typename Ends, typename See>
size_t Scan(const Char* at, size_t most, uintptr_t pc, Ends ends, See see) {
  if (!IsSeen(pc) || !IsPlainPoint(pc)) {
    size_t i = 0;
    while (i < most && !ends(at[i])) see(at[i++]);
    if (i < most) see(at[i]);
    if (IsSeen(pc)) SeeRange(at, i < most ? i + 1 : most, false, pc);
    return i;
  }
  for (size_t done = 0; done < most;) {
    size_t count = 1;  // as it looks now
    while (count < kPiece && count < most - done && !ends(at[done + count - 1])) ++count;
    HashCallArgument(done, most);
    SeeRange(at + done, count, false, pc);
    for (const size_t end = done + count; done < end; ++done) {
      see(at[done]);
      if (ends(at[done])) return done;
    }
  }
  return most;
}

// A word at a time; the whole words that a string lies in can be read.
inline size_t Length(const char* string, size_t most) {
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
inline size_t Length(const wchar_t* string, size_t most) {
  size_t i = 0;
  while (i < most && string[i] != 0) ++i;
  return i;
}

template <typename Char>
size_t LengthOf(const Char* string, size_t most, uintptr_t pc) {
  if (!IsSeen(pc)) return Length(string, most);
  if (!IsPlainPoint(pc)) {
    const size_t length = Length(string, most);
    SeeRange(string, length < most ? length + 1 : most, false, pc);
    return length;
  }
  return Scan(string, most, pc, IsEnd<Char>, [](Char) {});
}

// The first `size` characters or, of strings, up to the first difference or the end.
template <typename Char>
struct Comparison {
  size_t size;
  bool strings;
  int (*fold)(Char) = ValueOf;

  // False: they are equal so far, and there is more. Else `order` is what it comes to.
  bool Decides(Char a, Char b, int& order) const {
    const int first = fold(a), second = fold(b);
    order = sizeof(Char) == 1 ? first - second : (first > second) - (first < second);
    return order != 0 || (strings && a == 0);
  }
};

template <typename Char>
__attribute__((noinline)) int CompareByPoints(const Char* a, const Char* b,
                                              const Comparison<Char>& comparison, uintptr_t pc) {
  Char piece[kPiece];
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
    HashCallArgument(reinterpret_cast<uintptr_t>(b), comparison.size);
    HashCallArgument(done, static_cast<uint64_t>(order));
    SeeRange(a + done, count, false, pc);
    CopyChars(piece, a + done, count);
    HashCallArgument(reinterpret_cast<uintptr_t>(a), comparison.size);
    HoldPiece(done, piece, count);
    SeeRange(b + done, count, false, pc);
    for (size_t i = 0; i < count && !is_decided; ++i)
      is_decided = comparison.Decides(piece[i], b[done + i], order);
    if (is_decided && comparison.strings) return order;
    done += count;
  }
  return order;
}

template <typename Char>
int Compare(const Char* a, const Char* b, const Comparison<Char>& comparison, uintptr_t pc) {
  if (IsSeen(pc) && IsPlainPoint(pc)) return CompareByPoints(a, b, comparison, pc);
  int order = 0;
  size_t i = 0;
  if (sizeof(Char) == 1 && !comparison.strings) {
    const auto word = [](const Char* at) {
      return LoadAt<uint64_t>(reinterpret_cast<const char*>(at));
    };
    while (comparison.size - i >= 8 && word(a + i) == word(b + i)) i += 8;
  }
  while (i < comparison.size && !comparison.Decides(a[i], b[i], order)) ++i;
  if (IsSeen(pc)) {
    // All of the bytes are the call's operands; of strings only those up to the end.
    const bool decided = comparison.strings && i < comparison.size;
    SeeRange(a, decided ? i + 1 : comparison.size, false, pc);
    SeeRange(b, decided ? i + 1 : comparison.size, false, pc);
  }
  return order;
}

// Copies up to `most` characters of a string, and its end if that is among them. Returns how many
// come before the end, or `most`.
template <typename Char>
size_t CopyString(Char* to, const Char* from, size_t most, uintptr_t pc) {
  if (!IsSeen(pc) || !IsPlainPoint(pc)) {
    const size_t length = LengthOf(from, most, pc);
    const size_t count = length < most ? length + 1 : most;
    if (IsSeen(pc)) SeeRange(to, count, true, pc);
    CopyChars(to, from, count);
    return length;
  }
  Char piece[kPiece];
  for (size_t done = 0; done < most;) {
    size_t count = 0;
    const size_t room = most - done < kPiece ? most - done : kPiece;
    HashCallArgument(reinterpret_cast<uintptr_t>(to), most);
    const bool ended =
        Scan(from + done, room, pc, IsEnd<Char>, [&](Char c) { piece[count++] = c; }) < room;
    HashCallArgument(reinterpret_cast<uintptr_t>(from), most);
    HoldPiece(done, piece, count);
    SeeRange(to + done, count, true, pc);
    CopyChars(to + done, piece, count);
    done += count;
    if (ended) return done - 1;
  }
  return most;
}

// strncpy: zeros up to `size`. Returns the end of the string in `to`.
template <typename Char>
Char* CopyAndFill(Char* to, const Char* from, size_t size, uintptr_t pc) {
  const size_t length = CopyString(to, from, size, pc);
  const size_t done = length < size ? length + 1 : size;
  if (done < size) {
    if (IsSeen(pc)) SeeRange(to + done, size - done, true, pc);
    Fill(to + done, 0, (size - done) * sizeof(Char));
  }
  return to + length;
}

// Behind the string in `to`, and with an end.
template <typename Char>
void Append(Char* to, const Char* from, size_t most, uintptr_t pc) {
  const size_t before = LengthOf(to, kEndless, pc);
  const size_t length = CopyString(to + before, from, most, pc);
  if (length == most) {
    if (IsSeen(pc)) SeeRange(to + before + length, 1, true, pc);
    to[before + length] = 0;
  }
}

template <typename Char>
Char* At(const Char* string, size_t index) {
  return const_cast<Char*>(string) + index;
}

// What `ends` is true of first, and its index, or `most`.
template <typename Char>
struct Found {
  size_t index;
  Char last;
};
template <typename Char, typename Ends>
Found<Char> FindFirst(const Char* string, size_t most, uintptr_t pc, Ends ends) {
  Char last = 0;
  const size_t index = Scan(string, most, pc, ends, [&](Char c) { last = c; });
  return {index, last};
}

template <typename Char>
Char* Find(const Char* string, size_t size, Char wanted, bool stops_at_end, uintptr_t pc) {
  const auto found =
      FindFirst(string, size, pc, [=](Char c) { return c == wanted || (stops_at_end && c == 0); });
  return found.index < size && found.last == wanted ? At(string, found.index) : nullptr;
}

template <typename Char>
Char* FindLast(const Char* string, Char wanted, uintptr_t pc) {
  size_t next = 0;
  size_t last = kEndless;
  Scan(string, kEndless, pc, IsEnd<Char>, [&](Char c) {
    if (c == wanted) last = next;
    ++next;
  });
  return last != kEndless ? At(string, last) : nullptr;
}

// What libc allocates and writes: heddle's malloc sees the allocation.
template <typename Char>
Char* Duplicate(Char* copy, size_t length, uintptr_t pc) {
  if (copy != nullptr && IsSeen(pc)) SeeRange(copy, length + 1, true, pc);
  return copy;
}

// Of what a call reads from `at` on, `look` says how much, and keeps what comes of it: asked again
// right behind a point, since others may have written before it.
template <typename Char, typename Look>
void SeeAsItIs(const Char* at, uintptr_t pc, Look look) {
  size_t done = 0;
  for (size_t count = look(); done < count; count = look()) {
    if (!IsSeen(pc)) return;
    HashCallArgument(reinterpret_cast<uintptr_t>(at), done);
    SeeRange(at + done, count - done, false, pc);
    done = count;
    if (!IsPlainPoint(pc)) return;
  }
}

// A string that a call reads before it reads or writes anything else: `string`, or, where others
// may write to it from now on, a copy of what was read.
template <typename Char>
const Char* Operand(const Char* string, size_t most, uintptr_t pc) {
  if (!IsSeen(pc)) return string;
  if (!IsPlainPoint(pc)) {
    LengthOf(string, most, pc);
    return string;
  }
  Char* copy = nullptr;
  size_t length = 0;
  SeeAsItIs(string, pc, [&] {
    length = Length(string, most);
    return length < most ? length + 1 : most;
  });
  copy = static_cast<Char*>(g_state.bump.Take((length + 1) * sizeof(Char)));
  CopyChars(copy, string, length);
  copy[length] = 0;
  return copy;
}

// ---- sets of characters ----

template <typename Char>
bool IsIn(const Char* set, Char c) {
  for (; *set != 0; ++set)
    if (*set == c) return true;
  return false;
}

// How many characters from the beginning are in the set.
template <typename Char>
size_t Span(const Char* string, const Char* set, uintptr_t pc) {
  const Char* const kept = Operand(set, kEndless, pc);
  return FindFirst(string, kEndless, pc, [=](Char c) { return !IsIn(kept, c); }).index;
}

// The first that is in the set, or the end.
template <typename Char>
Found<Char> SpanWithout(const Char* string, const Char* set, uintptr_t pc) {
  const Char* const kept = Operand(set, kEndless, pc);
  return FindFirst(string, kEndless, pc, [=](Char c) { return c == 0 || IsIn(kept, c); });
}

template <typename T>
void Store(T* to, T value, uintptr_t pc) {
  if (IsSeen(pc)) {
    HashCallArgument(reinterpret_cast<uint64_t>(value));
    SeeRange(to, 1, true, pc);
  }
  *to = value;
}

// Ends the token at `begin`, which the first character of the set does, or the end: then `last` is
// where the next begins.
template <typename Char>
void EndToken(Char* begin, const Char* set, Char** next, Char* (*at_end)(Char*), uintptr_t pc) {
  const Found<Char> end = SpanWithout(begin, set, pc);
  Char* const at = begin + end.index;
  if (end.last == 0) return Store(next, at_end(at), pc);
  if (IsSeen(pc)) SeeRange(at, 1, true, pc);
  *at = 0;
  Store(next, at + 1, pc);
}

template <typename Char>
Char* LoadNext(Char** next, uintptr_t pc) {
  if (IsSeen(pc)) SeeRange(next, 1, false, pc);
  return *next;
}

// ---- strings in strings ----

// `find` is libc's function.
template <typename Char, typename Call>
Char* FindString(const Char* string, const Char* wanted, uintptr_t pc, Call* find) {
  if (!IsSeen(pc)) return const_cast<Char*>(find(string, wanted));
  wanted = Operand(wanted, kEndless, pc);
  const size_t length = Length(wanted, kEndless);
  Char* found = nullptr;
  SeeAsItIs(string, pc, [&] {
    found = const_cast<Char*>(find(string, wanted));
    if (length == 0) return length;
    return found != nullptr ? static_cast<size_t>(found - string) + length
                            : Length(string, kEndless) + 1;
  });
  return found;
}

}  // namespace heddle::runtime
