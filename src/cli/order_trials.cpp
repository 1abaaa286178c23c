#include "cli/order_trials.h"

#include <algorithm>
#include <filesystem>

#include "cli/time_limit.h"
#include "report/verdict.h"
#include "report/wording.h"

namespace heddle::cli {
namespace {

// Each one comes to more of the program's code, so there are few.
constexpr int kMostSearches = 30;

// Executions that find out what there is.
constexpr uint64_t kSurveyed = 100;

constexpr char kTooMany[] = "the program has too many atomic operations to tell them apart";

// In the order of the source.
auto SourceOrder(const report::AtomicOperation& one) {
  return std::tuple(one.location.file, one.location.line, one.location.column,
                    static_cast<int>(one.kind), one.order, one.failure);
}

}  // namespace

OrderTrials::OrderTrials(SearchOptions options, const SearchSubject& subject,
                         const std::vector<std::string>& command)
    : options_(std::move(options)), subject_(subject), command_(command) {
  options_.out = scratch_.Path();  // schedules that only such a program has are for nobody
  options_.quiet = true;
  options_.keep_going = false;
}

std::optional<OrderTrials::Place> OrderTrials::PlaceOf(
    uint64_t pc, const std::vector<report::Module>& modules) const {
  for (const report::Module& module : modules) {
    if (pc < module.begin || pc >= module.end) continue;
    std::string name;
    if (module.path != subject_.program.absolute)
      name = std::filesystem::path(module.path).filename().string();
    name.resize(std::min(name.size(), sizeof(channel::CodePlace::module) - 1));
    return Place{name, pc - module.bias};
  }
  return std::nullopt;
}

bool OrderTrials::Learn(const MetAtomics& met, const OrdersRule& rule, std::string& not_as_asked) {
  bool more = false;
  not_as_asked.clear();
  for (const report::RawAtomic& raw : met.all) {
    const channel::AtomicRecord& record = raw.record;
    const std::vector<report::Module>& modules = met.modules[raw.modules];
    if (record.places == 0) not_as_asked = kTooMany;
    Key key;
    for (uint32_t i = 0; i < record.places; ++i)
      if (const auto place = PlaceOf(record.pc[i], modules)) key.first.push_back(*place);
    if (key.first.empty() || key.first.size() != record.places) continue;  // of no file
    key.second = {record.op_kind, record.order, record.failure};
    const size_t shared = std::min<size_t>(report::SharedFrames(raw, modules, symbolizer_),
                                           channel::kMaxOrderFrames - 1);
    for (size_t i = 0; i < shared; ++i)
      if (const auto place = PlaceOf(record.pc[i], modules)) more |= shared_.insert(*place).second;
    if (shared >= key.first.size()) continue;  // not told apart enough: the next search will
    const auto [at, is_new] = known_.try_emplace(key);
    if (is_new) at->second = report::OperationOf(raw, modules, symbolizer_);
    if (!at->second || !rule(*at->second) || record.asked != 0) continue;
    more |= is_new;
    if (!is_new)
      not_as_asked = "the code at " + report::PlaceText(at->second->location) +
                     " is in a library that the program loads while it runs";
  }
  return more;
}

std::vector<channel::OrderOverride> OrderTrials::OverridesFor(const OrdersRule& rule) const {
  std::vector<channel::OrderOverride> all;
  const auto add = [&](const std::vector<Place>& places) -> channel::OrderOverride& {
    channel::OrderOverride& one = all.emplace_back();
    one = {};
    for (const Place& place : places) {
      channel::CodePlace& frame = one.frames[one.frame_count++];
      place.module.copy(frame.module, sizeof frame.module - 1);
      frame.offset = place.offset;
    }
    return one;
  };
  for (const Place& place : shared_) add({place}).by_caller = 1;
  for (const auto& [key, operation] : known_) {
    if (!operation) continue;
    const std::optional<RunOrders> run = rule(*operation);
    if (!run) continue;
    channel::OrderOverride& one = add(key.first);
    one.op_kind = static_cast<uint8_t>(operation->kind);
    one.order = static_cast<uint8_t>(operation->order);
    one.failure = static_cast<uint8_t>(operation->failure);
    one.run_order = static_cast<uint8_t>(run->order);
    one.run_failure = static_cast<uint8_t>(run->failure);
    one.fence_before = static_cast<uint8_t>(run->fence_before);
  }
  return all;
}

base::Result<report::SearchResult> OrderTrials::Search(const OrdersRule& rule, uint64_t time_ms,
                                                       uint64_t executions, bool& more,
                                                       std::string& not_as_asked) {
  SearchSubject subject = subject_;
  subject.orders = OverridesFor(rule);
  subject.settings.tell_orders = 1;
  subject.may_have_jobs = false;
  subject.saved_options.reset();
  options_.time_ms = subject.settings.time_limit_ms = time_ms;
  options_.executions = subject.settings.max_executions = executions;
  more = false;
  if (subject.orders.size() > channel::kMaxOrderOverrides) {
    not_as_asked = kTooMany;
    return report::SearchResult();
  }
  SearchRunner runner(options_, subject);
  base::Result<report::SearchResult> result = runner.Run(command_);
  if (result.Ok())
    more =
        Learn(runner.Atomics(), rule, not_as_asked) && result->stop != channel::Stop::kInterrupted;
  return result;
}

base::Result<OrderTrials::End> OrderTrials::Run(const OrdersRule& rule, uint64_t time_ms,
                                                uint64_t executions) {
  const TimeLimit time(time_ms);
  End end;
  bool more = !surveyed_;
  for (int searches = 0; more && searches < kMostSearches; ++searches) {
    base::Result<report::SearchResult> result =
        Search([](const auto&) { return std::nullopt; }, time.ShareMs(1), kSurveyed, more,
               end.not_as_asked);
    if (!result.Ok()) return base::Error{result.Message()};
  }
  surveyed_ = more = true;
  for (int searches = 0; more && searches < kMostSearches; ++searches) {
    base::Result<report::SearchResult> result =
        Search(rule, time.ShareMs(1), executions, more, end.not_as_asked);
    if (!result.Ok()) return base::Error{result.Message()};
    end.result = *std::move(result);
  }
  return end;
}

std::string BugInOneLine(const report::Finding& finding) {
  const report::Headline headline = report::HeadlineOf(finding);
  const std::string text = headline.kind + headline.rest;
  if (finding.locations.empty() || finding.locations.front().file.empty()) return text;
  const std::string place = report::PlaceText(finding.locations.front());
  return text.find(place) != std::string::npos ? text : text + ", " + place;
}

std::string WhyIncomplete(const report::SearchResult& result) {
  if (result.stop == channel::Stop::kInterrupted) return "interrupted";
  if (result.stop == channel::Stop::kTime) return "time was up";
  if (const report::Note* reason = report::FirstReason(result)) return reason->text;
  return "the search is not complete";
}

bool IsProof(const report::SearchResult& result) {
  return result.verdict == report::Verdict::kClean && result.complete;
}

std::vector<report::AtomicOperation> OrderTrials::Met() const {
  std::vector<report::AtomicOperation> all;
  for (const auto& [key, operation] : known_)
    if (operation) all.push_back(*operation);
  std::ranges::sort(all, {}, SourceOrder);
  const auto same = std::ranges::unique(all, {}, SourceOrder);
  all.erase(same.begin(), same.end());
  return all;
}

}  // namespace heddle::cli
