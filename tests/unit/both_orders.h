// Runs all pairs of next steps in the states of a fake program in both orders, and compares what
// comes of it with the dependence relation (op/dependence.h).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "probed_target.h"

namespace heddle::tests {

// Of pairs of steps, unless it says otherwise; pairs with an end or a race are counted only there.
struct Counts {
  uint64_t states = 0, independent = 0, dependent = 0, ends = 0, races = 0;
  uint64_t commuting = 0;  // called dependent nevertheless
  uint64_t enabled = 0;    // steps that another one enabled
  std::map<op::Kind, uint64_t> independent_of, dependent_of;
  std::map<std::pair<op::Kind, op::Kind>, uint64_t> on_one_object;  // independent nevertheless
  std::map<std::pair<op::Needs, bool>, uint64_t> levels;            // operations, by success
};

struct Next {
  Move move;
  Outcome outcome;
};

class BothOrders {
 public:
  BothOrders(const target::FakeProgram& program, Counts& counts)
      : probed_(program), target_(program), counts_(counts) {}

  // Checks the states of one random execution, up to the first failure.
  void Walk(uint64_t seed);

  // Checks the state after `moves`; answers the steps that are possible there.
  std::vector<Next> CheckState(const std::vector<Move>& moves);

  // Checks two steps that are; answers whether the table calls them dependent.
  bool CheckPair(const std::vector<Move>& moves, const Next& a, const Next& b);

 private:
  bool Commutes(const std::vector<Move>& moves, const Next& a, const Next& b);
  void CheckEnd(const std::vector<Move>& moves, const Next& a, const Next& b);
  void CheckRest(const std::vector<Move>& moves, const Next& a, const Next& b);
  const trace::Execution& RunRest(const std::vector<Move>& moves,
                                  const std::vector<op::ThreadId>& rest);
  void CheckEnabling(const std::vector<Move>& moves, const State& here, const Next& a);
  void CheckLevels(const State& here, const std::vector<Next>& next);
  void CheckSuccess(const State& here, const Outcome& step);

  ProbedTarget probed_;
  target::FakeTarget target_;  // without probes
  Counts& counts_;
};

}  // namespace heddle::tests
