#include "report/json.h"

#include <nlohmann/json.hpp>

#include "replay/schedule_file.h"
#include "report/coverage_share.h"
#include "report/result_fields.h"
#include "report/time_shares.h"
#include "report/verdict.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

Json Of(const Location& location);
Json Of(const Frame& frame);
Json Of(const Step& step);
Json Of(const Block& block);
Json Of(const Loop& loop);
Json Of(const GraphEvent& event);
Json Of(const GraphEdge& edge);
Json Of(const OrderChange& change);
Json Of(const Confirmation& confirmed);
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

// Writes the fields that it is told.
auto To(Json& json) {
  return [&json](const char* name, const auto& value) { json[name] = value; };
}

Json Of(const Location& location) {
  Json json = {{"file", location.file}, {"line", location.line}, {"function", location.function}};
  if (location.column != 0) json["column"] = location.column;
  return json;
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
  VisitOptional(step, [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  });
  if (step.omitted_before != 0) json["omitted_before"] = step.omitted_before;
  if (!step.within.file.empty()) json["within"] = Of(step.within);
  if (!step.stack.empty()) json["stack"] = All(step.stack);
  return json;
}

Json Of(const Block& block) {
  Json json = {{"name", block.name},
               {"bytes", block.bytes},
               {"thread", block.thread},
               {"location", Of(block.location)},
               {"source", block.source}};
  if (!block.noun.empty()) json["noun"] = block.noun;
  return json;
}

Json Of(const Loop& loop) { return {{"thread", loop.thread}, {"locations", All(loop.locations)}}; }

Json Of(const GraphEvent& event) {
  Json json = {{"thread", event.thread}, {"text", event.text}, {"location", Of(event.location)}};
  if (!event.order.empty()) json["order"] = event.order;
  return json;
}

Json Of(const GraphEdge& edge) {
  return {{"relation", edge.relation}, {"from", edge.from}, {"to", edge.to}};
}

Json Of(const OrderChange& change) {
  return {{"order", change.order}, {"fence", change.fence}, {"location", Of(change.location)}};
}

Json Of(const Confirmation& confirmed) {
  Json json = {{"result", confirmed.result}, {"executions", confirmed.executions}};
  if (!confirmed.why.empty()) json["why"] = confirmed.why;
  return json;
}

Json Of(const WeakExecution& weak) {
  Json json = {{"sequentially_consistent", weak.sequential}, {"x86", weak.x86}};
  if (weak.sequential) return json;
  json["events"] = All(weak.events);
  json["edges"] = All(weak.edges);
  json["cycle"] = All(weak.cycle);
  Json sets = Json::array();
  for (const std::vector<OrderChange>& set : weak.forbidden_by) sets.push_back(All(set));
  json["forbidden_by"] = sets;
  json["all_tried"] = weak.all_tried;
  if (!weak.confirmed.empty()) json["confirmed"] = All(weak.confirmed);
  return json;
}

Json Of(const Finding& finding) {
  Json json;
  VisitHead(finding, To(json));
  json["locations"] = All(finding.locations);
  json["schedule"] = finding.schedule;
  if (!finding.line.empty()) json["schedule_line"] = finding.line;
  json["identity"] = finding.identity;
  json["status"] = finding.status;
  json["reproduced"] = !finding.not_reproduced;
  json["steps"] = All(finding.steps);
  json["blocks"] = All(finding.blocks);
  if (finding.kind == KindName(channel::BugKind::kDataRace)) {
    json["races"] = finding.races;
    if (!finding.also.empty()) json["also"] = finding.also;
  }
  if (finding.kind == KindName(channel::BugKind::kLivelock))
    json["livelock"] = {{"fair", finding.fair}, {"loops", All(finding.loops)}};
  if (!finding.weak.empty()) json["weak"] = Of(finding.weak.front());
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

Json BoundOf(const SearchResult& result) {
  Json bound = Json::object();
  if (result.bound) bound[std::string(space::NameOf(result.bound->unit))] = result.bound->most;
  if (result.bound && result.bound->iterate) bound["iterate"] = true;
  return bound;
}

Json OutcomesOf(const SearchResult& result) {
  Json outcomes = Json::object();
  for (const auto& [label, outcome] : result.outcomes) {
    outcomes[label] = {{"count", outcome.count},
                       {"preemptions", outcome.preemptions},
                       {"early_timeouts", outcome.early_timeouts}};
    if (outcome.weak_only) outcomes[label]["c11_only"] = true;
  }
  return outcomes;
}

Json TimeOf(const SearchResult& result) {
  Json json;
  VisitTime(result.time, To(json));
  if (const std::string remark = TimeText(result.time); !remark.empty()) json["remark"] = remark;
  return json;
}

Json Of(const WeakMemory& weak_memory) {
  Json json = {{"holds", weak_memory.holds}, {"pairs", All(weak_memory.pairs)}};
  if (!weak_memory.search) return json;
  json["search"] = {{"stop", StopName(weak_memory.search->stop)}};
  VisitWeakSearch(*weak_memory.search, To(json["search"]));
  return json;
}

Json Of(const SearchResult& result) {
  double rate =
      result.elapsed_s > 0 ? static_cast<double>(result.executions) / result.elapsed_s : 0.0;
  Json warnings = Json::array();  // again in "notes", among others
  for (const Note& note : result.notes) {
    if (note.kind == "warning") warnings.push_back(note.text);
  }
  Json json = {{"verdict", VerdictName(result.verdict)},
               {"complete", result.complete},
               {"guarantee", result.guarantee}};
  VisitOrder(result, To(json));
  json["bound"] = BoundOf(result);
  VisitCounts(result, To(json));
  json["executions_per_s"] = rate;
  VisitMemory(result, To(json));
  json["coverage"] = CoverageOf(result);
  json["outcomes"] = OutcomesOf(result);
  json["bugs"] = All(result.findings);
  VisitProgram(result, To(json));
  if (!result.test_case.empty()) json["case"] = result.test_case;
  json["instrumented"] = result.instrumented;
  json["stop"] = StopName(result.stop);
  VisitSettings(result, To(json));
  json["weak_memory"] = Of(result.weak_memory);
  json["threads"] = result.threads;
  json["restarts"] = result.restarts;
  json["notes"] = All(result.notes);
  json["warnings"] = warnings;
  if (!result.jobs.empty()) json["jobs"] = result.jobs;
  json["time"] = TimeOf(result);
  if (!result.saved.empty())
    json["saved"] = {{"file", result.saved}, {"executions", result.saved_executions}};
  if (result.estimate.executions > 0) json["estimate"] = Of(result.estimate);
  if (result.advised_bound >= 0) json["advice"] = AdviceOf(result);
  return json;
}

std::string TextOf(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
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

}  // namespace heddle::report
