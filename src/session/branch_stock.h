// Branches of a search of several jobs that are with none of them (pool.h): the stock, out of which
// those get some that have nothing left, and into which others are asked to part with some
// (broker.h says who).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "session/broker.h"
#include "session/job.h"

namespace heddle::session {

class BranchStock {
 public:
  using Branch = std::vector<std::byte>;

  // REQUIRES: `jobs` lives longer.
  BranchStock(const std::vector<std::unique_ptr<Job>>& jobs, uint32_t most_portion)
      : jobs_(jobs), most_portion_(most_portion) {}

  const std::deque<Branch>& Branches() const { return branches_; }
  void Add(Branch branch) { branches_.push_back(std::move(branch)); }
  // The jobs are others now, and begin anew.
  void Clear();
  // So is the one with this index, which has parted with nothing.
  void ForgetJob(size_t index, uint64_t now_ms);
  // All branches are with jobs that have begun or hold them.
  bool IsEmpty() const { return !broker_.Asks() && branches_.empty(); }

  // What a job has parted with since it was asked, if it has.
  void TakeParted(uint64_t now_ms);
  void Carry(uint64_t now_ms);

  // Some could not be read, so that nobody will explore them.
  bool lost = false;

 private:
  const std::vector<std::unique_ptr<Job>>& jobs_;
  const uint32_t most_portion_;
  std::deque<Branch> branches_;
  Broker broker_{most_portion_};
  size_t asked_ = 0;  // by the broker, if it asks
};

}  // namespace heddle::session
