#include "session/pool.h"

#include <signal.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "session/branch_stock.h"
#include "session/job.h"
#include "session/process_time.h"
#include "session/saved_jobs.h"
#include "session/saving_jobs.h"

namespace heddle::session {
namespace {

using channel::Stop;

constexpr uint64_t kTickMs = 100;
constexpr uint64_t kAloneMs = 20;  // between two looks at one job
constexpr uint64_t kMs = 1;        // ... at several
constexpr uint32_t kMostDeaths = 3;

// Where the search is:
//
// clang-format off
//   stage       means                                    goes on to
//   kAlone      the first job has all of it              kPausing, when it has searched for a while
//   kPausing    it is to stand still, for the others     kTogether, when it does;
//               to begin as it is                        kAlone, when it comes to its end first
//   kTogether   each job has its part                    kFinishing, when all are idle, and the
//                                                        stock is empty
//   kFinishing  nothing is left, all tell what they explored
// clang-format on
//
// From each of them it goes back to kAlone, and begins again, when more becomes visible for one of
// the jobs, or somebody else kills one.
enum class Stage : uint8_t { kAlone, kPausing, kTogether, kFinishing };

class Pool {
 public:
  explicit Pool(const PoolOptions& options)
      : options_(options),
        stock_(jobs_, options.parts_freely ? Broker::kMostPortionFree : Broker::kMostPortion) {
    if (options_.saver == nullptr) return;
    saving_.emplace(*options_.saver, jobs_);
    options_.session.end_takes_ms = [this] {
      return saving_->EndTakesMs(NowMs() - begun_ms_, *names_.back());
    };
  }

  PoolEnd Run() {
    begun_ms_ = NowMs();
    if (options_.resumed != nullptr)
      TakeUp(*options_.resumed);
    else
      BeginAlone();
    while (!jobs_.empty() && !AllOver()) {
      const int signal = signals_.Wait(jobs_.size() > 1 ? kMs : WaitAlone());
      Handle(signal);
      const uint64_t now_ms = NowMs();
      if (now_ms - looked_ms_ >= kAloneMs || signal == SIGCHLD) LookAtSessions(now_ms);
      if (end_.stop == Stop::kNone || saving_) LookForGrowth(now_ms);
      if (saving_) Save(now_ms);
      if (end_.stop == Stop::kNone && !(saving_ && saving_->IsUnderWay())) {
        Join(now_ms);
        if (HasJoined() && options_.divides && jobs_.size() > 1) stock_.Carry(now_ms);
        FinishIfThrough();
      }
      if (now_ms - ticked_ms_ >= kTickMs) Tick(now_ms);
    }
    Collect();
    return std::move(end_);
  }

 private:
  bool AllOver() const {
    return std::ranges::all_of(jobs_, [](const auto& job) { return job->IsOver(); });
  }

  // The whole search, in one job.
  void BeginAlone() {
    names_.push_back(std::make_unique<NamesMemory>());
    base::Result<ChannelMemory> memory = ChannelMemory::Create();
    if (!memory.Ok() || !names_.back()->IsThere()) {
      Fail({SessionEndKind::kSetUpError,
            memory.Ok() ? "cannot create shared memory for several jobs: try --jobs 1"
                        : memory.Message()});
      return;
    }
    options_.fill(memory->Header());
    channel::Settings& settings = memory->Header().settings;
    const uint64_t had_ms = NowMs() - begun_ms_;
    if (settings.time_limit_ms != 0 && deaths_ != 0)
      settings.time_limit_ms =
          settings.time_limit_ms > had_ms ? settings.time_limit_ms - had_ms : 1;
    memory->ShareNames(*names_.back());
    jobs_.push_back(std::make_unique<Job>(std::move(*memory), options_));
    jobs_.back()->Header().save_at_end = saving_ ? 1 : 0;
    jobs_.back()->Begin(signals_);
    ResetToAlone(0);
  }

