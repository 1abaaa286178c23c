// What include/heddle.h calls.

#include <string.h>

#include "runtime/export.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/outcome.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;  // NOLINT
using heddle::op::Access;
using heddle::op::Kind;

namespace heddle::runtime {

const char* OutcomeOfExecution() { return g_trace->outcome; }

}  // namespace heddle::runtime

extern "C" {

HEDDLE_EXPORT void heddle_outcome_(const char* label);
HEDDLE_EXPORT unsigned heddle_choose_(unsigned options);
HEDDLE_EXPORT void heddle_assume_(int condition);
HEDDLE_EXPORT void heddle_hook_(void);

void heddle_outcome_(const char* label) {
  if (!InExecution()) return;
  strncpy(g_trace->outcome, label, sizeof g_trace->outcome - 1);
}

unsigned heddle_choose_(unsigned options) {
  if (!InExecution() || options <= 1) return 0;
  const unsigned choice = ChooseOption(heddle::trace::ChoiceKind::kValue, options);
  Commit({.kind = Kind::kChoose, .operand = options, .pc = HEDDLE_CALLER}, nullptr, Access::kNone, choice, choice + 1);
  ++Current().writes;
  return choice;
}

void heddle_assume_(int condition) {
  if (!InExecution() || condition != 0) return;
  EndExecution(heddle::trace::EndKind::kRedundant, 0, 0, 0, "heddle_assume");
}

void heddle_hook_(void) {
  if (!InExecution()) return;
  const heddle::op::Operation operation = {.kind = Kind::kHook, .pc = HEDDLE_CALLER};
  Reach(operation, nullptr);
  Commit(operation, nullptr, Access::kNone);
}

}  // extern "C"
