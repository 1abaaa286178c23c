#include "report/json.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "channel/records.h"
#include "replay/json_fields.h"
#include "replay/schedule_file.h"
#include "report/coverage_share.h"
#include "report/verdict.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;
using replay::Field;

struct Mark {
  uint32_t flag;
  const char* name;
};
constexpr Mark kMarks[] = {
    {channel::kStepPreempts, "preempts"},
    {channel::kStepRaceFirst, "race-first"},
    {channel::kStepRaceSecond, "race-second"},
    {channel::kStepBlocked, "blocked"},
    {channel::kStepEnding, "ending"},
    {channel::kStepFailed, "failed"},
    {channel::kStepTimedOut, "timed-out"},
    {channel::kStepLeft, "left"},
    {channel::kStepMade, "made"},
    {channel::kStepEarly, "early"},
    {channel::kStepReadFrom, "read-from"},
};

// ---- writing ----

Json Of(const Location& location);
Json Of(const Frame& frame);
Json Of(const Step& step);
Json Of(const Block& block);
Json Of(const Loop& loop);
Json Of(const Finding& finding);
Json Of(const Note& note);
Json Of(const WeakPair& pair);
Json Of(const CoveragePoint& point);

template <typename T>
Json All(const std::vector<T>& items) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(Of(item));
  return array;
}

Json Of(const Location& location) {
  return {{"file", location.file}, {"line", location.line}, {"function", location.function}};
}

Json Of(const Frame& frame) {
  Json json = Of(frame.location);
  json["module"] = frame.module;
  json["library"] = frame.library;
  return json;
}

Json Of(const Step& step) {
  Json json = {{"thread", step.thread},
               {"operation", step.operation},
               {"text", step.text},
               {"location", Of(step.location)},
               {"source", step.source}};
  Json marks = Json::array();
  for (const Mark& mark : kMarks) {
    if ((step.flags & mark.flag) != 0) marks.push_back(mark.name);
  }
  json["marks"] = marks;
  if (!step.object.empty()) json["object"] = step.object;
  if (!step.owner.empty()) json["owner"] = step.owner;
  if (!step.read.empty()) json["read"] = step.read;
  if (!step.written.empty()) json["written"] = step.written;
  if (!step.expected.empty()) json["expected"] = step.expected;
  if (!step.remark.empty()) json["remark"] = step.remark;
  if (step.omitted_before != 0) json["omitted_before"] = step.omitted_before;
  if (!step.within.file.empty()) json["within"] = Of(step.within);
  if (!step.stack.empty()) json["stack"] = All(step.stack);
  return json;
}

Json Of(const Block& block) {
  return {{"name", block.name},
          {"bytes", block.bytes},
          {"thread", block.thread},
          {"location", Of(block.location)},
          {"source", block.source}};
}

Json Of(const Loop& loop) { return {{"thread", loop.thread}, {"locations", All(loop.locations)}}; }

Json Of(const Finding& finding) {
  Json json = {{"kind", finding.kind},
               {"message", finding.message},
               {"thread", finding.thread},
               {"preemptions", finding.preemptions},
               {"early_timeouts", finding.early_timeouts},
               {"fewer_may_do", finding.fewer_may_do},
               {"execution", finding.execution},
               {"found_by", finding.found_by},
               {"locations", All(finding.locations)},
               {"schedule", finding.schedule},
               {"identity", finding.identity},
               {"status", finding.status},
               {"reproduced", !finding.not_reproduced},
               {"steps", All(finding.steps)},
               {"blocks", All(finding.blocks)}};
  if (finding.kind == KindName(channel::BugKind::kDataRace)) {
    json["races"] = finding.races;
    if (!finding.also.empty()) json["also"] = finding.also;
  }
  if (finding.kind == KindName(channel::BugKind::kLivelock))
    json["livelock"] = {{"fair", finding.fair}, {"loops", All(finding.loops)}};
  if (!finding.other.empty()) json["other"] = Of(finding.other.front());
  if (!finding.output.empty()) json["output"] = finding.output;
  if (!finding.cut_short.empty()) json["cut_short"] = finding.cut_short;
  json["certain"] = finding.may_be_ordered_by.empty();
  if (!finding.may_be_ordered_by.empty()) json["may_be_ordered_by"] = finding.may_be_ordered_by;
  return json;
}

Json Of(const Note& note) {
  Json json = {{"kind", note.kind}, {"text", note.text}};
  if (!note.reason.empty()) json["reason"] = note.reason;
  return json;
}

// [executions, graphs]
Json Of(const CoveragePoint& point) { return Json::array({point.executions, point.graphs}); }

Json CoverageOf(const SearchResult& result) {
  Json json = {{"happens_before", result.happens_before},
               {"by_preemptions", result.by_preemptions},
               {"all_graphs", result.all_graphs},
               {"share_by_preemptions", ShareByPreemptions(result)},
               {"over_executions", All(result.over_executions)}};
  if (result.trace_sum) json["trace_sum"] = replay::Hex16(*result.trace_sum);
  return json;
}

