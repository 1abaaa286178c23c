#include "report/raced.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "report/merge_races.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

// A variable, or a member of a block's type. A block of no known type is told from others by
// where it was allocated, memory without a name by its address.
std::string Touched(const FindingContext& in, const channel::StepRecord& step) {
  const HeapBlock* block = in.objects.BlockAt(step.object, step.number);
  if (block != nullptr && !block->type) {
    const channel::BlockRecord& record = block->record;
    return PlaceText(
               ProgramsOwn(in.symbolizer.Stack(in.modules, {record.pc, record.frames}, false))) +
           "+" + std::to_string(step.object - record.address);
  }
  in.objects.At(step.number);
  if (!in.objects.IsVariable(step.object)) return fmt::format("{:#x}", step.object);
  return WithoutIndices(in.objects.Short(static_cast<op::Kind>(step.op_kind), step.object));
}

std::string LibraryAt(const std::vector<Module>& modules, const std::vector<Library>& not_rebuilt,
                      uint64_t address) {
  for (const Module& module : modules) {
    if (address < module.begin || address >= module.end) continue;
    for (const Library& library : not_rebuilt)
      if (library.path == module.path) return library.name;
  }
  return "";
}

}  // namespace

std::string Raced(const FindingContext& in) {
  std::set<std::string> names;
  for (const channel::StepRecord& step : in.raw.steps)
    if ((step.flags & (channel::kStepRaceFirst | channel::kStepRaceSecond)) != 0)
      names.insert(Touched(in, step));
  std::string all;
  for (const std::string& name : names) all += name + "\n";
  return all;
}

std::string LibraryInRace(const FindingContext& in, const std::vector<Library>& not_rebuilt) {
  constexpr uint32_t kRacing = channel::kStepRaceFirst | channel::kStepRaceSecond;
  std::set<uint32_t> threads;
  for (const channel::StepRecord& step : in.raw.steps) {
    if ((step.flags & kRacing) == 0) continue;
    threads.insert(step.thread);
    for (uint32_t i = 0; i < step.frames; ++i)
      if (std::string name = LibraryAt(in.modules, not_rebuilt, step.pc[i]); !name.empty())
        return name;
  }
  for (const channel::StepRecord& step : in.raw.steps) {
    if (step.op_kind != static_cast<uint8_t>(op::Kind::kThreadCreate)) continue;
    if (threads.count(step.other) == 0) continue;
    if (std::string name = LibraryAt(in.modules, not_rebuilt, step.object2); !name.empty())
      return name;
  }
  std::string names;
  for (const Library& library : not_rebuilt)
    if (library.called) names += (names.empty() ? "" : ", ") + library.name;
  return names;
}

}  // namespace heddle::report
