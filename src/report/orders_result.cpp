#include "report/orders_result.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/wording.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;
using End = OrderTrial::End;

std::string OrderText(op::Kind kind, int order) {
  const bool none = kind == op::Kind::kAtomicFence && order == __ATOMIC_RELAXED;
  return none ? "no fence" : "memory_order_" + OrderName(kind, order);
}

std::string Placed(const JudgedOrder& judged, bool with_column) {
  const Location& at = judged.operation.location;
  std::string text = PlaceText(at);
  if (with_column && at.column != 0) text += ":" + std::to_string(at.column);
  text += " " + OperationWord(judged.operation.kind);
  if (judged.of_failure) text += " on failure";
  return text + " " + OrderText(judged.operation.kind, judged.Order());
}

std::string TrialText(const JudgedOrder& judged, const OrderTrial& trial) {
  const std::string order = OrderText(judged.operation.kind, trial.order);
  if (trial.end == End::kNotKnown) return order + ": not known, " + trial.why;
  return order + ": " + trial.why;
}

// An order as a set of what it does.
int PartsOf(int order) {
  constexpr int kAcquires = 1, kReleases = 2, kIsSeqCst = 4;
  if (order == __ATOMIC_RELAXED) return 0;
  if (order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE) return kAcquires;
  if (order == __ATOMIC_RELEASE) return kReleases;
  return kAcquires | kReleases | (order == __ATOMIC_SEQ_CST ? kIsSeqCst : 0);
}

// What has a bug has it with each weaker order, too.
bool Breaks(const std::vector<OrderTrial>& trials, const OrderTrial& one) {
  return std::ranges::any_of(trials, [&](const OrderTrial& other) {
    return other.end == End::kBreaks && (PartsOf(one.order) & ~PartsOf(other.order)) == 0;
  });
}

const char* EndName(End end) {
  switch (end) {
    case End::kHolds:
      return "holds";
    case End::kBreaks:
      return "breaks";
    case End::kNotKnown:
      break;
  }
  return "not-known";
}

Json Of(const OrderTrial& trial) {
  Json json = {{"result", EndName(trial.end)}, {"executions", trial.executions}};
  if (!trial.why.empty()) json["why"] = trial.why;
  return json;
}

Json Of(const JudgedOrder& judged) {
  const op::Kind kind = judged.operation.kind;
  const Location& at = judged.operation.location;
  Json location = {{"file", at.file}, {"line", at.line}, {"function", at.function}};
  if (at.column != 0) location["column"] = at.column;
  Json json = {{"operation", op::Info(kind).name},
               {"location", location},
               {"of_failure", judged.of_failure},
               {"order", OrderName(kind, judged.Order())}};
  const std::vector<int> enough = judged.Enough();
  json["verdict"] = judged.IsNeeded() ? "needed" : enough.empty() ? "not-known" : "stronger";
  json["enough"] = Json::array();
  for (const int order : enough) json["enough"].push_back(OrderName(kind, order));
  json["trials"] = Json::array();
  for (const OrderTrial& trial : judged.trials) {
    Json one = {{"order", OrderName(kind, trial.order)}};
    one.update(Of(trial));
    json["trials"].push_back(one);
  }
  return json;
}

Json Of(const OrdersTogether& together, const std::vector<JudgedOrder>& judged) {
  Json json = Of(together.trial);
  Json largest = Json::array();
  for (size_t i = 0; i < together.holds.size(); ++i) {
    const op::Kind kind = judged[together.holds[i]].operation.kind;
    largest.push_back(
        {{"index", together.holds[i]}, {"order", OrderName(kind, together.orders[i])}});
  }
  json["hold_together"] = largest;
  json["all_tried"] = together.all_tried;
  return json;
}

}  // namespace

std::vector<int> JudgedOrder::Enough() const {
  std::vector<int> orders;
  for (const OrderTrial& trial : trials)
    if (trial.end == End::kHolds) orders.push_back(trial.order);
  return orders;
}

bool JudgedOrder::IsNeeded() const {
  return std::ranges::all_of(trials, [&](const OrderTrial& one) { return Breaks(trials, one); });
}

bool JudgedOrder::IsOpen() const {
  return std::ranges::any_of(trials, [&](const OrderTrial& one) {
    return one.end == End::kNotKnown && !Breaks(trials, one);
  });
}

bool IsAllKnown(const OrdersResult& result) {
  return std::ranges::none_of(result.judged, &JudgedOrder::IsOpen) &&
         std::ranges::all_of(result.together, [](const OrdersTogether& together) {
           return together.all_tried && together.trial.end != End::kNotKnown;
         });
}

bool NeedsColumn(const std::vector<JudgedOrder>& all, const JudgedOrder& one) {
  return std::ranges::count_if(all, [&](const JudgedOrder& other) {
           return Placed(other, false) == Placed(one, false);
         }) > 1;
}

std::string JudgedText(const JudgedOrder& judged, bool with_column) {
  std::string text = Placed(judged, with_column) + ": ";
  const std::vector<int> enough = judged.Enough();
  if (enough.empty()) {
    text += judged.IsNeeded() ? "needed" : "not known";
  } else {
    for (size_t i = 0; i < enough.size(); ++i)
      text += (i == 0 ? "" : " or ") + OrderText(judged.operation.kind, enough[i]);
    text += " is enough for this test";
  }
  // Of those that do not do, the last one is the nearest to what the program says.
  const bool not_known = enough.empty() && !judged.IsNeeded();
  const auto other =
      std::find_if(judged.trials.rbegin(), judged.trials.rend(), [&](const OrderTrial& one) {
        return not_known ? one.end == End::kNotKnown : one.end != End::kHolds;
      });
  if (other != judged.trials.rend()) text += " (" + TrialText(judged, *other) + ")";
  return text;
}

std::string TogetherText(const OrdersResult& result) {
  if (result.together.empty()) return "";
  const OrdersTogether& together = result.together.front();
  if (together.trial.end == End::kHolds)
    return "together, too: every execution with all of them explored (" +
           Grouped(together.trial.executions) + ")\n";
  std::string text = together.trial.end == End::kBreaks
                         ? "not all together (" + together.trial.why + ")"
                         : "all together: not known, " + together.trial.why;
  if (together.holds.empty()) return text + "\n";
  text += "; these hold together (" + Counted(together.executions, "execution") + "):\n";
  for (size_t i = 0; i < together.holds.size(); ++i) {
    const JudgedOrder& judged = result.judged[together.holds[i]];
    text += "  " + Placed(judged, NeedsColumn(result.judged, judged)) + " -> " +
            OrderText(judged.operation.kind, together.orders[i]) + "\n";
  }
  if (!together.all_tried) text += "  perhaps others, too: not known\n";
  return text;
}

std::string ToJson(const OrdersResult& result) {
  Json json = {
      {"heddle_version", result.heddle_version}, {"program", result.program},
      {"arguments", result.arguments},           {"memory_model", result.as_said.memory_model},
      {"executions", result.as_said.executions}, {"relaxed", result.relaxed},
      {"all_known", IsAllKnown(result)}};
  json["orders"] = Json::array();
  for (const JudgedOrder& judged : result.judged) json["orders"].push_back(Of(judged));
  if (!result.together.empty()) json["together"] = Of(result.together.front(), result.judged);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
