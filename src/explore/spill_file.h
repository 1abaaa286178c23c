// Spill into a file, opened anew for every transfer. A transfer moves a megabyte, so that costs
// nothing, and it means that the program under test may close or reuse any descriptor without harm.
//
// The file outlives the program's process if somebody else holds it. Meant for the path
// "/proc/PID/fd/N" of an unlinked file that the supervisor holds open: it survives restarts of the
// program and vanishes with the supervisor.
#pragma once

#include "explore/spill.h"

namespace heddle::explore {

class SpillFile final : public Spill {
 public:
  // REQUIRES: `path` names an existing file and outlives this object.
  explicit SpillFile(const char* path) : path_(path) {}

  bool Write(uint64_t at, const void* data, size_t bytes) override;
  bool Read(uint64_t at, void* data, size_t bytes) override;

 private:
  const char* const path_;
};

}  // namespace heddle::explore
