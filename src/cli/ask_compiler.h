// What our assembler asks the compiler that runs it. heddle-cc says in the environment how to ask
// (compiler_steps.h): our assembler itself is not told the command line.
//
// Tested by tests/cli/test_heddle_cc.sh and tests/cli/test_release_sequences.py.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

// What `command` prints on standard output, without newlines at the end; empty if it cannot be run.
// Standard error is passed on if `complains`.
std::string Answer(std::vector<std::string> command, bool complains);

// For execv and the like; they point into `words`.
std::vector<char*> Pointers(std::vector<std::string>& words);

// All that can be read, or no value after an error (errno says which).
bool ReadAll(int descriptor, std::string& text);

// Was the unit with this assembly compiled as C, or as C++ before C++20? `question`: the value of
// kLanguageVariable. False, if that cannot be told.
bool IsC11Unit(std::string_view question, std::string_view assembly);

}  // namespace heddle::cli
