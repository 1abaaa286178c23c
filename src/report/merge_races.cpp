#include "report/merge_races.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "channel/records.h"

namespace heddle::report {
namespace {

// Of a leak: the lines of its stack.
std::string LinesOf(const Finding& leak) {
  std::string lines;
  for (const Step& step : leak.steps) {
    if ((step.flags & channel::kStepMade) == 0) continue;
    for (const Frame& frame : step.stack) {
      const Location& at = frame.location;
      if (at.file.empty() || at.line == 0) return "";
      lines += at.file + ":" + std::to_string(at.line) + "\n";
    }
  }
  return lines;
}

// What is the same of two findings that are one bug; empty: this one is like no other.
std::string KeyOf(const ToldFinding& told) {
  if (told.finding.kind == "leak") return LinesOf(told.finding);
  if (told.raced.empty()) return "";
  std::vector<std::string> lines;
  for (const Step& step : told.finding.steps) {
    if ((step.flags & (channel::kStepRaceFirst | channel::kStepRaceSecond)) == 0) continue;
    if (step.location.file.empty() || step.location.line == 0) return "";
    lines.push_back(step.location.file + ":" + std::to_string(step.location.line));
  }
  if (lines.size() != 2) return "";
  std::sort(lines.begin(), lines.end());  // which of the accesses came first is chance
  // A race that is certain does not make another one certain.
  return lines[0] + "\n" + lines[1] + "\n" + told.raced + "\n" + told.finding.may_be_ordered_by;
}

}  // namespace

std::string WithoutIndices(const std::string& name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '[' && name[i] != '#') {
      text += name[i];
      continue;
    }
    size_t end = i + 1;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
    const bool closed = name[i] == '#' || (end < name.size() && name[end] == ']');
    if (end == i + 1 || !closed) {
      text += name[i];
    } else {
      i = name[i] == '#' ? end - 1 : end;
    }
  }
  return text;
}

std::vector<Finding> MergeRaces(std::vector<ToldFinding> told) {
  std::vector<Finding> findings;
  std::map<std::string, size_t> known;  // by key: which of `findings`
  for (ToldFinding& one : told) {
    const std::string key = KeyOf(one);
    const auto [at, fresh] = known.emplace(key, findings.size());
    if (fresh || key.empty()) {
      findings.push_back(std::move(one.finding));
      continue;
    }
    Finding& same = findings[at->second];
    ++same.races;
    same.also.push_back(std::move(one.finding.identity));
  }
  return findings;
}

}  // namespace heddle::report
