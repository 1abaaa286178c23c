#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "replay/json_fields.h"
#include "report/json.h"
#include "report/result_fields.h"
#include "report/verdict.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;
using replay::Field;

// Reads the fields that it is told; those that are missing stay.
auto From(const Field& json) {
  return [&json](const char* name, auto& value) { value = json.value(name, value); };
}

Location LocationFrom(const Field& json) {
  return {json.value("file", ""), json.value("line", 0u), json.value("function", ""),
          json.value("column", 0u)};
}

Frame FrameFrom(const Field& json) {
  return {LocationFrom(json), json.value("module", ""), json.value("library", false), 0};
}

Step StepFrom(const Field& json) {
  Step step;
  step.thread = json.at("thread").get<std::string>();
  step.operation = json.value("operation", "");
  step.text = json.value("text", "");
  VisitOptional(step, From(json));
  step.source = json.value("source", "");
  step.location = LocationFrom(json.at("location"));
  if (json.contains("within")) step.within = LocationFrom(json.at("within"));
  step.omitted_before = json.value("omitted_before", uint64_t{0});
  for (const std::string& name : json.at("marks").get<std::vector<std::string>>()) {
    for (const Mark& mark : kMarks) {
      if (name == mark.name) step.flags |= mark.flag;
    }
  }
  if (json.contains("stack")) {
    for (const Field& frame : json.at("stack").List()) step.stack.push_back(FrameFrom(frame));
  }
  return step;
}

Block BlockFrom(const Field& json) {
  return {json.value("name", ""),
          json.value("noun", ""),
          json.value("bytes", uint64_t{0}),
          json.value("thread", ""),
          LocationFrom(json.at("location")),
          json.value("source", "")};
}

std::vector<GraphEdge> EdgesFrom(const Field& json, size_t events) {
  std::vector<GraphEdge> edges;
  for (const Field& edge : json.List()) {
    edges.push_back({edge.at("relation").get<std::string>(), edge.at("from").get<size_t>(),
                     edge.at("to").get<size_t>()});
    if (std::max(edges.back().from, edges.back().to) >= events) edge.Fail("is of no event");
  }
  return edges;
}

WeakExecution WeakFrom(const Field& json) {
  WeakExecution weak;
  weak.sequential = json.at("sequentially_consistent").get<bool>();
  weak.x86 = json.value("x86", true);
  if (weak.sequential) return weak;
  for (const Field& event : json.at("events").List())
    weak.events.push_back({event.at("thread").get<std::string>(), event.value("text", ""),
                           event.value("order", ""), LocationFrom(event.at("location"))});
  weak.edges = EdgesFrom(json.at("edges"), weak.events.size());
  weak.cycle = EdgesFrom(json.at("cycle"), weak.events.size());
  for (const Field& set : json.at("forbidden_by").List()) {
    std::vector<OrderChange>& changes = weak.forbidden_by.emplace_back();
    for (const Field& change : set.List())
      changes.push_back({change.at("order").get<std::string>(), change.value("fence", false),
                         LocationFrom(change.at("location"))});
  }
  weak.all_tried = json.value("all_tried", true);
  if (json.contains("confirmed"))
    for (const Field& one : json.at("confirmed").List())
      weak.confirmed.push_back({one.at("result").get<std::string>(),
                                one.value("executions", uint64_t{0}), one.value("why", "")});
  return weak;
}

