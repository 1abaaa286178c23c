#include "report/merge_results.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "report/verdict.h"
#include "space/space.h"

namespace heddle::report {
namespace {

void AddNumbers(const SearchResult& part, SearchResult& all) {
  all.executions += part.executions;
  all.redundant += part.redundant;
  all.assumed_away += part.assumed_away;
  all.cut += part.cut;
  all.hooks += part.hooks;
  all.events += part.events;
  all.restarts += part.restarts;
  all.time.executions += part.time.executions;
  all.time.ns += part.time.ns;
  all.time.restoring_ns += part.time.restoring_ns;
  all.time.before_threads_ns += part.time.before_threads_ns;
  all.threads = std::max(all.threads, part.threads);
  all.time_limits |= part.time_limits;
  // They exist at the same time.
  all.peak_memory_bytes += part.peak_memory_bytes;
  all.peak_nodes += part.peak_nodes;
  all.steps_skipped += part.steps_skipped;
  all.most_choices = std::max(all.most_choices, part.most_choices);
  all.elapsed_s = std::max(all.elapsed_s, part.elapsed_s);
  // Several parts may leave out the same one.
  all.suppressed = std::max(all.suppressed, part.suppressed);
}

void AddOutcomes(const SearchResult& part, SearchResult& all) {
  for (const auto& [name, label] : part.outcomes) {
    const auto [at, fresh] = all.outcomes.emplace(name, label);
    if (fresh) continue;
    Label& sum = at->second;
    sum.count += label.count;
    const auto cost = [](const Label& one) { return one.preemptions + one.early_timeouts; };
    if (cost(label) >= cost(sum)) continue;
    sum.preemptions = label.preemptions;
    sum.early_timeouts = label.early_timeouts;
  }
}

void AddNotes(const SearchResult& part, SearchResult& all) {
  for (const Note& note : part.notes) {
    const bool known =
        std::ranges::any_of(all.notes, [&](const Note& other) { return other.text == note.text; });
    if (!known) all.notes.push_back(note);
  }
}

// The better known of two that are the same: not cut short, shown again, by few preemptions.
bool IsBetter(const Finding& a, const Finding& b) {
  const auto rank = [](const Finding& finding) {
    return std::tuple(finding.not_reproduced, !finding.cut_short.empty(), finding.schedule.empty(),
                      finding.preemptions + finding.early_timeouts);
  };
  return rank(a) < rank(b);
}

bool IsSame(const Finding& a, const Finding& b) {
  return a.identity == b.identity || std::ranges::find(a.also, b.identity) != a.also.end() ||
         std::ranges::find(b.also, a.identity) != b.also.end();
}

void AddFindings(const SearchResult& part, SearchResult& all) {
  for (const Finding& finding : part.findings) {
    const auto same = std::ranges::find_if(
        all.findings, [&](const Finding& other) { return IsSame(other, finding); });
    if (same == all.findings.end()) {
      all.findings.push_back(finding);
    } else if (IsBetter(finding, *same)) {
      *same = finding;
    }
  }
}

// A bug that nobody had the time to record cannot be told from one of the same kind that another
// part has told in full, and most often is that one. And where nothing is left, it was met again.
void DropUnrecorded(const EndOfParts& end, SearchResult& all) {
  const auto is_unrecorded = [](const Finding& one) { return one.cut_short == "recording"; };
  std::vector<std::string> told;
  for (const Finding& finding : all.findings)
    if (!is_unrecorded(finding)) told.push_back(finding.kind);
  if (end.stop != channel::Stop::kBug && !end.nothing_left) return;
  std::erase_if(all.findings, [&](const Finding& finding) {
    return is_unrecorded(finding) && std::ranges::find(told, finding.kind) != told.end();
  });
}

void AddWeakPairs(const SearchResult& part, SearchResult& all) {
  constexpr size_t kMost = 10;  // as of one search
  const auto same = [](const Step& a, const Step& b) {
    return a.location.file == b.location.file && a.location.line == b.location.line &&
           a.operation == b.operation && a.object == b.object;
  };
  for (const WeakPair& pair : part.weak_memory.pairs) {
    const bool known = std::ranges::any_of(all.weak_memory.pairs, [&](const WeakPair& other) {
      return same(pair.first, other.first) && same(pair.second, other.second);
    });
    if (!known && all.weak_memory.pairs.size() < kMost) all.weak_memory.pairs.push_back(pair);
  }
}

// By sorting: a search that is to end in time may have seen millions.
void CountGraphs(std::span<const PartOfResult> parts, SearchResult& all) {
  std::vector<Graph> graphs;
  bool known = true;
  uint64_t most_of_one = 0;
  for (const PartOfResult& part : parts) {
    if (part.findings_only) continue;
    known &= part.graphs_known && part.graphs.size() >= part.result.happens_before;
    most_of_one = std::max(most_of_one, part.result.happens_before);
    graphs.insert(graphs.end(), part.graphs.begin(), part.graphs.end());
  }
  std::ranges::sort(graphs, {},
                    [](const Graph& graph) { return std::pair(graph.hash, graph.least); });
  const auto is_same = [](const Graph& a, const Graph& b) { return a.hash == b.hash; };
  graphs.erase(std::unique(graphs.begin(), graphs.end(), is_same), graphs.end());
  all.all_graphs &= known;
  all.trace_sum.reset();
  if (known) {
    all.trace_sum = 0;
    for (const Graph& graph : graphs) *all.trace_sum += graph.hash;
  } else {
    all.notes.push_back(
        {"info", "coverage counts are lower bounds: not every job could tell its graphs"});
  }
  if (graphs.size() < most_of_one) {  // of which one part can tell more
    all.happens_before = most_of_one;
    return;
  }
  all.happens_before = graphs.size();
  all.by_preemptions.clear();
  for (const Graph& graph : graphs) {
    if (all.by_preemptions.size() <= graph.least) all.by_preemptions.resize(graph.least + 1);
    ++all.by_preemptions[graph.least];
  }
  for (size_t i = 1; i < all.by_preemptions.size(); ++i)
    all.by_preemptions[i] += all.by_preemptions[i - 1];
}

// Of searches in turn, what several of them ran is one execution, whichever part ran it.
void CountOnce(std::span<const PartOfResult> parts, SearchResult& all) {
  uint64_t told = 0;
  for (const PartOfResult& part : parts)
    if (!part.findings_only) told += part.result.happens_before;
  const uint64_t again = std::min(told - std::min(told, all.happens_before), all.executions);
  all.executions -= again;
  all.redundant += again;
}

// What is claimed of the whole: what all parts claim, or the one that has shown it for all. Returns
// true if so does what they say of weak memory.
bool MergeClaims(std::span<const PartOfResult> parts, const EndOfParts& end, SearchResult& all) {
  const bool proved = end.proved_by >= 0;
  const bool may_claim = !end.out_of_control && (proved || end.nothing_left);
  all.complete = all.whole_space = all.all_graphs = may_claim;
  bool holds = true;
  for (size_t i = 0; i < parts.size(); ++i) {
    const SearchResult& part = parts[i].result;
    if (proved ? static_cast<int64_t>(i) != end.proved_by : parts[i].findings_only) continue;
    all.complete &= part.complete;
    all.whole_space &= part.whole_space;
    all.all_graphs &= part.all_graphs;
    holds &= part.weak_memory.holds;
  }
  return holds;
}

}  // namespace

SearchResult MergeResults(std::span<const PartOfResult> parts, const EndOfParts& end) {
  SearchResult all = parts.front().result;
  all.jobs.clear();
  int64_t completed = -1;
  size_t counted = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const SearchResult& part = parts[i].result;
    if (i != 0) AddFindings(part, all);
    if (parts[i].findings_only) continue;
    ++counted;
    all.jobs.push_back(part.executions);
    if (i != 0) {
      AddNumbers(part, all);
      AddOutcomes(part, all);
      AddNotes(part, all);
      AddWeakPairs(part, all);
    }
    completed = std::max(completed, part.completed_bound);
  }
  if (parts.size() > 1) DropUnrecorded(end, all);
  all.stop = end.stop;
  const bool holds = MergeClaims(parts, end, all);
  const bool raced = std::ranges::any_of(
      all.findings, [](const Finding& finding) { return finding.kind == "data-race"; });
  // What a part says of a bound is of a search that it has made by itself. Of one that was shared,
  // the bound that was asked for is completed with the last part.
  completed = std::max(completed, end.completed_bound);
  all.completed_bound = end.out_of_control ? -1 : completed;
  if (all.complete && all.bound && end.completed_bound < 0)
    all.completed_bound = std::max<int64_t>(completed, all.bound->most);
  WithdrawClaims(all);
  all.weak_memory.holds =
      all.whole_space && holds && !raced && all.suppressed == 0 && all.weak_memory.pairs.empty();
  if (counted <= 1) {
    all.jobs.clear();
  } else {
    CountGraphs(parts, all);
    if (all.order == space::NameOf(space::Order::kEscalating)) CountOnce(parts, all);
    std::erase_if(all.over_executions, [&](const CoveragePoint& point) {
      return point.executions > end.executions_alone;
    });
    if (all.happens_before != 0)
      all.over_executions.push_back({all.executions, all.happens_before});
  }
  std::ranges::stable_sort(all.findings, {}, &Finding::execution);
  all.verdict = JudgeVerdict(all, end.out_of_control);
  all.guarantee = Guarantee(all);
  return all;
}

}  // namespace heddle::report
