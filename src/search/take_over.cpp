// One search, from takeover to the end of the process: prepare the runtime, join explorer and
// target in the main loop, report what is found, and leave a summary. All that must survive the
// process hangs on one root of heddle's heap, so when the program kills the process, the next one
// comes here again and goes on.

#include "runtime/take_over.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/hash.h"
#include "explore/coverage.h"
#include "explore/main_loop.h"
#include "explore/registry.h"
#include "explore/spill_file.h"
#include "runtime/control.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/own_heap.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/context.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"
#include "runtime/prim/syscall.h"
#include "runtime/rewind_mode.h"
#include "runtime/roots.h"
#include "runtime/runtime.h"
#include "runtime/start.h"
#include "runtime/visible.h"
#include "runtime/world/aliases.h"
#include "runtime/world/opened_libraries.h"
#include "runtime/world/prepare.h"
#include "runtime/world/unseen_calls.h"
#include "search/findings.h"
#include "search/outcomes.h"
#include "search/probing.h"
#include "search/program_target.h"
#include "search/save.h"
#include "search/sharing.h"

namespace heddle::search {
namespace {

using channel::Stop;

// Outlives the process.
struct SearchState {
  void* explorer = nullptr;  // State of the explorer, made by its registry entry
  explore::Coverage::State coverage;
  FindingObserver::State findings;
  Outcomes::State outcomes;
  Probing::State probing;
  Sharing::State sharing;
  uint64_t begun_ns = 0;
  uint64_t layout = 0;       // where the program is: an object's address is its name
  bool moved = false;        // a later process found the program elsewhere
  Stop ended = Stop::kNone;  // if it was saved at its end
};

explore::StopToken StopTokenOfSearch() {
  return explore::StopToken(runtime::ChannelHeader().stop_request);
}

// Since the search began for the first time.
uint64_t RunsOf(const SearchState& state) {
  return state.findings.earlier_runs + state.findings.executions + state.findings.redundant +
         state.findings.assumed_away;
}

// Executions, wall clock, Ctrl-C. Also keeps the progress and the coverage's curve up to date: it
// is asked once per execution.
class SearchBudget final : public explore::Budget {
 public:
  // `stoppable`: the explorer's State may be inconsistent after a stop request
  // (explore/stop_token.h).
  SearchBudget(SearchState& state, explore::Explorer& explorer, explore::Coverage& coverage,
               Outcomes& outcomes, const Probing& probing, Sharing& sharing, bool stoppable)
      : state_(state),
        explorer_(explorer),
        coverage_(coverage),
        outcomes_(outcomes),
        probing_(probing),
        sharing_(sharing),
        stoppable_(stoppable),
        header_(runtime::ChannelHeader()) {}

  bool Left() override {
    PublishProgress();
    const channel::Settings& settings = header_.settings;
    // Who hurried has left the explorer as nobody can go on with it: neither may it be saved then,
    // nor part with anything.
    if (stoppable_ && IsStopRequested()) return false;
    if (SaveIsWished(header_)) {
      header_.progress.completed_bound.store(sharing_.CompletedBound(explorer_));
      StandStill(header_, Stop::kNone);
    }
    if (header_.sharing.wishes_in.load(std::memory_order_relaxed) != 0 &&
        header_.sharing.wishes_in.fetch_sub(1) == 1)
      header_.sharing.wished.store(channel::kAllBranches);
    if (sharing_.PartIsWished()) sharing_.Part(explorer_);
    if (IsStopRequested()) return false;
    if (stoppable_ && header_.save_at_end.load(std::memory_order_relaxed) != 0 &&
        !sharing_.IsOn()) {
      wants_patience_ = true;
      return false;
    }
    const uint64_t runs = RunsOf(state_);
    if (settings.max_executions != 0 && runs >= settings.max_executions)
      return Ended(Stop::kExecutions);
    // A look at the clock costs as much as a short execution: only every few of those.
    if (state_.findings.events < look_at_events_) return true;
    constexpr uint64_t kEventsBetweenLooks = 2000;
    look_at_events_ = state_.findings.events + kEventsBetweenLooks;
    searched_ns_ = MonotonicNs() - state_.begun_ns;
    if (settings.time_limit_ms != 0 && searched_ns_ / 1'000'000 >= settings.time_limit_ms)
      return Ended(Stop::kTime);
    // Who says how many executions wants to see the same every time, and a probe may show a bug.
    // Of several jobs, the one that began tells how much there is.
    wants_probes_ = settings.max_executions == 0 && header_.sharing.waits_first == 0 &&
                    probing_.IsDue(searched_ns_);
    return !wants_probes_;
  }

