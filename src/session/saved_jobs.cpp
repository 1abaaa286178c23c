#include "session/saved_jobs.h"

#include <utility>

namespace heddle::session {

using base::Error;

JobsAtRest::JobsAtRest(std::span<const std::unique_ptr<Job>> jobs,
                       std::span<const PoolJob> thrown_away) {
  for (const auto& job : jobs) {
    if (!job->Rests()) continue;
    standing_.push_back({&job->Memory(), job->SpillDescriptor(), job->Process().Child()});
    peak_memory_bytes_ += job->Process().PeakMemoryBytes();
    ++jobs_;
  }
  for (const PoolJob& thrown : thrown_away) standing_.push_back({thrown.memory.get(), -1, 0});
}

void JobsAtRest::CountIn(SavedSearch::Together& together) const {
  together.jobs = jobs_;
  together.thrown = standing_.size() - jobs_;
}

std::optional<Error> TakeUpJobs(const SavedImage& image, const PoolOptions& options,
                                const NamesMemory& names, std::vector<std::unique_ptr<Job>>& jobs,
                                std::vector<PoolJob>& thrown_away) {
  if (!names.IsThere()) return Error{"cannot create shared memory for several jobs"};
  if (auto error = image.RestoreNames(names)) return error;
  const SavedSearch::Together& together = image.Description().together;
  for (uint32_t number = 0; number < together.jobs + together.thrown; ++number) {
    base::Result<ChannelMemory> memory = ChannelMemory::Create();
    if (!memory.Ok()) return Error{memory.Message()};
    if (number >= together.jobs) {
      PoolJob thrown;
      thrown.thrown_away = true;
      thrown.end = {SessionEndKind::kKilled, "not wanted any more"};
      thrown.memory = std::make_unique<ChannelMemory>(std::move(*memory));
      if (auto error = image.Restore(*thrown.memory, -1, number)) return error;
      thrown_away.push_back(std::move(thrown));
      continue;
    }
    auto job = std::make_unique<Job>(std::move(*memory), options);
    if (auto error = image.Restore(job->Memory(), job->SpillDescriptor(), number)) return error;
    channel::Header& header = job->Header();
    options.take_up(header.settings);
    job->Memory().ShareNames(names);
    header.sharing.wished = 0;  // it has not parted with anything since
    header.save_at_end = options.saver != nullptr ? 1 : 0;
    jobs.push_back(std::move(job));
  }
  if (jobs.empty()) return Error{image.Path() + " has no jobs"};
  return std::nullopt;
}

}  // namespace heddle::session
