// From a schedule that shows a bug to what the report tells of it: the schedule is run once more
// with everything recorded (runtime/record.h), and the steps that made the bug are marked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "channel/records.h"
#include "check/finding.h"
#include "target/target.h"

namespace heddle::search {

std::vector<uint32_t> OptionsOf(const trace::Execution& execution);
std::vector<plan::Deviation> Dense(const std::vector<uint32_t>& options);

struct Explanation {
  std::optional<check::Finding> finding;  // nothing: the schedule did not show it
  uint64_t identity = 0;                  // the same bug has the same in every search
  std::vector<channel::StepRecord> steps;
  std::vector<channel::BlockRecord> blocks;  // of the heap that these touch
  std::string output;         // where the program may have said why: the last of what it printed
  std::vector<std::byte> graph;  // of the execution (graph_record.h)
  bool fewer_may_do = false;  // it is not known that the schedule has the fewest preemptions
  const trace::Execution* execution = nullptr;  // until the target runs again
};

// Looks for the finding with `key`. Without one, `otherwise` is what the identity is of.
Explanation Explain(target::Target& target, const std::vector<uint32_t>& schedule,
                    const check::Finding& otherwise);

// The same for every finding of the schedule, and the program runs only once. At least one
// explanation, if only of an execution without a bug.
std::vector<Explanation> ExplainAll(target::Target& target, const std::vector<uint32_t>& schedule,
                                    plan::EndAt end_at = {});

// Where a schedule ends that shows the finding, if that is not by itself.
plan::EndAt EndOf(const check::Finding& finding);

// Stable: made of the kind and of code locations, as offsets in their modules. Independent of
// addresses and of which thread came first.
uint64_t IdentityOf(const check::Finding& finding, std::span<const channel::StepRecord> steps);

// How a finding is told.
struct Telling {
  channel::Purpose purpose = channel::Purpose::kBug;
  uint64_t execution = 0;  // the number of the one that first showed it
  bool reproduced = true;
  uint32_t number = 0;  // channel::FindingRecord
  channel::Missing missing = channel::Missing::kNothing;
  bool again = false;  // it will be written again
};

// Writes `finding`, which `told` explains, to the report; for other purposes than kBug its marked
// steps only.
void WriteFinding(const Telling& telling, const check::Finding& finding, const Explanation& told);

}  // namespace heddle::search
