#include "report/atomic_places.h"

#include <algorithm>

namespace heddle::report {
namespace {

// Does it take the order from its caller? A semaphore of the library's is made of atomics, too, and
// so is what is within std::atomic<std::shared_ptr>.
bool TakesOrder(const std::string& function) {
  const auto has = [&](const char* part) { return function.find(part) != std::string::npos; };
  return has("atomic") && !has("atomic_semaphore") && !has("_Sp_atomic");
}

bool IsOfProgram(const Frame& frame) { return !frame.library && !frame.location.file.empty(); }

}  // namespace

bool IsOrderOfProgram(const std::vector<Frame>& stack) {
  for (const Frame& frame : stack) {
    if (!frame.library) return IsOfProgram(frame);
    if (!TakesOrder(frame.location.function)) return false;
  }
  return false;
}

std::optional<AtomicOperation> OperationOf(const RawAtomic& raw, const std::vector<Module>& modules,
                                           Symbolizer& symbolizer) {
  const channel::AtomicRecord& record = raw.record;
  const std::vector<Frame> stack = symbolizer.Stack(modules, {record.pc, record.frames}, false);
  if (!IsOrderOfProgram(stack)) return std::nullopt;
  return AtomicOperation{static_cast<op::Kind>(record.op_kind), record.order, record.failure,
                         ProgramsOwn(stack)};
}

size_t SharedFrames(const RawAtomic& raw, const std::vector<Module>& modules,
                    Symbolizer& symbolizer) {
  size_t count = 0;
  for (; count < raw.record.frames; ++count) {
    const std::vector<Frame>& frames = symbolizer.Frames(modules, raw.record.pc[count], false);
    const bool shared = std::ranges::all_of(frames, [](const Frame& frame) {
      return frame.library && TakesOrder(frame.location.function);
    });
    if (!shared || frames.empty()) break;
  }
  return count;
}

std::string OperationWord(op::Kind kind) {
  if (kind == op::Kind::kAtomicLoad) return "load";
  if (kind == op::Kind::kAtomicStore) return "store";
  if (kind == op::Kind::kAtomicExchange) return "exchange";
  if (kind == op::Kind::kAtomicFetch) return "update";
  if (kind == op::Kind::kAtomicCompareExchange) return "compare-exchange";
  return "fence";
}

}  // namespace heddle::report
