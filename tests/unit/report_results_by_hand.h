// Small results for the tests of the report's formats.
#pragma once

#include <string>
#include <vector>

#include "channel/records.h"
#include "report/named_result.h"

namespace heddle::report {

inline Step StepByHand(const std::string& thread, const std::string& text, uint32_t line,
                       uint32_t flags = 0) {
  Step step;
  step.thread = thread;
  step.operation = "PlainWrite";
  step.text = text;
  step.object = "count";
  step.location = {"/src/app/count.cpp", line, "Work"};
  step.flags = flags;
  return step;
}

// A race between T1 (line 8) and T2 (line 9), which preempts it.
inline Finding RaceByHand() {
  Finding finding;
  finding.kind = "data-race";
  finding.identity = "1a2b3c4d5e6f7788";
  finding.message = "count: T1 writes and T2 writes";
  finding.thread = "T2";
  finding.preemptions = 1;
  finding.execution = 7;
  finding.schedule = "heddle-out/data-race-1a2b3c4d.heddle";
  finding.steps = {
      StepByHand("main", "creates thread T1", 20),
      StepByHand("T1", "writes count", 8, channel::kStepRaceFirst),
      StepByHand("T2", "writes count", 9, channel::kStepRaceSecond | channel::kStepPreempts)};
  finding.steps[1].stack = {{{"/src/app/count.cpp", 8, "Work"}, "/src/app/count", false},
                            {{"", 0, "start_thread"}, "/lib/libc.so.6", true}};
  finding.locations = {finding.steps[1].location, finding.steps[2].location};
  return finding;
}

inline NamedResult ResultByHand(Verdict verdict, std::vector<Finding> findings = {}) {
  SearchResult result;
  result.heddle_version = "0.1.0";
  result.program = "/src/app/count";
  result.arguments = {"--fast"};
  result.verdict = verdict;
  result.complete = verdict == Verdict::kClean;
  result.guarantee = "what is proved";
  result.stop = channel::Stop::kExhausted;
  result.order = "depth-first";
  result.reduction = "optimal";
  result.executions = 12;
  result.elapsed_s = 1.5;
  result.findings = std::move(findings);
  return {"count.json", result, ""};
}

// What programs put into names and messages: an end of a script and of an XML section, quotes, a
// terminal's escape, a zero, bytes that are not UTF-8, an override of direction, and text that is
// fine.
inline std::string Hostile() {
  return std::string("</script><!--]]>&\"'<b>\x1b[31m\x7f") + '\0' +
         "\xff\xc0\x80 \xe2\x80\xae Gr\xc3\xbc\xc3\x9f" + "e \xf0\x9f\xa7\xb5";
}

inline Finding HostileFinding() {
  Finding finding = RaceByHand();
  finding.kind = "kind " + Hostile();
  finding.identity = finding.message = finding.thread = finding.schedule = Hostile();
  finding.may_be_ordered_by = Hostile();
  for (Step& step : finding.steps) {
    step.thread = step.thread + Hostile();
    step.text = step.object = step.owner = step.source = Hostile();
    step.location.file = "/src/app/dir with spaces/" + Hostile();
    step.location.function = std::string(2000, 'x') + Hostile();
  }
  finding.steps[1].stack[0].location.function = Hostile();
  finding.steps[1].stack[0].module = Hostile();
  finding.locations = {finding.steps[1].location};
  return finding;
}

inline NamedResult HostileResult() {
  NamedResult named = ResultByHand(Verdict::kBug, {HostileFinding()});
  named.name = named.result.program = named.result.guarantee = Hostile();
  named.result.arguments = {Hostile()};
  named.result.order = Hostile();
  named.result.heddle_version = Hostile();
  named.result.outcomes[Hostile()] = {1, 0, 0};
  named.result.notes = {{"warning", Hostile()}, {Hostile(), Hostile()}};
  named.result.weak_memory.pairs = {{HostileFinding().steps[0], HostileFinding().steps[1]}};
  return named;
}

// `count` steps by `threads` threads; nothing is marked but a race at the end.
inline Finding LongFinding(size_t count, size_t threads) {
  Finding finding = RaceByHand();
  finding.steps.clear();
  for (size_t i = 0; i < count; ++i) {
    finding.steps.push_back(StepByHand("T" + std::to_string(i % threads), "writes count",
                                       static_cast<uint32_t>(1 + i % 50)));
    finding.steps.back().location.function = std::string(2000, 'f');
  }
  finding.steps[count - 2].flags = channel::kStepRaceFirst;
  finding.steps[count - 1].flags = channel::kStepRaceSecond;
  return finding;
}

}  // namespace heddle::report
