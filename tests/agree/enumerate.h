// Enumeration of all schedules in the most obvious way, as the reference for every explorer: a list
// of schedule prefixes still to run, each written out in full. Shares no code with src/explore.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "base/hash.h"
#include "target/fake_target.h"

namespace heddle::agree {

// What is compared of an execution.
struct Seen {
  uint64_t schedule = 0;     // hash of all choices taken
  uint32_t preemptions = 0;  // and early timeouts
  uint32_t early_timeouts = 0;
  uint32_t delays = 0;
  uint32_t depth = 0;  // choices of threads up to the last that is not the default
  uint64_t happens_before = 0;
  uint64_t graph = 0;  // the same, computed from the definition
  uint64_t outcome = 0;
  trace::EndKind end = trace::EndKind::kRunning;

  friend auto operator<=>(const Seen&, const Seen&) = default;
};

// An event, and all objects that it accesses.
struct Node {
  trace::Event event;
  std::vector<uint32_t> objects;
};

inline std::vector<Node> NodesOf(const trace::Execution& execution) {
  std::vector<Node> nodes;
  for (const trace::Event& e : execution.events) {
    nodes.push_back({e, {}});
    if (e.object != target::kNoObject) nodes.back().objects.push_back(e.object);
  }
  for (const trace::Touch& touch : execution.touches) {
    nodes[touch.event].objects.push_back(touch.object);
  }
  return nodes;
}

// Are two events of one execution dependent? From the definition.
inline bool Depend(const Node& a, const Node& b) {
  const trace::Event& first = a.event;
  const trace::Event& second = b.event;
  if (first.thread == second.thread) return true;
  if (first.access == op::Access::kNone || second.access == op::Access::kNone) return false;
  if (first.access == second.access && first.access != op::Access::kWrite) return false;
  const auto touched = [&](uint32_t object) { return std::ranges::count(b.objects, object) != 0; };
  return std::ranges::any_of(a.objects, touched);
}

// The happens-before graph the long way: all pairs of dependent events, named by thread and
// position, summed up. Accesses to plain memory are no part of it.
inline uint64_t DependentPairs(const std::vector<Node>& all, uint32_t threads) {
  std::vector<Node> nodes;
  std::ranges::copy_if(all, std::back_inserter(nodes), [](const Node& node) {
    const op::Kind kind = node.event.kind;
    return kind != op::Kind::kPlainRead && kind != op::Kind::kPlainWrite;
  });
  std::vector<uint64_t> names;
  std::vector<uint32_t> positions(threads);
  for (const auto& [e, objects] : nodes) {
    const uint64_t place = uint64_t{e.thread} << 32 | positions[e.thread]++;
    const uint64_t what =
        uint64_t{static_cast<uint8_t>(e.kind)} << 8 | static_cast<uint8_t>(e.access);
    names.push_back(base::Mix(base::Mix(base::Mix(place) + what) + e.object) + e.value);
  }
  uint64_t sum = 0;
  for (size_t j = 0; j < nodes.size(); ++j) {
    sum += base::Mix(names[j]);
    for (size_t i = 0; i < j; ++i) {
      if (Depend(nodes[i], nodes[j])) {
        sum += base::Mix(names[i] * 3 + base::Mix(names[j]));
      }
    }
  }
  return sum;
}

inline uint64_t DependentPairs(const trace::Execution& execution) {
  return DependentPairs(NodesOf(execution), execution.threads);
}

// Did a thread end the execution that others may have gone on without?
inline bool EndsEarly(const trace::Execution& execution) {
  const trace::EndKind kind = execution.ending.kind;
  const bool exits =
      !execution.events.empty() && execution.events.back().kind == op::Kind::kProgramExit;
  return exits || (kind != trace::EndKind::kExit && kind != trace::EndKind::kDeadlock);
}

// The graph of what happened before the end: of all of a whole execution; of one that a thread
// ended early, of the events that its last one depends on. What others did meanwhile is no part of
// it: no reduction need tell such executions apart.
inline uint64_t GraphToEnd(const trace::Execution& execution) {
  if (!EndsEarly(execution)) return DependentPairs(execution);
  const std::vector<Node> nodes = NodesOf(execution);
  std::vector<Node> past;  // backwards
  for (size_t i = nodes.size(); i-- > 0;) {
    const bool last = past.empty() && nodes[i].event.thread == execution.ending.thread;
    const auto depends = [&](const Node& later) { return Depend(nodes[i], later); };
    if (last || std::ranges::any_of(past, depends)) past.push_back(nodes[i]);
  }
  std::ranges::reverse(past);
  return base::Mix(DependentPairs(past, execution.threads) +
                   static_cast<uint64_t>(execution.ending.kind));
}

// Could nobody have gone on but to end the program, too? Then the graph of the whole execution is
// one that every reduction must reach, also if a thread ended it.
inline bool CameToRest(const trace::Execution& execution) {
  if (!EndsEarly(execution)) return true;
  if (execution.events.back().kind != op::Kind::kProgramExit) return false;
  if (execution.choices.empty()) return true;
  const trace::Choice& choice = execution.choices.back();
  if (choice.event + 1 != execution.events.size()) return true;  // nobody else was open
  for (op::ThreadId id = 0; id < execution.threads; ++id) {
    const bool ends = execution.pending[id].kind == op::Kind::kProgramExit;
    if (execution.IsOpen(choice, id) && !ends) return false;
  }
  return true;
}

// How many threads come before the chosen one, if all that are open stand in a ring in the order of
// their numbers, and are asked from the default on: Emmi, Qadeer, Rakamaric, POPL'11.
inline uint32_t PassedOver(const trace::Execution& execution, const trace::Choice& choice) {
  if (choice.kind != trace::ChoiceKind::kThread) return 0;
  std::vector<op::ThreadId> ring;
  execution.Open(choice).ForEach([&](op::ThreadId thread) { ring.push_back(thread); });
  std::rotate(ring.begin(), std::ranges::find(ring, choice.fallback), ring.end());
  return static_cast<uint32_t>(std::ranges::find(ring, choice.chosen) - ring.begin());
}

inline Seen Describe(const target::FakeTarget& target, const trace::Execution& execution) {
  Seen run;
  for (const trace::Choice& choice : execution.choices) {
    run.schedule = base::Mix(run.schedule + choice.chosen + 1);
  }
  run.preemptions = execution.Cost();
  run.early_timeouts = execution.early_timeouts;
  for (const trace::Choice& choice : execution.choices) run.delays += PassedOver(execution, choice);
  uint32_t choices_of_threads = 0;
  for (const trace::Choice& choice : execution.choices) {
    if (choice.kind != trace::ChoiceKind::kThread) continue;
    ++choices_of_threads;
    if (choice.chosen != choice.fallback) run.depth = choices_of_threads;
  }
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