  // Left has answered that the search is to pause for probes.
  bool WantsProbes() { return std::exchange(wants_probes_, false); }
  uint64_t SearchedNs() const { return searched_ns_; }
  // Likewise, that it is to go on with an explorer that is not stopped, because it will be saved at
  // its end.
  bool WantsPatience() { return std::exchange(wants_patience_, false); }

  bool StopRequested() const override { return StopTokenOfSearch().IsRequested(); }

  // REQUIRES: Left or StopRequested has answered that the search is to end.
  Stop Reason() {
    if (reason_ == Stop::kNone) Left();
    return reason_;
  }

  void PublishProgress() {
    channel::Progress& progress = header_.progress;
    const bool several = header_.settings.order == channel::Order::kEscalating;
    const uint64_t again = several ? coverage_.SeenAgain() : sharing_.RanAgain(explorer_);
    const uint64_t executions = state_.findings.executions - again;
    // Of several searches the coverage has told. (More at once is a search that begins anew.)
    if (!several && again == state_.findings.again + 1) outcomes_.LastWasRunAgain();
    coverage_.Executed(several ? state_.findings.executions : executions);
    state_.findings.again = again;
    progress.executions.store(executions, std::memory_order_relaxed);
    progress.redundant.store(state_.findings.redundant + again, std::memory_order_relaxed);
    progress.assumed_away.store(state_.findings.assumed_away, std::memory_order_relaxed);
    progress.cut.store(state_.findings.cut, std::memory_order_relaxed);
    progress.hooks.store(state_.findings.hooks, std::memory_order_relaxed);
    progress.events.store(state_.findings.events, std::memory_order_relaxed);
    progress.threads.store(state_.findings.threads, std::memory_order_relaxed);
    progress.suppressed.store(state_.findings.suppressed.size(), std::memory_order_relaxed);
    progress.findings.store(state_.findings.reported.size(), std::memory_order_relaxed);
    progress.bound.store(explorer_.CurrentBound(), std::memory_order_relaxed);
  }

 private:
  bool Ended(Stop reason) {
    reason_ = reason;
    return false;
  }

  // Also notes it as the reason.
  bool IsStopRequested() {
    switch (static_cast<channel::StopRequest>(header_.stop_request.load())) {
      case channel::StopRequest::kNone:
        return false;
      case channel::StopRequest::kInterrupted:
        reason_ = Stop::kInterrupted;
        return true;
      case channel::StopRequest::kTime:
        reason_ = Stop::kTime;
        return true;
    }
    return false;
  }

  SearchState& state_;
  explore::Explorer& explorer_;
  explore::Coverage& coverage_;
  Outcomes& outcomes_;
  const Probing& probing_;
  Sharing& sharing_;
  const bool stoppable_;
  channel::Header& header_;
  uint64_t searched_ns_ = 0;  // at the last look at the clock
  bool wants_probes_ = false;
  bool wants_patience_ = false;
  Stop reason_ = Stop::kNone;
  uint64_t look_at_events_ = 0;
};

// The mapped files, so that the supervisor can turn code addresses into source lines.
void ReportModules() {
  static char executable[4096];
  const long length =
      runtime::RawSyscall(SYS_readlinkat, AT_FDCWD, reinterpret_cast<long>("/proc/self/exe"),
                          reinterpret_cast<long>(executable), sizeof executable - 1);
  executable[length > 0 ? length : 0] = '\0';
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void*) {
        channel::ModuleRecord module = {};
        module.head.kind = channel::RecordKind::kModule;
        module.bias = info->dlpi_addr;
        module.begin = ~0ull;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          const uint64_t begin = info->dlpi_addr + segment.p_vaddr;
          if (begin < module.begin) module.begin = begin;
          if (begin + segment.p_memsz > module.end) module.end = begin + segment.p_memsz;
        }
        const char* path = info->dlpi_name[0] != '\0' ? info->dlpi_name : executable;
        runtime::AppendRecord(&module.head, sizeof module, path,
                              static_cast<unsigned>(strlen(path) + 1));
        return 0;
      },
      nullptr);
}

