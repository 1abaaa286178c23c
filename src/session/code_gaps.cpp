#include "session/code_gaps.h"

#include <algorithm>

#include "runtime/prim/padding.h"

namespace heddle::session {
std::vector<CodeRange> FindGaps(uint64_t address, std::span<const unsigned char> code,
                                std::span<const CodeRange> known) {
  std::vector<CodeRange> gaps;
  const uint64_t end = address + code.size();
  const auto look = [&](uint64_t from, uint64_t to) {
    to = std::min(to, end);
    if (from >= to) return;
    from += runtime::LengthOfPadding(code.subspan(from - address, to - from));
    if (from < to) gaps.push_back({from, to});
  };
  uint64_t at = address;
  for (const CodeRange& range : known) {
    if (range.end <= at) continue;
    if (range.begin >= end) break;
    look(at, range.begin);
    at = range.end;
  }
  look(at, end);
  return gaps;
}

}  // namespace heddle::session
