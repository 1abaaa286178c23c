// Code in a program or library that heddle-cc did not instrument, although it did other code there:
// objects and archives that another compiler made, and assembly files. Found by the marks that
// heddle-cc leaves (op/code_mark.h): every function outside of marked code, by the symbol tables
// and, where strip removed those, by the table that exceptions are unwound with; and what neither
// accounts for (code_gaps.h), if there are symbols.
//
// Left out is what every compiler links in: the code that starts a program, and the static
// libraries of C, of C++ and of the compiler. Their functions are known by name and size.
//
// Tested by tests/cli/test_unseen_code.py.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::session {

struct UnseenFunction {
  uint64_t address = 0;  // in the file
  uint64_t size = 0;
  std::string name;  // as linkers know it; ".text+0x1b9" of code without one
  std::string file;  // the source file that the symbol table names for it, or empty
};

struct UnseenCode {
  std::vector<UnseenFunction> functions;     // ordered by address
  std::vector<std::string> test_frameworks;  // static libraries, whose functions are left out
  uint64_t nameless = 0;                     // further functions, whose names were stripped
};

// REQUIRES: some of the file's code was instrumented. Nothing, if it is no ELF file.
UnseenCode FindUnseenCode(const std::string& path);

}  // namespace heddle::session
