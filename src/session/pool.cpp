#include "session/pool.h"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "session/broker.h"
#include "session/job.h"
#include "session/saved_jobs.h"

namespace heddle::session {
namespace {

using channel::Stop;

constexpr uint64_t kTickMs = 100;
constexpr uint64_t kAloneMs = 20;  // between two looks at one job
constexpr uint64_t kMs = 1;        // ... at several
constexpr uint32_t kMostDeaths = 3;
constexpr uint64_t kMostSavingMs = 2000;  // of standing still until all do
constexpr uint64_t kAgainMs = 10'000;

uint64_t NowMs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1000000;
}

class Pool {
 public:
  explicit Pool(const PoolOptions& options)
      : options_(options),
        most_portion_(options.parts_freely ? Broker::kMostPortionFree : Broker::kMostPortion) {
    if (options_.saver != nullptr) options_.session.end_takes_ms = [this] { return EndTakesMs(); };
  }

  PoolEnd Run() {
    begun_ms_ = NowMs();
    if (options_.resumed != nullptr)
      TakeUp(*options_.resumed);
    else
      BeginAlone();
    while (!jobs_.empty() && !AllOver()) {
      Handle(signals_.Wait(jobs_.size() > 1 ? kMs : WaitAlone()));
      const uint64_t now_ms = NowMs();
      if (now_ms - looked_ms_ >= kAloneMs || died_) LookAtSessions(now_ms);
      if (end_.stop == Stop::kNone || options_.saver != nullptr) LookForGrowth(now_ms);
      if (options_.saver != nullptr) Save(now_ms);
      if (end_.stop == Stop::kNone && !saving_) {
        Join(now_ms);
        CarryBranches(now_ms);
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
    jobs_.back()->Header().save_at_end = options_.saver != nullptr ? 1 : 0;
    jobs_.back()->Begin(signals_);
    searching_since_ms_ = 0;
    saving_ = false;
    joined_ = wished_ = false;
    end_.executions_alone = 0;
    end_.completed_bound = -1;
  }

  // A search that was saved: each job as it stood still.
  void TakeUp(const SavedImage& image) {
    names_.push_back(std::make_unique<NamesMemory>());
    if (auto error = TakeUpJobs(image, options_, *names_.back(), jobs_, thrown_away_))
      return Fail({SessionEndKind::kSetUpError, error->message});
    for (std::vector<std::byte>& branch : image.Branches()) stock_.push_back(std::move(branch));
    const SavedSearch::Together& together = image.Description().together;
    joined_ = jobs_.front()->Shared().on != 0;
    if (joined_) searching_since_ms_ = NowMs();
    end_.executions_alone = together.executions_alone;
    end_.completed_bound = together.completed_bound;
    lost_ = together.lost;
    finishing_ = together.finishing;
    end_.nothing_left = finishing_ && !lost_;
    for (const auto& job : jobs_) {
      if (joined_) job->EndsWhenKilled();
      job->Begin(signals_);
    }
  }

  uint64_t WaitAlone() const {
    return jobs_.empty() ? kAloneMs : std::min(kAloneMs, jobs_.front()->Process().WaitMs());
  }

  void Handle(int signal) {
    died_ = signal == SIGCHLD;
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
        if (broker_.Asks() && asked_ == index) broker_.Answered(0, NowMs());
        if (asked_ > index) --asked_;
        jobs_.erase(jobs_.begin() + static_cast<ptrdiff_t>(index));
        return true;
      case SessionEndKind::kKilledOutside:
        // At the end of all each has still to tell what it has explored.
        if (finishing_ && end_.stop == Stop::kExhausted) {
          end_.end = {SessionEndKind::kGaveUp,
                      end.message + " before it had told what it explored"};
          return false;
        }
        if (end_.stop != Stop::kNone) return false;
        if (options_.saver != nullptr && !options_.saver->Path().empty()) {
          Fail({SessionEndKind::kGaveUp, end.message + "; go on with the search as it was saved"});
          return false;
        }
        if (++deaths_ >= kMostDeaths) {
          Fail({SessionEndKind::kGaveUp,
                end.message + " " + std::to_string(deaths_) + " times; search given up"});
          return false;
        }
        CancelAllExcept({});
        stock_.clear();
        broker_ = Broker(most_portion_);
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
    if (why == Stop::kExhausted && !finishing_ && end_.stop == Stop::kNone)
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
    if (finishing_ && why == Stop::kExhausted) return;  // the others end by themselves
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
      saving_ = false;
      CancelAllExcept(std::move(grown));
      stock_.clear();
      broker_ = Broker(most_portion_);
      end_.completed_bound = -1;
      searching_since_ms_ = now_ms;
      joined_ = wished_ = false;
      end_.executions_alone = 0;
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
    if (joined_ || cannot_join_ || jobs_.empty() || options_.jobs < 2) return;
    Job& first = *jobs_.front();
    channel::Header& header = first.Header();
    if (first.IsOver()) return;
    if (wished_ && header.stop_request != 0) {  // it ends before others could begin
      header.save_wished = 0;
      if (first.Rests() && !first.RestsAtEnd()) first.LetGo();
      return;
    }
    if (searching_since_ms_ == 0) {
      if (header.phase != static_cast<uint32_t>(channel::Phase::kSearching)) return;
      searching_since_ms_ = now_ms;
    }
    if (now_ms - searching_since_ms_ < options_.joins_after_ms || !first.Searches()) return;
    if (header.sharing.writes_files != 0) {
      cannot_join_ = true;
      end_.notes.push_back(
          "the search had one job only: the program writes to files, where several "
          "processes of it would meet");
      return;
    }
    if (!wished_) {
      header.save_wished = 1;
      wished_ = true;
      return;
    }
    const uint32_t rest = header.at_rest;
    if (rest == header.go_on || first.RestsAtEnd()) return;
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
    joined_ = true;
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
    header.save_at_end = options_.saver != nullptr ? 1 : 0;
    return std::make_unique<Job>(std::move(*memory), options_);
  }

  // What a job has parted with since it was asked, if it has.
  void TakeParted(uint64_t now_ms) {
    if (asked_ >= jobs_.size() || !broker_.Asks() || jobs_[asked_]->Shared().wished != 0) return;
    auto parted = jobs_[asked_]->Parted();
    if (!parted) {
      lost_ = true;  // which nobody will explore
      parted.emplace();
    }
    for (auto& branch : *parted) stock_.push_back(std::move(branch));
    broker_.Answered(parted->size(), now_ms);
  }

  void CarryBranches(uint64_t now_ms) {
    if (!joined_ || !options_.divides || jobs_.size() < 2) return;
    TakeParted(now_ms);
    std::vector<Broker::JobLoad> loads;
    for (const auto& job : jobs_)
      loads.push_back({job->Searches() && job->Shared().renews == 0,
                       job->Searches() && job->IsIdle(), job->Shared().waiting});
    while (const auto bring = broker_.WhomToBring(loads, stock_.size(), now_ms)) {
      std::vector<std::vector<std::byte>> some;
      for (size_t i = 0; i < bring->branches; ++i) {
        some.push_back(std::move(stock_.front()));
        stock_.pop_front();
      }
      if (!jobs_[bring->job]->Bring(some)) {
        for (auto& branch : some) stock_.push_back(std::move(branch));
        break;
      }
      loads[bring->job].idle = false;
      loads[bring->job].waiting = static_cast<uint32_t>(some.size());
    }
    if (const auto ask = broker_.WhomToAsk(loads, stock_.size(), now_ms)) {
      asked_ = ask->job;
      jobs_[asked_]->Shared().wished = ask->branches;
    }
  }

  void FinishIfThrough() {
    if (!joined_ || finishing_ || broker_.Asks() || !stock_.empty()) return;
    const bool all_idle = std::ranges::all_of(
        jobs_, [](const auto& job) { return job->Searches() && job->IsIdle(); });
    if (!all_idle) return;
    if (options_.bounds_in_turn && RaiseBound()) return;
    finishing_ = true;
    end_.nothing_left = !lost_;
    for (const auto& job : jobs_) job->Shared().finish = 1;
  }

  // All that is within the present bound was explored. Returns true if there is a next one.
  bool RaiseBound() {
    const bool unsure = lost_ || std::ranges::any_of(jobs_, [](const auto& job) {
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

  // ---- saving ----

  // In the middle all jobs stand still between two executions, and at the end each at its own; then
  // all that is left is in their memory or in stock.
  void Save(uint64_t now_ms) {
    for (size_t i = 0; i < jobs_.size(); ++i)
      if (end_.stop == Stop::kNone && jobs_[i]->RestsAtEnd()) Ends(i, jobs_[i]->Header().rests_at);
    if (end_.stop != Stop::kNone) return SaveEnd(now_ms);
    if (!saving_) {
      if (!MaySave(now_ms)) return;
      for (const auto& job : jobs_) job->Header().save_wished = 1;
      saving_ = true;
      saving_since_ms_ = now_ms;
    } else if (std::ranges::all_of(jobs_, [](const auto& job) { return job->Rests(); })) {
      CopyJobs(now_ms);
    } else if (now_ms - saving_since_ms_ > kMostSavingMs) {  // one of them explains a bug
      LetAllGo();
      not_before_ms_ = now_ms + kAgainMs;
    }
  }

  bool MaySave(uint64_t now_ms) const {
    if (finishing_ || now_ms < not_before_ms_ || !options_.saver->IsDue(now_ms - begun_ms_))
      return false;
    if (!joined_ && (wished_ || !cannot_join_) && options_.jobs > 1) return false;
    return std::ranges::all_of(jobs_,
                               [](const auto& job) { return job->Searches() && job->HasPart(); });
  }

  // Whoever ends without standing still has left his memory as nobody can go on with it.
  void SaveEnd(uint64_t now_ms) {
    bool whole = true;
    for (const auto& job : jobs_) {
      if (job->Rests() && !job->RestsAtEnd()) job->LetGo();
      if (!job->IsOver() && !job->RestsAtEnd()) return;  // not yet
      if (job->IsOver() && job->HasPart()) whole = false;
    }
    const bool any = std::ranges::any_of(jobs_, [](const auto& job) { return job->Rests(); });
    if (whole && any) return CopyJobs(now_ms);
    LetAllGo();
  }

  void LetAllGo() {
    saving_ = false;
    for (const auto& job : jobs_) {
      job->Header().save_wished = 0;
      if (job->Rests()) job->LetGo();
    }
  }

  uint64_t EndTakesMs() const {
    std::vector<int> files = {names_.back()->Descriptor()};
    for (const auto& job : jobs_) files.push_back(job->Memory().Descriptor());
    return options_.saver->EndTakesMs(NowMs() - begun_ms_, files);
  }

  // REQUIRES: all that have a part stand still.
  void CopyJobs(uint64_t now_ms) {
    TakeParted(now_ms);
    SavedSearch::Together together;
    together.wanted = options_.jobs;
    together.executions_alone = end_.executions_alone;
    together.completed_bound = end_.completed_bound;
    together.finishing = finishing_;
    together.lost = lost_;
    const JobsAtRest rest(jobs_, thrown_away_);
    const bool finished = end_.stop == Stop::kExhausted;
    options_.saver->CopyAll(rest.All(), *names_.back(), stock_);
    LetAllGo();
    rest.CountIn(together);
    options_.saver->FinishAll(rest.All(), together, finished, now_ms - begun_ms_,
                              rest.PeakMemoryBytes());
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
    if (!joined_ && end_.stop == Stop::kExhausted) end_.nothing_left = true;
    end_.end.elapsed_s = ElapsedS(NowMs());
    end_.end.peak_memory_bytes = peak;
    if (end_.end.kind == SessionEndKind::kGaveUp || end_.end.kind == SessionEndKind::kInternal)
      end_.out_of_control = true;
  }

  PoolOptions options_;
  const uint32_t most_portion_;
  WaitedSignals signals_;
  std::vector<std::unique_ptr<NamesMemory>> names_;  // the last one is in use
  std::vector<std::unique_ptr<Job>> jobs_;           // the first one began
  std::vector<PoolJob> thrown_away_;
  std::deque<std::vector<std::byte>> stock_;
  Broker broker_{most_portion_};
  size_t asked_ = 0;  // by the broker, if it asks
  PoolEnd end_;
  uint64_t begun_ms_ = 0;
  uint64_t looked_ms_ = 0;
  uint64_t ticked_ms_ = 0;
  uint64_t searching_since_ms_ = 0;  // 0: not yet
  uint64_t saving_since_ms_ = 0;
  uint64_t not_before_ms_ = 0;  // is a save to be tried again
  uint32_t deaths_ = 0;
  bool died_ = false;         // somebody
  bool joined_ = false;       // the others have begun
  bool wished_ = false;       // that the first one stands still
  bool cannot_join_ = false;  // whatever happens
  bool finishing_ = false;    // nothing is left
  bool saving_ = false;       // all are to stand still
  bool lost_ = false;         // branches
};

}  // namespace

PoolEnd RunPool(const PoolOptions& options) { return Pool(options).Run(); }

}  // namespace heddle::session
