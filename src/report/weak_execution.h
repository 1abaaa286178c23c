// What the graph of an execution under tso or c11 teaches (src/explain), in words: of its steps,
// which did not see the newest value; of all of it, why it is not sequentially consistent, whether
// x86 can do it, and which orders or fences would forbid it.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "explain/recorded.h"
#include "report/finding_context.h"
#include "report/search_result.h"

namespace heddle::report {

class WeakTeller {
 public:
  // The finding may have no graph: then there is nothing to tell.
  explicit WeakTeller(const FindingContext& in);

  // "stale: T1 has stored 1 at mp.cpp:6; nothing orders that store before this load". Of the step
  // with that index; else empty.
  std::string Remark(size_t step) const;

  // One, or none.
  std::vector<WeakExecution> Tell();

  // The steps of the cycle that Tell() has told, by index.
  const std::set<size_t>& StepsOfCycle() const { return of_cycle_; }

 private:
  void FindSteps();
  void SetPlaces(const std::vector<bool>& on_cycles);
  bool HasStep(explain::EventId event) const;
  std::string WriteInWords(explain::EventId write) const;
  GraphEvent EventInWords(explain::EventId event) const;
  void Draw(const std::vector<bool>& on_cycles, const std::vector<explain::EventId>& cycle,
            WeakExecution& told);
  OrderChange ChangeInWords(const explain::Change& change) const;

  static constexpr size_t kNoStep = ~size_t{0};

  const FindingContext& in_;
  explain::Recorded execution_;
  std::vector<size_t> step_of_;            // by event: index of the step
  std::map<size_t, std::string> remarks_;  // by index of the step
  std::set<size_t> of_cycle_;
  std::vector<Location> places_;              // by explain::Place
  std::map<explain::EventId, size_t> drawn_;  // by event: index in WeakExecution::events
};

}  // namespace heddle::report
