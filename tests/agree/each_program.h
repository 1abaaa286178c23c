// The loop of the tests against enumeration: so many generated programs, from such a seed on.
//
// HEDDLE_AGREE_PROGRAMS sets how many, HEDDLE_AGREE_SEED the first seed. A failure prints the seed
// of its program, and ends the loop.
#pragma once

#include <gtest/gtest.h>

#include "from_environment.h"
#include "generate.h"

namespace heddle::agree {

// `check(program, seed)`; `otherwise`: how many, if the environment does not say. False: it failed.
template <typename Check>
bool EachProgram(Vocabulary vocabulary, uint64_t otherwise, const Check& check) {
  const uint64_t programs = FromEnvironment("HEDDLE_AGREE_PROGRAMS", otherwise);
  const uint64_t first = FromEnvironment("HEDDLE_AGREE_SEED", 1);
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    check(Generator(seed, vocabulary).Program(), seed);
    if (::testing::Test::HasFailure()) return false;
  }
  return true;
}

// For SCOPED_TRACE.
inline std::string Named(const target::FakeProgram& program, uint64_t seed) {
  return "HEDDLE_AGREE_SEED=" + std::to_string(seed) + " HEDDLE_AGREE_PROGRAMS=1\n" +
         Print(program);
}

}  // namespace heddle::agree