void ReportOutcomes(const Outcomes::State& state) {
  for (const Outcomes::Entry& entry : state.entries) {
    channel::OutcomeRecord record = {};
    record.head.kind = channel::RecordKind::kOutcome;
    record.count = entry.count;
    record.preemptions = entry.preemptions;
    record.early_timeouts = entry.early_timeouts;
    runtime::AppendRecord(&record.head, sizeof record, entry.label,
                          static_cast<unsigned>(strlen(entry.label) + 1));
  }
}

void WriteVisited(const explore::VisitedCount& visited, channel::Summary& summary) {
  summary.states = visited.states;
  summary.state_bytes = visited.bytes;
  summary.collisions = visited.collisions;
  summary.states_by_bound_count = 0;
  for (const uint64_t states : visited.by_bound)
    if (summary.states_by_bound_count < channel::kMaxCoverageBounds)
      summary.states_by_bound[summary.states_by_bound_count++] = states;
}

void WriteSummary(const SearchState& state, const explore::Coverage& coverage,
                  const explore::Explorer& explorer, const Sharing& sharing, Stop stop) {
  channel::Header& header = runtime::ChannelHeader();
  channel::Summary& summary = header.summary;
  summary.stop = stop;
  const std::optional<claim::Incomplete> gap = sharing.Gap(explorer);
  summary.complete = stop == Stop::kExhausted;
  summary.whole_space = summary.complete != 0 && sharing.Complete(explorer);
  summary.happens_before = coverage.Count();
  summary.thread_ends = runtime::Visible().thread_ends;
  summary.thread_joins = runtime::Visible().thread_joins;
  summary.joint_cycles = runtime::Visible().joint_cycles;
  summary.frame_ends = runtime::Visible().frame_ends;
  summary.signals = runtime::Visible().signals;
  summary.trace_sum = coverage.Sum();
  summary.weak_pairs_watched = header.settings.report_races;
  const std::vector<uint64_t> by = coverage.ByPreemptions();
  summary.by_preemptions_count = 0;
  for (uint64_t count : by)
    if (summary.by_preemptions_count < channel::kMaxCoverageBounds)
      summary.by_preemptions[summary.by_preemptions_count++] = count;
  summary.coverage_overflow = coverage.Overflowed();
  static_assert(explore::Coverage::kMaxPoints <= channel::kMaxCoveragePoints);
  summary.over_executions_count = 0;
  for (const auto& [executions, graphs] : coverage.OverExecutions())
    summary.over_executions[summary.over_executions_count++] = {executions, graphs};
  summary.peak_nodes = sharing.PeakNodes(explorer);
  if (const auto visited = explorer.Visited()) WriteVisited(*visited, summary);
  summary.most_choices = sharing.MostChoices(explorer);
  // Of a search that would have begun again, no bound is completed.
  const int64_t completed = runtime::VisibleGrew() ? -1 : sharing.CompletedBound(explorer);
  header.progress.completed_bound.store(completed, std::memory_order_relaxed);
  if (state.findings.executions == 0 && state.findings.earlier_runs != 0)
    runtime::AppendNote(channel::NoteKind::kWarning,
                        "the search was ended just after it had begun again: what it explored "
                        "before is not counted");
  if (gap) runtime::NoteIncomplete(*gap);
  if (header.settings.points == channel::Points::kHooks && state.findings.executions != 0 &&
      state.findings.hooks == 0)
    runtime::NoteIncomplete(claim::Incomplete::kNoHooks);
  if (state.findings.uncontrolled && state.findings.culprit[0] != '\0')
    runtime::NoteIncomplete(claim::Incomplete::kUncontrolled, state.findings.culprit);
  ReportOutcomes(state.outcomes);
  Sharing::WriteGraphs(state.coverage);
}

