#include "runtime/fibers/enabled.h"

#include "runtime/fibers/outside.h"
#include "runtime/fibers/table.h"
#include "runtime/objects/enabled.h"

namespace heddle::runtime {
namespace {

// What no object decides.
bool WasLetGo(const Fiber& fiber) {
  const op::Operation& pending = fiber.pending;
  if (op::FamilyOf(pending.kind) == op::Family::kThread)
    return g_fibers[pending.other].state == FiberState::kFinished;
  if (pending.kind == op::Kind::kSignalWait) return g_outside.signal_has_come(fiber);
  if (op::Info(pending.kind).needs == op::Needs::kOutside) return g_outside.is_ready(fiber);
  return fiber.wake != Wake::kNone;
}

}  // namespace

bool IsEnabled(const Fiber& fiber) {
  return IsEnabled(fiber.pending, fiber.pending_object, fiber.id, [&] { return WasLetGo(fiber); });
}

}  // namespace heddle::runtime
