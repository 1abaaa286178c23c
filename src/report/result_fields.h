// The fields that a result and its JSON have alike, by name and in the order of the file: json.cpp
// writes what is listed here, json_read.cpp reads it.
#pragma once

#include "channel/records.h"
#include "report/search_result.h"

namespace heddle::report {

struct Mark {
  uint32_t flag;
  const char* name;
};
inline constexpr Mark kMarks[] = {
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
    {channel::kStepCompared, "compared"},
    {kAsideNoInfluence, "no-influence"},
    {kAsideSharedPtr, "shared-ptr"},
    {kAsideCallOnce, "call-once"},
    {kAsideFuture, "future"},
};

// Of a step; only what is not empty is written.
template <typename Step, typename Visit>
void VisitOptional(Step& step, Visit visit) {
  visit("object", step.object);
  visit("owner", step.owner);
  visit("read", step.read);
  visit("written", step.written);
  visit("expected", step.expected);
  visit("remark", step.remark);
  visit("order", step.order);
}

template <typename Finding, typename Visit>
void VisitHead(Finding& finding, Visit visit) {
  visit("kind", finding.kind);
  visit("message", finding.message);
  visit("thread", finding.thread);
  visit("preemptions", finding.preemptions);
  visit("early_timeouts", finding.early_timeouts);
  visit("fewer_may_do", finding.fewer_may_do);
  visit("execution", finding.execution);
  visit("found_by", finding.found_by);
}

template <typename Result, typename Visit>
void VisitOrder(Result& result, Visit visit) {
  visit("preset", result.preset);
  visit("order", result.order);
  visit("priority", result.priority);
  visit("reduction", result.reduction);
}

template <typename Result, typename Visit>
void VisitCounts(Result& result, Visit visit) {
  visit("executions", result.executions);
  visit("redundant", result.redundant);
  visit("assumed_away", result.assumed_away);
  visit("cut", result.cut);
  visit("hooks", result.hooks);
  visit("events", result.events);
  visit("elapsed_s", result.elapsed_s);
}

template <typename Time, typename Visit>
void VisitTime(Time& time, Visit visit) {
  visit("executions", time.executions);
  visit("ns", time.ns);
  visit("restoring_ns", time.restoring_ns);
  visit("before_threads_ns", time.before_threads_ns);
}

template <typename Result, typename Visit>
void VisitMemory(Result& result, Visit visit) {
  visit("peak_memory_bytes", result.peak_memory_bytes);
  visit("peak_nodes", result.peak_nodes);
  visit("steps_skipped", result.steps_skipped);
}

template <typename Search, typename Visit>
void VisitWeakSearch(Search& search, Visit visit) {
  visit("sc_complete", search.sc_complete);
  visit("complete", search.complete);
  visit("executions", search.executions);
  visit("assumed_away", search.assumed_away);
  visit("cut", search.cut);
  visit("events", search.events);
  visit("elapsed_s", search.elapsed_s);
}

// Of the results of the cases of a test program, too.
template <typename Result, typename Visit>
void VisitProgram(Result& result, Visit visit) {
  visit("heddle", result.heddle_version);
  visit("program", result.program);
  visit("args", result.arguments);
}

template <typename Result, typename Visit>
void VisitSettings(Result& result, Visit visit) {
  visit("visited", result.visited);
  visit("states", result.states);
  visit("state_bytes", result.state_bytes);
  visit("exact", result.exact);
  visit("collisions", result.collisions);
  visit("states_by_bound", result.states_by_bound);
  visit("rewind", result.rewind);
  visit("points", result.points);
  visit("timeouts", result.timeouts);
  visit("time_limits", result.time_limits);
  visit("memory_model", result.memory_model);
  visit("release_sequences", result.release_sequences);
  visit("seed", result.seed);
  visit("depth", result.depth);
  visit("most_choices", result.most_choices);
  visit("completed_bound", result.completed_bound);
  visit("races_checked", result.races_checked);
  visit("suppressed", result.suppressed);
}

}  // namespace heddle::report