// The execution in which the last process died, as the present one sees it.
void ConcludeDeath(SearchState& state, explore::Explorer& explorer, FindingObserver& findings,
                   std::span<explore::Observer* const> observers) {
  channel::Header& header = runtime::ChannelHeader();
  header.in_flight.store(0, std::memory_order_relaxed);
  runtime::ConcludeOpening();
  trace::Ending& ending = runtime::g_trace->ending;
  ending.kind = trace::EndKind::kDied;
  ending.status = header.death_status;
  ending.thread = op::kNoThread;
  ending.pc = 0;
  if (header.stop_kill != 0) {
    header.stop_kill = 0;
    ending.kind = trace::EndKind::kStopped;
    ending.status = 0;
  } else if (header.hang_kill != 0) {
    header.hang_kill = 0;
    ending.kind = trace::EndKind::kCut;
    ending.status = 0;
    runtime::NoteIncomplete(
        claim::Incomplete::kCut,
        "an execution was cut after --hang-after, and its process killed, because it did not "
        "answer: a system call of its own, or signals blocked");
  }
  const trace::Execution execution = runtime::ViewOfTrace(runtime::NameCount().load());
  if (std::exchange(state.probing.in_flight, false)) return findings.NoteProbe(execution);
  explore::Conclude(explorer, {}, execution, observers);
}

channel::Finder FinderOf(const explore::Explorer& explorer) {
  const auto point = explorer.FoundBy();
  if (!point) return {};
  return {channel::Finder::kOneOfSeveral, point->order, point->reduction, point->priorities};
}

// More is visible from now on. A search that has no time or executions left to begin again with it
// ends with the counts that it has. Nothing: it begins again.
std::optional<Stop> BeginsAgainUnlessOver(SearchBudget& budget) {
  if (budget.Left() || budget.WantsProbes() || budget.WantsPatience()) return std::nullopt;
  return budget.Reason();
}

// Runs until the search is over, or what is left of it here; nothing if what is visible grew, so
// that it has to begin again.
std::optional<Stop> RunToTheEnd(SearchState& state, explore::Explorer& explorer,
                                ProgramTarget& target, SearchBudget& budget, Probing& probing,
                                const Sharing& sharing,
                                std::span<explore::Observer* const> observers) {
  channel::Header& header = runtime::ChannelHeader();
  const channel::Settings& settings = header.settings;
  const bool fewest_first = settings.order == channel::Order::kContextBounded &&
                            settings.bound.unit == space::Unit::kPreemptions;
  ForkTarget apart(false);
  if (runtime::VisibleGrew()) return std::nullopt;
  for (;;) {
    header.finder = {};  // which of several searches it was, is told when a bug is explained
    const explore::SearchEnd end = explore::RunSearch(explorer, target, observers, budget);
    const bool pauses = end == explore::SearchEnd::kBudget && budget.WantsProbes();
    if (pauses) probing.Run(target, budget.SearchedNs(), header.progress.executions);
    // What the last execution showed is told first: with what was visible when it was found, and
    // with what is known of the bounds until then.
    const bool has_news = FindingObserver::HasNews(state.findings);
    const bool goes_on = pauses || end != explore::SearchEnd::kBudget;
    if (!has_news && explorer.BeginsAgain()) return std::nullopt;
    if (!has_news && goes_on && runtime::VisibleGrew()) return BeginsAgainUnlessOver(budget);
    if (end == explore::SearchEnd::kBudget && budget.WantsPatience()) return std::nullopt;
    if (end == explore::SearchEnd::kExhausted) return Stop::kExhausted;
    if (end == explore::SearchEnd::kBudget && !pauses) return budget.Reason();
    if (pauses && !has_news) continue;
    header.phase.store(static_cast<uint32_t>(channel::Phase::kExplaining));
    header.finder =
        pauses ? channel::Finder{channel::Finder::kProbe, {}, {}, {}} : FinderOf(explorer);
    const bool proves_bounds = fewest_first && !explorer.Gap() && sharing.KnowsBounds();
    const auto at_least = static_cast<uint32_t>(std::max<int64_t>(explorer.CurrentBound(), 0));
    const unsigned fresh = ReportUnexplained(&state.findings, target, apart, settings.minimise != 0,
                                             proves_bounds ? at_least : 0, explorer.Other());
    header.phase.store(static_cast<uint32_t>(channel::Phase::kSearching));
    if (state.findings.uncontrolled) return Stop::kUncontrolled;
    if (fresh != 0 && settings.keep_going == 0) return Stop::kBug;
    if (explorer.BeginsAgain()) return std::nullopt;
    if (runtime::VisibleGrew()) return BeginsAgainUnlessOver(budget);
  }
}

