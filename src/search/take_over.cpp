// What happens instead of the program's main, from takeover to the end of the process: prepares the
// runtime, finds the search that an earlier process began, if there is one, and goes on with it.

#include "search/take_over.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include <algorithm>
#include <span>
#include <vector>

#include "base/hash.h"
#include "runtime/control.h"
#include "runtime/memory/own_heap.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/context.h"
#include "runtime/prim/monotonic_clock.h"
#include "runtime/prim/page.h"
#include "runtime/prim/syscall.h"
#include "runtime/rewind_mode.h"
#include "runtime/roots.h"
#include "runtime/runtime.h"
#include "runtime/start.h"
#include "runtime/world/aliases.h"
#include "runtime/world/opened_libraries.h"
#include "runtime/world/prepare.h"
#include "runtime/world/unseen_calls.h"
#include "search/program_target.h"
#include "search/report_findings.h"
#include "search/search_loop.h"
#include "search/summary.h"

namespace heddle::search {
namespace {

using channel::Stop;

// Which of the choices that were made is of another kind than in the schedule, where that tells
// them apart.
uint64_t FirstOfOtherKind(const trace::Execution& execution, std::span<const uint32_t> planned) {
  const size_t both = std::min(planned.size(), execution.choices.size());
  for (size_t i = 0; i < both; ++i) {
    const bool of_thread = execution.choices[i].kind == trace::ChoiceKind::kThread;
    if (of_thread == ((planned[i] & channel::kNotOfThread) != 0)) return i;
  }
  return channel::Summary::kNone;
}

void Replay(SearchState& state) {
  channel::Header& header = runtime::ChannelHeader();
  const uint32_t* options = runtime::ReplayOptions();
  std::vector<uint32_t> schedule(options, options + header.settings.plan_length);
  for (uint32_t& option : schedule) option &= ~channel::kNotOfThread;
  ProgramTarget target(false, 0);
  const channel::EndAt& end_at = header.settings.end_at;
  const trace::Execution& execution =
      ExplainSchedule(&state.findings, target, schedule, {end_at.moment, end_at.is_other != 0},
                      header.settings.expected);
  header.summary.choices_made = execution.choices.size();
  header.summary.other_kind = FirstOfOtherKind(execution, {options, schedule.size()});
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
  if (runtime::MappedBeforeMain()) runtime::ChannelHeader().settings.maps_memory = 1;
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
  if (header.sharing.renews == 0) state.begun_ns = runtime::MonotonicNs();
  header.origin = channel::Origin::kGoesOn;
}

}  // namespace

void TakeOver() {
  using namespace runtime;  // NOLINT: the one place where runtime hands over to search
  channel::Header& header = ChannelHeader();
  PrepareRuntime();
  RememberModules();
  void*& root = g_own_heap.Root(kSearchRoot);
  if (root == nullptr) {
    auto* state = new SearchState;
    state->begun_ns = runtime::MonotonicNs();
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

}  // namespace heddle::search
