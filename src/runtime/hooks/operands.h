// What functions of libc read from the program's memory for it, and answer into it: values of a
// known size, and strings. As in strings.h: where plain accesses are scheduling points, others may
// write behind each of them. So an answer is announced before it is written, and of what is read
// before another access a copy is kept.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/hooks/strings.h"

namespace heddle::runtime {

inline uint64_t ArgumentBits(uint64_t argument) { return argument; }
inline uint64_t ArgumentBits(const volatile void* argument) {
  return reinterpret_cast<uintptr_t>(argument);
}

// Of a call that makes several accesses, before the first.
template <typename... Arguments>
void HoldArguments(Arguments... arguments) {
  (HashCallArgument(ArgumentBits(arguments)), ...);
}

// An access of the call that returns to `pc`; none if `at` is null.
void SeeBytes(const void* at, size_t bytes, bool write, uintptr_t pc);

// Of `count` values.
template <typename T>
void SeeRead(const T* at, uintptr_t pc, size_t count = 1) {
  SeeBytes(at, count * sizeof(T), false, pc);
}
template <typename T>
void SeeWrite(T* at, uintptr_t pc, size_t count = 1) {
  SeeBytes(at, count * sizeof(T), true, pc);
}
inline void SeeBytesRead(const void* at, size_t bytes, uintptr_t pc) {
  SeeBytes(at, bytes, false, pc);
}
inline void SeeBytesWritten(void* at, size_t bytes, uintptr_t pc) { SeeBytes(at, bytes, true, pc); }
// The last that a call reads.
inline void SeeString(const char* string, uintptr_t pc) {
  if (string != nullptr && IsSeen(pc)) LengthOf(string, kEndless, pc);
}

// A value that a call reads first of all.
template <typename T>
T ReadValue(const T* at, uintptr_t pc) {
  SeeRead(at, pc);
  return *at;
}

// What a call reads of the value at `at`: that one or, if others may write there before the call is
// over, `kept`.
template <typename T>
const T* ReadOperand(const T* at, T& kept, uintptr_t pc) {
  if (at == nullptr || !IsSeen(pc)) return at;
  SeeRead(at, pc);
  if (!IsPlainPoint(pc)) return at;
  CopyForward(&kept, at, sizeof(T));
  HashCallArgument(base::HashBytes(reinterpret_cast<const char*>(&kept), sizeof(T)));
  return &kept;
}

// `call(to)` answers how many bytes it has written to `to`, which are no more than `room`, and
// writes the same to any other place.
template <typename Call>
void AnswerBytes(char* to, size_t room, uintptr_t pc, Call call) {
  constexpr size_t kMost = 4096;
  if (!IsSeen(pc) || to == nullptr) {
    call(to);
    return;
  }
  if (!IsPlainPoint(pc) || room > kMost) return SeeBytesWritten(to, call(to), pc);
  auto* const piece = static_cast<char*>(g_state.bump.Take(room));
  const size_t count = call(piece);
  HashCallArgument(base::HashBytes(piece, count));
  SeeBytesWritten(to, count, pc);
  CopyForward(to, piece, count);
}

}  // namespace heddle::runtime
