// What calls of several buffers (readv, sendmsg ...) read and write, as accesses of the program.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

#include "runtime/primitives/plain.h"

namespace heddle::runtime {

// The call looks at where the buffers are.
inline void SeeVector(const iovec* parts, int count, uintptr_t pc) {
  if (count > 0) PlainRange(parts, static_cast<size_t>(count) * sizeof *parts, false, pc);
}

// The call has answered that it wrote so many bytes; negative: that it failed.
inline void NoteInput(const iovec* parts, int count, ssize_t answer, uintptr_t pc) {
  size_t left = answer > 0 ? static_cast<size_t>(answer) : 0;
  for (int i = 0; left != 0 && i < count; ++i) {
    const size_t bytes = parts[i].iov_len < left ? parts[i].iov_len : left;
    PlainRange(parts[i].iov_base, bytes, true, pc);
    left -= bytes;
  }
}

inline void NoteOutput(const iovec* parts, int count, uintptr_t pc) {
  for (int i = 0; i < count; ++i) PlainRange(parts[i].iov_base, parts[i].iov_len, false, pc);
}

}  // namespace heddle::runtime
