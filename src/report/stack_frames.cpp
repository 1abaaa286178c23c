#include "report/stack_frames.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace heddle::report {

StackFrames::StackFrames(std::span<const channel::StepRecord> steps) {
  std::set<std::tuple<uint64_t, uint64_t, uint64_t>> known;
  for (const channel::StepRecord& step : steps) {
    for (uint32_t i = 0; i + 1 < step.frames; ++i) {
      const StackFrame frame = {step.sp[i], step.sp[i + 1], step.pc[i], step.number};
      if (frame.begin == 0 || frame.end <= frame.begin) continue;
      if (known.insert({frame.begin, frame.end, frame.pc}).second) frames_.push_back(frame);
    }
  }
}

std::vector<StackFrame> StackFrames::At(uint64_t address, uint64_t step) const {
  std::vector<StackFrame> found;
  for (const StackFrame& frame : frames_)
    if (address >= frame.begin && address < frame.end) found.push_back(frame);
  const auto distance = [step](const StackFrame& frame) {
    return frame.step < step ? step - frame.step : frame.step - step;
  };
  std::stable_sort(found.begin(), found.end(), [&](const StackFrame& a, const StackFrame& b) {
    return distance(a) < distance(b);
  });
  return found;
}

}  // namespace heddle::report
