// Puts a mark (op/code_mark.h) at the end of every section of code in the assembly that a compiler
// made of a translation unit, and a label at its begin, on the line of the directive that enters it
// first: no line changes its number.
//
// Only code that was compiled with -fsanitize=thread gets marks. Both compilers make a constructor
// in each such unit that calls __tsan_init, whatever else is in it. So neither assembly that was
// written by hand has marks, nor what -fno-sanitize=thread leaves as it is.
//
// Sections that only asm statements enter get none, and .init and .fini neither: their pieces are
// run one after the other.
//
// Tested by tests/unit/assembly_code_marks_test.cpp, and with both compilers by
// tests/cli/test_unseen_code.py.
#pragma once

#include <string>
#include <string_view>

namespace heddle::assembly {

// Was this compiled with -fsanitize=thread?
bool IsInstrumented(std::string_view text);

// REQUIRES: IsInstrumented(text).
std::string WithCodeMarks(std::string_view text);

}  // namespace heddle::assembly
