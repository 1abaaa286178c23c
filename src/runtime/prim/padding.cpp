#include "runtime/prim/padding.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace heddle::runtime {
namespace {

// The bytes of the nop at the begin of `code`, one instruction; 0: there is none.
size_t LengthOfNop(std::span<const unsigned char> code) {
  size_t at = 0;
  while (at < code.size() && (code[at] == 0x66 || code[at] == 0x2e)) ++at;
  if (at < code.size() && code[at] == 0x90) return at + 1;
  if (at + 2 >= code.size() || code[at] != 0x0f || code[at + 1] != 0x1f) return 0;
  const unsigned mod = code[at + 2] >> 6, rm = code[at + 2] & 7;
  if (mod == 3 || (mod == 0 && rm == 5)) return 0;
  constexpr size_t kDisplacement[] = {0, 1, 4};
  const size_t length = at + 3 + (rm == 4 ? 1 : 0) + kDisplacement[mod];
  return length <= code.size() ? length : 0;
}

// What a jump at the begin of `code` passes over, itself included; 0: no jump forwards.
size_t LengthOfJump(std::span<const unsigned char> code) {
  size_t length = 0;
  if (code.size() >= 2 && code[0] == 0xeb && code[1] < 0x80) length = 2 + size_t{code[1]};
  if (code.size() >= 5 && code[0] == 0xe9) {
    int32_t distance = 0;
    std::memcpy(&distance, code.data() + 1, sizeof distance);
    if (distance >= 0) length = 5 + static_cast<size_t>(distance);
  }
  return length <= code.size() ? length : 0;
}

}  // namespace

size_t LengthOfPadding(std::span<const unsigned char> code) {
  size_t at = 0;
  while (at < code.size()) {
    const std::span<const unsigned char> rest = code.subspan(at);
    if (rest[0] == 0 || rest[0] == 0xcc) {
      ++at;
    } else if (const size_t nop = LengthOfNop(rest); nop != 0) {
      at += nop;
    } else if (const size_t jump = LengthOfJump(rest); jump != 0) {
      const size_t head = rest[0] == 0xeb ? 2 : 5;
      const std::span<const unsigned char> passed = rest.subspan(head, jump - head);
      const bool only_nops = std::all_of(passed.begin(), passed.end(),
                                         [](unsigned char c) { return c == 0x90 || c == 0; });
      if (passed.empty() || !(only_nops || LengthOfPadding(passed) == passed.size())) return at;
      at += jump;
    } else {
      return at;
    }
  }
  return at;
}

}  // namespace heddle::runtime