// Forgets what was explored. Findings stay: they were real.
void Forget(SearchState& state, const explore::Entry& entry) {
  if (state.explorer != nullptr) entry.free_state(state.explorer);
  state.explorer = nullptr;
  state.coverage = {};
  state.outcomes = {};
  state.probing = {};
  state.findings.executions = state.findings.redundant = state.findings.assumed_away = 0;
  state.findings.cut = 0;
  state.findings.events = state.findings.again = state.findings.hooks = 0;
}

// Explores anew, because more became visible.
void BeginAgain(SearchState& state, const explore::Entry& entry) {
  const uint64_t runs = RunsOf(state);
  Forget(state, entry);
  channel::Progress& progress = runtime::ChannelHeader().progress;
  progress.estimate.executions.store(0, std::memory_order_relaxed);
  progress.advised_bound.store(-1, std::memory_order_relaxed);
  state.findings.known.clear();  // a race that is known may hide another one of the same code
  state.findings.earlier_runs = runs;
  runtime::GrowVisible();
}

// In the memory of a search that stood still, and goes on elsewhere.
void Renew(SearchState& state, const explore::Entry& entry) {
  channel::Header& header = runtime::ChannelHeader();
  if (header.sharing.renews == 0) return;
  Forget(state, entry);
  state.findings.earlier_runs = 0;
  state.sharing = {};
  header.sharing.renews = 0;
}

// Of a search that was saved at its end: that end, unless there is a reason to go on. A limit on
// executions or time is for each run to have.
Stop EndOfSaved(SearchState& state, const channel::Settings& settings) {
  const Stop ended = std::exchange(state.ended, Stop::kNone);
  const bool stays = ended == Stop::kExhausted || (ended == Stop::kBug && settings.keep_going == 0);
  return stays ? ended : Stop::kNone;
}

// The last moment at which the search can be saved, before its summary is written. A program that
// got out of control has made of the search what nobody can go on with; and so has an explorer that
// hurried.
void OfferEnd(SearchState& state, Stop stop, bool stoppable) {
  channel::Header& header = runtime::ChannelHeader();
  if (header.save_at_end.load() == 0 || stop == Stop::kUncontrolled || state.moved) return;
  if (stoppable && header.stop_request.load() != 0) return;
  // Of an execution that was stopped on its way the explorer has learnt nothing, and takes it for
  // run.
  if (runtime::g_trace->ending.kind == trace::EndKind::kStopped) return;
  state.ended = stop;
  StandStill(header, stop);
}

// As much memory as checkpoints may take.
size_t CheckpointBytes(const channel::Settings& settings) {
  constexpr size_t kDefault = size_t{256} << 20;
  if (!channel::HasCheckpoints(settings.rewind)) return 0;
  return settings.memory_limit != 0 ? settings.memory_limit : kDefault;
}

