#include "runtime/objects/once.h"

namespace heddle::runtime {
namespace {

enum Phase : uint8_t { kNotBegun, kRunning, kDone };

}  // namespace

OnceState NewOnce(bool done, bool always) {
  return {.phase = done ? kDone : kNotBegun, .always = always, .runner = op::kNoThread};
}

bool IsRunning(const OnceState& once) { return once.phase == kRunning; }
bool IsDone(const OnceState& once) { return once.phase == kDone; }

Answer BeginOnce(OnceState& once, op::ThreadId self) {
  if (IsDone(once)) return {.access = op::Access::kRead, .acquires = Acquires::kReleased};
  once = {.phase = kRunning, .always = false, .runner = self};
  return {.acquires = Acquires::kReleased, .value = 1};
}

Answer EndOnce(OnceState& once, bool done) {
  once = NewOnce(done, false);
  return {.releases = Releases::kAs, .value = done};
}

}  // namespace heddle::runtime