Json Of(const WeakPair& pair) { return {{"first", Of(pair.first)}, {"second", Of(pair.second)}}; }

Json Of(const Estimate& estimate) {
  return {{"executions", estimate.executions}, {"low", estimate.low}, {"high", estimate.high}};
}

Json AdviceOf(const SearchResult& result) {
  return {{"bound", {{"preemptions", result.advised_bound}}}, {"estimate", Of(result.advised)}};
}

Json Of(const SearchResult& result) {
  Json bound = Json::object();
  if (result.bound) bound[std::string(space::NameOf(result.bound->unit))] = result.bound->most;
  if (result.bound && result.bound->iterate) bound["iterate"] = true;
  Json outcomes = Json::object();
  for (const auto& [label, outcome] : result.outcomes) {
    outcomes[label] = {{"count", outcome.count},
                       {"preemptions", outcome.preemptions},
                       {"early_timeouts", outcome.early_timeouts}};
  }
  double rate =
      result.elapsed_s > 0 ? static_cast<double>(result.executions) / result.elapsed_s : 0.0;
  Json warnings = Json::array();  // again in "notes", among others
  for (const Note& note : result.notes) {
    if (note.kind == "warning") warnings.push_back(note.text);
  }
  Json json = {
      {"verdict", VerdictName(result.verdict)},
      {"complete", result.complete},
      {"guarantee", result.guarantee},
      {"preset", result.preset},
      {"order", result.order},
      {"priority", result.priority},
      {"reduction", result.reduction},
      {"bound", bound},
      {"executions", result.executions},
      {"redundant", result.redundant},
      {"assumed_away", result.assumed_away},
      {"cut", result.cut},
      {"hooks", result.hooks},
      {"events", result.events},
      {"elapsed_s", result.elapsed_s},
      {"executions_per_s", rate},
      {"peak_memory_bytes", result.peak_memory_bytes},
      {"peak_nodes", result.peak_nodes},
      {"steps_skipped", result.steps_skipped},
      {"coverage", CoverageOf(result)},
      {"outcomes", outcomes},
      {"bugs", All(result.findings)},
      {"heddle", result.heddle_version},
      {"program", result.program},
      {"args", result.arguments},
      {"instrumented", result.instrumented},
      {"stop", result.stop},
      {"visited", result.visited},
      {"states", result.states},
      {"state_bytes", result.state_bytes},
      {"exact", result.exact},
      {"collisions", result.collisions},
      {"states_by_bound", result.states_by_bound},
      {"rewind", result.rewind},
      {"points", result.points},
      {"timeouts", result.timeouts},
      {"time_limits", result.time_limits},
      {"release_sequences", result.release_sequences},
      {"seed", result.seed},
      {"depth", result.depth},
      {"most_choices", result.most_choices},
      {"completed_bound", result.completed_bound},
      {"races_checked", result.races_checked},
      {"suppressed", result.suppressed},
      {"weak_memory",
       {{"holds", result.weak_memory.holds}, {"pairs", All(result.weak_memory.pairs)}}},
      {"threads", result.threads},
      {"restarts", result.restarts},
      {"notes", All(result.notes)},
      {"warnings", warnings},
  };
  if (!result.jobs.empty()) json["jobs"] = result.jobs;
  if (!result.saved.empty())
    json["saved"] = {{"file", result.saved}, {"executions", result.saved_executions}};
  if (result.estimate.executions > 0) json["estimate"] = Of(result.estimate);
  if (result.advised_bound >= 0) json["advice"] = AdviceOf(result);
  return json;
}

// ---- reading ----

Location LocationFrom(const Field& json) {
  return {json.value("file", ""), json.value("line", 0u), json.value("function", "")};
}

Frame FrameFrom(const Field& json) {
  return {LocationFrom(json), json.value("module", ""), json.value("library", false), 0};
}

Step StepFrom(const Field& json) {
  Step step;
  step.thread = json.at("thread").get<std::string>();
  step.operation = json.value("operation", "");
  step.text = json.value("text", "");
  step.object = json.value("object", "");
  step.owner = json.value("owner", "");
  step.read = json.value("read", "");
  step.written = json.value("written", "");
  step.expected = json.value("expected", "");
  step.remark = json.value("remark", "");
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
  return {json.value("name", ""), json.value("bytes", uint64_t{0}), json.value("thread", ""),
          LocationFrom(json.at("location")), json.value("source", "")};
}

