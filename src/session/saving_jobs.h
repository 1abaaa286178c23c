// Saving a search of several jobs (pool.h) while it runs, and at its end. In the middle all jobs
// are to stand still between two executions, and at the end each stands still at its own; then all
// that is left is in their memory or in stock, and is copied (saved_jobs.h).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "session/job.h"
#include "session/saver.h"

namespace heddle::session {

class SavingJobs {
 public:
  using Jobs = std::vector<std::unique_ptr<Job>>;

  // REQUIRES: both live longer.
  SavingJobs(Saver& saver, const Jobs& jobs) : saver_(saver), jobs_(jobs) {}

  // All are to stand still.
  bool IsUnderWay() const { return since_ms_.has_value(); }
  // Is it time for a save, `run_ms` after the beginning?
  bool IsDue(uint64_t run_ms) const;
  void Begin(uint64_t run_ms);
  // They are other jobs now.
  void Forget() { since_ms_.reset(); }
  // Returns true if all stand still, so that they can be copied. Lets all go on if that takes too
  // long.
  bool IsReady(uint64_t run_ms);
  // The same at the end of the search.
  bool IsReadyAtEnd();
  // REQUIRES: IsReady or IsReadyAtEnd has answered that they stand still.
  void Copy(SavedSearch::Together together, const std::vector<PoolJob>& thrown_away,
            const NamesMemory& names, const std::deque<std::vector<std::byte>>& stock,
            bool finished, uint64_t run_ms);
  uint64_t EndTakesMs(uint64_t run_ms, const NamesMemory& names) const;

 private:
  void LetAllGo();

  Saver& saver_;
  const Jobs& jobs_;
  std::optional<uint64_t> since_ms_;
  uint64_t not_before_ms_ = 0;  // is it to be tried again
};

}  // namespace heddle::session
