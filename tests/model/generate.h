// Random programs that are small enough for brute force, and of the shapes in which memory models
// differ: rings of accesses in which each thread ends where the next begins, messages behind a
// flag, chains of read-modify-writes; then changed at random.
#pragma once

#include <cstdint>

#include "program.h"

namespace heddle::litmus {

struct Limits {
  int events = 10;  // fences included
  // Choices of reads-from times modification orders, roughly.
  double graphs = 300'000;
};

// The same for the same seed, everywhere.
Program GenerateProgram(uint64_t seed, const Limits& limits = {});

// With mutexes, read-write locks and semaphores: critical sections, nested ones, tries, and uses by
// themselves, so that some programs have deadlocks.
Program GenerateProgramWithObjects(uint64_t seed, const Limits& limits = {});

// How many graphs brute force looks at, roughly and before any of them is refused.
double Graphs(const Program& program);

}  // namespace heddle::litmus
