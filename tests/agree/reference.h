// What a search of a random program is compared with: what its executions mean, by enumeration.
#pragma once

#include <optional>
#include <set>

#include "agree_real/races.h"
#include "enumerate.h"

namespace heddle::agree {

constexpr size_t kMostSchedules = 3000;

// What a reduction must preserve of an execution. Of one that a thread ended early, that it did,
// and after what; and if nobody else could have gone on then, all that happened.
struct Meaning {
  uint64_t graph;
  uint64_t outcome;
  trace::EndKind end;
  friend auto operator<=>(const Meaning&, const Meaning&) = default;
};

inline Meaning MeaningOf(const target::FakeTarget& target, const trace::Execution& execution) {
  const uint64_t outcome = EndsEarly(execution) ? 0 : target.OutcomeHash();
  return {GraphToEnd(execution), outcome, execution.ending.kind};
}

inline Meaning WholeMeaningOf(const target::FakeTarget& target, const trace::Execution& execution) {
  return {DependentPairs(execution), target.OutcomeHash(), execution.ending.kind};
}

// By plain enumeration: what every search that leaves nothing out has to reach.
struct Reference {
  std::set<Meaning> meanings;
  std::set<Meaning> at_rest;  // of executions at whose end nobody else could have gone on
  uint64_t schedules = 0;
  bool races = false;  // one graph may mean several things: not compared
};

// Nothing for a program with too many schedules, or with data races.
inline std::optional<Reference> Expected(target::FakeTarget& target) {
  Reference reference;
  const bool all = ForEachExecution(target, kMostSchedules, [&](const trace::Execution& execution) {
    ++reference.schedules;
    reference.meanings.insert(MeaningOf(target, execution));
    if (CameToRest(execution)) reference.at_rest.insert(WholeMeaningOf(target, execution));
    reference.races |= Races(execution).Any();
  });
  if (!all || reference.races) return std::nullopt;
  return reference;
}

}  // namespace heddle::agree
