// One finding of the channel, and what its words are made with: names, sources, symbols.
#pragma once

#include <vector>

#include "report/names.h"
#include "report/records.h"
#include "report/source.h"
#include "report/symbolize.h"

namespace heddle::report {

struct FindingContext {
  const RawFinding& raw;
  const std::vector<Module>& modules;
  const ThreadNames& threads;
  ObjectNames& objects;  // of this finding
  Symbolizer& symbolizer;
  SourceFiles& source;
  bool all_steps;  // those of others, and those in the middle of a long schedule, too

  const std::vector<Frame>& Frames(uint64_t pc) const {
    return symbolizer.Frames(modules, pc, false);
  }
};

// Steps that the finding is about.
inline constexpr uint32_t kWithStack = channel::kStepRaceFirst | channel::kStepRaceSecond |
                                       channel::kStepBlocked | channel::kStepEnding |
                                       channel::kStepLeft | channel::kStepMade;

}  // namespace heddle::report
