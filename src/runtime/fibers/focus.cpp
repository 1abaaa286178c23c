#include "runtime/fibers/focus.h"

#include <link.h>

#include "runtime/control.h"
#include "runtime/fibers/table.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "trace/execution.h"

namespace heddle::runtime {

[[HEDDLE_LASTS("set before the first execution")]] bool g_focuses;

namespace {

using channel::FocusKind;
using channel::FocusRange;

// Of the program's own code and data.
[[HEDDLE_LASTS("set before the first execution")]] uintptr_t bias;

bool IsIn(uintptr_t address, FocusKind kind, FocusKind or_kind) {
  const channel::Header& header = ChannelHeader();
  const uint64_t at = address - bias;
  for (uint32_t i = 0; i < header.focus_count; ++i) {
    const FocusRange& range = header.focus[i];
    if (range.kind != kind && range.kind != or_kind) continue;
    if (range.begin <= at && at < range.end) return true;
  }
  return false;
}

}  // namespace

void InitFocus() {
  g_focuses = ChannelHeader().focus_count != 0;
  if (!g_focuses) return;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void*) {
        bias = info->dlpi_addr;
        return 1;  // the first one is the program
      },
      nullptr);
}

uint8_t FocusOf(const Fiber& fiber, const op::Operation& operation) {
  // The address of a call is before the one that it returns to.
  const bool function =
      fiber.focus_frame != 0 ||
      (operation.pc != 0 && IsIn(operation.pc - 1, FocusKind::kFunction, FocusKind::kInlined));
  const bool variable =
      operation.object != 0 && IsIn(operation.object, FocusKind::kVariable, FocusKind::kVariable);
  return static_cast<uint8_t>((function ? trace::kFocusFunction : 0) |
                              (variable ? trace::kFocusVariable : 0));
}

void EnterFunction(uintptr_t pc, uintptr_t frame) {
  if (!InExecution()) return;
  Fiber& fiber = Current();
  if (frame > fiber.focus_frame) fiber.focus_frame = 0;
  if (fiber.focus_frame == 0 && IsIn(pc, FocusKind::kFunction, FocusKind::kFunction)) {
    fiber.focus_frame = frame;
  }
}

void LeaveFunction(uintptr_t frame) {
  if (InExecution() && frame >= Current().focus_frame) Current().focus_frame = 0;
}

}  // namespace heddle::runtime
