#include "report/wrappers.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace heddle::report {
namespace {

constexpr uint32_t kMostLines = 8;    // from a wrapper's first line to its operation
constexpr size_t kLeastCallers = 2;   // lines that call it
constexpr size_t kMostWrappings = 3;  // wrappers of wrappers

bool IsHeader(const std::string& extension) {
  for (const char* header : {".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tcc"})
    if (extension == header) return true;
  return false;
}

bool IsNamedAfterWhatItWraps(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* what : {"atomic", "thread", "mutex", "lock", "sync", "cond", "sem", "barrier"})
    if (name.find(what) != std::string::npos) return true;
  return false;
}

bool MayHoldWrappers(const std::string& file) {
  const std::filesystem::path path(file);
  return IsHeader(path.extension().string()) || IsNamedAfterWhatItWraps(path.stem().string());
}

// What is done in one function.
struct Use {
  std::set<std::pair<uint32_t, std::string>> does;       // line and operation
  std::set<std::pair<std::string, uint32_t>> called_by;  // file and line
  bool thin = true;
};

using Function = std::pair<std::string, std::string>;  // file and name

Function FunctionOf(const Frame& frame) { return {frame.location.file, frame.location.function}; }

bool IsWrapper(const Use& use) {
  return use.thin && use.does.size() == 1 && use.called_by.size() >= kLeastCallers;
}

// `at`: which of a step's frames it is shown at.
std::map<Function, Use> UsesOf(const std::vector<PlacedStep>& steps,
                               const std::vector<size_t>& at) {
  std::map<Function, Use> uses;
  for (size_t i = 0; i < steps.size(); ++i) {
    const std::vector<Frame>& own = steps[i].own;
    if (at[i] >= own.size()) continue;
    const Frame& inner = own[at[i]];
    Use& use = uses[FunctionOf(inner)];
    use.does.emplace(inner.location.line, steps[i].step->operation);
    const bool near = inner.declared != 0 && inner.location.line >= inner.declared &&
                      inner.location.line - inner.declared < kMostLines;
    const Frame* caller = at[i] + 1 < own.size() ? &own[at[i] + 1] : nullptr;
    if (!near || caller == nullptr || caller->location.file == inner.location.file ||
        !MayHoldWrappers(inner.location.file)) {
      use.thin = false;
    } else {
      use.called_by.emplace(caller->location.file, caller->location.line);
    }
  }
  return uses;
}

}  // namespace

void LeaveOutWrappers(std::vector<PlacedStep>& steps, SourceFiles& source) {
  std::vector<size_t> at(steps.size());
  for (size_t round = 0; round < kMostWrappings; ++round) {
    const std::map<Function, Use> uses = UsesOf(steps, at);
    bool moved = false;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (at[i] != round || at[i] >= steps[i].own.size()) continue;
      if (!IsWrapper(uses.at(FunctionOf(steps[i].own[at[i]])))) continue;
      ++at[i];
      moved = true;
    }
    if (!moved) break;
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    if (at[i] == 0) continue;
    Step& step = *steps[i].step;
    step.within = std::exchange(step.location, steps[i].own[at[i]].location);
    step.source = source.Line(step.location.file, step.location.line);
  }
}

}  // namespace heddle::report