  // Nothing that was counted or shared until now is of use any more.
  void ResetToAlone(uint64_t searching_since_ms) {
    stage_ = Stage::kAlone;
    searching_since_ms_ = searching_since_ms;
    if (saving_) saving_->Forget();
    end_.executions_alone = 0;
    end_.completed_bound = -1;
    end_.nothing_left = false;
  }
  bool HasJoined() const { return stage_ >= Stage::kTogether; }

  // A search that was saved: each job as it stood still.
  void TakeUp(const SavedImage& image) {
    names_.push_back(std::make_unique<NamesMemory>());
    if (auto error = TakeUpJobs(image, options_, *names_.back(), jobs_, thrown_away_))
      return Fail({SessionEndKind::kSetUpError, error->message});
    for (std::vector<std::byte>& branch : image.Branches()) stock_.Add(std::move(branch));
    const SavedSearch::Together& together = image.Description().together;
    if (jobs_.front()->Shared().on != 0) {
      stage_ = together.finishing ? Stage::kFinishing : Stage::kTogether;
      searching_since_ms_ = NowMs();
    }
    end_.executions_alone = together.executions_alone;
    end_.completed_bound = together.completed_bound;
    stock_.lost = together.lost;
    end_.nothing_left = together.finishing && !stock_.lost;
    for (const auto& job : jobs_) {
      if (HasJoined()) job->EndsWhenKilled();
      job->Begin(signals_);
    }
  }

  uint64_t WaitAlone() const {
    return jobs_.empty() ? kAloneMs : std::min(kAloneMs, jobs_.front()->Process().WaitMs());
  }

  void Handle(int signal) {
    if (signal == 0 || signal == SIGCHLD) return;
    if (signal != SIGTSTP) {
      for (const auto& job : jobs_) job->Process().Handle(signal);
      return;
    }
    for (const auto& job : jobs_) job->Process().Pause();
    raise(SIGSTOP);
    for (const auto& job : jobs_) job->Process().Resume();
  }

  void LookAtSessions(uint64_t now_ms) {
    looked_ms_ = now_ms;
    for (size_t i = 0; i < jobs_.size(); ++i) {
      Job& job = *jobs_[i];
      if (job.IsOver()) continue;
      job.Process().Look();
      if (!job.IsOver()) continue;
      if (Ended(i)) return;  // the jobs are others now
    }
    StopTogether();
  }

  // The time of one is up, and with it that of the search: the others do not wait until it is over.
  void StopTogether() {
    const auto time = static_cast<uint32_t>(channel::StopRequest::kTime);
    const auto is_up = [&](const auto& job) { return job->Header().stop_request == time; };
    if (std::ranges::none_of(jobs_, is_up)) return;
    for (const auto& job : jobs_) job->Process().RequestStop(channel::StopRequest::kTime);
  }

  // Returns true if jobs were removed.
  bool Ended(size_t index) {
    Job& job = *jobs_[index];
    const SessionEnd& end = job.Process().End();
    const channel::Summary& summary = job.Header().summary;
    switch (end.kind) {
      case SessionEndKind::kFinished:
        Ends(index, summary.stop);
        return false;
      case SessionEndKind::kSetUpError:
        if (index == 0) {
          Fail(end);
          return false;
        }
        if (job.Shared().renews == 0) {  // it had begun, and has a part of the search
          Fail({SessionEndKind::kGaveUp, end.message});
          return false;
        }
        if (!cannot_join_) {
          end_.notes.push_back(
              "the search had one job only: another process of the program could "
              "not begin where the first one was (" +
              end.message + ")");
        }
        cannot_join_ = true;
        stock_.ForgetJob(index, NowMs());
        jobs_.erase(jobs_.begin() + static_cast<ptrdiff_t>(index));
        return true;
      case SessionEndKind::kKilledOutside:
        // At the end of all each has still to tell what it has explored.
        if (stage_ == Stage::kFinishing && end_.stop == Stop::kExhausted) {
          end_.end = {SessionEndKind::kGaveUp,
                      end.message + " before it had told what it explored"};
          return false;
        }
        if (end_.stop != Stop::kNone) return false;
        if (saving_ && !options_.saver->Path().empty()) {
          Fail({SessionEndKind::kGaveUp, end.message + "; go on with the search as it was saved"});
          return false;
        }
        if (++deaths_ >= kMostDeaths) {
          Fail({SessionEndKind::kGaveUp,
                end.message + " " + std::to_string(deaths_) + " times; search given up"});
          return false;
        }
        CancelAllExcept({});
        stock_.Clear();
        BeginAlone();
        return true;
      case SessionEndKind::kGaveUp:
      case SessionEndKind::kInternal:
      case SessionEndKind::kKilled:
        if (end_.stop == Stop::kNone) Fail(end);
        return false;
    }
    return false;
  }

