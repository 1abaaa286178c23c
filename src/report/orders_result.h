// What `heddle orders` has found out: which memory orders are stronger than one test needs. As text
// and as JSON (docs/json.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/atomic_places.h"
#include "report/search_result.h"

namespace heddle::report {

// A search of the program in which something has a weaker order than it says.
struct OrderTrial {
  enum class End { kHolds, kBreaks, kNotKnown };
  int order = 0;
  End end = End::kNotKnown;
  uint64_t executions = 0;
  std::string why = {};  // the bug in one line; or why it is not known
};

// An order that the program says, and that is not relaxed.
struct JudgedOrder {
  AtomicOperation operation;
  bool of_failure = false;  // of the compare-exchange it is the order of failure
  std::vector<OrderTrial> trials = {};

  int Order() const { return of_failure ? operation.failure : operation.order; }
  // The weakest of which each alone holds; empty: it is needed, or nothing is known.
  std::vector<int> Enough() const;
  bool IsNeeded() const;  // there is a bug with each weaker one
  // Of something that is weaker than what is enough, or said, nobody knows.
  bool IsOpen() const;
};

// Several weaker orders at once.
struct OrdersTogether {
  OrderTrial trial;           // of all that are enough alone; `order` means nothing
  std::vector<size_t> holds;  // JudgedOrders that may be weaker together, and
  std::vector<int> orders;    // what they are then
  uint64_t executions = 0;    // of the search with those
  bool all_tried = true;      // whether others may join was found out
};

struct OrdersResult {
  std::string heddle_version, program;
  std::vector<std::string> arguments;
  SearchResult as_said;  // the search of the program as it is
  uint64_t relaxed = 0;  // operations that say relaxed already
  std::vector<JudgedOrder> judged;
  std::vector<OrdersTogether> together;  // one, if two may be weaker; else none
};

bool IsAllKnown(const OrdersResult& result);

// "mp.cpp:6 store memory_order_release: needed (memory_order_relaxed: assertion `x' failed)"
std::string JudgedText(const JudgedOrder& judged, bool with_column);
std::string TogetherText(const OrdersResult& result);
// "with_column" for JudgedText: is there another one on the line that reads the same?
bool NeedsColumn(const std::vector<JudgedOrder>& all, const JudgedOrder& one);

std::string ToJson(const OrdersResult& result);

}  // namespace heddle::report
