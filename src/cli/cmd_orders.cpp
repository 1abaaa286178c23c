// heddle orders: which memory orders are stronger than a test needs.
#include <algorithm>
#include <optional>

#include "cli/command.h"
#include "cli/interrupt_noted.h"
#include "cli/order_trials.h"
#include "cli/parse.h"
#include "cli/search_options.h"
#include "cli/search_run.h"
#include "cli/time_limit.h"
#include "cli/warn_of_build.h"
#include "report/orders_result.h"
#include "report/verdict.h"
#include "report/visible.h"
#include "report/wording.h"
#include "session/files.h"
#include "session/inspect_elf.h"
#include "session/spawn.h"

namespace heddle::cli {
namespace {

using report::JudgedOrder;
using report::OrdersTogether;
using report::OrderTrial;
using End = report::OrderTrial::End;

constexpr char kUsage[] = "heddle orders [options] [--] PROG [ARGS...]";
constexpr char kAbout[] =
    "Lists the memory orders of PROG's atomics that are stronger than this test needs: of each, a\n"
    "weaker one is put in its place, and everything that C11's memory model allows is explored. "
    "What\n"
    "it finds holds for this test only: one that does more may need the orders as they are.";
constexpr char kStatuses[] =
    "Exit status: 0 explored, 1 the program has a bug as it is, 2 bad option or program or output "
    "not\n"
    "written, 3 the program could not be kept under control, 4 the search of the program as it is "
    "is\n"
    "not complete, or (with --require-complete) of some order it is not known.";

// Which are tried, the weakest first; those of one list do not compare.
std::vector<std::vector<int>> WeakerThan(op::Kind kind, int order) {
  constexpr int kRelaxed = __ATOMIC_RELAXED, kAcquire = __ATOMIC_ACQUIRE,
                kRelease = __ATOMIC_RELEASE;
  if (order == kRelaxed) return {};
  if (order == __ATOMIC_SEQ_CST && kind == op::Kind::kAtomicLoad) return {{kRelaxed}, {kAcquire}};
  if (order == __ATOMIC_SEQ_CST && kind == op::Kind::kAtomicStore) return {{kRelaxed}, {kRelease}};
  if (order == __ATOMIC_SEQ_CST) return {{kRelaxed}, {kAcquire, kRelease}, {__ATOMIC_ACQ_REL}};
  if (order == __ATOMIC_ACQ_REL) return {{kRelaxed}, {kAcquire, kRelease}};
  return {{kRelaxed}};
}

std::vector<std::vector<int>> WeakerThan(const JudgedOrder& judged) {
  const op::Kind kind = judged.of_failure ? op::Kind::kAtomicLoad : judged.operation.kind;
  return WeakerThan(kind, judged.Order());
}

bool IsSame(const report::AtomicOperation& a, const report::AtomicOperation& b) {
  return a.kind == b.kind && a.order == b.order && a.failure == b.failure &&
         a.location.file == b.location.file && a.location.line == b.location.line &&
         a.location.column == b.location.column;
}

// With `order` in the place of what is judged.
RunOrders With(const JudgedOrder& judged, RunOrders run, int order) {
  if (judged.of_failure)
    run.failure = order;
  else
    run.order = order;
  // Of all but compare-exchanges there is one order.
  if (judged.operation.kind != op::Kind::kAtomicCompareExchange) run.failure = run.order;
  return run;
}

struct OrdersOptions {
  SearchOptions search;
  bool require_complete = false;
};

class OrdersSearch {
 public:
  OrdersSearch(const SearchOptions& options, const SearchSubject& subject,
               const std::vector<std::string>& command)
      : time_(options.time_ms), trials_(options, subject, command) {}

  // The program as it is; nothing of what follows holds if that has a bug or is not complete.
  base::Result<report::SearchResult> RunAsSaid();
  // What there is to be judged.
  std::vector<JudgedOrder> Judged() const;
  uint64_t Relaxed() const;

