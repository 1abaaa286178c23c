#include "runtime/primitives/two_halves.h"

#include "runtime/fibers/trace_buffers.h"

namespace heddle::runtime {
namespace {

constexpr size_t kLongestScalar = 8;

bool Names(const TraceBuffers& t, uint32_t event, uint32_t object) {
  if (t.events[event].object == object) return true;
  for (uint32_t k = t.touch_count; k-- > 0 && t.touches[k].event >= event;)
    if (t.touches[k].event == event && t.touches[k].object == object) return true;
  return false;
}

// Do the two events access an object that both name?
bool Meet(const TraceBuffers& t, uint32_t a, uint32_t b) {
  if (Names(t, b, t.events[a].object)) return true;
  for (uint32_t k = t.touch_count; k-- > 0 && t.touches[k].event >= a;)
    if (t.touches[k].event == a && Names(t, b, t.touches[k].object)) return true;
  return false;
}

// Did somebody access what `first` accessed, after it and before the last event?
bool CameBetween(const TraceBuffers& t, uint32_t first) {
  for (uint32_t e = first + 1; e + 1 < t.event_count; ++e)
    if (t.events[e].access != op::Access::kNone && Meet(t, first, e)) return true;
  return false;
}

}  // namespace

void NoteHalf(Fiber& self, size_t size, bool write) {
  if (size <= kLongestScalar) return;
  const TraceBuffers& t = *g_trace;
  const uint32_t now = t.event_count - 1;
  if (write) {
    self.half = {now, self.events, size};
    return;
  }
  if (self.half.size != size || self.half.own + 1 != self.events) return;
  if (!CameBetween(t, self.half.event)) return;
  NoteIncomplete(Incomplete::kSplitCopy);
}

void NoteWholeUpdate(uint32_t first) {
  if (!CameBetween(*g_trace, first)) return;
  NoteIncomplete(Incomplete::kSplitUpdate);
}

}  // namespace heddle::runtime