// One search, with what is visible now. Nothing: it has to begin again, or the next branch waits.
std::optional<Stop> SearchOnce(SearchState& state, const explore::Entry& entry) {
  channel::Header& header = runtime::ChannelHeader();
  const channel::Settings& settings = header.settings;
  if (state.explorer == nullptr) state.explorer = entry.make_state();
  explore::SpillFile spill(header.spill_path);
  // What is saved at its end has to be whole then, so it takes the time that it takes.
  const bool stoppable = header.save_at_end.load() == 0;
  std::unique_ptr<explore::Explorer> explorer =
      entry.Attach(state.explorer, settings.seed, header.spill_path[0] != '\0' ? &spill : nullptr,
                   stoppable ? StopTokenOfSearch() : explore::StopToken(), settings.memory_limit,
                   PeersOf(header), settings.exact != 0);
  FindingObserver findings(&state.findings);
  TakeUpFindings(state.findings);
  explore::Coverage coverage(&state.coverage);
  const bool several = settings.order == channel::Order::kEscalating;
  Outcomes outcomes(&state.outcomes, several ? &coverage : nullptr);
  explore::Observer* const observers[] = {&findings, &coverage, &outcomes};
  ProgramTarget target(settings.verify != 0, CheckpointBytes(settings));
  Probing probing(&state.probing, findings);
  Sharing sharing(&state.sharing);
  SearchBudget budget(state, *explorer, coverage, outcomes, probing, sharing, stoppable);

  if (FindingObserver::DiedExplaining(state.findings))
    header.in_flight.store(0, std::memory_order_relaxed);
  else if (header.in_flight.load() != 0)
    ConcludeDeath(state, *explorer, findings, observers);
  std::optional<Stop> stop = Stop::kNone;
  if (!state.findings.unexplained.empty()) {
    header.finder = FinderOf(*explorer);
    ForkTarget apart(false);
    const unsigned fresh =
        ReportUnexplained(&state.findings, target, apart, false, true, explorer->Other());
    if (fresh != 0 && settings.keep_going == 0) stop = Stop::kBug;
  }
  if (stop == Stop::kNone && state.findings.uncontrolled) stop = Stop::kUncontrolled;
  if (stop == Stop::kNone) stop = EndOfSaved(state, settings);
  if (stop == Stop::kNone && settings.keep_going != 0) GoOnBehindBug(&state.findings);
  if (stop == Stop::kNone && state.sharing.nothing_own) stop = Stop::kExhausted;
  if (stop == Stop::kNone)
    stop = RunToTheEnd(state, *explorer, target, budget, probing, sharing, observers);
  budget.PublishProgress();
  if (stop == Stop::kExhausted && sharing.IsOn()) stop = sharing.AwaitBranch(*explorer);
  if (stop) OfferEnd(state, *stop, stoppable);
  if (stop) WriteSummary(state, coverage, *explorer, sharing, *stop);
  return stop;
}

void Search(SearchState& state) {
  const uint64_t seed = runtime::ChannelHeader().settings.seed;
  const auto entry = explore::Find(PointOf(runtime::ChannelHeader().settings));
  HEDDLE_CHECK(entry.has_value());  // the command line refuses what is no search
  Renew(state, *entry);
  Sharing sharing(&state.sharing);
  const bool begins = state.explorer == nullptr;
  if (begins && runtime::ChannelHeader().sharing.waits_first != 0) state.sharing.nothing_own = true;
  while (!SearchOnce(state, *entry)) {
    const bool beyond = entry->Attach(state.explorer, seed, nullptr)->BeginsAgain();
    if (!beyond && !runtime::VisibleGrew()) {
      sharing.TakeNext(*entry, state.explorer);
      continue;
    }
    if (sharing.IsOn()) sharing.AwaitAlone();
    BeginAgain(state, *entry);
    if (!beyond) continue;
    state.explorer = entry->make_state();
    entry->Attach(state.explorer, seed, nullptr)->RestartWithoutSplitting();
  }
}

void Replay(SearchState& state) {
  channel::Header& header = runtime::ChannelHeader();
  const uint32_t* options = runtime::ReplayOptions();
  const std::vector<uint32_t> schedule(options, options + header.settings.plan_length);
  ProgramTarget target(false, 0);
  const channel::EndAt& end_at = header.settings.end_at;
  ExplainSchedule(&state.findings, target, schedule, {end_at.moment, end_at.is_other != 0},
                  header.settings.expected);
  header.progress.executions.store(1);
  header.progress.events.store(state.findings.events);
  header.progress.threads.store(state.findings.threads);
  header.summary.stop = state.findings.uncontrolled ? Stop::kUncontrolled : Stop::kExhausted;
  if (state.findings.culprit[0] != '\0')
    runtime::NoteIncomplete(claim::Incomplete::kUncontrolled, state.findings.culprit);
}

