#include "search/summary.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>

#include <optional>
#include <vector>

#include "runtime/control.h"
#include "runtime/prim/syscall.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"

namespace heddle::search {
namespace {

using channel::Stop;

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

}  // namespace

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

}  // namespace heddle::search
