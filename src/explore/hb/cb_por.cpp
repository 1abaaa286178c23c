#include "explore/hb/cb_por.h"

#include <algorithm>

#include "explore/hb/steering.h"
#include "explore/por/ends.h"

namespace heddle::explore {

using op::ThreadId;

namespace {

ThreadBits AllOf(uint32_t options) { return ~ThreadBits{0} >> (kMostThreads - options); }

}  // namespace

CbPor::CbPor(State* state, const Options& options, Spill* spill, bool every_state)
    : s_(*state),
      most_(options.bound.most),
      iterates_(options.iterates),
      every_state_(every_state),
      hurry_(options.hurry) {
  s_.table.SetSpill(spill);
  if (!s_.started && !iterates_) s_.bound = most_;
}

const char* CbPor::Weakness() const {
  if (s_.wide) {
    return "--reduction happens-before has room for 64 threads, and 64 options of a choice: what "
           "comes after was not explored (--reduction none)";
  }
  if (s_.full) {
    return "--reduction happens-before has room for 67 million states, and there are more: what "
           "comes after was not explored (a lower --bound, or --reduction none)";
  }
  if (s_.table.Lost()) {
    return "part of the table of states could not be read back from its temporary file; the "
           "schedules after them were not explored";
  }
  // In another order such a step may be another one, so the prefixes are not all there are.
  if (s_.sections) {
    return "--reduction happens-before may miss schedules of programs with atomic sections or "
           "heddle_done (--reduction none, or source without a bound)";
  }
  if (s_.mistaken) {
    return "--reduction happens-before did not foresee what some operation does in another order, "
           "so schedules may be missing (--reduction none)";
  }
  return nullptr;
}

int64_t CbPor::CurrentBound() const { return s_.IsBounded() ? int64_t{s_.bound} : -1; }

int64_t CbPor::CompletedBound() const {
  if (Weakness() != nullptr) return -1;
  if (!s_.IsBounded()) return s_.exhausted ? int64_t{ContextBounds::kMostBound} : -1;
  return int64_t{s_.bound} - (s_.exhausted ? 0 : 1);
}

bool CbPor::Complete() const {
  if (!s_.exhausted || Weakness() != nullptr) return false;
  return every_state_ ? !s_.cut : IsDoneForEver();
}

// Was all that can follow the beginning, with whatever options, visited?
bool CbPor::IsDoneForEver() const {
  if (s_.prefixes.Size() == 0) return true;
  if (s_.prefixes.Graph().OptionsOf(0).empty())
    return s_.nodes.size() < 2 || IsInTable(s_.nodes[1].hash, true);
  const StateTable::Id id = s_.table.Find(OptionsKey(s_.nodes[0].hash, op::kNoThread));
  const ThreadBits all = AllOf(s_.prefixes.OptionCountsOf(0).front());
  return id != StateTable::kNone && (all & ~s_.table[id].forever) == 0;
}

// ---- what to run next ----

std::optional<plan::Plan> CbPor::NextPlan() {
  s_.script.clear();
  s_.options.clear();
  s_.trail = {};
  if (!s_.started) {
    s_.started = true;
    return PlanOf();
  }
  s_.full |= s_.table.Size() > kMostStates;
  if (s_.exhausted || s_.wide || s_.full || s_.table.Lost()) return std::nullopt;
  bool found = FindNext();
  while (!found && !hurry_.IsAsked() && RaiseBound()) found = TakeFirst();
  if (hurry_.IsAsked()) return std::nullopt;  // what was not found may be there
  s_.exhausted = !found && !s_.wide;
  if (!found || s_.table.Lost()) return std::nullopt;
  return PlanOf();
}

plan::Plan CbPor::PlanOf() {
  plan::Plan plan;
  plan.script = s_.script;
  plan.options = s_.options;
  plan.end_if_vain = true;
  plan.steering = {&SteeringByStates(), &s_};
  return plan;
}

// Search, without recursion: the deepest state from which a step within the bound leads elsewhere
// than into H (8-10). When a state is left, none does: it is in H then (SE, lines 6 and 13).
bool CbPor::FindNext() {
  Prefix state = s_.prefixes.Whole();
  for (auto k = static_cast<StepIndex>(s_.nodes.size() - 1); k > 0 && !hurry_.IsAsked(); --k) {
    if (k < s_.prefixes.Size()) {
      s_.prefixes.RemoveLast(state, s_.prefixes.Graph().At(k).thread);
      const bool forever = k + 1 < s_.nodes.size() && IsInTable(s_.nodes[k + 1].hash, true);
      CloseStep(s_.nodes[k].hash, k, forever);
    }
    if (TakeOption(k) || TakeThread(k, state)) return true;
    if (s_.wide) return false;
    if (every_state_) continue;
    const StateTable::Id id = s_.table.Find(s_.nodes[k].hash);
    Mark(state, id != StateTable::kNone && (s_.nodes[k].open & ~s_.table[id].forever) == 0);
  }
  if (hurry_.IsAsked()) return false;
  CloseStep(s_.nodes[0].hash, 0, IsInTable(state.hash, true));
  return TakeOption(0);
}

// What to begin a search with a new bound with.
bool CbPor::TakeFirst() {
  if (!s_.prefixes.Graph().OptionsOf(0).empty()) return TakeOption(0);
  return TakeThread(1, s_.prefixes.Before(1));
}

// Another option of the step that was made from node k. All that its choices lead to costs the
// same.
bool CbPor::TakeOption(StepIndex k) {
  if (k >= s_.prefixes.Size()) return false;
  const auto taken = s_.prefixes.Graph().OptionsOf(k);
  const auto counts = s_.prefixes.OptionCountsOf(k);
  const ThreadId thread = s_.prefixes.Graph().At(k).thread;
  const uint64_t graph = s_.nodes[k].hash;
  for (size_t j = taken.size(); j-- > 0;) {
    const uint64_t key = OptionsKey(graph, thread, taken.first(j));
    const ThreadBits closed = s_.ClosedAt(key);
    s_.wide |= counts[j] > kMostThreads;
    if (s_.wide) return false;
    for (uint32_t option = 0; option < counts[j]; ++option) {
      if ((closed >> option & 1) != 0) continue;
      const std::vector<plan::ScriptOption> before(taken.begin(),
                                                   taken.begin() + static_cast<ptrdiff_t>(j));
      const ThreadId chooser = taken[j].thread;
      GoTo(k, thread);
      s_.options.insert(s_.options.end(), before.begin(), before.end());
      s_.options.push_back({chooser, option});
      s_.trail = {graph, thread, OptionsKeyAfter(key, option)};
      return true;
    }
  }
  return false;
}

// 8, 9: a thread that can go on from node k, which stands for `state`.
bool CbPor::TakeThread(StepIndex k, const Prefix& state) {
  if (k >= s_.nodes.size()) return false;
  ThreadBits left = s_.nodes[k].open & ~s_.ClosedAt(s_.nodes[k].hash);
  if (left == 0) return false;
  if (!s_.IsBounded()) {
    GoTo(k, LowestOf(left));
    return true;
  }
  const auto bounds = ContextBounds(s_.table, s_.prefixes, s_.bound, hurry_).Of(state);
  const Enabled enabled = s_.prefixes.EnabledAfter(state);
  for (; left != 0; left &= left - 1) {
    const auto thread = LowestOf(left);
    if (ContextBounds::CostOf(bounds, enabled, thread) <= s_.bound) {
      GoTo(k, thread);
      return true;
    }
  }
  s_.cut = true;
  return false;
}

// The script up to node k, and then a step of the thread. The beginning belongs to nobody, and
// needs no script.
void CbPor::GoTo(StepIndex k, ThreadId thread) {
  const StepGraph& graph = s_.prefixes.Graph();
  for (StepIndex i = 0; i < k; ++i) {
    if (i != 0) s_.script.push_back(graph.At(i).thread);
    const auto options = graph.OptionsOf(i);
    s_.options.insert(s_.options.end(), options.begin(), options.end());
  }
  if (k != 0) s_.script.push_back(thread);
  s_.prefixes.Truncate(k);
  s_.nodes.resize(k + 1);
}

// With the next bound the search begins again at the first state. What is in H whatever the bound
// is not searched again.
bool CbPor::RaiseBound() {
  if (!iterates_ || s_.wide || s_.bound >= most_) return false;
  if (every_state_ ? !s_.cut : IsDoneForEver()) return false;
  ++s_.bound;
  if (!s_.IsBounded()) s_.bound = kUnbounded;
  s_.cut = false;
  return true;
}

// ---- what was learnt ----

void CbPor::Learn(const trace::Execution& complete) {
  const trace::Execution& execution = without_vain_.Of(complete);
  NoteVainScript(complete);
  const StepIndex first = s_.prefixes.Size();
  s_.wide |= execution.threads > kMostThreads;
  if (s_.wide) return;
  s_.prefixes.Extend(execution, without_vain_.Looks());
  const bool cut_short = WasCutShort(execution.ending);
  TakeUpNodes(execution, first, cut_short);
  if (cut_short || hurry_.IsAsked()) return;
  const Prefix whole = s_.prefixes.Whole();
  if (Counts(execution.ending) && IsInTable(whole.hash, !every_state_)) ++s_.ran_again;
  if (every_state_) {
    Visit(whole);
  } else {
    Mark(whole, true);  // 4, 5
  }
}

// A round of a loop in which nothing changed leads from a state to itself.
void CbPor::NoteVainScript(const trace::Execution& complete) {
  const size_t last = s_.script.size();
  if (last == 0 || last >= complete.steps.size() || complete.steps[last].vain == 0) return;
  Close(s_.nodes[last].hash, s_.script.back(), true);
}

// The states before the steps from `first` on, and the one in which the execution was cut short.
void CbPor::TakeUpNodes(const trace::Execution& execution, StepIndex first, bool cut_short) {
  const StepIndex size = s_.prefixes.Size();
  Prefix state = s_.prefixes.Before(std::max<StepIndex>(first, 1));
  if (s_.nodes.empty()) s_.nodes.emplace_back();
  for (StepIndex i = std::max<StepIndex>(first, 1); i < size + (cut_short ? 1 : 0); ++i) {
    if (hurry_.IsAsked()) return;
    const ThreadBits open = OpenAt(execution, i, state.hash);
    if (s_.nodes.size() <= i) {
      s_.nodes.push_back({state.hash, open});
      const Enabled enabled = s_.prefixes.EnabledAfter(state);
      const ThreadBits may = enabled.may | enabled.timeouts;
      s_.mistaken |= !enabled.unknown && (open & ~may) != 0;
      s_.mistaken |= (enabled.enabled & ~open) != 0;
      if (every_state_) Visit(state);
    }
    if (i >= size) break;
    s_.sections |= s_.prefixes.Graph().IsInside(i);
    s_.prefixes.PutBack(state, s_.prefixes.Graph().At(i).thread);
  }
  if (s_.nodes.size() > size + 1) s_.nodes.resize(size + 1);
}

// Who could go on before step i; the step may be one that was not made any more.
ThreadBits CbPor::OpenAt(const trace::Execution& execution, StepIndex i, uint64_t graph) {
  const bool made = i < execution.steps.size();
  const trace::Choice* choice = made ? ChoiceBefore(execution, i) : ChoiceAfterAll(execution);
  if (choice != nullptr) {
    const op::ThreadSet open = execution.Open(*choice);
    s_.wide |= open.Width() > 1;
    return open.WordOrNone(0);
  }
  if (made) return op::BitOf(execution.steps[i].thread);
  // Only one could go on, and its step leads into H.
  return s_.ClosedAt(graph);
}

// ---- the table H ----

bool CbPor::IsInTable(uint64_t hash, bool forever) const {
  const StateTable::Id id = s_.table.Find(hash);
  if (id == StateTable::kNone) return false;
  const StateTable::Entry& entry = s_.table[id];
  return entry.in_table_forever || (!forever && entry.in_table && entry.epoch == s_.Epoch());
}

StateTable::Entry& CbPor::EditNow(StateTable::Id id) {
  StateTable::Entry& entry = s_.table.Edit(id);
  if (entry.epoch != s_.Epoch()) {
    entry.closed = 0;
    entry.in_table = false;
    entry.epoch = s_.Epoch();
  }
  return entry;
}

void CbPor::Close(uint64_t key, uint32_t member, bool forever) {
  StateTable::Entry& entry = EditNow(s_.table.At(key));
  entry.closed |= op::BitOf(member);
  if (forever) entry.forever |= op::BitOf(member);
}

// Step i, made from the state `graph`, leads into H with the options that it took. Answers whether
// it does with all.
bool CbPor::CloseStep(uint64_t graph, StepIndex i, bool forever) {
  const ThreadId thread = s_.prefixes.Graph().At(i).thread;
  const auto taken = s_.prefixes.Graph().OptionsOf(i);
  const auto counts = s_.prefixes.OptionCountsOf(i);
  for (size_t j = taken.size(); j-- > 0;) {
    const uint64_t key = OptionsKey(graph, thread, taken.first(j));
    if (counts[j] > kMostThreads) return false;
    Close(key, taken[j].option, forever);
    const StateTable::Id id = s_.table.Find(key);
    const ThreadBits all = AllOf(counts[j]);
    if ((all & ~s_.ClosedFrom(id)) != 0) return false;
    forever = (all & ~s_.table[id].forever) == 0;
  }
  if (thread != op::kNoThread) Close(graph, thread, forever);
  return true;
}

// 15-22: `state` enters H, and so do those of its prefixes from which everything within the bound
// leads into H then; without recursion. A state that entered for ever with a lower bound enters
// once more with each: more of its prefixes are within that.
void CbPor::Mark(const Prefix& state, bool forever) {
  std::vector<Marked> todo;
  todo.push_back({state, forever});
  uint32_t ahead = kMostAhead;
  while (!todo.empty() && !hurry_.IsAsked()) {
    Marked marked = todo.back();
    todo.pop_back();
    StateTable::Entry& entry = EditNow(s_.table.At(marked.state.hash));
    marked.forever |= entry.in_table_forever;
    if (entry.in_table && entry.in_table_forever == marked.forever) continue;
    entry.in_table = true;  // 16
    entry.in_table_forever = marked.forever;
    for (ThreadBits left = s_.prefixes.Frontier(marked.state); left != 0; left &= left - 1) {  // 17
      const auto thread = LowestOf(left);
      const StepIndex last = s_.prefixes.LastStepOf(marked.state, thread);
      s_.prefixes.RemoveLast(marked.state, thread);
      const bool within = IsWithin(marked.state, last);
      if (within || (marked.forever && ahead > 0)) {
        ahead -= within ? 0 : 1;
        bool for_all_bounds = true;
        if (CloseStep(marked.state.hash, last, marked.forever) &&
            IsDone(marked.state, within, &for_all_bounds)) {  // 18
          todo.push_back({marked.state, for_all_bounds});     // 19
        }
      }
      s_.prefixes.PutBack(marked.state, thread);
    }
  }
}

// Is step i, made from the state, within the bound?
bool CbPor::IsWithin(const Prefix& state, StepIndex i) {
  if (!s_.IsBounded()) return true;
  const auto bounds = ContextBounds(s_.table, s_.prefixes, s_.bound, hurry_).Of(state);
  if (bounds.OfState() > s_.bound) return false;
  const ThreadId thread = s_.prefixes.Graph().At(i).thread;
  if (!s_.prefixes.MayBeTimeout(i)) return bounds.Of(thread) <= s_.bound;
  return ContextBounds::CostOf(bounds, s_.prefixes.EnabledAfter(state), thread) <= s_.bound;
}

// Does everything that can follow the state within the bound lead into H? `forever`: ... whatever
// the bound. `within`: the state is within the bound itself.
bool CbPor::IsDone(const Prefix& state, bool within, bool* forever) {
  const Enabled enabled = s_.prefixes.EnabledAfter(state);
  if (enabled.unknown) return false;
  const StateTable::Id id = s_.table.Find(state.hash);
  const ThreadBits all = enabled.may | enabled.timeouts;
  const ThreadBits left = all & ~s_.ClosedFrom(id);
  *forever = (all & ~s_.table[id].forever) == 0;
  if (*forever || !within) return *forever;
  if (left == 0 || !s_.IsBounded()) return left == 0;
  const auto bounds = ContextBounds(s_.table, s_.prefixes, s_.bound, hurry_).Of(state);
  for (ThreadBits open = left; open != 0; open &= open - 1) {
    const auto thread = LowestOf(open);
    if (ContextBounds::CostOf(bounds, enabled, thread) <= s_.bound) return false;
  }
  return true;
}

// Algorithm 1, line 4.
void CbPor::Visit(const Prefix& visited) {
  Prefix state = visited;
  EditNow(s_.table.At(state.hash)).in_table = true;
  for (ThreadBits left = s_.prefixes.Frontier(state); left != 0; left &= left - 1) {
    const auto thread = LowestOf(left);
    const StepIndex last = s_.prefixes.LastStepOf(state, thread);
    s_.prefixes.RemoveLast(state, thread);
    CloseStep(state.hash, last, false);
    s_.prefixes.PutBack(state, thread);
  }
}

}  // namespace heddle::explore
