#include "explore/context_bounded.h"

#include <algorithm>

#include "explore/varint.h"
#include "trace/cost.h"

namespace heddle::explore {

using plan::Deviation;
using trace::Choice;
using trace::ChoiceKind;

namespace {

// Makes ready to read the items of the record in `bytes`; an empty one has none.
void OpenBytes(ContextBounded::OpenRecord& record) {
  record.deviations.clear();
  record.read = 0;
  record.length = 0;
  if (record.bytes.empty()) return;
  const uint8_t* from = record.bytes.data();
  uint32_t choice = 0;
  for (uint64_t count = TakeVarint(&from); count > 0; --count) {
    choice += static_cast<uint32_t>(TakeVarint(&from));
    record.deviations.push_back({choice, static_cast<uint32_t>(TakeVarint(&from))});
    ++choice;
  }
  record.choice = choice;
  record.read = static_cast<size_t>(from - record.bytes.data());
}

}  // namespace

// Numbers in comments are lines of Algorithm 1. Its recursive Search is the choice stack: lines
// 27-28, going on with the same thread, are what the target does by default; lines 34-36 are the
// stack's untried options, which cost nothing.
std::optional<plan::Plan> ContextBounded::NextPlan() {
  State& s = *state_;
  if (!s.started) {  // 6-8: at the start no thread is running, so all first choices are one search
    s.started = true;
    return plan::Plan{};
  }
  if (s.stack.Advance()) return plan::Plan{.deviations = s.stack.Deviations()};  // 34-36
  while (!NextItem()) {
    if (s.records_in_bound == 0) {
      if (s.queue.Count() == 0) {  // 15-17
        s.exhausted = true;
        return std::nullopt;
      }
      ++s.bound;                             // 18
      s.records_in_bound = s.queue.Count();  // 19-20
    }
    s.queue.Pop(&s.record.bytes, spill_);  // 11-12
    --s.records_in_bound;
    OpenBytes(s.record);
    if (s.queue.Lost()) s.lost_bound = std::min(s.lost_bound, s.bound);
  }
  return plan::Plan{.deviations = s.stack.Deviations()};  // 13
}

void ContextBounded::Learn(const trace::Execution& execution) {
  State& s = *state_;
  if (PackItems(execution)) {  // 29-32
    if (s.bound < options_.preemptions) {
      s.queue.Push(s.packed, spill_);
    } else {
      s.cut = true;
    }
  }
  s.stack.Extend(execution, 0);  // free options only
}

// Takes the next item of the open record and makes the stack search below it; false when there is
// none left.
bool ContextBounded::NextItem() {
  OpenRecord& r = state_->record;
  for (;;) {
    if (op::ThreadSetRef left(r.left); !left.Empty()) {
      auto& item = state_->item;
      item = r.deviations;
      item.push_back({r.choice, left.TakeFirst()});
      state_->stack.Start(item);
      return true;
    }
    if (r.length > 1) {
      --r.length;
      ++r.choice;
      r.left = r.set;
    } else if (!NextRun()) {
      return false;
    }
  }
}

// Opens the next run of choice points with equal sets; false at the end of the record.
bool ContextBounded::NextRun() {
  OpenRecord& r = state_->record;
  if (r.read == r.bytes.size()) return false;
  const uint8_t* from = r.bytes.data() + r.read;
  r.choice += r.length;  // 1 behind a run, 0 behind the deviations
  r.choice += static_cast<uint32_t>(TakeVarint(&from));
  r.length = static_cast<uint32_t>(TakeVarint(&from));
  r.set.resize(TakeVarint(&from));
  for (uint64_t& word : r.set) word = TakeVarint(&from);
  r.left = r.set;
  r.read = static_cast<size_t>(from - r.bytes.data());
  return true;
}

// Writes the record of `execution` to `packed`. ENSURES: the answer is false if it has no item.
bool ContextBounded::PackItems(const trace::Execution& execution) {
  State& s = *state_;
  const auto count = static_cast<uint32_t>(execution.choices.size());
  // The options that become items.
  auto items_of = [&](const Choice& c) {
    return trace::CostlyOptions(execution, c) -
           (options_.early_timeouts ? op::ThreadSet() : execution.EarlyTimeouts(c));
  };
  auto equal = [&](uint32_t i, const Choice& first) {
    const Choice& c = execution.choices[i];
    return c.kind == ChoiceKind::kThread && c.set_words == first.set_words &&
           items_of(c) == items_of(first);
  };
  bool any = false;
  uint32_t end = s.stack.FirstNew();  // of the run before
  for (uint32_t i = end; i < count;) {
    const Choice& first = execution.choices[i];
    if (first.kind != ChoiceKind::kThread || items_of(first).Empty()) {
      ++i;
      continue;
    }
    uint32_t behind = i + 1;
    while (behind < count && equal(behind, first)) ++behind;
    if (!any) {
      any = true;
      s.packed.clear();
      const auto deviations = s.stack.Deviations();
      AppendVarint(s.packed, deviations.size());
      uint32_t next = 0;
      for (const Deviation& d : deviations) {
        AppendVarint(s.packed, d.choice - next);
        AppendVarint(s.packed, d.option);
        next = d.choice + 1;
      }
    }
    AppendVarint(s.packed, i - end);
    AppendVarint(s.packed, behind - i);
    const auto items = items_of(first);
    AppendVarint(s.packed, first.set_words);
    for (uint32_t w = 0; w < first.set_words; ++w) AppendVarint(s.packed, items.Word(w));
    i = end = behind;
  }
  return any;
}

int64_t ContextBounded::CompletedBound() const {
  const int64_t searched = int64_t{state_->bound} - (state_->exhausted ? 0 : 1);
  return std::min(searched, int64_t{state_->lost_bound} - 1);
}

const char* ContextBounded::Weakness() const {
  return state_->queue.Lost()
             ? "part of the work queue could not be read back from its temporary file; "
               "the schedules in it were not explored"
             : nullptr;
}

}  // namespace heddle::explore