Finding FindingFrom(const Field& json) {
  Finding finding;
  for (const char* needed : {"kind", "message"}) json.at(needed).get<std::string>();
  VisitHead(finding, From(json));
  finding.output = json.value("output", "");
  finding.schedule = json.value("schedule", "");
  finding.line = json.value("schedule_line", "");
  finding.identity = json.value("identity", "");
  finding.status = json.value("status", 0);
  finding.not_reproduced = !json.value("reproduced", true);
  finding.cut_short = json.value("cut_short", "");
  finding.may_be_ordered_by = json.value("may_be_ordered_by", "");
  finding.races = json.value("races", uint64_t{1});
  finding.also = json.value("also", std::vector<std::string>());
  for (const Field& location : json.at("locations").List()) {
    finding.locations.push_back(LocationFrom(location));
  }
  for (const Field& step : json.at("steps").List()) finding.steps.push_back(StepFrom(step));
  if (json.contains("livelock")) {
    const Field livelock = json.at("livelock");
    finding.fair = livelock.value("fair", true);
    for (const Field& loop : livelock.at("loops").List()) {
      finding.loops.push_back({loop.at("thread").get<std::string>(), {}});
      for (const Field& location : loop.at("locations").List())
        finding.loops.back().locations.push_back(LocationFrom(location));
    }
  }
  if (json.contains("blocks"))
    for (const Field& block : json.at("blocks").List()) finding.blocks.push_back(BlockFrom(block));
  if (json.contains("weak")) finding.weak.push_back(WeakFrom(json.at("weak")));
  if (json.contains("other")) {
    finding.other.push_back(FindingFrom(json.at("other")));
    finding.other.front().other.clear();  // there are two
  }
  return finding;
}

Verdict VerdictFrom(const Field& json) {
  const std::string name = json.get<std::string>();
  for (Verdict verdict :
       {Verdict::kClean, Verdict::kBug, Verdict::kIncomplete, Verdict::kUncontrolled}) {
    if (name == VerdictName(verdict)) return verdict;
  }
  json.Fail("is none that this heddle knows");
}

// A curve only rises, and goes on to the right.
std::vector<CoveragePoint> CurveFrom(const Field& json) {
  std::vector<CoveragePoint> curve;
  for (const Field& pair : json.List()) {
    const auto numbers = pair.get<std::vector<uint64_t>>();
    if (numbers.size() != 2) json.Fail("has something else than pairs in it");
    const CoveragePoint point = {numbers[0], numbers[1]};
    if (!curve.empty() &&
        (point.executions <= curve.back().executions || point.graphs < curve.back().graphs))
      json.Fail("does not rise");
    curve.push_back(point);
  }
  return curve;
}

void CoverageFrom(const Field& json, SearchResult& result) {
  result.happens_before = json.value("happens_before", uint64_t{0});
  const Field by_preemptions = json.at("by_preemptions");
  result.by_preemptions = by_preemptions.get<std::vector<uint64_t>>();
  if (!std::ranges::is_sorted(result.by_preemptions)) by_preemptions.Fail("does not rise");
  if (!result.by_preemptions.empty() && result.by_preemptions.back() > result.happens_before)
    by_preemptions.Fail("counts more than happens_before");
  result.all_graphs = json.value("all_graphs", false);
  if (json.contains("trace_sum"))
    result.trace_sum = std::strtoull(json.value("trace_sum", "").c_str(), nullptr, 16);
  if (json.contains("over_executions"))
    result.over_executions = CurveFrom(json.at("over_executions"));
}

Estimate EstimateFrom(const Field& json) {
  return {json.at("executions").get<double>(), json.value("low", 0.0), json.value("high", 0.0)};
}

WeakMemory WeakMemoryFrom(const Field& json) {
  WeakMemory weak_memory;
  weak_memory.holds = json.value("holds", false);
  for (const Field& pair : json.at("pairs").List())
    weak_memory.pairs.push_back({StepFrom(pair.at("first")), StepFrom(pair.at("second"))});
  if (!json.contains("search")) return weak_memory;
  const Field search = json.at("search");
  weak_memory.search = {.stop = StopOf(search.value("stop", ""))};
  VisitWeakSearch(*weak_memory.search, From(search));
  return weak_memory;
}

