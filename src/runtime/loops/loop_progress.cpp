#include "runtime/loops/loop_progress.h"

#include <unwind.h>

#include "base/hash.h"
#include "runtime/loops/code/calls_of_round.h"
#include "runtime/loops/code/loop_to_leave.h"
#include "runtime/prim/linkage.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

constexpr uint32_t kMostFrames = 64;

// What CallOutsideLoop has answered, by the place of the pending operation and a hash of the stack.
// A thread may wait a thousand times in one execution, and unwinding takes microseconds. It follows
// from the code and the stack, so it holds in every execution.
struct KnownCall {
  uint64_t key;
  const char* call;
};
constexpr uint32_t kKnown = 1024;
KnownCall known[kKnown];

struct Frames {
  const Fiber& fiber;
  bool of_program = false;  // heddle's own are passed
  uint32_t count = 0;
  struct {
    uintptr_t function, return_address, end;  // of the frame
  } at[kMostFrames] = {};
};

_Unwind_Reason_Code KeepFrame(_Unwind_Context* context, void* argument) {
  auto& frames = *static_cast<Frames*>(argument);
  const uintptr_t pc = _Unwind_GetIP(context);
  frames.of_program |= pc == frames.fiber.pending.pc;
  if (!frames.of_program) return _URC_NO_REASON;
  if (frames.count == kMostFrames) return _URC_END_OF_STACK;
  frames.at[frames.count++] = {_Unwind_GetRegionStart(context), pc, _Unwind_GetCFA(context)};
  return _URC_NO_REASON;
}

void FindFrames(Frames& frames) {
  const OutsideExecution outside;
  _Unwind_Backtrace(KeepFrame, &frames);
}

}  // namespace

uint32_t LoopOf(const Fiber& self) {
  if (self.pending.kind == op::Kind::kThreadExit) return kUnknownLoop;
  Frames frames{.fiber = self};
  FindFrames(frames);
  if (frames.count == kMostFrames) return kUnknownLoop;
  bool endless = false;
  for (uint32_t i = frames.count; i-- > 0;) {
    const auto& frame = frames.at[i];
    const LoopOfCall& loop = LoopToLeave(frame.function, frame.return_address);
    if (loop.kind == LoopKind::kUnknown) return kUnknownLoop;
    endless |= loop.kind == LoopKind::kEndless;
    if (loop.kind == LoopKind::kCanBeLeft)
      return static_cast<uint32_t>(base::MixTwo(loop.at, frame.end)) | 4;
  }
  return endless ? kEndlessLoop : kUnknownLoop;
}

const char* CallOutsideLoop(const Fiber& self) {
  Frames frames{.fiber = self};
  FindFrames(frames);
  CallOnStack calls[kMostFrames];
  uint32_t count = 0;
  for (uint32_t i = 0; i < frames.count; ++i) {
    const auto& frame = frames.at[i];
    if (AnnouncesAccesses(frame.return_address))
      calls[count++] = {frame.function, frame.return_address};
  }
  return CallOutsideOfLoop({calls, count});
}

const char* CallOutsideLoop(const Fiber& self, const char* here, uint64_t state) {
  if (here != kNoLoop) return here;
  const uint64_t key = base::MixTwo(self.pending.pc, state) | 1;
  for (uint32_t probe = 0; probe < 16; ++probe) {
    KnownCall& entry = known[(key + probe) % kKnown];
    if (entry.key == 0) entry = {key, CallOutsideLoop(self)};
    if (entry.key == key) return entry.call;
  }
  return CallOutsideLoop(self);
}

}  // namespace heddle::runtime
