#include "report/weak_words.h"

#include "report/wording.h"

namespace heddle::report {
namespace {

std::string EventText(const GraphEvent& event) {
  std::string text = event.thread + " " + event.text;
  if (!event.order.empty()) text += ", " + event.order;
  return text + (event.location.file.empty() ? "" : " (" + PlaceText(event.location) + ")");
}

const char* AfterText(const std::string& relation) {
  if (relation == "po") return "later in its thread";
  if (relation == "rf") return "which reads that";
  if (relation == "mo") return "later in modification order";
  if (relation == "fr") return "which overwrites what the step above has read";
  return "which waited for that";
}

}  // namespace

std::vector<std::string> CycleText(const WeakExecution& weak) {
  std::vector<std::string> lines;
  if (weak.cycle.empty()) return lines;
  lines.push_back(EventText(weak.events[weak.cycle.front().from]));
  for (const GraphEdge& edge : weak.cycle)
    lines.push_back(EventText(weak.events[edge.to]) + ", " + AfterText(edge.relation));
  return lines;
}

std::string MachinesText(const WeakExecution& weak) {
  if (weak.sequential) return "sequentially consistent: this bug needs no weak memory";
  if (weak.x86) return "x86 can do this, as can weaker machines (ARM, POWER)";
  return "x86 does not do this; weaker machines (ARM, POWER) may, and compilers that reorder "
         "accesses";
}

std::string ChangesText(const std::vector<OrderChange>& changes) {
  std::string text;
  for (size_t i = 0; i < changes.size(); ++i) {
    if (i != 0) text += i + 1 == changes.size() ? " and " : ", ";
    const std::string order = "memory_order_" + changes[i].order;
    const std::string place = PlaceText(changes[i].location);
    text += changes[i].fence ? "atomic_thread_fence(" + order + ") before " + place
                             : order + " at " + place;
  }
  return text;
}

std::string ConfirmedText(const WeakExecution& weak, size_t set) {
  if (set >= weak.confirmed.size()) return "";
  const Confirmation& one = weak.confirmed[set];
  const std::string with = weak.forbidden_by[set].size() == 1 ? "with this" : "with these";
  if (one.result == "no-bug")
    return with + ", every execution explored (" + Grouped(one.executions) + "): no bug";
  if (one.result == "same-bug") return with + ", other executions have this bug still";
  if (one.result == "other-bug") return with + ", there is another bug: " + one.why;
  return "not confirmed: " + one.why + " (" + Counted(one.executions, "execution") + ")";
}

std::string NoneSufficesText(const WeakExecution& weak) {
  if (weak.confirmed.empty() || weak.confirmed.size() != weak.forbidden_by.size()) return "";
  for (const Confirmation& one : weak.confirmed)
    if (one.result != "same-bug") return "";
  const size_t all = weak.forbidden_by.size();
  const std::string which = all == 1 ? "the smallest one that forbids"
                                     : "each of the " + Grouped(all) + " smallest that forbid";
  return "no single change of orders is enough: with " + which +
         " this execution, other executions have this bug still";
}

std::string UntriedText(const WeakExecution& weak) {
  if (weak.sequential) return "";
  if (weak.forbidden_by.empty())
    return weak.all_tried ? "no stronger orders and no fences at the program's atomics forbid it"
                          : "what would forbid it was not found: there is too much to try";
  return weak.all_tried ? "" : "there may be less that forbids it: there is too much to try";
}

}  // namespace heddle::report
