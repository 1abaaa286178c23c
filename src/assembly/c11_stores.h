// In C, and in C++ before C++20, a relaxed store continues the release sequences that its own
// thread heads; in C++20 it ends them (trace/release_sequence.h). The order of an atomic store does
// not say which of the two it is compiled for. So a unit of the first kind calls other functions
// for its stores (runtime/hooks/c11_atomic.cpp), and the code itself says whose rule is its own,
// whatever it is linked with:
//
//   .set __tsan_atomic32_store, heddle_c11_tsan_atomic32_store
//
// at the end makes every reference to the first one, in whatever instruction, one to the second.
//
// Tested by tests/unit/assembly_c11_stores_test.cpp, and with both compilers by
// tests/cli/test_release_sequences.py.
#pragma once

#include <string>
#include <string_view>

namespace heddle::assembly {

// What is to be added to the assembly of a unit of the first kind; empty if it stores no atomics.
std::string C11Stores(std::string_view text);

}  // namespace heddle::assembly
