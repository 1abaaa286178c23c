#include "session/saving_jobs.h"

#include <algorithm>

#include "session/saved_jobs.h"

namespace heddle::session {
namespace {

constexpr uint64_t kMostSavingMs = 2000;  // of standing still until all do
constexpr uint64_t kAgainMs = 10'000;

}  // namespace

bool SavingJobs::IsDue(uint64_t run_ms) const {
  return run_ms >= not_before_ms_ && saver_.IsDue(run_ms) &&
         std::ranges::all_of(jobs_,
                             [](const auto& job) { return job->Searches() && job->HasPart(); });
}

void SavingJobs::Begin(uint64_t run_ms) {
  for (const auto& job : jobs_) job->Header().save_wished = 1;
  since_ms_ = run_ms;
}

bool SavingJobs::IsReady(uint64_t run_ms) {
  if (std::ranges::all_of(jobs_, [](const auto& job) { return job->Rests(); })) return true;
  if (run_ms - *since_ms_ <= kMostSavingMs) return false;
  LetAllGo();  // one of them explains a bug
  not_before_ms_ = run_ms + kAgainMs;
  return false;
}

// Whoever ends without standing still has left his memory as nobody can go on with it.
bool SavingJobs::IsReadyAtEnd() {
  bool whole = true;
  for (const auto& job : jobs_) {
    if (job->Rests() && !job->RestsAtEnd()) job->LetGo();
    if (!job->IsOver() && !job->RestsAtEnd()) return false;  // not yet
    if (job->IsOver() && job->HasPart()) whole = false;
  }
  if (whole && std::ranges::any_of(jobs_, [](const auto& job) { return job->Rests(); }))
    return true;
  LetAllGo();
  return false;
}

void SavingJobs::LetAllGo() {
  since_ms_.reset();
  for (const auto& job : jobs_) {
    job->Header().save_wished = 0;
    if (job->Rests()) job->LetGo();
  }
}

void SavingJobs::Copy(SavedSearch::Together together, const std::vector<PoolJob>& thrown_away,
                      const NamesMemory& names, const std::deque<std::vector<std::byte>>& stock,
                      bool finished, uint64_t run_ms) {
  const JobsAtRest rest(jobs_, thrown_away);
  saver_.CopyAll(rest.All(), names, stock);
  LetAllGo();
  rest.CountIn(together);
  saver_.FinishAll(rest.All(), together, finished, run_ms, rest.PeakMemoryBytes());
}

uint64_t SavingJobs::EndTakesMs(uint64_t run_ms, const NamesMemory& names) const {
  std::vector<int> files = {names.Descriptor()};
  for (const auto& job : jobs_) files.push_back(job->Memory().Descriptor());
  return saver_.EndTakesMs(run_ms, files);
}

}  // namespace heddle::session
