// Where the time of executions goes: to the program before its first thread, to its threads, or to
// putting memory back. All slow executions are measured, and a few of the fast ones: to ask for the
// time costs as much as some events.
#pragma once

#include <cstdint>

namespace heddle::search {

class ExecutionTimer {
 public:
  // In this order, for each execution.
  void Begin();
  void Ran();
  void Restored();

 private:
  uint64_t executions_ = 0;
  uint64_t last_ns_ = 0;   // what the last one took that was measured
  uint64_t begun_ns_ = 0;  // 0: this one is not
  uint64_t ran_ns_ = 0;
};

}  // namespace heddle::search
