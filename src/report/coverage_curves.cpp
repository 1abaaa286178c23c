#include "report/coverage_curves.h"

#include <algorithm>
#include <map>
#include <set>

#include "report/coverage_share.h"
#include "report/visible.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

std::string ProgramKey(const NamedResult& named) {
  std::string key = named.result.program;
  for (const std::string& argument : named.result.arguments) key += '\0' + argument;
  return key + '\0' + '\0' + named.test_case;
}

// Results with equal ones have the same graphs to find.
std::string SpaceKey(const NamedResult& named) {
  return ProgramKey(named) + '\0' + named.result.points + '\0' + named.result.timeouts;
}

// How many graphs each space has, as far as some result knows. Results that contradict each other
// (the program was built anew in between) know nothing.
std::map<std::string, uint64_t> AllGraphs(const std::vector<NamedResult>& results) {
  std::map<std::string, uint64_t> all;
  for (const NamedResult& named : results)
    if (named.result.all_graphs) all[SpaceKey(named)] = named.result.happens_before;
  for (const NamedResult& named : results) {
    const auto known = all.find(SpaceKey(named));
    if (known == all.end()) continue;
    const uint64_t graphs = named.result.happens_before;
    if (graphs > known->second || (named.result.all_graphs && graphs != known->second))
      known->second = 0;
  }
  return all;
}

// Of how many bounds every schedule was run: with no preemption, with at most one ...
size_t ExhaustedBounds(const SearchResult& result) {
  if (!MeetsLeast(result)) return 0;
  if (result.all_graphs) return result.by_preemptions.size();
  if (result.bound && result.bound->unit != space::Unit::kPreemptions) return 0;
  const auto completed = static_cast<size_t>(std::max<int64_t>(result.completed_bound, -1) + 1);
  return std::min(completed, result.by_preemptions.size());
}

std::string BoundText(const space::Bound& bound) {
  switch (bound.unit) {
    case space::Unit::kPreemptions:
      return "at most " + Counted(bound.most, "preemption");
    case space::Unit::kDelays:
      return "at most " + Counted(bound.most, "delay");
    case space::Unit::kDepth:
      return "only the first " + (bound.most == 1 ? "choice" : Counted(bound.most, "choice")) +
             " of threads";
    case space::Unit::kStale:
      return "at most " + StaleAccesses(bound.most);
  }
  return "";
}

// "depth-first source", "context-bounded, at most 2 preemptions".
std::string SearchText(const SearchResult& result) {
  std::string text = result.order;
  if (!result.priority.empty()) text += " " + result.priority;
  if (Reduces(result)) text += " " + result.reduction;
  if (result.bound) text += ", " + BoundText(*result.bound);
  if (!result.points.empty() && result.points != space::NameOf(space::Points::kSync))
    text += ", points " + result.points;
  if (result.timeouts == "last") text += ", timeouts last";
  return text;
}

// Labels that are alike get the names of their files.
std::vector<std::string> Labels(const std::vector<NamedResult>& results, bool one_program) {
  std::vector<std::string> labels;
  std::map<std::string, unsigned> alike;
  for (const NamedResult& named : results) {
    const std::string search = SearchText(named.result);
    labels.push_back(VisibleLine(one_program ? search : ProgramLine(named) + ": " + search));
    ++alike[labels.back()];
  }
  for (size_t i = 0; i < labels.size(); ++i)
    if (alike[labels[i]] > 1) labels[i] += " (" + VisibleLine(results[i].name) + ")";
  return labels;
}

}  // namespace

base::Result<CoverageCurves> CoverageCurvesOf(const std::vector<NamedResult>& results) {
  if (results.empty()) return base::Error{"there is no search to draw: no test case was begun"};
  std::set<std::string> programs;
  for (const NamedResult& named : results) {
    if (named.result.over_executions.empty() && named.result.happens_before != 0)
      return base::Error{named.name +
                         " has no coverage over executions: an older heddle wrote it, check the "
                         "program again"};
    programs.insert(ProgramKey(named));
  }
  CoverageCurves picture;
  picture.one_program = programs.size() == 1;
  picture.programs = picture.one_program ? VisibleLine(ProgramLine(results.front()))
                                         : Counted(programs.size(), "program");
  const std::map<std::string, uint64_t> all = AllGraphs(results);
  const std::vector<std::string> labels = Labels(results, picture.one_program);
  for (size_t i = 0; i < results.size(); ++i) {
    const SearchResult& result = results[i].result;
    const auto known = all.find(SpaceKey(results[i]));
    picture.curves.push_back({labels[i], result.by_preemptions, ExhaustedBounds(result),
                              result.over_executions, result.executions, result.happens_before,
                              known == all.end() ? 0 : known->second});
    picture.time_limits |= result.time_limits;
  }
  picture.shares = std::ranges::all_of(picture.curves, [](const auto& c) { return c.all != 0; });
  return picture;
}

}  // namespace heddle::report
