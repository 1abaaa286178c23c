// Where the frames of the program's threads lay on their stacks, as the steps of a finding show
// them: so an address on a stack is found to be a local variable, whichever thread uses it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "channel/records.h"

namespace heddle::report {

struct StackFrame {
  uint64_t begin, end;  // addresses
  uint64_t pc;          // where its code is called to return to
  uint64_t step;        // number of the first step that showed it so
};

class StackFrames {
 public:
  explicit StackFrames(std::span<const channel::StepRecord> steps);

  // Those that `address` lies in, the ones nearest in time to the step with this number first.
  std::vector<StackFrame> At(uint64_t address, uint64_t step) const;

 private:
  std::vector<StackFrame> frames_;
};

}  // namespace heddle::report