  // A job has come to its end, and the search with it.
  void Ends(size_t index, Stop why) {
    if (why == Stop::kExhausted && stage_ != Stage::kFinishing && end_.stop == Stop::kNone)
      end_.proved_by = static_cast<int64_t>(index);
    if (why == Stop::kUncontrolled && end_.stop == Stop::kNone) end_.out_of_control = true;
    StopAll(why);
  }

  void Fail(SessionEnd end) {
    end_.end = std::move(end);
    StopAll(Stop::kInterrupted);
  }

  // The first reason counts.
  void StopAll(Stop why) {
    if (end_.stop != Stop::kNone) return;
    end_.stop = why;
    if (stage_ == Stage::kFinishing && why == Stop::kExhausted)
      return;  // the others end by themselves
    for (const auto& job : jobs_)
      if (!job->IsOver()) job->Process().RequestStop(channel::StopRequest::kInterrupted);
  }

  // All jobs but `survivor` are killed; what they have found stays.
  void CancelAllExcept(std::unique_ptr<Job> survivor) {
    for (auto& job : jobs_) {
      if (job == nullptr) continue;
      job->Process().Abandon();
      const SessionEnd end = job->Process().End();
      PoolJob thrown;
      thrown.thrown_away = true;
      thrown.end = end;
      if (job->Header().progress.findings != 0) {
        thrown.memory = job->TakeMemory();
        thrown.memory->DropArena();
        thrown.memory->KeepNames();
        thrown_away_.push_back(std::move(thrown));
      }
    }
    jobs_.clear();
    if (survivor != nullptr) jobs_.push_back(std::move(survivor));
  }

  // More became visible for one of them: what the others explore is of no use any more.
  void LookForGrowth(uint64_t now_ms) {
    for (auto& job : jobs_) {
      if (job->IsOver() || job->Shared().grown == job->Shared().alone) continue;
      std::unique_ptr<Job> grown = std::move(job);
      grown->Header().save_wished = 0;
      CancelAllExcept(std::move(grown));
      stock_.Clear();
      ResetToAlone(now_ms);
      channel::Sharing& sharing = jobs_.front()->Shared();
      sharing.on = 0;
      sharing.waits_first = 0;
      sharing.in_step = sharing.raises = sharing.unsure = 0;
      sharing.alone = sharing.grown.load();
      return;
    }
  }

  // When it is time for it, the first job stands still, and the others begin as it is.
  void Join(uint64_t now_ms) {
    if (HasJoined() || cannot_join_ || jobs_.empty() || options_.jobs < 2) return;
    Job& first = *jobs_.front();
    channel::Header& header = first.Header();
    if (first.IsOver()) return;
    if (stage_ == Stage::kPausing && header.stop_request != 0) return StayAlone(first);
    if (searching_since_ms_ == 0) {
      if (header.phase != static_cast<uint32_t>(channel::Phase::kSearching)) return;
      searching_since_ms_ = now_ms;
    }
    if (now_ms - searching_since_ms_ < options_.joins_after_ms || !first.Searches()) return;
    if (header.sharing.writes_files != 0) {
      if (stage_ == Stage::kPausing) StayAlone(first);
      cannot_join_ = true;
      end_.notes.push_back(
          "the search had one job only: the program writes to files, where several "
          "processes of it would meet");
      return;
    }
    if (stage_ == Stage::kAlone) {
      header.save_wished = 1;
      stage_ = Stage::kPausing;
      return;
    }
    if (first.Rests() && !first.RestsAtEnd()) BeginOthers(first);
  }

