// The program's atomic operations and fences as its source has them: which one it is that the
// program's process tells of (channel::AtomicRecord).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "op/operation.h"
#include "report/records.h"
#include "report/symbolize.h"

namespace heddle::report {

// Does the program say the order there? Not of what a library does by its own atomics, as
// shared_ptr does; but the functions of std::atomic take it from their caller.
bool IsOrderOfProgram(const std::vector<Frame>& stack);

struct AtomicOperation {
  op::Kind kind = op::Kind::kAtomicLoad;
  int order = 0, failure = 0;  // numbers of the compiler's; `failure` of a compare-exchange
  Location location;
};

// Nothing: its order is none that the program says.
std::optional<AtomicOperation> OperationOf(const RawAtomic& raw, const std::vector<Module>& modules,
                                           Symbolizer& symbolizer);

// So many of its frames, the first, are functions of std::atomic, which many operations share.
size_t SharedFrames(const RawAtomic& raw, const std::vector<Module>& modules,
                    Symbolizer& symbolizer);

// "store", "compare-exchange", "fence".
std::string OperationWord(op::Kind kind);

}  // namespace heddle::report
