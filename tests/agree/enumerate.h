// Enumeration of all schedules in the most obvious way, as the reference for every explorer: a list
// of schedule prefixes still to run, each written out in full. Shares no code with src/explore.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "base/splitmix.h"
#include "target/fake_target.h"

namespace heddle::agree {

// What is compared of an execution.
struct Seen {
  uint64_t schedule = 0;  // hash of all choices taken
  uint32_t preemptions = 0;
  uint64_t happens_before = 0;
  uint64_t graph = 0;  // the same, computed from the definition
  uint64_t outcome = 0;
  trace::EndKind end = trace::EndKind::kRunning;

  friend auto operator<=>(const Seen&, const Seen&) = default;
};

// The happens-before graph the long way: all pairs of dependent events, named by thread and
// position, summed up. Accesses to plain memory are no part of it.
inline uint64_t DependentPairs(const trace::Execution& execution) {
  std::vector<trace::Event> events;
  std::ranges::copy_if(execution.events, std::back_inserter(events), [](const trace::Event& e) {
    return e.kind != op::Kind::kPlainRead && e.kind != op::Kind::kPlainWrite;
  });
  std::vector<uint64_t> names;
  std::vector<uint32_t> positions(execution.threads);
  for (const trace::Event& e : events) {
    const uint64_t place = uint64_t{e.thread} << 32 | positions[e.thread]++;
    const uint64_t what =
        uint64_t{static_cast<uint8_t>(e.kind)} << 8 | static_cast<uint8_t>(e.access);
    names.push_back(base::Mix(base::Mix(base::Mix(place) + what) + e.object) + e.value);
  }
  auto share = [](const trace::Event& a, const trace::Event& b) {
    auto touches = [&b](uint32_t object) {
      return object != target::kNoObject && (object == b.object || object == b.aux);
    };
    return touches(a.object) || touches(a.aux);
  };
  uint64_t sum = 0;
  for (size_t j = 0; j < events.size(); ++j) {
    const trace::Event& second = events[j];
    sum += base::Mix(names[j]);
    for (size_t i = 0; i < j; ++i) {
      const trace::Event& first = events[i];
      const bool memory = first.access != op::Access::kNone && second.access != op::Access::kNone;
      const bool writes = first.access == op::Access::kWrite || second.access == op::Access::kWrite;
      if (first.thread == second.thread || (memory && writes && share(first, second))) {
        sum += base::Mix(names[i] * 3 + base::Mix(names[j]));
      }
    }
  }
  return sum;
}

inline Seen Describe(const target::FakeTarget& target, const trace::Execution& execution) {
  Seen run;
  for (const trace::Choice& choice : execution.choices) {
    run.schedule = base::Mix(run.schedule + choice.chosen + 1);
  }
  run.preemptions = execution.preemptions;
  run.happens_before = execution.happens_before;
  run.graph = DependentPairs(execution);
  run.outcome = target.OutcomeHash();
  run.end = execution.ending.kind;
  return run;
}

// Calls visit(execution) for all executions of the program in `target`, in no special order; false
// when there are more than `limit`, of which the rest is left out.
template <typename Visit>
bool ForEachExecution(target::FakeTarget& target, size_t limit, Visit visit) {
  std::vector<std::vector<plan::Deviation>> prefixes(1);
  for (size_t runs = 0; !prefixes.empty(); ++runs) {
    if (runs == limit) return false;
    const std::vector<plan::Deviation> prefix = prefixes.back();
    prefixes.pop_back();
    const trace::Execution& execution = target.Run({.deviations = prefix});
    visit(execution);
    std::vector<plan::Deviation> path = prefix;
    for (auto i = static_cast<uint32_t>(prefix.size()); i < execution.choices.size(); ++i) {
      const trace::Choice& choice = execution.choices[i];
      const bool threads = choice.kind == trace::ChoiceKind::kThread;
      const uint32_t options = threads ? execution.threads : choice.option_count;
      for (uint32_t option = 0; option < options; ++option) {
        if (option == choice.chosen || !execution.IsOpen(choice, option)) continue;
        path.push_back({i, option});
        prefixes.push_back(path);
        path.pop_back();
      }
      path.push_back({i, choice.chosen});
    }
  }
  return true;
}

// All of them, unsorted; one more than `limit` if there are more than that.
inline std::vector<Seen> Enumerate(target::FakeTarget& target, size_t limit) {
  std::vector<Seen> runs;
  ForEachExecution(target, limit + 1, [&](const trace::Execution& execution) {
    runs.push_back(Describe(target, execution));
  });
  return runs;
}

}  // namespace heddle::agree