// By memory, unless it was asked for otherwise, or there is memory that no snapshot has.
void ChooseRewind() {
  channel::Rewind& rewind = runtime::ChannelHeader().settings.rewind;
  if (runtime::MappedBeforeMain() && !channel::RewindsByFork(rewind)) {
    rewind =
        channel::HasCheckpoints(rewind) ? channel::Rewind::kForkCheckpoint : channel::Rewind::kFork;
    runtime::AppendNote(channel::NoteKind::kInfo,
                        "every execution runs in a process of its own (slower): the program maps "
                        "memory before main");
  }
  if (runtime::AliasesBeforeMain()) runtime::NoteIncomplete(runtime::Incomplete::kAliasedMemory);
  if (runtime::SharesBeforeMain()) {
    runtime::NoteIncomplete(claim::Incomplete::kSharedMemory);
  }
  if (channel::RewindsByFork(rewind) &&
      runtime::ChannelHeader().settings.visited == channel::Visited::kStates) {
    runtime::FailSetUp(
        "--visited states: the program maps memory before main, so every execution runs in a "
        "process of its own, and its memory cannot be compared (--visited none)");
  }
  if (channel::RewindsByFork(rewind))
    runtime::RewindByFork();
  else if (runtime::ChannelHeader().settings.debugger == 0)
    runtime::TakeSnapshot();
}

// Where the program, its libraries and the memory of its first thread are. Never 0.
uint64_t Layout() {
  uint64_t layout = base::Fold(reinterpret_cast<uintptr_t>(runtime::g_program.main),
                               runtime::ReadThreadPointer());
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        auto* hash = static_cast<uint64_t*>(argument);
        // The kernel's own code is no part of the program.
        const auto code = reinterpret_cast<uintptr_t>(info->dlpi_phdr);
        if (code - getauxval(AT_SYSINFO_EHDR) < runtime::kPageBytes) return 0;
        *hash = base::Fold(*hash, info->dlpi_addr);
        return 0;
      },
      &layout);
  return layout | 1;
}

// What was learnt elsewhere is of use only where the program has the same addresses.
void RefuseOtherLayout(uint64_t learnt_in, uint64_t layout) {
  if (learnt_in == layout) return;
  runtime::FailSetUp(
      "the program has other addresses than when the search was saved, so what was learnt does "
      "not fit: address randomisation cannot be switched off here, or another limit on the "
      "stack (ulimit -s) or another kernel lays memory out otherwise");
}

// The first process that goes on with a saved search.
void TakeUpSaved(SearchState& state, uint64_t layout) {
  channel::Header& header = runtime::ChannelHeader();
  RefuseOtherLayout(state.layout, layout);
  if (header.sharing.renews == 0) state.begun_ns = MonotonicNs();
  header.origin = channel::Origin::kGoesOn;
}

}  // namespace
}  // namespace heddle::search

namespace heddle::runtime {

void TakeOver() {
  using namespace heddle::search;  // NOLINT: the one place where runtime hands over to search
  channel::Header& header = ChannelHeader();
  PrepareRuntime();
  RememberModules();
  void*& root = g_own_heap.Root(kSearchRoot);
  if (root == nullptr) {
    auto* state = new SearchState;
    state->begun_ns = MonotonicNs();
    root = state;
    ReportModules();
  }
  SearchState& state = *static_cast<SearchState*>(root);
  const uint64_t layout = Layout();
  if (header.origin == channel::Origin::kResumed)
    TakeUpSaved(state, layout);
  else if (state.layout == 0 && header.layout != 0)
    RefuseOtherLayout(header.layout, layout);
  header.layout = layout;
  if (state.layout != 0 && state.layout != layout) {
    state.moved = true;
    NoteIncomplete(Incomplete::kMoved);
  }
  state.layout = layout;
  ChooseRewind();
  WatchSystemCalls();
  header.phase.store(static_cast<uint32_t>(channel::Phase::kSearching));
  if (header.settings.mode == channel::Mode::kReplay)
    Replay(state);
  else
    Search(state);
  header.phase.store(static_cast<uint32_t>(channel::Phase::kFinished));
  for (;;) RawSyscall(SYS_exit_group, 0);
}

}  // namespace heddle::runtime
