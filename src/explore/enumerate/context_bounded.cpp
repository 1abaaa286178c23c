#include "explore/enumerate/context_bounded.h"

#include <algorithm>

#include "explore/own_options.h"
#include "explore/varint.h"

namespace heddle::explore {

using trace::Choice;
using trace::ChoiceKind;

// Numbers in comments are lines of Algorithm 1. Its recursive Search is the choice stack: lines
// 27-28, going on with the same thread, are what the target does by default; lines 34-36 are the
// stack's open options, which cost nothing.
std::optional<plan::Plan> ContextBounded::NextPlan() {
  // 6-8: no thread is running at the start, so all first choices are one search
  if (!s_.started) return Begin();
  if (auto round = GoRound(false)) return round;
  if (auto plan = NextInBound()) return plan;
  return GoRound(true);
}

std::optional<plan::Plan> ContextBounded::NextInBound() {
  State& s = *state_;
  if (const auto plan = TakeFromStack()) return plan;  // 34-36
  if (s_.visited.full) return std::nullopt;
  std::optional<OpenOption> item;
  while (!s_.tree.Lost() && !(item = NextItem())) {
    if (s.records_in_bound == 0) {
      if (s.queue.Count() == 0) {  // 15-17
        s_.exhausted = true;
        return std::nullopt;
      }
      if (options_.gate.IsClosed()) return std::nullopt;
      RaiseBound();
    }
    OpenNextRecord();  // 11-12
  }
  if (item) {
    if (const auto plan = Run(*item)) return plan;  // 13
  }
  if (!s_.visited.full) s.lost_bound = std::min(s.lost_bound, s.bound);
  return std::nullopt;
}

void ContextBounded::Learn(const trace::Execution& execution) {
  State& s = *state_;
  if (WentRound(execution)) return;
  KeepVisited();
  if (PackItems(execution)) {  // 29-32
    if (s.bound < options_.bound.Last()) {
      s.queue.Push(s.packed, spill_);
      Hold(InFlight());
    } else {
      s_.cut = true;
    }
  }
  KeepOnStack(execution, Most());  // free options only: all that run have cost the bound
}

std::optional<Branch> ContextBounded::Split() {
  State& s = *state_;
  std::optional<Branch> branch = SplitStack();
  while (!branch && !s_.tree.Lost()) {
    if (const auto item = NextItem()) {
      branch = PartWith(*item);
      break;
    }
    if (s.records_in_bound == 0) {
      if (s.queue.Count() == 0 || options_.gate.IsClosed()) return std::nullopt;
      RaiseBound();
    }
    OpenNextRecord();
  }
  if (branch) branch->cost = s.bound;
  return branch;
}

bool ContextBounded::AwaitsBound() const {
  return state_->records_in_bound == 0 && state_->queue.Count() != 0;
}

bool ContextBounded::RaiseBound() {
  State& s = *state_;
  ++s.bound;                             // 18
  s.records_in_bound = s.queue.Count();  // 19-20
  return s.records_in_bound != 0;
}

bool ContextBounded::Take(const Branch& branch) {
  if (!Enumeration::Take(branch)) return false;
  state_->bound = branch.cost;
  return true;
}

// An empty record was lost, and has no items.
void ContextBounded::OpenNextRecord() {
  State& s = *state_;
  OpenRecord& r = s.record;
  s.queue.Pop(&r.bytes, spill_);
  --s.records_in_bound;
  if (s.queue.Lost()) s.lost_bound = std::min(s.lost_bound, s.bound);
  r.execution = ExecutionTree::kNone;
  r.read = 0;
  r.length = 0;
  if (r.bytes.empty()) return;
  const uint8_t* from = r.bytes.data();
  r.execution = static_cast<Id>(TakeVarint(&from));
  r.choice = FirstOwnOf(r.execution);
  r.read = static_cast<size_t>(from - r.bytes.data());
}

// The next item of the open record; nothing when there is none left.
std::optional<OpenOption> ContextBounded::NextItem() {
  OpenRecord& r = state_->record;
  for (;;) {
    if (op::ThreadSetRef left(r.left); !left.Empty()) {
      return OpenOption{r.execution, r.choice, left.TakeFirst()};
    }
    if (r.length > 1) {
      --r.length;
      ++r.choice;
      ++r.depth;
      r.left = r.set;
    } else if (!NextRun()) {
      if (r.execution != ExecutionTree::kNone) LetGo(r.execution);
      r.execution = ExecutionTree::kNone;
      return std::nullopt;
    }
    if (ByDepth() && r.depth >= Most()) {
      Postpone();
      return std::nullopt;
    }
  }
}

// Puts what is left of the open record, from the present choice point on, behind the records of
// this bound. Its execution stays held.
void ContextBounded::Postpone() {
  State& s = *state_;
  OpenRecord& r = s.record;
  s.packed.clear();
  AppendVarint(s.packed, r.execution);
  AppendVarint(s.packed, r.choice - FirstOwnOf(r.execution));
  AppendVarint(s.packed, r.length);
  AppendVarint(s.packed, r.depth);
  AppendVarint(s.packed, r.set.size());
  for (const uint64_t word : r.set) AppendVarint(s.packed, word);
  s.packed.insert(s.packed.end(), r.bytes.begin() + static_cast<ptrdiff_t>(r.read), r.bytes.end());
  s.queue.Push(s.packed, spill_);
  r = OpenRecord();
}

// Opens the next run of choice points with equal sets; false at the end of the record.
bool ContextBounded::NextRun() {
  OpenRecord& r = state_->record;
  if (r.read == r.bytes.size()) return false;
  const uint8_t* from = r.bytes.data() + r.read;
  r.choice += r.length;  // 1 behind a run, 0 behind the deviations
  r.choice += static_cast<uint32_t>(TakeVarint(&from));
  r.length = static_cast<uint32_t>(TakeVarint(&from));
  if (ByDepth()) r.depth = static_cast<uint32_t>(TakeVarint(&from));
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
  const auto own_of = [&](const Choice& c) {
    return OwnOptions(execution, c, options_.bound.unit);
  };
  // The options that become items.
  const auto items_of = [&](const OwnOptions& own, const Choice& c) {
    return own.Costly() - (options_.early_timeouts ? op::ThreadSet() : execution.EarlyTimeouts(c));
  };
  bool any = false;
  uint32_t end = FirstOwnOf(InFlight());  // of the run before
  uint32_t depth = ByDepth() ? CostOf(execution, std::min(end, count), options_.bound.unit) : 0;
  const uint32_t on_stack = ByDepth() ? Most() : 0;  // what is not as deep
  for (uint32_t i = end; i < count;) {
    const Choice& first = execution.choices[i];
    if (first.kind != ChoiceKind::kThread) {
      ++i;
      continue;
    }
    const OwnOptions own = own_of(first);
    const auto items = items_of(own, first);
    if (items.Empty() || depth < on_stack) {
      ++i;
      ++depth;
      continue;
    }
    const auto has_the_same = [&](const Choice& c) {
      return c.kind == ChoiceKind::kThread && c.set_words == first.set_words &&
             items_of(own_of(c), c) == items;
    };
    uint32_t behind = i + 1;
    while (behind < count && has_the_same(execution.choices[behind])) ++behind;
    if (!any) {
      any = true;
      s.packed.clear();
      AppendVarint(s.packed, InFlight());
    }
    AppendVarint(s.packed, i - end);
    AppendVarint(s.packed, behind - i);
    if (ByDepth()) AppendVarint(s.packed, depth);
    AppendVarint(s.packed, first.set_words);
    for (uint32_t w = 0; w < first.set_words; ++w) AppendVarint(s.packed, items.Word(w));
    depth += behind - i;
    i = end = behind;
  }
  return any;
}

uint32_t ContextBounded::DepthOf(uint32_t bound) const {
  const uint64_t depth = (uint64_t{bound} + 1) * options_.bound.most;
  return static_cast<uint32_t>(std::min<uint64_t>(depth, kUnbounded));
}

int64_t ContextBounded::CompletedBound() const {
  const int64_t searched = int64_t{state_->bound} - (s_.exhausted ? 0 : 1);
  const int64_t completed = std::min(searched, int64_t{state_->lost_bound} - 1);
  return ByDepth() && completed >= 0 ? DepthOf(static_cast<uint32_t>(completed)) : completed;
}

std::optional<claim::Incomplete> ContextBounded::Gap() const {
  if (state_->queue.Lost()) return claim::Incomplete::kUnreadable;
  return Enumeration::Gap();
}

}  // namespace heddle::explore
