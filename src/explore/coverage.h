// How much of the program's behaviour was seen: the number of distinct happens-before graphs of
// whole executions (MSR-TR-2007-12, section 3.3), by how many preemptions and early timeouts each
// can be reached, and how their number grew with the executions: the two curves by which searches
// are compared in the paper on iterative context bounding (PLDI'07, figures 1, 2, 4, 5 and 6).
// Two executions with equal graphs differ only in the order of independent steps, so this is what a
// search with a perfect reduction would have to run.
//
// Tables of 64-bit hashes, each with the least preemptions seen, nine bytes a slot. A hash belongs
// to one table by its top bits; a table grows by itself, so that old and new are in memory together
// for a small part of all only. It grows in few and large steps: what it outgrows serves nobody
// else, and with 8 to 16 times as many slots all of that is a tenth of what comes after. When three
// quarters of four million slots are taken counting stops, and Overflowed() says so. Two graphs are
// confused with probability n^2 / 2^65: below one in a million for the three million graphs that
// fit.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/observer.h"

namespace heddle::explore {

class Coverage final : public Observer {
 public:
  static constexpr uint32_t kMaxPreemptions = 255;  // more count as this many
  static constexpr uint64_t kMaxSlots = 4u << 20;   // in all tables
  static constexpr unsigned kTableBits = 6;
  static constexpr uint64_t kMaxPoints = 976;  // of the curve over executions; IsSampled has them

  // After the first so many executions so many graphs were seen.
  struct Point {
    uint64_t executions;
    uint64_t graphs;
    bool operator==(const Point&) const = default;
  };

  struct Table {
    std::vector<uint64_t> keys;  // 0: empty
    std::vector<uint8_t> least;  // preemptions, beside keys
    uint64_t count = 0;
  };
  // Outlives the process, like the explorer's (explorer.h).
  struct State {
    Table tables[1u << kTableBits];
    uint64_t count = 0;
    uint64_t sum = 0;                // of the hashes of all graphs, modulo 2^64
    std::vector<uint64_t> by_least;  // graphs by least preemptions
    uint64_t seen_again = 0;         // executions whose graph was known
    bool overflowed = false;
    uint64_t executions = 0;     // of the search, as it was told
    std::vector<Point> sampled;  // of some of these (IsSampled)
  };

  explicit Coverage(State* state, uint64_t max_slots = kMaxSlots);

  Then OnExecution(const plan::Plan& plan, const trace::Execution& execution) override;

  // The search has run so many executions by now. What is an execution is the search's to say: a
  // reduction finds only afterwards that it has run one again.
  void Executed(uint64_t executions);

  uint64_t Count() const { return state_->count; }
  // Whole executions whose graph an earlier one had; none any more when the tables are full.
  uint64_t SeenAgain() const { return state_->seen_again; }
  // The graph of the last execution was known.
  bool LastWasSeenAgain() const { return last_again_; }
  bool Overflowed() const { return state_->overflowed; }
  // The sum of the hashes of all graphs, each once, modulo 2^64: by it two searches see that they
  // have found the same, in whatever order.
  uint64_t Sum() const { return state_->sum; }
  // Graphs reachable with at most i preemptions, for i = 0 .. the most that any graph needs.
  std::vector<uint64_t> ByPreemptions() const;
  // The curve over executions: a point for each of the first 32, then 16 for each doubling, so that
  // it is as true on a logarithmic axis as on a linear one, and its size hardly grows; and the
  // last. Points between two with equally many graphs are left out.
  std::vector<Point> OverExecutions() const;

 private:
  static bool IsSampled(uint64_t executions);
  void Add(uint64_t hash, uint8_t preemptions);
  static uint64_t Find(const Table& table, uint64_t key);
  uint64_t LargerThan(uint64_t slots) const;
  static void Grow(Table& table, uint64_t slots);

  State* const state_;
  const uint64_t max_count_;
  const uint64_t max_slots_;  // of one table, while none has more than its share
  bool last_again_ = false;
};

}  // namespace heddle::explore
