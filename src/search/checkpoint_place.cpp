#include "search/checkpoint_place.h"

#include <algorithm>

#include "runtime/fibers/trace_buffers.h"

namespace heddle::search {
namespace {

// Did a thread stand before a look of such a loop in one of these steps?
bool MeetsWaits(uint32_t from, uint32_t to) {
  for (uint32_t step = from; step < to; ++step)
    if (runtime::g_trace->steps[step].await != 0) return true;
  return false;
}

}  // namespace

CheckpointPlace PlaceHere(const CheckpointPlace& below, uint32_t script_steps) {
  const runtime::TraceBuffers& t = *runtime::g_trace;
  // Of the script's last step it is known already that no more follow: it counts as behind it.
  const uint32_t behind = std::clamp(script_steps, below.steps, t.step_count);
  return {
      .steps = t.step_count,
      .choices = t.choice_count,
      .events = t.event_count,
      .waits_in_script = below.waits_in_script || MeetsWaits(below.steps, behind),
      .waits_behind = below.waits_behind || MeetsWaits(behind, t.step_count),
  };
}

bool CanGoOnFrom(const CheckpointPlace& place, const plan::Plan& plan,
                 const target::CommonPrefix& common) {
  return place.steps <= common.steps && place.choices <= common.choices &&
         !(plan.script.empty() ? place.waits_in_script : place.waits_behind);
}

}  // namespace heddle::search
