// Jobs that search together (pool.h), on their way into a saved search and out of it.
//
// When all of them stand still, what is left of the search is in their memory, in the file in which
// each keeps what does not fit, and with the supervisor: branches that nobody has, and what bounds
// are through. Names of threads and objects are in one table, which they share. All of that is in
// one file, in the order of the jobs; behind them those that were thrown away, of which only what
// they have found counts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "session/job.h"
#include "session/pool.h"
#include "session/saved_search.h"
#include "session/saver.h"

namespace heddle::session {

// Those that stand still, as the saver wants them. They live longer.
class JobsAtRest {
 public:
  JobsAtRest(std::span<const std::unique_ptr<Job>> jobs, std::span<const PoolJob> thrown_away);
  std::span<const Saver::Paused> All() const { return standing_; }
  uint64_t PeakMemoryBytes() const { return peak_memory_bytes_; }
  void CountIn(SavedSearch::Together& together) const;

 private:
  std::vector<Saver::Paused> standing_;
  uint64_t jobs_ = 0;
  uint64_t peak_memory_bytes_ = 0;
};

// Makes the jobs of a saved search again; they do not run yet. An error: it cannot be taken up.
std::optional<base::Error> TakeUpJobs(const SavedImage& image, const PoolOptions& options,
                                      const NamesMemory& names,
                                      std::vector<std::unique_ptr<Job>>& jobs,
                                      std::vector<PoolJob>& thrown_away);

}  // namespace heddle::session
