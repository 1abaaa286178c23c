// Machine code that nothing accounts for: the bytes of sections of code outside of everything known
// that are no padding. So code in assembly is found whose labels are local and that has no entry in
// the table for unwinding.
//
// Tested by tests/unit/session_code_gaps_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::session {

struct CodeRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Of the code at `address`: every stretch outside of `known` that is not all padding, from its
// first other byte on. REQUIRES: `known` is ordered by begin.
std::vector<CodeRange> FindGaps(uint64_t address, std::span<const unsigned char> code,
                                std::span<const CodeRange> known);

}  // namespace heddle::session
