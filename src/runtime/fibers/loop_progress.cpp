#include "runtime/fibers/loop_progress.h"

#include <unwind.h>

#include "base/hash.h"
#include "runtime/loops/calls_of_round.h"
#include "runtime/loops/loop_to_leave.h"
#include "runtime/prim/linkage.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

constexpr uint32_t kMostFrames = 64;

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

}  // namespace heddle::runtime
