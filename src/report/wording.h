// The words of the report: numbers, kinds of bugs, what a step does. One place, so that the text,
// the JSON and the progress line say the same.
#pragma once

#include <cstdint>
#include <string>

#include "channel/progress.h"
#include "channel/records.h"
#include "op/operation.h"
#include "report/search_result.h"

namespace heddle::report {

std::string Grouped(uint64_t number);  // 8,458

// "1 preemption", "2 preemptions"
std::string Counted(uint64_t number, const std::string& noun);
std::string StaleAccesses(uint64_t number);  // "1 stale access"

// What a schedule costs: "2 preemptions", "0 preemptions, 1 early timeout".
std::string Cost(uint32_t preemptions, uint32_t early_timeouts);
// What an outcome needs.
std::string CostOf(const Label& outcome);

const char* KindName(channel::BugKind kind);     // "data-race", as in the JSON
const char* KindTitle(const std::string& kind);  // "data race", as a heading; `kind` as in the JSON

// A finding in one line that says its kind once, whether its message says it or not: {"data race",
// " on x: T1 writes"}, {"deadlock", ": T1 waits for mutex m"}, {"assertion", " `x' failed"}.
struct Headline {
  std::string kind;
  std::string rest;
};
Headline HeadlineOf(const Finding& finding);
// The whole line, as a sentence of its own: "Data race on x: T1 writes".
std::string Headlined(const Finding& finding);
std::string Capitalised(std::string text);

// What stands before a note: "not a proof", "warning", "note".
std::string NoteHead(const Note& note);

// How many happens-before graphs there are, and how many of them few preemptions reach, also
// in per cent if these are all that the program has. Empty if they were not counted.
std::string GraphsText(const SearchResult& result);
// How many states --visited states has visited, and how many of them within each bound; empty:
// none.
std::string StatesText(const SearchResult& result);

// What an operation's object is, and the letter by which unnamed ones are numbered: {"mutex", 'M'}.
struct ObjectKind {
  const char* noun;
  char letter;
};
// ENSURES: noun is nullptr when the operation has no object that a report would name.
ObjectKind ObjectKindOf(op::Kind kind);

// The sentence for a step: op.def's text with the object's name put in. `name` is the name without
// its noun
// ("M1", "accounts[3].lock") and may be empty.
std::string StepText(op::Kind kind, const std::string& name, const std::string& other_thread);

// "the same race from 3 pairs of instructions", or nothing.
std::string RacesText(const Finding& finding);

Estimate EstimateOf(const channel::Estimate& estimate);
// "7e10 (5e10 to 1e11)", "40,000 (39,000 to 42,000)"; empty: no idea.
std::string EstimateText(const Estimate& estimate);
// "3.0 days", "75 minutes", "less than a minute"
std::string DurationText(double seconds);
// What is left of the search at the rate so far; 0: not known.
double SecondsLeft(double executions_in_all, double executions, double elapsed_s);
double SecondsLeft(const SearchResult& result);
// "about 7e10 (5e10 to 1e11) executions in all, 8.1 days left: try --bound preemptions=2, about
// 40,000"; or nothing.
std::string AdviceText(const SearchResult& result);

// Of a finding that its own schedule does not show.
inline constexpr const char* kNotReproduced =
    "its schedule did not show it again: the program depends on something that heddle does not "
    "control";

// Of a race that a library may rule out: "likely: libz.so was ...".
std::string LikelyText(const Finding& finding);

// That the search ended before all was found out about it, or nothing.
std::string CutShortText(const Finding& finding);

// The step that ended an execution with a bug of this kind, which is no operation: "fails the
// assertion".
const char* EndingText(channel::BugKind kind);

std::string PlaceText(const Location& place);  // "queue.cpp:12"

// What an access read and wrote, in words; what is not known is empty.
struct AccessValues {
  std::string read, written, expected;
};
// `text` with it: "loads head: Node#1", "compare-exchanges head: 1 -> 2".
std::string WithValues(std::string text, op::Kind kind, bool failed, const AccessValues& values);

// Step::operation of what frees a block.
inline constexpr const char* kFree = "Free";
// It is what the finding is about: memory that it freed was accessed after it, or may have been.
bool IsMarkedFree(const Step& step);

// What the step does, and what is worth saying of it: "swaps x: 1 -> 2 (ABA: was 3 in between)".
std::string TextAndRemark(const Step& step);

// "loads data: 0, relaxed": with the order that it has. Of seq_cst, what stands where nothing is
// said, only if `all`.
std::string TextAndOrder(const Step& step, bool all);

// "release"; empty: none, as it is no atomic access or fence.
std::string OrderName(op::Kind kind, int order);

std::string ValueText(uint64_t value, unsigned size);

}  // namespace heddle::report