Finding FindingFrom(const Field& json) {
  Finding finding;
  finding.kind = json.at("kind").get<std::string>();
  finding.message = json.at("message").get<std::string>();
  finding.thread = json.value("thread", "");
  finding.preemptions = json.value("preemptions", 0u);
  finding.early_timeouts = json.value("early_timeouts", 0u);
  finding.fewer_may_do = json.value("fewer_may_do", false);
  finding.execution = json.value("execution", uint64_t{0});
  finding.found_by = json.value("found_by", "");
  finding.output = json.value("output", "");
  finding.schedule = json.value("schedule", "");
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

SearchResult ResultFrom(const Field& json) {
  SearchResult result;
  result.verdict = VerdictFrom(json.at("verdict"));
  result.complete = json.at("complete").get<bool>();
  result.guarantee = json.at("guarantee").get<std::string>();
  result.preset = json.value("preset", "");
  result.order = json.at("order").get<std::string>();
  result.priority = json.value("priority", "");
  result.reduction = json.value("reduction", "none");
  for (const auto& [unit, most] : json.at("bound").Members()) {
    if (const auto known = space::UnitOf(unit)) result.bound = {*known, most.get<uint32_t>()};
  }
  if (result.bound) result.bound->iterate = json.at("bound").value("iterate", false);
  result.executions = json.at("executions").get<uint64_t>();
  result.redundant = json.value("redundant", uint64_t{0});
  result.assumed_away = json.value("assumed_away", uint64_t{0});
  result.cut = json.value("cut", uint64_t{0});
  result.hooks = json.value("hooks", uint64_t{0});
  result.events = json.value("events", uint64_t{0});
  result.elapsed_s = json.value("elapsed_s", 0.0);
  result.peak_memory_bytes = json.value("peak_memory_bytes", uint64_t{0});
  result.peak_nodes = json.value("peak_nodes", uint64_t{0});
  result.steps_skipped = json.value("steps_skipped", uint64_t{0});
  CoverageFrom(json.at("coverage"), result);
  for (const auto& [label, outcome] : json.at("outcomes").Members()) {
    result.outcomes[label] = {outcome.value("count", uint64_t{0}), outcome.value("preemptions", 0u),
                              outcome.value("early_timeouts", 0u)};
  }
  for (const Field& bug : json.at("bugs").List()) result.findings.push_back(FindingFrom(bug));

  result.heddle_version = json.value("heddle", "");
  result.program = json.value("program", "");
  result.arguments = json.value("args", std::vector<std::string>());
  result.instrumented = json.value("instrumented", false);
  result.stop = json.value("stop", "");
  result.visited = json.value("visited", "");
  result.states = json.value("states", uint64_t{0});
  result.state_bytes = json.value("state_bytes", uint64_t{0});
  result.exact = json.value("exact", false);
  result.collisions = json.value("collisions", uint64_t{0});
  result.states_by_bound = json.value("states_by_bound", std::vector<uint64_t>());
  result.rewind = json.value("rewind", "");
  result.points = json.value("points", "");
  result.timeouts = json.value("timeouts", "any");
  result.time_limits = json.value("time_limits", false);
  result.release_sequences = json.value("release_sequences", "");
  result.seed = json.value("seed", uint64_t{0});
  result.depth = json.value("depth", 0u);
  result.most_choices = json.value("most_choices", uint64_t{0});
  result.completed_bound = json.value("completed_bound", int64_t{-1});
  result.races_checked = json.value("races_checked", true);
  result.suppressed = json.value("suppressed", uint64_t{0});
  result.jobs = json.value("jobs", std::vector<uint64_t>());
  if (json.contains("weak_memory")) {
    const Field weak = json.at("weak_memory");
    result.weak_memory.holds = weak.value("holds", false);
    for (const Field& pair : weak.at("pairs").List())
      result.weak_memory.pairs.push_back({StepFrom(pair.at("first")), StepFrom(pair.at("second"))});
  }
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
  if (json.contains("notes")) {
    for (const Field& note : json.at("notes").List()) {
      result.notes.push_back(
          {note.value("kind", "info"), note.value("text", ""), note.value("reason", "")});
    }
  }
  return result;
}

}  // namespace

namespace {

std::string TextOf(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

CaseResults CasesFrom(const Field& json) {
  CaseResults results;
  results.heddle_version = json.value("heddle", "");
  results.program = json.value("program", "");
  results.arguments = json.value("args", std::vector<std::string>());
  results.framework = json.value("framework", "");
  for (const Field& one : json.at("cases").List())
    results.cases.push_back({one.at("name").get<std::string>(), ResultFrom(one.at("result"))});
  results.not_begun = json.value("not_begun", std::vector<std::string>());
  results.elapsed_s = json.value("elapsed_s", 0.0);
  return results;
}

}  // namespace

std::string ToJson(const SearchResult& result) { return TextOf(Of(result)); }

std::string ToJson(const CaseResults& results) {
  Json cases = Json::array();
  for (const auto& [name, result] : results.cases)
    cases.push_back({{"name", name}, {"result", Of(result)}});
  const CaseTotals totals = TotalsOf(results);
  return TextOf({{"cases", cases},
                 {"totals",
                  {{"cases", results.cases.size()},
                   {"clean", totals.clean},
                   {"bug", totals.bug},
                   {"incomplete", totals.incomplete},
                   {"uncontrolled", totals.uncontrolled},
                   {"bugs", totals.findings},
                   {"executions", totals.executions}}},
                 {"not_begun", results.not_begun},
                 {"heddle", results.heddle_version},
                 {"program", results.program},
                 {"args", results.arguments},
                 {"framework", results.framework},
                 {"elapsed_s", results.elapsed_s}});
}

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