SearchResult ResultFrom(const Field& json) {
  SearchResult result;
  result.verdict = VerdictFrom(json.at("verdict"));
  result.complete = json.at("complete").get<bool>();
  result.guarantee = json.at("guarantee").get<std::string>();
  json.at("order").get<std::string>();
  result.reduction = "none";  // of old files, which do not name it
  VisitOrder(result, From(json));
  for (const auto& [unit, most] : json.at("bound").Members()) {
    if (const auto known = space::UnitOf(unit)) result.bound = {*known, most.get<uint32_t>()};
  }
  if (result.bound) result.bound->iterate = json.at("bound").value("iterate", false);
  json.at("executions").get<uint64_t>();
  VisitCounts(result, From(json));
  VisitMemory(result, From(json));
  CoverageFrom(json.at("coverage"), result);
  for (const auto& [label, outcome] : json.at("outcomes").Members()) {
    result.outcomes[label] = {outcome.value("count", uint64_t{0}), outcome.value("preemptions", 0u),
                              outcome.value("early_timeouts", 0u),
                              outcome.value("c11_only", false)};
  }
  for (const Field& bug : json.at("bugs").List()) result.findings.push_back(FindingFrom(bug));
  result.timeouts = "any";  // likewise
  VisitProgram(result, From(json));
  result.instrumented = json.value("instrumented", false);
  result.stop = StopOf(json.value("stop", ""));
  VisitSettings(result, From(json));
  result.jobs = json.value("jobs", std::vector<uint64_t>());
  if (json.contains("weak_memory")) result.weak_memory = WeakMemoryFrom(json.at("weak_memory"));
  if (json.contains("estimate")) result.estimate = EstimateFrom(json.at("estimate"));
  if (json.contains("advice")) {
    const Field advice = json.at("advice");
    result.advised_bound = advice.at("bound").value("preemptions", int64_t{-1});
    result.advised = EstimateFrom(advice.at("estimate"));
  }
  result.threads = json.value("threads", uint64_t{0});
  if (json.contains("saved")) {
    result.saved = json.at("saved").value("file", "");
    result.saved_executions = json.at("saved").value("executions", uint64_t{0});
  }
  result.restarts = json.value("restarts", uint64_t{0});
  result.test_case = json.value("case", "");
  if (json.contains("time")) VisitTime(result.time, From(json.at("time")));
  if (json.contains("notes")) {
    for (const Field& note : json.at("notes").List()) {
      result.notes.push_back(
          {note.value("kind", "info"), note.value("text", ""), note.value("reason", "")});
    }
  }
  return result;
}

CaseResults CasesFrom(const Field& json) {
  CaseResults results;
  VisitProgram(results, From(json));
  results.framework = json.value("framework", "");
  for (const Field& one : json.at("cases").List())
    results.cases.push_back({one.at("name").get<std::string>(), ResultFrom(one.at("result"))});
  results.not_begun = json.value("not_begun", std::vector<std::string>());
  results.elapsed_s = json.value("elapsed_s", 0.0);
  return results;
}

}  // namespace

base::Result<ResultFile> FromJson(const std::string& text, const std::string& name) {
  const std::optional<Json> json = replay::ParseJson(text);
  if (!json) {
    const bool ours = text.starts_with('{') && text.find("\"verdict\"") != std::string::npos;
    return base::Error{
        name +
        (ours ? " is damaged or cut short: it is no whole result of " : " is not a result of ") +
        "`heddle check --json`"};
  }
  if (json->is_object() && json->contains("heddle-schedule")) {
    return base::Error{name + " is a schedule, not a result: `heddle replay` shows it"};
  }
  const bool cases = json->is_object() && json->contains("cases");
  if (!json->is_object() || (!cases && !json->contains("verdict"))) {
    return base::Error{name + " is not a result of `heddle check --json`"};
  }
  try {
    if (cases) return ResultFile(CasesFrom(Field(*json)));
    return ResultFile(ResultFrom(Field(*json)));
  } catch (const replay::WrongField& wrong) {
    const Json by = json->value("heddle", Json());
    const bool another = by.is_string() && by != HEDDLE_VERSION;
    return base::Error{
        name + " is no result that this heddle can read: " + wrong.why +
        (another ? "; heddle " + by.get<std::string>() + " wrote it, this is " HEDDLE_VERSION
                 : "")};
  }
}

}  // namespace heddle::report
