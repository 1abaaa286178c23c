// Runs of a search that are none of its executions: to minimise and explain a bug, to estimate how
// many executions there are. With --show-output, what the program prints in them is not shown.
#pragma once

#include "search/program_target.h"

namespace heddle::search {

class UnshownOutput {
 public:
  // Discards, until it is destroyed, what the program prints in runs of `target`, and of targets
  // without checkpoints.
  explicit UnshownOutput(ProgramTarget& target);
  ~UnshownOutput();
  UnshownOutput(const UnshownOutput&) = delete;
  UnshownOutput& operator=(const UnshownOutput&) = delete;

 private:
  ProgramTarget& target_;
};

}  // namespace heddle::search
