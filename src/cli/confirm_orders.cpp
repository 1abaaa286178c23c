#include "cli/confirm_orders.h"

#include <algorithm>

#include "cli/interrupt_noted.h"
#include "cli/order_trials.h"
#include "cli/time_limit.h"
#include "op/operation.h"

namespace heddle::cli {
namespace {

using report::Confirmation;
using report::OrderChange;

constexpr uint64_t kLeastMs = 1000;  // of each set
constexpr uint64_t kMostMs = 10'000;

// On a busy machine the time is up before the program has begun: it gets more for so many.
constexpr uint64_t kLeastExecutions = 100;
constexpr uint64_t kPatienceMs = 60'000;

// An order as what it has of the others.
constexpr int kAcquires = 1, kReleases = 2, kIsSeqCst = 4;

int PartsOf(int order) {
  switch (order) {
    case __ATOMIC_RELAXED:
      return 0;
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE:
      return kAcquires;
    case __ATOMIC_RELEASE:
      return kReleases;
    case __ATOMIC_ACQ_REL:
      return kAcquires | kReleases;
    default:
      return kAcquires | kReleases | kIsSeqCst;
  }
}

// At least `least`, as far as a kind of operation can have it.
int Strengthened(op::Kind kind, int order, int least) {
  int parts = PartsOf(order) | PartsOf(least);
  if ((parts & kIsSeqCst) != 0) return __ATOMIC_SEQ_CST;
  if (kind == op::Kind::kAtomicLoad) parts &= kAcquires;
  if (kind == op::Kind::kAtomicStore) parts &= kReleases;
  if (parts == (kAcquires | kReleases)) return __ATOMIC_ACQ_REL;
  if (parts == 0) return __ATOMIC_RELAXED;
  return parts == kAcquires ? __ATOMIC_ACQUIRE : __ATOMIC_RELEASE;
}

int NumberOf(const std::string& order) {
  if (order == "acquire") return __ATOMIC_ACQUIRE;
  if (order == "release") return __ATOMIC_RELEASE;
  if (order == "acq_rel") return __ATOMIC_ACQ_REL;
  return order == "relaxed" ? __ATOMIC_RELAXED : __ATOMIC_SEQ_CST;
}

bool IsAt(const OrderChange& change, const report::AtomicOperation& operation) {
  return change.location.file == operation.location.file &&
         change.location.line == operation.location.line;
}

std::optional<RunOrders> Changed(const report::AtomicOperation& operation,
                                 const std::vector<OrderChange>& set) {
  RunOrders run = {operation.order, operation.failure};
  for (const OrderChange& change : set) {
    if (!IsAt(change, operation)) continue;
    const int order = NumberOf(change.order);
    if (change.fence) {
      if (operation.kind != op::Kind::kAtomicFence) run.fence_before = order;
      continue;
    }
    run.order = Strengthened(operation.kind, run.order, order);
    run.failure = operation.kind == op::Kind::kAtomicCompareExchange
                      ? Strengthened(op::Kind::kAtomicLoad, run.failure, order)
                      : run.order;
  }
  if (run == RunOrders{operation.order, operation.failure}) return std::nullopt;
  return run;
}

// As `options` ask, but for how the search goes.
SearchOptions OptionsFor(const SearchOptions& options, const std::string& memory_model) {
  SearchOptions other = options;
  for (std::string* axis :
       {&other.preset, &other.order, &other.reduction, &other.bound, &other.visited, &other.rewind,
        &other.priority, &other.save, &other.resume, &other.json})
    axis->clear();
  other.memory_model = memory_model;
  other.depth = SearchOptions::kNotGiven;
  other.executions = other.jobs = other.save_every_ms = 0;
  other.iterate = other.exact = other.keep_going = other.show_output = false;
  other.verify_determinism = false;
  other.no_minimise = true;
  return other;
}

Confirmation WordsFor(const OrderTrials::End& end, const report::Finding& bug) {
  const report::SearchResult& result = end.result;
  Confirmation told = {"not-known", result.executions};
  if (!end.not_as_asked.empty()) {
    told.why = end.not_as_asked;
  } else if (!result.findings.empty()) {
    const report::Finding& found = result.findings.front();
    told.result = found.identity == bug.identity ? "same-bug" : "other-bug";
    told.why = BugInOneLine(found);
  } else if (IsProof(result)) {
    told.result = "no-bug";
  } else {
    told.why = WhyIncomplete(result);
  }
  return told;
}

// Does the search know an operation at the place of each change?
bool AllAreMet(const OrderTrials& trials, const std::vector<OrderChange>& set) {
  const std::vector<report::AtomicOperation> met = trials.Met();
  return std::ranges::all_of(set, [&](const OrderChange& change) {
    return std::ranges::any_of(met, [&](const auto& one) { return IsAt(change, one); });
  });
}

base::Result<OrderTrials::End> Tried(OrderTrials& trials, const OrdersRule& rule, uint64_t time_ms,
                                     bool may_take_longer) {
  base::Result<OrderTrials::End> end = trials.Run(rule, time_ms);
  if (!may_take_longer || !end.Ok() || end->result.stop != channel::Stop::kTime ||
      end->result.executions >= kLeastExecutions)
    return end;
  base::Result<OrderTrials::End> longer = trials.Run(rule, kPatienceMs, kLeastExecutions);
  const bool is_cut = longer.Ok() && longer->result.stop == channel::Stop::kExecutions;
  return is_cut ? std::move(end) : std::move(longer);
}

// Somebody is to see it, and --time leaves some.
bool IsWanted(const SearchOptions& options, const SearchSubject& subject,
              const report::SearchResult& result) {
  if (options.fields >= 0 || !options.at_check.empty() || subject.part != nullptr) return false;
  if (options.quiet && options.json.empty()) return false;
  if (result.stop == channel::Stop::kInterrupted) return false;
  const bool time_is_up =
      options.time_ms != 0 && result.elapsed_s * 1000 + static_cast<double>(kLeastMs) >
                                  static_cast<double>(options.time_ms);
  return !time_is_up;
}

}  // namespace

void ConfirmOrders(const SearchOptions& options, const SearchSubject& subject,
                   const std::vector<std::string>& command, report::SearchResult& result) {
  size_t sets = 0;
  for (const report::Finding& bug : result.findings)
    for (const report::WeakExecution& weak : bug.weak) sets += weak.forbidden_by.size();
  if (sets == 0 || !IsWanted(options, subject, result)) return;
  const std::string model = result.weak_memory.search
                                ? std::string(space::NameOf(space::MemoryModel::kC11))
                                : result.memory_model;
  const SearchOptions others = OptionsFor(options, model);
  const base::Result<SearchSubject> changed = ExploredAnew(subject, others);
  if (!changed.Ok()) return;  // the options say something that only their search knows
  OrderTrials trials(others, *changed, command);
  const TimeLimit time(
      std::clamp<uint64_t>(static_cast<uint64_t>(result.elapsed_s * 1000), kLeastMs, kMostMs));
  for (report::Finding& bug : result.findings) {
    for (report::WeakExecution& weak : bug.weak) {
      for (const std::vector<OrderChange>& set : weak.forbidden_by) {
        if (InterruptNoted::Came()) return;
        const OrdersRule rule = [&](const report::AtomicOperation& operation) {
          return Changed(operation, set);
        };
        base::Result<OrderTrials::End> end =
            Tried(trials, rule, std::max(time.ShareMs(sets--), kLeastMs), options.time_ms == 0);
        if (!end.Ok() || end->result.stop == channel::Stop::kInterrupted) return;
        if (!AllAreMet(trials, set))
          end->not_as_asked = "some of it has no order that can be changed";
        weak.confirmed.push_back(WordsFor(*end, bug));
      }
    }
  }
}

}  // namespace heddle::cli