  // The first job comes to its end before others could begin.
  void StayAlone(Job& first) {
    stage_ = Stage::kAlone;
    first.Header().save_wished = 0;
    if (first.Rests() && !first.RestsAtEnd()) first.LetGo();
  }

  // REQUIRES: it stands still.
  void BeginOthers(Job& first) {
    channel::Header& header = first.Header();
    const uint32_t rest = header.at_rest;
    header.sharing.on = 1;
    header.sharing.in_step = options_.bounds_in_turn ? 1 : 0;
    first.EndsWhenKilled();
    end_.executions_alone = header.progress.executions;
    if (options_.bounds_in_turn) end_.completed_bound = header.progress.completed_bound;
    std::vector<std::unique_ptr<Job>> fresh;
    for (uint32_t number = 1; number < options_.jobs; ++number) {
      if (std::unique_ptr<Job> job = CopyOf(first, number))
        fresh.push_back(std::move(job));
      else
        break;
    }
    header.go_on = rest;
    for (auto& job : fresh) {
      job->EndsWhenKilled();
      job->Begin(signals_);
      jobs_.push_back(std::move(job));
    }
    stage_ = Stage::kTogether;
  }

  // Null: there is no room.
  std::unique_ptr<Job> CopyOf(Job& first, uint32_t number) {
    base::Result<ChannelMemory> memory = ChannelMemory::Create();
    if (!memory.Ok() || !memory->CopyStanding(first.Memory())) return nullptr;
    memory->ShareNames(*names_.back());
    channel::Header& header = memory->Header();
    header.settings.seed = base::Mix(header.settings.seed + number);
    header.sharing.renews = 1;
    header.sharing.waits_first = options_.divides ? 1 : 0;
    header.sharing.wished = header.sharing.brought = header.sharing.idle = 0;
    header.sharing.waiting = 0;
    header.sharing.shared = options_.divides ? 1 : 0;
    header.progress.executions = header.progress.redundant = header.progress.assumed_away = 0;
    header.progress.cut = 0;
    header.progress.hooks = 0;
    header.progress.events = 0;
    header.summary = {};
    header.save_at_end = saving_ ? 1 : 0;
    return std::make_unique<Job>(std::move(*memory), options_);
  }

  void FinishIfThrough() {
    if (stage_ != Stage::kTogether || !stock_.IsEmpty()) return;
    const bool all_idle = std::ranges::all_of(
        jobs_, [](const auto& job) { return job->Searches() && job->IsIdle(); });
    if (!all_idle) return;
    if (options_.bounds_in_turn && RaiseBound()) return;
    stage_ = Stage::kFinishing;
    end_.nothing_left = !stock_.lost;
    for (const auto& job : jobs_) job->Shared().finish = 1;
  }

  // All that is within the present bound was explored. Returns true if there is a next one.
  bool RaiseBound() {
    const bool unsure = stock_.lost || std::ranges::any_of(jobs_, [](const auto& job) {
                          return job->Shared().leaves_out != 0 || job->Shared().unsure != 0;
                        });
    // The first job has been at each of them; others may not have had anything yet.
    if (!unsure) end_.completed_bound = jobs_.front()->Shared().bound;
    const bool more =
        std::ranges::any_of(jobs_, [](const auto& job) { return job->Shared().awaits != 0; });
    if (!more) return false;
    for (const auto& job : jobs_) {
      if (unsure) job->Shared().unsure = 1;
      ++job->Shared().raises;
    }
    return true;
  }

