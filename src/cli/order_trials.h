// Searches of a program in which atomic operations run with other memory orders than they say, or
// with fences before them.
//
// An operation is what a line of the source says (report::AtomicOperation). Where its code lies,
// and in how many copies, is found out by searching: the program's process tells each one that it
// comes to. So a search that comes to a copy which did not run as asked is made again, with that
// one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "channel/orders.h"
#include "cli/piece_files.h"
#include "cli/search_options.h"
#include "cli/search_run.h"
#include "report/atomic_places.h"
#include "report/search_result.h"
#include "report/symbolize.h"

namespace heddle::cli {

// How an operation is to run. Orders are numbers of the compiler's.
struct RunOrders {
  int order, failure;
  int fence_before = __ATOMIC_RELAXED;  // none

  bool operator==(const RunOrders&) const = default;
};

// Nothing: as it says.
using OrdersRule = std::function<std::optional<RunOrders>(const report::AtomicOperation&)>;

class OrderTrials {
 public:
  // `options` and `subject` are those of the search of the program as it is, under the same memory
  // model; `subject` and `command` live longer.
  OrderTrials(SearchOptions options, const SearchSubject& subject,
              const std::vector<std::string>& command);

  // Before the first search that is asked for, short ones find out what there is.
  struct End {
    report::SearchResult result;
    std::string not_as_asked;  // why something did not run as asked; empty: all did
  };
  // `time_ms`: of all searches that it takes; `executions`: of each; 0: no limit. An error: as of
  // SearchRunner::Run.
  base::Result<End> Run(const OrdersRule& rule, uint64_t time_ms, uint64_t executions = 0);

  // What was met so far, in the order of the source.
  std::vector<report::AtomicOperation> Met() const;

 private:
  struct Place {
    std::string module;
    uint64_t offset;
    auto operator<=>(const Place&) const = default;
  };
  // Kind, order, order of failure.
  using Key = std::pair<std::vector<Place>, std::tuple<int, int, int>>;

  base::Result<report::SearchResult> Search(const OrdersRule& rule, uint64_t time_ms,
                                            uint64_t executions, bool& more,
                                            std::string& not_as_asked);
  std::optional<Place> PlaceOf(uint64_t pc, const std::vector<report::Module>& modules) const;
  std::vector<channel::OrderOverride> OverridesFor(const OrdersRule& rule) const;
  // Takes up what a search has met. Is there something that the next one would do otherwise?
  bool Learn(const MetAtomics& met, const OrdersRule& rule, std::string& not_as_asked);

  SearchOptions options_;
  const SearchSubject& subject_;
  const std::vector<std::string>& command_;
  const ScratchFolder scratch_;
  report::Symbolizer symbolizer_;
  // Nothing: its order is none that the program says.
  std::map<Key, std::optional<report::AtomicOperation>> known_;
  std::set<Place> shared_;  // told apart by their callers
  bool surveyed_ = false;
};

// "assertion `x == 1' failed, mp.cpp:12"
std::string BugInOneLine(const report::Finding& finding);
// Why nothing follows from a search that has found no bug.
std::string WhyIncomplete(const report::SearchResult& result);
// Was everything explored, and is there no bug?
bool IsProof(const report::SearchResult& result);

}  // namespace heddle::cli
