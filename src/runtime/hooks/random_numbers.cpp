// rand, random and their kin. libc has a lock for their state, and who gets which number depends on
// the order: each call is a step. It orders nothing else.

#include <stdlib.h>

#include "runtime/export.h"
#include "runtime/hooks/own_code.h"
#include "runtime/objects/without_memory.h"
#include "runtime/prim/passing.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/scheduler.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

void UseNumbers(uintptr_t pc) {
  if (!IsSeen(pc) || !g_state.several_threads) return;
  ++Current().changes;  // a thread that draws lots does not spin
  Object& numbers = FindObject(kRandomNumbersAddress, ObjectKind::kWord);
  const heddle::op::Operation use = {
      .kind = heddle::op::Kind::kRandomNumbers, .object = kRandomNumbersAddress, .pc = pc};
  Reach(use, nullptr);
  Commit(use, &numbers, heddle::op::Access::kWrite);
}

}  // namespace

extern "C" {

HEDDLE_EXPORT HEDDLE_PASSING int rand() noexcept {
  UseNumbers(HEDDLE_CALLER);
  return Real<&rand>("rand")();
}
HEDDLE_EXPORT HEDDLE_PASSING void srand(unsigned seed) noexcept {
  UseNumbers(HEDDLE_CALLER);
  Real<&srand>("srand")(seed);
}
HEDDLE_EXPORT HEDDLE_PASSING long random() noexcept {
  UseNumbers(HEDDLE_CALLER);
  return Real<&random>("random")();
}
HEDDLE_EXPORT HEDDLE_PASSING void srandom(unsigned seed) noexcept {
  UseNumbers(HEDDLE_CALLER);
  Real<&srandom>("srandom")(seed);
}
HEDDLE_EXPORT HEDDLE_PASSING char* initstate(unsigned seed, char* state, size_t bytes) noexcept {
  UseNumbers(HEDDLE_CALLER);
  return Real<&initstate>("initstate")(seed, state, bytes);
}
HEDDLE_EXPORT HEDDLE_PASSING char* setstate(char* state) noexcept {
  UseNumbers(HEDDLE_CALLER);
  return Real<&setstate>("setstate")(state);
}

}  // extern "C"
