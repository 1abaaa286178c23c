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
  // The search begins again, with other jobs.
  void Clear();
  // The job with this index is about to be removed. If it was being asked, it has parted with
  // nothing.
  void ForgetJob(size_t index, uint64_t now_ms);
  // Every branch is with a job, and none is on its way.
  bool IsEmpty() const { return !broker_.Asks() && branches_.empty(); }

  // Takes what the job that is being asked has parted with, if it has answered.
  void TakeParted(uint64_t now_ms);
  // That, and gives jobs that have nothing left some of the stock, or asks another job for some.
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
