#include "explore/hb/cb_por.h"

#include <algorithm>
#include <utility>

#include "explore/hb/steering.h"
#include "explore/order/ends.h"

namespace heddle::explore {

using op::ThreadId;

CbPor::CbPor(State* state, const Options& options, Spill* spill, bool every_state)
    : s_(*state),
      most_(options.bound.most),
      iterates_(options.iterates),
      every_state_(every_state),
      stop_token_(options.stop_token),
      gate_(options.gate) {
  s_.table.SetSpill(spill);
  if (options.shared.at != nullptr) s_.table.SetShared(options.shared);
  if (!s_.started && !iterates_) s_.bound = most_;
}

std::optional<claim::Incomplete> CbPor::Gap() const {
  if (s_.wide) return claim::Incomplete::kWideTable;
  if (s_.full) return claim::Incomplete::kStatesFull;
  if (s_.table.Lost()) return claim::Incomplete::kUnreadable;
  // In another order such a step may be another one, so the prefixes are not all there are.
  if (s_.sections || s_.mistaken) return claim::Incomplete::kSectionsTable;
  return std::nullopt;
}

int64_t CbPor::CurrentBound() const { return s_.IsBounded() ? int64_t{s_.bound} : -1; }

int64_t CbPor::CompletedBound() const {
  if (Gap()) return -1;
  if (!s_.IsBounded()) return s_.exhausted ? int64_t{ContextBounds::kMostBound} : -1;
  if (s_.exhausted) return s_.bound;
  return iterates_ ? int64_t{s_.bound} - 1 : -1;  // in one pass, no bound is through before all are
}

bool CbPor::Complete() const {
  if (!s_.exhausted || Gap()) return false;
  if (!s_.is_first) return true;  // who began says it of all
  return every_state_ ? !IsCut() : IsDoneForEver();
}

// Was all that can follow the beginning, with whatever options, visited?
bool CbPor::IsDoneForEver() const {
  if (s_.prefixes.Size() == 0) return true;
  if (s_.prefixes.Graph().OptionsOf(0).empty())
    return s_.nodes.size() < 2 || IsInTable(s_.nodes[1].hash, true);
  const StateEntry entry = s_.EntryOf(OptionsKey(s_.nodes[0].hash, op::kNoThread));
  return (AllBelow(s_.prefixes.OptionCountsOf(0).front()) & ~entry.forever) == 0;
}

// ---- what to run next ----

std::optional<plan::Plan> CbPor::NextPlan() {
  s_.trail = {};
  s_.away = {};
  if (!s_.started) Begin();
  if (std::exchange(s_.ready, false)) return PlanOf();
  s_.full |= s_.table.IsFull();
  if (s_.exhausted || s_.wide || s_.full || s_.table.Lost()) return std::nullopt;
  bool found = FindNext();
  while (!found && !stop_token_.IsRequested() && !gate_.IsClosed() && HasNextBound()) {
    GoToNextBound();
    found = TakeFirst();
  }
  if (stop_token_.IsRequested()) return std::nullopt;  // what was not found may be there
  s_.exhausted = !found && !s_.wide;
  if (!found || s_.table.Lost()) return std::nullopt;
  return PlanOf();
}

void CbPor::Begin() {
  if (IsShared()) s_.table.Shared().Clear();
  s_.started = s_.is_first = s_.ready = true;
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
  // Others may be at the last states that the execution came to.
  Prefix state = s_.nodes.size() < s_.prefixes.Size()
                     ? s_.prefixes.Before(static_cast<StepIndex>(s_.nodes.size()))
                     : s_.prefixes.Whole();
  for (auto k = static_cast<StepIndex>(s_.nodes.size() - 1);
       k > s_.base && !stop_token_.IsRequested(); --k) {
    if (k < s_.prefixes.Size()) s_.prefixes.RemoveLast(state, s_.prefixes.Graph().At(k).thread);
    if (k < s_.prefixes.Size() && !IsShared()) {
      const bool forever = k + 1 < s_.nodes.size() && IsInTable(s_.nodes[k + 1].hash, true);
      CloseStep(s_.nodes[k].hash, k, forever);
    }
    // Where only one thread could go on, its step was made.
    const bool others =
        k >= s_.prefixes.Size() || s_.nodes[k].open != op::BitOf(s_.prefixes.Graph().At(k).thread);
    if (TakeOption(k) || (others && TakeThread(k, state))) return true;
    if (s_.wide) return false;
    if (every_state_) continue;
    if (IsShared()) {
      Leave(state, s_.nodes[k]);
    } else {
      Mark(state, (s_.nodes[k].open & ~s_.EntryOf(s_.nodes[k].hash).forever) == 0);
    }
  }
  if (stop_token_.IsRequested()) return false;
  if (!IsShared()) CloseStep(s_.nodes[0].hash, 0, IsInTable(state.hash, true));
  return TakeOption(s_.base);
}

bool CbPor::TakeOption(StepIndex k) {
  const auto left = OptionLeft(k);
  if (!left) return false;
  WriteWay(k, s_.prefixes.Graph().At(k).thread);
  WriteOption(k, *left);
  CutBack(k);
  return true;
}

// 8, 9
bool CbPor::TakeThread(StepIndex k, const Prefix& state) {
  bool cut = false;
  const auto left = ThreadLeft(k, state, &cut);
  if (!left && cut) {
    s_.cut = true;
    if (IsShared()) s_.table.Shared().Cut(s_.bound);
  }
  if (!left) return false;
  WriteWay(k, *left);
  CutBack(k);
  return true;
}

// Another option of the step that was made from node k. All that its choices lead to costs the
// same.
std::optional<CbPor::OpenOption> CbPor::OptionLeft(StepIndex k) {
  if (k >= s_.prefixes.Size()) return std::nullopt;
  const auto taken = s_.prefixes.Graph().OptionsOf(k);
  const auto counts = s_.prefixes.OptionCountsOf(k);
  const size_t first = k == s_.base ? s_.base_options : 0;
  for (size_t j = taken.size(); j-- > first;) {
    const uint64_t key =
        OptionsKey(s_.nodes[k].hash, s_.prefixes.Graph().At(k).thread, taken.first(j));
    const StateEntry entry = s_.EntryOf(key);
    s_.wide |= counts[j] > kMostThreads;
    if (s_.wide) return std::nullopt;
    for (uint32_t option = 0; option < counts[j]; ++option) {
      if ((entry.NotNeeded() >> option & 1) != 0) continue;
      if (!IsShared() || BeginMember(key, option)) return OpenOption{j, option};
    }
  }
  return std::nullopt;
}

// A thread that can go on from node k, which stands for `state`. `cut`: the bound leaves one out.
std::optional<ThreadId> CbPor::ThreadLeft(StepIndex k, const Prefix& state, bool* cut) {
  if (k >= s_.nodes.size()) return std::nullopt;
  const uint64_t graph = s_.nodes[k].hash;
  const StateEntry entry = s_.EntryOf(graph);
  ThreadBits left = s_.nodes[k].open & ~entry.NotNeeded();
  if (left == 0) return std::nullopt;
  ContextBounds::Bounds bounds = {};
  Enabled enabled;
  if (s_.IsBounded()) {
    bounds = ContextBounds(s_.table, s_.prefixes, s_.bound, stop_token_).Of(state);
    enabled = s_.prefixes.EnabledAfter(state);
  }
  for (; left != 0; left &= left - 1) {
    const auto thread = LowestOf(left);
    if (s_.IsBounded() && ContextBounds::CostOf(bounds, enabled, thread) > s_.bound)
      *cut = true;
    else if (!IsShared() || BeginMember(graph, thread))
      return thread;
  }
  return std::nullopt;
}

// The script up to node k, and then a step of the thread. The beginning belongs to nobody, and
// needs no script.
void CbPor::WriteWay(StepIndex k, ThreadId thread) {
  const StepGraph& graph = s_.prefixes.Graph();
  s_.script.clear();
  s_.options.clear();
  for (StepIndex i = 0; i < k; ++i) {
    if (i != 0) s_.script.push_back(graph.At(i).thread);
    const auto options = graph.OptionsOf(i);
    s_.options.insert(s_.options.end(), options.begin(), options.end());
  }
  if (k != 0) s_.script.push_back(thread);
}

// ... which takes the option after those that the step from node k took before.
void CbPor::WriteOption(StepIndex k, const OpenOption& open) {
  const ThreadId thread = s_.prefixes.Graph().At(k).thread;
  const auto taken = s_.prefixes.Graph().OptionsOf(k);
  const auto before = taken.first(open.choice);
  s_.options.insert(s_.options.end(), before.begin(), before.end());
  s_.options.push_back({taken[open.choice].thread, open.option});
  const uint64_t graph = s_.nodes[k].hash;
  s_.trail = {graph, thread, OptionsKeyAfter(OptionsKey(graph, thread, before), open.option)};
}

void CbPor::CutBack(StepIndex k) {
  s_.prefixes.Truncate(k);
  s_.nodes.resize(k + 1);
  s_.all_begun = std::min(s_.all_begun, k);
  s_.told = std::min(s_.told, k);
}

// What to begin a search with a new bound with.
bool CbPor::TakeFirst() {
  if (!s_.prefixes.Graph().OptionsOf(0).empty()) return TakeOption(0);
  return TakeThread(1, s_.prefixes.Before(1));
}

bool CbPor::IsCut() const { return IsShared() ? s_.table.Shared().IsCut(s_.bound) : s_.cut; }

bool CbPor::HasNextBound() const {
  if (!iterates_ || s_.wide || s_.bound >= most_) return false;
  return every_state_ ? IsCut() : !IsDoneForEver();
}

// With the next bound the search begins again at the first state. What is in H whatever the bound
// is not searched again.
void CbPor::GoToNextBound() {
  ++s_.bound;
  if (!s_.IsBounded()) s_.bound = kUnbounded;
  s_.cut = false;
  s_.base = s_.base_options = s_.all_begun = s_.told = 0;
}

// ---- what was learnt ----

void CbPor::Learn(const trace::Execution& complete) {
  const trace::Execution& execution = without_vain_.Of(complete);
  const StepIndex first = s_.prefixes.Size();
  s_.wide |= execution.threads > kMostThreads;
  if (s_.wide) return;
  const bool is_away = s_.away.graph == execution.state;
  s_.prefixes.Extend(execution, without_vain_.Looks(), is_away ? s_.away.only : op::kNoThread,
                     stop_token_);
  if (stop_token_.IsRequested()) return;
  NoteBaseOptions();
  if (s_.nodes.empty()) s_.nodes.emplace_back();
  const bool cut_short = WasCutShort(execution.ending);
  if (!cut_short && !stop_token_.IsRequested()) TakeUpEnd(execution);
  ++s_.learnt;
  TakeUpNodes(execution, first, cut_short);
  NoteVainScript(complete);
  if (IsShared() && !every_state_) TellOld();
}

// The state in which an execution came to its end.
void CbPor::TakeUpEnd(const trace::Execution& execution) {
  const Prefix whole = s_.prefixes.Whole();
  bool is_again = !every_state_ && IsInTable(whole.hash, true);
  if (every_state_) {
    is_again = !Visit(whole);
  } else {
    Mark(whole, true);  // 4, 5
  }
  if (Counts(execution.ending) && is_again) ++s_.ran_again;
}

// A round of a loop in which nothing changed leads from a state to itself.
void CbPor::NoteVainScript(const trace::Execution& complete) {
  const size_t last = s_.script.size();
  if (last == 0 || last >= complete.steps.size() || complete.steps[last].vain == 0) return;
  if (last >= s_.nodes.size()) return;  // others are there
  Close(s_.nodes[last].hash, s_.script.back(), true);
}

// The states before the steps from `first` on, and the one in which the execution was cut short. Of
// several searches, up to where another one is, or everything was explored.
void CbPor::TakeUpNodes(const trace::Execution& execution, StepIndex first, bool cut_short) {
  const StepIndex size = s_.prefixes.Size();
  Prefix state = s_.prefixes.Before(std::max<StepIndex>(first, 1));
  bool ours = true;
  for (StepIndex i = std::max<StepIndex>(first, 1); i < size + (cut_short ? 1 : 0); ++i) {
    if (stop_token_.IsRequested()) return;
    if (!ours || s_.nodes.size() <= i) {
      const ThreadBits open = OpenAt(execution, i, state.hash);
      if (i > s_.base) {  // on the way to a branch nobody has looked in vain
        NoteMistakes(state, open);
        // The search with the next bound begins at the first state.
        const bool keeps = ours && i == 1;
        ours = ours && Enter(state);
        if (keeps && !ours) s_.nodes.push_back({state.hash, open, s_.learnt});
      }
      if (ours) s_.nodes.push_back({state.hash, open, s_.learnt});
    }
    if (i >= size) break;
    s_.sections |= s_.prefixes.Graph().IsInside(i);
    s_.prefixes.PutBack(state, s_.prefixes.Graph().At(i).thread);
  }
  if (s_.nodes.size() > size + 1) s_.nodes.resize(size + 1);
}

// These could go on from the state: did Prefixes foresee it?
void CbPor::NoteMistakes(const Prefix& state, ThreadBits open) {
  const Enabled enabled = s_.prefixes.EnabledAfter(state);
  const ThreadBits may = enabled.may | enabled.timeouts | enabled.in_vain;
  s_.mistaken |= !enabled.unknown && (open & ~may) != 0;
  s_.mistaken |= (enabled.enabled & ~open) != 0;
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
  if (s_.away.graph == graph) return op::BitOf(s_.away.only);
  return IsShared() ? 0 : s_.EntryOf(graph).Closed();
}

}  // namespace heddle::explore