  // `left`: how many are left to be judged, this one included.
  std::optional<base::Error> Judge(JudgedOrder& judged, size_t left);
  std::optional<base::Error> JudgeTogether(const std::vector<JudgedOrder>& all,
                                           std::vector<OrdersTogether>& together);

 private:
  // Of `all` those with this index run with that order.
  using Chosen = std::vector<std::pair<size_t, int>>;
  base::Result<OrderTrial> Try(const std::vector<JudgedOrder>& all, const Chosen& chosen,
                               size_t left);
  std::optional<base::Error> Gather(const std::vector<JudgedOrder>& all,
                                    const std::vector<size_t>& weaker, OrdersTogether& found);

  const TimeLimit time_;
  OrderTrials trials_;
  bool interrupted_ = false;
};

base::Result<report::SearchResult> OrdersSearch::RunAsSaid() {
  const OrdersRule none = [](const report::AtomicOperation&) { return std::nullopt; };
  base::Result<OrderTrials::End> end = trials_.Run(none, time_.ShareMs(1));
  if (!end.Ok()) return base::Error{end.Message()};
  return std::move(end->result);
}

std::vector<JudgedOrder> OrdersSearch::Judged() const {
  std::vector<JudgedOrder> all;
  for (const report::AtomicOperation& operation : trials_.Met()) {
    for (const bool of_failure : {false, true}) {
      if (of_failure && operation.kind != op::Kind::kAtomicCompareExchange) continue;
      const JudgedOrder judged = {operation, of_failure};
      if (!WeakerThan(judged).empty()) all.push_back(judged);
    }
  }
  return all;
}

uint64_t OrdersSearch::Relaxed() const {
  const std::vector<report::AtomicOperation> met = trials_.Met();
  return static_cast<uint64_t>(std::ranges::count_if(met, [](const auto& operation) {
    return operation.order == __ATOMIC_RELAXED && operation.failure == __ATOMIC_RELAXED;
  }));
}

base::Result<OrderTrial> OrdersSearch::Try(const std::vector<JudgedOrder>& all,
                                           const Chosen& chosen, size_t left) {
  OrderTrial trial;
  interrupted_ |= InterruptNoted::Came();
  if (interrupted_) {
    trial.why = "interrupted";
    return trial;
  }
  const OrdersRule rule =
      [&](const report::AtomicOperation& operation) -> std::optional<RunOrders> {
    const RunOrders said = {operation.order, operation.failure};
    RunOrders run = said;
    for (const auto& [index, order] : chosen)
      if (IsSame(all[index].operation, operation)) run = With(all[index], run, order);
    if (run == said) return std::nullopt;
    return run;
  };
  base::Result<OrderTrials::End> end = trials_.Run(rule, time_.ShareMs(left));
  if (!end.Ok()) return base::Error{end.Message()};
  const report::SearchResult& result = end->result;
  trial.executions = result.executions;
  interrupted_ |= result.stop == channel::Stop::kInterrupted;
  if (!end->not_as_asked.empty()) {
    trial.why = end->not_as_asked;
  } else if (!result.findings.empty()) {
    trial.end = End::kBreaks;
    trial.why = BugInOneLine(result.findings.front());
  } else if (IsProof(result)) {
    trial.end = End::kHolds;
  } else {
    trial.why = WhyIncomplete(result);
  }
  return trial;
}

std::optional<base::Error> OrdersSearch::Judge(JudgedOrder& judged, size_t left) {
  // What holds with a weaker order holds with a stronger one: what is weakest comes first, so there
  // is one complete search at most, and those that meet a bug are short.
  for (const std::vector<int>& orders : WeakerThan(judged)) {
    for (const int order : orders) {
      base::Result<OrderTrial> trial = Try({judged}, {{0, order}}, left);
      if (!trial.Ok()) return base::Error{trial.Message()};
      trial->order = order;
      judged.trials.push_back(*std::move(trial));
    }
    if (!judged.Enough().empty()) break;
  }
  return std::nullopt;
}

// One joins the others after the other, with the weakest order of its own with which all hold.
std::optional<base::Error> OrdersSearch::Gather(const std::vector<JudgedOrder>& all,
                                                const std::vector<size_t>& weaker,
                                                OrdersTogether& found) {
  Chosen chosen;
  for (size_t i = 0; i < weaker.size(); ++i) {
    const JudgedOrder& judged = all[weaker[i]];
    std::vector<int> orders = judged.Enough();
    for (const std::vector<int>& stronger : WeakerThan(judged))
      for (const int order : stronger)
        if (std::ranges::find(judged.trials, order, &OrderTrial::order) == judged.trials.end())
          orders.push_back(order);
    for (const int order : orders) {
      Chosen more = chosen;
      more.emplace_back(weaker[i], order);
      // Alone it holds: that was tried.
      OrderTrial trial = {.end = End::kHolds};
      if (!chosen.empty()) {
        base::Result<OrderTrial> tried = Try(all, more, weaker.size() - i);
        if (!tried.Ok()) return base::Error{tried.Message()};
        trial = *tried;
      }
      found.all_tried &= trial.end != End::kNotKnown;
      if (trial.end != End::kHolds) continue;
      chosen = std::move(more);
      found.executions = trial.executions;
      break;
    }
  }
  for (const auto& [index, order] : chosen) {
    found.holds.push_back(index);
    found.orders.push_back(order);
  }
  return std::nullopt;
}

std::optional<base::Error> OrdersSearch::JudgeTogether(const std::vector<JudgedOrder>& all,
                                                       std::vector<OrdersTogether>& together) {
  std::vector<size_t> weaker;
  Chosen chosen;
  for (size_t i = 0; i < all.size(); ++i) {
    const std::vector<int> enough = all[i].Enough();
    if (enough.empty()) continue;
    weaker.push_back(i);
    chosen.emplace_back(i, enough.front());
  }
  if (weaker.size() < 2) return std::nullopt;
  OrdersTogether found;
  base::Result<OrderTrial> trial = Try(all, chosen, 2);
  if (!trial.Ok()) return base::Error{trial.Message()};
  found.trial = *trial;
  if (found.trial.end == End::kHolds) {
    found.executions = found.trial.executions;
    for (const auto& [index, order] : chosen) {
      found.holds.push_back(index);
      found.orders.push_back(order);
    }
  } else if (auto error = Gather(all, weaker, found)) {
    return error;
  }
  together.push_back(std::move(found));
  return std::nullopt;
}

// Prints as it goes: each line may take a search.
class Lines {
 public:
  void Add(const std::string& text) { lost_ = lost_ || Print(text, 0) != 0; }
  bool Lost() const { return lost_; }

