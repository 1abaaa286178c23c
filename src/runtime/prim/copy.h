// Copying, comparing and filling bytes without libc.
//
// Small sizes load everything before they store anything, so overlap does not matter; medium ones
// go in vectors; large ones use the string instructions, which run at the speed of the caches on
// every x86-64 of the last ten years.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// Unaligned views of any memory.
template <typename T>
struct [[gnu::packed, gnu::may_alias]] Unaligned {
  T value;
};
typedef unsigned char Vector __attribute__((vector_size(16), aligned(1), may_alias));

// Where rep movsb overtakes the vector loop (EPYC with FSRM).
inline constexpr size_t kStringCopyFrom = 1024;

template <typename T>
T LoadAt(const char* at) {
  return reinterpret_cast<const Unaligned<T>*>(at)->value;
}
template <typename T>
void StoreAt(char* at, T value) {
  reinterpret_cast<Unaligned<T>*>(at)->value = value;
}
inline Vector LoadVector(const char* at) { return *reinterpret_cast<const Vector*>(at); }
inline void StoreVector(char* at, Vector value) { *reinterpret_cast<Vector*>(at) = value; }

// The first and the last sizeof(T) bytes, which cover sizeof(T) .. 2 * sizeof(T) bytes.
template <typename T>
void CopyEnds(char* to, const char* from, size_t size) {
  const T first = LoadAt<T>(from);
  const T last = LoadAt<T>(from + size - sizeof(T));
  StoreAt<T>(to, first);
  StoreAt<T>(to + size - sizeof(T), last);
}

// REQUIRES: size <= 32. Any overlap.
inline void CopySmall(char* to, const char* from, size_t size) {
  if (size >= 16) {
    const Vector first = LoadVector(from);
    const Vector last = LoadVector(from + size - 16);
    StoreVector(to, first);
    StoreVector(to + size - 16, last);
  } else if (size >= 8) {
    CopyEnds<uint64_t>(to, from, size);
  } else if (size >= 4) {
    CopyEnds<uint32_t>(to, from, size);
  } else if (size >= 2) {
    CopyEnds<uint16_t>(to, from, size);
  } else if (size == 1) {
    *to = *from;
  }
}

// REQUIRES: `to` does not lie within [from, from + size), or equals `from`.
inline void CopyForward(void* destination, const void* source, size_t size) {
  char* to = static_cast<char*>(destination);
  const char* from = static_cast<const char*>(source);
  if (size <= 32) return CopySmall(to, from, size);
  if (size >= kStringCopyFrom) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    return;
  }
  const Vector last = LoadVector(from + size - 16);
  for (size_t at = 0; at < size - 16; at += 16) StoreVector(to + at, LoadVector(from + at));
  StoreVector(to + size - 16, last);
}

inline void CopyOverlapping(void* destination, const void* source, size_t size) {
  char* to = static_cast<char*>(destination);
  const char* from = static_cast<const char*>(source);
  if (static_cast<size_t>(to - from) >= size) return CopyForward(to, from, size);
  if (size <= 32) return CopySmall(to, from, size);
  const Vector first = LoadVector(from);  // `to` lies behind `from`: from the end
  for (size_t at = size; at > 16; at -= 16) StoreVector(to + at - 16, LoadVector(from + at - 16));
  StoreVector(to, first);
}

inline bool EqualBytes(const void* a, const void* b, size_t size) {
  const char* x = static_cast<const char*>(a);
  const char* y = static_cast<const char*>(b);
  for (size_t i = 0; i < size; ++i)
    if (x[i] != y[i]) return false;
  return true;
}

// REQUIRES: size < 16.
inline void FillEnds(char* to, uint64_t pattern, size_t size) {
  if (size >= 8) {
    StoreAt<uint64_t>(to, pattern);
    StoreAt<uint64_t>(to + size - 8, pattern);
  } else if (size >= 4) {
    StoreAt<uint32_t>(to, static_cast<uint32_t>(pattern));
    StoreAt<uint32_t>(to + size - 4, static_cast<uint32_t>(pattern));
  } else if (size >= 2) {
    StoreAt<uint16_t>(to, static_cast<uint16_t>(pattern));
    StoreAt<uint16_t>(to + size - 2, static_cast<uint16_t>(pattern));
  } else if (size == 1) {
    *to = static_cast<char>(pattern);
  }
}

inline void Fill(void* destination, unsigned char value, size_t size) {
  char* to = static_cast<char*>(destination);
  if (size >= kStringCopyFrom) {
    asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
  } else if (size >= 16) {
    const Vector pattern = Vector{} + value;
    for (size_t at = 0; at < size - 16; at += 16) StoreVector(to + at, pattern);
    StoreVector(to + size - 16, pattern);
  } else {
    FillEnds(to, value * uint64_t{0x0101010101010101}, size);
  }
}

}  // namespace heddle::runtime