  void Save(uint64_t now_ms) {
    for (size_t i = 0; i < jobs_.size(); ++i)
      if (end_.stop == Stop::kNone && jobs_[i]->RestsAtEnd()) Ends(i, jobs_[i]->Header().rests_at);
    const uint64_t run_ms = now_ms - begun_ms_;
    if (end_.stop == Stop::kNone && !saving_->IsUnderWay()) {
      if (MaySave() && saving_->IsDue(run_ms)) saving_->Begin(run_ms);
      return;
    }
    const bool ready =
        end_.stop == Stop::kNone ? saving_->IsReady(run_ms) : saving_->IsReadyAtEnd();
    if (!ready) return;
    stock_.TakeParted(now_ms);
    SavedSearch::Together together;
    together.wanted = options_.jobs;
    together.executions_alone = end_.executions_alone;
    together.completed_bound = end_.completed_bound;
    together.finishing = stage_ == Stage::kFinishing;
    together.lost = stock_.lost;
    saving_->Copy(together, thrown_away_, *names_.back(), stock_.Branches(),
                  end_.stop == Stop::kExhausted, run_ms);
  }

  // Not while others are about to begin.
  bool MaySave() const {
    if (stage_ == Stage::kFinishing) return false;
    return stage_ == Stage::kTogether || options_.jobs < 2 ||
           (stage_ == Stage::kAlone && cannot_join_);
  }

  // Of this run and those before.
  double ElapsedS(uint64_t now_ms) const {
    const uint64_t earlier_ms = options_.saver != nullptr ? options_.saver->EarlierMs() : 0;
    return static_cast<double>(now_ms - begun_ms_ + earlier_ms) / 1000.0;
  }

  void Tick(uint64_t now_ms) {
    ticked_ms_ = now_ms;
    if (!options_.on_tick || jobs_.empty()) return;
    std::vector<const ChannelMemory*> memories;
    for (const auto& job : jobs_) memories.push_back(&job->Memory());
    options_.on_tick(memories, ElapsedS(now_ms));
  }

  void Collect() {
    Tick(NowMs());
    uint64_t peak = 0;
    for (const auto& job : jobs_) {
      PoolJob one;
      one.end = job->Process().End();
      one.end.elapsed_s = ElapsedS(NowMs());
      job->TellGraphs(one);
      peak += one.end.peak_memory_bytes;
      one.memory = job->TakeMemory();
      end_.jobs.push_back(std::move(one));
    }
    end_.names = std::move(names_);
    for (PoolJob& thrown : thrown_away_) end_.jobs.push_back(std::move(thrown));
    // A job that was alone to the end is a search like any other.
    if (!HasJoined() && end_.stop == Stop::kExhausted) end_.nothing_left = true;
    end_.end.elapsed_s = ElapsedS(NowMs());
    end_.end.peak_memory_bytes = peak;
    if (end_.end.kind == SessionEndKind::kGaveUp || end_.end.kind == SessionEndKind::kInternal)
      end_.out_of_control = true;
  }

  PoolOptions options_;
  WaitedSignals signals_;
  std::vector<std::unique_ptr<NamesMemory>> names_;  // the last one is in use
  std::vector<std::unique_ptr<Job>> jobs_;           // the first one began
  std::vector<PoolJob> thrown_away_;
  BranchStock stock_;
  PoolEnd end_;
  uint64_t begun_ms_ = 0;
  uint64_t looked_ms_ = 0;
  uint64_t ticked_ms_ = 0;
  uint64_t searching_since_ms_ = 0;  // 0: not yet
  uint32_t deaths_ = 0;
  Stage stage_ = Stage::kAlone;
  std::optional<SavingJobs> saving_;  // nothing: the search is not saved
  bool cannot_join_ = false;          // whatever happens
};

}  // namespace

PoolEnd RunPool(const PoolOptions& options) { return Pool(options).Run(); }

}  // namespace heddle::session