 private:
  bool lost_ = false;
};

// The program as it is must be right and all explored; else the status to end with.
std::optional<int> RefuseAsSaid(const report::SearchResult& result) {
  if (report::IsError(result)) {
    Fail("the program could not be kept under control: " + WhyIncomplete(result));
    return kUncontrolled;
  }
  if (!result.findings.empty()) {
    Fail("the program has a bug with the orders that it says: " +
         BugInOneLine(result.findings.front()) + " (see heddle check)");
    return 1;
  }
  if (IsProof(result)) return std::nullopt;
  Fail("the search of the program with the orders that it says is not complete: " +
       WhyIncomplete(result));
  return report::ExitStatus(result, true);
}

int JudgeAll(const OrdersOptions& options, const SearchSubject& subject,
             const std::vector<std::string>& command) {
  const InterruptNoted interrupt;
  OrdersSearch search(options.search, subject, command);
  base::Result<report::SearchResult> as_said = search.RunAsSaid();
  if (!as_said.Ok()) return Fail(as_said.Message());
  if (const auto status = RefuseAsSaid(*as_said)) return *status;
  report::OrdersResult result;
  result.heddle_version = HEDDLE_VERSION;
  result.program = subject.program.absolute;
  result.arguments = {command.begin() + 1, command.end()};
  result.as_said = *std::move(as_said);
  result.judged = search.Judged();
  result.relaxed = search.Relaxed();
  Lines lines;
  lines.Add(report::Counted(result.judged.size(), "memory order") +
            " stronger than relaxed; as they are, every execution under C11's memory model "
            "explored (" +
            report::Grouped(result.as_said.executions) + "): no bug\n");
  for (size_t i = 0; i < result.judged.size(); ++i) {
    if (auto error = search.Judge(result.judged[i], result.judged.size() - i))
      return Fail(error->message);
    const bool with_column = report::NeedsColumn(result.judged, result.judged[i]);
    lines.Add(report::VisibleLine(report::JudgedText(result.judged[i], with_column)) + "\n");
  }
  if (auto error = search.JudgeTogether(result.judged, result.together))
    return Fail(error->message);
  lines.Add(report::TogetherText(result));
  if (!result.judged.empty())
    lines.Add(
        "This holds for this test only: one that does more may need the orders as they are.\n");
  bool lost = lines.Lost();
  if (!options.search.json.empty()) {
    if (auto error = session::WriteWhole(options.search.json, report::ToJson(result))) {
      Fail(error->message);
      lost = true;
    }
  }
  if (lost) return kUsageError;
  return options.require_complete && !report::IsAllKnown(result) ? 4 : 0;
}

}  // namespace

int Orders(const std::vector<std::string>& arguments) {
  CommandLine line(kAbout, "heddle orders");
  line.SetUsage(kUsage);
  line.SetFooter(kStatuses);
  OrdersOptions options;
  SearchOptions& search = options.search;
  line.Duration("--time", search.time_ms,
                "Stop after this long: 500ms, 60s, 5m, 2h (0: no limit). What is left is divided "
                "evenly among "
                "the orders that are left");
  line.Flag("--require-complete", options.require_complete,
            "Exit status 4 when of some order it is not known whether a weaker one is enough");
  line.Text("--json", search.json, "Write the result to FILE").Type("FILE").NotEmpty();
  AddSearchLimits(line, search);
  AddCheckOptions(line, search);
  std::vector<std::string> command;
  if (auto status = line.Parse(line.SplitProgram(arguments, command))) return *status;
  if (command.empty()) return Fail(std::string("which program? ") + kUsage);
  search.memory_model = space::NameOf(space::MemoryModel::kC11);
  search.no_minimise = true;  // nobody sees the schedules
  base::Result<channel::Settings> settings = MakeSettings(search);
  if (!settings.Ok()) return Fail(settings.Message());
  base::Result<std::string> path = session::FindProgram(command[0]);
  if (!path.Ok()) return Fail(path.Message());
  base::Result<session::ProgramFile> program = session::InspectProgram(*path, true);
  if (!program.Ok()) return Fail(program.Message());
  if (!program->debug_info)
    return Fail(command[0] +
                " has no debug information, so the source of an order could not be told: compile "
                "it with -g");
  if (!program->instrumented)
    return Fail(command[0] +
                " was not built with heddle-cc or heddle-c++, so its atomics cannot be seen");
  base::Result<std::string> library = session::FindRuntimeLibrary();
  if (!library.Ok()) return Fail(library.Message());
  const std::vector<std::string> inputs = {program->path, *library};
  if (!search.json.empty())
    if (auto error = session::CheckWritable(search.json, inputs)) return Fail(error->message);
  WarnOfBuild(*program);
  SearchSubject subject;
  subject.program = *program;
  subject.library = *library;
  subject.settings = *settings;
  subject.asserts_told = true;
  subject.may_have_jobs = false;
  return JudgeAll(options, subject, command);
}

}  // namespace heddle::cli
