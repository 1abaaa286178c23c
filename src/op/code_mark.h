// Which code heddle-cc instrumented. Linkers join the code of all objects, of archives too, and
// drop sections that nothing uses or that another object has as well. So heddle-cc puts a mark at
// the end of every section of code that it instruments, in the section itself: wherever a linker
// moves the code, its mark goes along, and neither strip nor -r lose it. Code without a mark came
// from elsewhere, and what it does to memory is not seen.
//
//   | code, `length` bytes | kCodeMark | length, 4 bytes |
//
// Written by assembly/code_marks.h, read by session/unseen_code.h.
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle::op {

// Begins with ud2: who runs into it does not get far.
inline constexpr std::string_view kCodeMark("\x0f\x0bheddle-cc\0", 12);
inline constexpr size_t kCodeMarkSize = kCodeMark.size() + 4;

}  // namespace heddle::op
