#include "search/search_loop.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/check.h"
#include "explore/compose/registry.h"
#include "explore/main_loop.h"
#include "explore/spill_file.h"
#include "runtime/control.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/trace_view.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"
#include "runtime/world/opened_libraries.h"
#include "search/budget.h"
#include "search/program_target.h"
#include "search/report_findings.h"
#include "search/save.h"
#include "search/summary.h"
#include "search/unshown_output.h"

namespace heddle::search {
namespace {

using channel::Stop;

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

// Minimises and explains what was found. Returns how many bugs of it are new.
unsigned ExplainFound(SearchState& state, const explore::Explorer& explorer, ProgramTarget& target,
                      const Sharing& sharing) {
  channel::Header& header = runtime::ChannelHeader();
  const channel::Settings& settings = header.settings;
  const bool fewest_first = settings.order == channel::Order::kContextBounded &&
                            settings.bound.unit == space::Unit::kPreemptions;
  const bool proves_bounds = fewest_first && !explorer.Gap() && sharing.KnowsBounds();
  const auto at_least = static_cast<uint32_t>(std::max<int64_t>(explorer.CurrentBound(), 0));
  header.phase.store(static_cast<uint32_t>(channel::Phase::kExplaining));
  const UnshownOutput unshown(target);
  ForkTarget apart(false);
  const unsigned fresh = ReportUnexplained(&state.findings, target, apart, settings.minimise != 0,
                                           proves_bounds ? at_least : 0, explorer.Other());
  header.phase.store(static_cast<uint32_t>(channel::Phase::kSearching));
  return fresh;
}

// Runs until the search is over, or what is left of it here; nothing if what is visible grew, so
// that it has to begin again.
std::optional<Stop> RunToTheEnd(SearchState& state, explore::Explorer& explorer,
                                ProgramTarget& target, SearchBudget& budget, Probing& probing,
                                const Sharing& sharing,
                                std::span<explore::Observer* const> observers) {
  channel::Header& header = runtime::ChannelHeader();
  const channel::Settings& settings = header.settings;
  if (runtime::VisibleGrew()) return std::nullopt;
  for (;;) {
    header.finder = {};  // which of several searches it was, is told when a bug is explained
    const explore::SearchEnd end = explore::RunSearch(explorer, target, observers, budget);
    const bool pauses = end == explore::SearchEnd::kBudget && budget.WantsProbes();
    if (pauses) {
      const UnshownOutput unshown(target);
      probing.Run(target, budget.SearchedNs(), header.progress.executions);
    }
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
    header.finder =
        pauses ? channel::Finder{channel::Finder::kProbe, {}, {}, {}} : FinderOf(explorer);
    const unsigned fresh = ExplainFound(state, explorer, target, sharing);
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

// The last moment at which the search can be saved, before its summary is written. Not if the
// program got out of control, or the explorer was stopped in the middle of a computation: nobody
// could go on with such a search.
void OfferEnd(SearchState& state, Stop stop, bool stoppable) {
  channel::Header& header = runtime::ChannelHeader();
  if (header.save_at_end.load() == 0 || stop == Stop::kUncontrolled || state.moved) return;
  if (stoppable && header.stop_request.load() != 0) return;
  // Of an execution that was stopped on its way the explorer has learnt nothing, and takes it for
  // run. (One that only explains a bug is not the explorer's.)
  if (state.findings.was_stopped) return;
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
    const unsigned fresh = ExplainFound(state, *explorer, target, sharing);
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

}  // namespace

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

}  // namespace heddle::search
