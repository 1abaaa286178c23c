// The table H of the search over happens-before graphs (cb_por.h): what enters it, and when.
#include "explore/hb/cb_por.h"
#include "explore/hb/steering.h"

namespace heddle::explore {

using op::ThreadId;

bool CbPor::IsInTable(uint64_t hash, bool forever) const {
  const StateEntry entry = s_.EntryOf(hash);
  return entry.in_table_forever || (!forever && entry.in_table);
}

// Answers what is known then.
StateEntry CbPor::Close(uint64_t key, uint32_t member, bool forever) {
  return s_.Edit(key, [&](StateEntry& entry) {
    entry.closed |= op::BitOf(member);
    if (forever) entry.forever |= op::BitOf(member);
    return entry;
  });
}

// Step i, made from the state `graph`, leads into H with the options that it took. If it does with
// all, answers what is known of the state then.
std::optional<StateEntry> CbPor::CloseStep(uint64_t graph, StepIndex i, bool forever) {
  const ThreadId thread = s_.prefixes.Graph().At(i).thread;
  const auto taken = s_.prefixes.Graph().OptionsOf(i);
  const auto counts = s_.prefixes.OptionCountsOf(i);
  for (size_t j = taken.size(); j-- > 0;) {
    const uint64_t key = OptionsKey(graph, thread, taken.first(j));
    if (counts[j] > kMostThreads) return std::nullopt;
    const StateEntry entry = Close(key, taken[j].option, forever);
    const ThreadBits all = AllBelow(counts[j]);
    if ((all & ~entry.Closed()) != 0) return std::nullopt;
    forever = (all & ~entry.forever) == 0;
  }
  return thread == op::kNoThread ? StateEntry() : Close(graph, thread, forever);
}

// 15-22: `state` enters H, and so do those of its prefixes from which everything within the bound
// leads into H then; without recursion. A state that entered for ever with a lower bound enters
// once more with each: more of its prefixes are within that.
void CbPor::Mark(const Prefix& state, bool forever) {
  const bool is_new =
      s_.Edit(state.hash, [&](StateEntry& entry) { return PutIn(entry, &forever); });
  if (is_new) MarkBefore(state, forever);
}

// 16. Returns true if it was not there, or not for ever.
bool CbPor::PutIn(StateEntry& entry, bool* forever) {
  *forever |= entry.in_table_forever;
  const bool was_there = entry.in_table && entry.in_table_forever == *forever;
  entry.in_table = true;
  entry.in_table_forever = *forever;
  return !was_there;
}

// 17-22, for a state that has entered.
void CbPor::MarkBefore(const Prefix& state, bool forever) {
  std::vector<Marked> todo;
  todo.push_back({state, forever});
  uint32_t ahead = kMostAhead;
  while (!todo.empty() && !stop_token_.IsRequested()) {
    Marked marked = todo.back();
    todo.pop_back();
    // After the beginning there was no thread to go on with.
    if (IsShared() && marked.state.size == 0) CloseStep(s_.nodes[0].hash, 0, marked.forever);
    s_.prefixes.ForEachLast(marked.state, [&](StepIndex last) {  // 17
      const bool within = IsWithin(marked.state, last);
      if (!within && (!marked.forever || ahead == 0)) return;
      ahead -= within ? 0 : 1;
      bool for_all_bounds = true;
      const auto entry = CloseStep(marked.state.hash, last, marked.forever);
      if (entry && IsDone(marked.state, *entry, within, &for_all_bounds) &&  // 18
          s_.Edit(marked.state.hash, [&](StateEntry& one) { return PutIn(one, &for_all_bounds); }))
        todo.push_back({marked.state, for_all_bounds});  // 19
    });
  }
}

// Is step i, made from the state, within the bound?
bool CbPor::IsWithin(const Prefix& state, StepIndex i) {
  if (!s_.IsBounded()) return true;
  const auto bounds = ContextBounds(s_.table, s_.prefixes, s_.bound, stop_token_).Of(state);
  if (bounds.OfState() > s_.bound) return false;
  const ThreadId thread = s_.prefixes.Graph().At(i).thread;
  if (!s_.prefixes.MayBeTimeout(i)) return bounds.Of(thread) <= s_.bound;
  return ContextBounds::CostOf(bounds, s_.prefixes.EnabledAfter(state), thread) <= s_.bound;
}

// Does everything that can follow the state within the bound lead into H? `forever`: ... whatever
// the bound. `within`: the state is within the bound itself.
bool CbPor::IsDone(const Prefix& state, const StateEntry& entry, bool within, bool* forever) {
  if (entry.left) {  // by who knows more
    *forever = ~entry.forever == 0;
    return ~entry.Closed() == 0;
  }
  const Enabled enabled = s_.prefixes.EnabledAfter(state);
  if (enabled.unknown) return false;
  const ThreadBits all = enabled.may | enabled.timeouts;
  const ThreadBits left = all & ~entry.Closed();
  *forever = (all & ~entry.forever) == 0;
  if (*forever || !within) return *forever;
  if (left == 0 || !s_.IsBounded()) return left == 0;
  const auto bounds = ContextBounds(s_.table, s_.prefixes, s_.bound, stop_token_).Of(state);
  for (ThreadBits open = left; open != 0; open &= open - 1) {
    const auto thread = LowestOf(open);
    if (ContextBounds::CostOf(bounds, enabled, thread) <= s_.bound) return false;
  }
  return true;
}

// Algorithm 1, line 4. Returns true if it was not visited.
bool CbPor::Visit(const Prefix& visited) {
  Prefix state = visited;
  const bool is_new = s_.Edit(state.hash, [](StateEntry& entry) {
    const bool was_there = entry.in_table;
    entry.in_table = true;
    return !was_there;
  });
  s_.prefixes.ForEachLast(state, [&](StepIndex last) { CloseStep(state.hash, last, false); });
  return is_new;
}

}  // namespace heddle::explore
