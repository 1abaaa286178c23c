#include "explore/por/reduction.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "explore/por/ends.h"

namespace heddle::explore {

using op::Kind;
using op::ThreadId;

Reduction::Reduction(State* state, const Options& options, Spill* spill)
    : s_(*state), in_any_order_(options.walk == WalkKind::kRandomBranch) {
  s_.trees.SetSpill(spill);
  if (in_any_order_) {
    if (!s_.started) s_.walk.random = options.seed;
    walk_ = std::make_unique<RandomBranchWalk>(&s_.walk);
  } else {
    walk_ = std::make_unique<DepthFirstWalk>();
  }
}

const char* Reduction::Weakness() const {
  if (s_.trees.Lost()) {
    return "part of the execution tree could not be read back from its temporary file; the "
           "schedules in it were not explored";
  }
  // What is foretold of such a step may be less than what it does, and so may what was appended to
  // a sequence that was run already.
  if (in_any_order_ && SequencesWakeAll() && s_.met_section) {
    return "in a random order, optimal may miss schedules of programs with atomic sections or "
           "heddle_done (--order depth-first, or --reduction source)";
  }
  return nullptr;
}

// ---- what to run next ----

std::optional<plan::Plan> Reduction::NextPlan() {
  s_.script.clear();
  s_.options.clear();
  s_.asleep.clear();
  s_.wakes_all = kNoStep;
  if (!s_.started) {  // R1
    s_.started = true;
    s_.nodes.push_back({});
    plan::Plan first;
    first.looks_first = true;
    return first;
  }
  if (s_.trees.Lost()) return std::nullopt;
  if (s_.exhausted || !GoToNext()) {
    s_.exhausted = true;
    return std::nullopt;
  }
  s_.back_to = static_cast<StepIndex>(s_.nodes.size() - 1);
  const bool tentative = EnterPath();
  return plan::Plan{.deviations = {},
                    .script = s_.script,
                    .options = s_.options,
                    .sleepers = s_.asleep,
                    .tentative = tentative,
                    .end_if_vain = RunsAll() || !s_.covers_more,
                    .looks_first = true};
}

// R5: takes the first wakeup sequence of the last node: its steps become the end of the script, and
// what else is to be run from the states between, the trees of new nodes. Answers whether some step
// of it may turn out not to be open.
bool Reduction::EnterPath() {
  bool tentative = false;
  s_.signature = 0;
  for (bool leaf = false; !leaf;) {
    const auto k = static_cast<StepIndex>(s_.nodes.size() - 1);
    const Id id = s_.trees.TakeFirst(s_.nodes[k].tree);
    if (s_.nodes[k].tree != WakeupTrees::kNone) walk_->Open(s_.nodes[k].tree);
    s_.path.push_back(id);
    const Label& label = s_.trees.LabelOf(id);
    s_.signature = Sign(s_.signature, label);
    AddToScript(label.thread, label.options);
    tentative |= s_.trees.Tentative(id);
    leaf = s_.trees.IsLeaf(id);
    if (leaf) {
      s_.covers_more = s_.trees.CoversMore(id);
      if (SequencesWakeAll()) {
        s_.wakes_all = k;
      } else {
        FallAsleep(k, label.thread);
      }
    } else {
      DescendBy(k, label, s_.trees.TakeChildren(id));
    }
  }
  return tentative;
}

// R6: the plan's sleepers: the sleep set of the last node, and what was explored from it, before
// `next` makes its step there. All options of a thread are explored before another thread is, so
// they sleep together.
void Reduction::FallAsleep(StepIndex node, ThreadId next) {
  const auto add = [&](const Label& label) {
    if (label.thread == op::kNoThread || label.thread == next) return;
    plan::Sleeper sleeper = {label.thread};
    if (label.unknown) {
      sleeper.object = plan::Sleeper::kAnyObject;
      s_.asleep.push_back(sleeper);
    }
    for (const Touch& touch : label.touches) {
      sleeper.object = touch.object;
      sleeper.access = touch.access;
      s_.asleep.push_back(sleeper);
    }
    if (label.touches.empty()) s_.asleep.push_back(sleeper);
  };
  for (uint32_t index : SleepAt(node)) add(s_.done[index]);
  for (const Label& label : DoneAt(node)) {
    if (label.covers && !IsAwake(node, label)) add(label);
  }
}

// Options of one step that access different things do not sleep alike. The plan knows threads only
// (FallAsleep), so a thread sleeps as long as all its options do.
bool Reduction::IsAwake(StepIndex node, const Label& label) const {
  if (!label.alone) return false;
  return std::ranges::any_of(DoneAt(node), [&](const Label& other) {
    return other.thread == label.thread && !other.covers;
  });
}

// R7: pushes the node after the step of `node` that `depends(label)` tells about, with what still
// sleeps there.
template <typename Step>
void Reduction::Descend(StepIndex node, const Step& depends, Id tree) {
  const auto begin = static_cast<uint32_t>(s_.sleepers.size());
  const auto end = static_cast<uint32_t>(s_.done.size());
  woken_.clear();
  const auto follow = [&](uint32_t index) {
    const Label& label = s_.done[index];
    if (!depends(label)) {
      s_.sleepers.push_back(index);
    } else if (label.alone) {
      woken_.push_back(label.thread);
    }
  };
  for (uint32_t at = s_.nodes[node].sleep; at < begin; ++at) follow(s_.sleepers[at]);
  for (uint32_t index = s_.nodes[node].done; index < end; ++index) {
    if (s_.done[index].covers && !IsAwake(node, s_.done[index])) follow(index);
  }
  const auto wakes_too = [&](uint32_t index) {
    const Label& label = s_.done[index];
    return label.alone && std::ranges::count(woken_, label.thread) != 0;
  };
  if (!woken_.empty()) {
    const auto stay = std::remove_if(s_.sleepers.begin() + begin, s_.sleepers.end(), wakes_too);
    s_.sleepers.erase(stay, s_.sleepers.end());
  }
  s_.nodes.push_back({begin, end, s_.path.back(), tree, static_cast<uint32_t>(s_.open_sets.size()),
                      0, static_cast<uint32_t>(s_.stale.size())});
}

void Reduction::DescendBy(StepIndex node, const Label& step, Id tree) {
  Descend(
      node, [&](const Label& other) { return Depend(other, step); }, tree);
}

// ---- what was learnt ----

namespace {

// The choice of the thread of step i; null if there was none.
const trace::Choice* ChoiceOf(const trace::Execution& execution, StepIndex i) {
  const auto choices = execution.ChoicesOf(i);
  const bool any = !choices.empty() && choices[0].kind == trace::ChoiceKind::kThread;
  return any ? &choices[0] : nullptr;
}

}  // namespace

void Reduction::Learn(const trace::Execution& complete) {
  const trace::Execution& execution = without_vain_.Of(complete);
  NoteVainScript(complete);
  const StepIndex first = s_.graph.Size();
  std::erase_if(s_.deferred, [&](const Deferred& d) { return d.reversal.since >= first; });  // R8
  const size_t old = s_.deferred.size();
  NoteEnds(execution);
  TakeUpSteps(execution);
  FollowStale();
  for (StepIndex i = first; i < s_.graph.Size(); ++i) {
    ReverseRaces(i);               // R10
    ReverseOptions(execution, i);  // R11
  }
  ReverseTimeouts();      // R12
  ReverseFences();        // R12a
  ReverseEnd(execution);  // R13, R14
  AskAgain(old);          // R15
  if (!WasCutShort(execution.ending)) ++s_.executions;
}

// The last step of the script turned out to be vain: the sequence has no execution with it. That is
// kept, so that nobody asks for it again.
void Reduction::NoteVainScript(const trace::Execution& complete) {
  const size_t last = s_.script.size();
  if (last == 0 || last >= complete.steps.size() || complete.steps[last].vain == 0) return;
  Label label;
  label.thread = s_.script.back();
  label.covers = false;
  label.vain = true;
  s_.done.push_back(std::move(label));
  s_.script.pop_back();
  s_.vain_paths.push_back({s_.back_to, s_.signature});
  if (!WasCutShort(complete.ending)) return;
  for (StepIndex k = s_.back_to; k + 1 < s_.nodes.size(); ++k) s_.nodes[k].cut = true;
}

uint64_t Reduction::Sign(uint64_t hash, const Label& label) {
  hash = base::Fold(hash, label.thread + 1);
  for (const plan::ScriptOption& option : label.options) {
    hash = base::Fold(hash, ((option.option + 1ull) << 32) + 1);
  }
  return hash;
}

bool Reduction::EndsInVain(StepIndex node, uint64_t signature) const {
  return std::ranges::any_of(s_.vain_paths, [&](const VainPath& path) {
    return path.node == node && path.signature == signature;
  });
}

// R9: extends graph and nodes to the whole of `execution`.
void Reduction::TakeUpSteps(const trace::Execution& execution) {
  const StepIndex first = s_.graph.Size();
  s_.graph.Extend(execution, without_vain_.Looks());
  const StepIndex size = s_.graph.Size();
  if (EnderOf(execution) != op::kNoThread) s_.graph.MarkEnding();
  // The execution may have ended before the last step of its sequence; the state in which a
  // tentative step was not open has other children.
  const size_t kept = size + (WasCutShort(execution.ending) ? 1 : 0);
  while (s_.nodes.size() > kept) {
    s_.trees.FreeAll(s_.nodes.back().tree);
    s_.sleepers.resize(s_.nodes.back().sleep);
    s_.nodes.pop_back();
  }
  while (s_.path.size() > 1 && s_.trees.At(s_.path.back()).step >= size) {
    s_.trees.Free(s_.path.back());
    s_.path.pop_back();
  }
  for (StepIndex i = first; i < size; ++i) {
    if (s_.nodes.size() == i) {
      const auto depends = [&](const Label& label) {
        return i - 1 == s_.wakes_all || Depend(label, s_.graph, i - 1);
      };
      Descend(i - 1, depends, WakeupTrees::kNone);
    }
    s_.met_section |= s_.graph.IsInside(i);
    KeepOpenSet(execution, i);
    Enter(i);
  }
}

// After a wakeup sequence nothing is put to sleep (R6), and within it what is foretold of a step
// may wake more than the step then does. What is awake only for that reason is stale: when it is
// made while all since commutes with it, the execution was explored already.
void Reduction::FollowStale() {
  const StepIndex from = s_.back_to;
  if (!SequencesWakeAll() || from >= s_.graph.Size()) return;
  bool repeats = false;
  const size_t known = s_.stale.size();
  for (StepIndex i = from; i + 1 < s_.nodes.size() && i < s_.graph.Size(); ++i) {
    const uint32_t begin = s_.nodes[i].stale;
    const auto end = static_cast<uint32_t>(s_.stale.size());
    // Then nothing sleeps further on, either, and the nodes there begin where they were told.
    if (begin == end && end == known && SleepAt(i).empty() && DoneAt(i).empty()) break;
    s_.nodes[i + 1].stale = end;
    const auto follow = [&](uint32_t index) {
      const Label& label = s_.done[index];
      if (!label.covers) return;
      if (label.thread == s_.graph.At(i).thread) {
        repeats |= SameOptions(label, s_.graph.OptionsOf(i), false);
      } else if (!Depend(label, s_.graph, i) && !std::ranges::count(SleepAt(i + 1), index)) {
        s_.stale.push_back(index);
      }
    };
    for (uint32_t at = begin; at < end; ++at) follow(s_.stale[at]);
    for (uint32_t index : SleepAt(i)) follow(index);
    for (uint32_t k = 0; k < DoneAt(i).size(); ++k) follow(s_.nodes[i].done + k);
  }
  if (repeats) ++s_.ran_again;
}

void Reduction::KeepOpenSet(const trace::Execution& execution, StepIndex i) {
  Node& node = s_.nodes[i];
  // Nodes of a script are all made before their sets are known.
  node.open = i == 0 ? 0 : s_.nodes[i - 1].open + s_.nodes[i - 1].open_words;
  s_.open_sets.resize(node.open);
  node.open_words = 0;
  const trace::Choice* choice = ChoiceOf(execution, i);
  if (choice == nullptr) return;
  const op::ThreadSet open = execution.Open(*choice);
  s_.open_sets.insert(s_.open_sets.end(), open.Words().begin(), open.Words().end());
  node.open_words = open.Width();
}

// R16
void Reduction::Ask(const Reversal& reversal) {
  // What grows is asked for with all steps of the execution, at its end.
  if (!reversal.grows && Consider(reversal) == Answer::kSettled) return;
  Deferred deferred;
  deferred.clock.assign(reversal.clock.begin(), reversal.clock.end());
  deferred.reversal = reversal;
  s_.deferred.push_back(std::move(deferred));
}

// The first `count` of those deferred, which are from earlier executions, and those that grow.
void Reduction::AskAgain(size_t count) {
  size_t kept = 0;
  for (size_t k = 0; k < s_.deferred.size(); ++k) {
    if (k < count || s_.deferred[k].reversal.grows) {
      Reversal& reversal = s_.deferred[k].reversal;
      clock_ = s_.deferred[k].clock;
      if (reversal.grows) {
        clock_.resize(s_.graph.Threads());  // more were met since
        if (reversal.last.unknown) JoinFree(reversal, s_.graph.Size());
        for (const Touch& touch : reversal.last.touches) {
          s_.graph.JoinConflicts(touch, reversal.j, s_.graph.Size(), reversal.without, clock_);
        }
      }
      reversal.clock = clock_;
      if (Consider(reversal) == Answer::kSettled) continue;
    }
    if (kept != k) s_.deferred[kept] = std::move(s_.deferred[k]);
    ++kept;
  }
  s_.deferred.resize(kept);
}

void Reduction::ReverseRaces(StepIndex i) {
  races_.clear();
  s_.graph.FindRaces(i, races_);
  for (const StepGraph::Race& race : races_) {
    Label& last = reversal_.last;
    Describe(s_.graph, i, last);
    last.options.clear();  // it sees something else there, and may choose among others
    last.open = true;
    // What the operation of the race does depends on the order; what else the step does, too, but
    // for a wait, which gives its mutex up.
    const auto accesses = s_.graph.AccessesOf(i);
    reversal_.grows = false;
    // Where a step is more than one operation, what it finds decides what else it does. A misuse
    // that ends it has made the accesses that its operation makes everywhere.
    last.unknown = s_.graph.IsInside(i);
    uint32_t operation = 0;
    for (size_t k = 0; k < accesses.size(); ++k) {
      if (k != 0 && !accesses[k].further) ++operation;
      const bool same = operation == race.operation;
      if (same || accesses[k].touch.object == race.object) {
        // What comes later and accesses the object of the race comes after step j anyway.
        reversal_.grows |= accesses[k].touch.object != race.object &&
                           accesses[k].touch.access == op::Access::kRead &&
                           race.access != op::Access::kRead;
        last.touches[k].access = race.access;
      }
      const Kind kind = accesses[k].kind;
      last.unknown |= kind != accesses[0].kind && kind != Kind::kThreadExit;
      last.unknown |= !same && op::Info(kind).needs == op::Needs::kExpected;
    }
    if (last.unknown) reversal_.grows = true;
    AskFor(race, s_.graph.BaseBefore(i), i, i);
  }
}

// Asks for the reversal of `race` by reversal_.last, which stood before step `end`, with `base`
// before it.
void Reduction::AskFor(const StepGraph::Race& race, Clock base, StepIndex end, StepIndex since) {
  reversal_.j = race.j;
  reversal_.since = since;
  reversal_.tentative = race.tentative;
  reversal_.without.clear();
  if (race.whole_group) s_.graph.AppendAccesses(race.object, race.j, reversal_.without);
  SetClock(base, race, end);
  reversal_.clock = clock_;
  Ask(reversal_);
}

// What comes before reversal_.last when it is made before the race's step, from `base` and the
// steps below `end`: not what has to come after it. All that accesses the object after a write
// happens after that.
void Reduction::SetClock(Clock base, const StepGraph::Race& race, StepIndex end) {
  clock_.assign(base.begin(), base.end());
  if (reversal_.last.unknown) JoinFree(reversal_, end);
  for (const Touch& touch : reversal_.last.touches) {
    if (race.after_write && touch.object == race.object) continue;
    s_.graph.JoinConflicts(touch, race.j, end, reversal_.without, clock_);
  }
}

// Any step that may come before the last operation may have to: what that does is not known.
void Reduction::JoinFree(const Reversal& reversal, StepIndex end) {
  for (StepIndex f = reversal.j + 1; f < end; ++f) {
    if (!IsFree(s_.graph, reversal, f)) continue;
    uint32_t& known = clock_[s_.graph.At(f).thread];
    known = std::max(known, f + 1);
  }
}

// Every option not taken is a transition of the same thread that depends on the one taken.
void Reduction::ReverseOptions(const trace::Execution& execution, StepIndex i) {
  size_t position = 0;
  for (const trace::Choice& choice : execution.ChoicesOf(i)) {
    if (choice.kind == trace::ChoiceKind::kThread) continue;
    for (uint32_t option = 0; option < choice.option_count; ++option) {
      if (option == choice.chosen) continue;
      Label last = LabelOf(s_.graph, i);
      last.options.resize(position + 1);
      last.options[position].option = option;
      last.open = true;
      // The operation that chooses touches the same whatever it chooses; those after it may not.
      last.unknown = s_.graph.IsInside(i);
      const bool at_once = last.unknown;
      Ask({i, std::move(last), {}, i, {}, false, at_once});
    }
    ++position;
  }
}

void Reduction::ReverseTimeouts() {
  for (const StepGraph::LostTimeout& lost : s_.graph.LostTimeouts()) {
    if (!OpenAt(lost.step).Has(lost.thread)) continue;  // it came to wait only in this step
    Label last;
    last.thread = lost.thread;
    last.unknown = lost.object == StepGraph::kUnknownObject;
    if (!last.unknown) last.touches = {{lost.object, op::Access::kWrite}};
    last.open = true;
    const bool grows = last.unknown;
    Ask({.j = lost.step,
         .last = std::move(last),
         .clock = s_.graph.BaseOf(lost),
         .since = lost.step,
         .grows = grows});
  }
}

// Time passed when all threads were blocked. What they stood before could have come before what
// blocked it, as at the end of an execution; and any other of the time limits that could have
// passed then is an option in place of this one.
void Reduction::ReverseFences() {
  StepIndex fence = kNoStep;
  for (const StepGraph::Stalled& stalled : s_.graph.StalledThreads()) {
    const StepIndex i = stalled.step;
    if (IsBlockedByObject(stalled.pending)) {
      ReverseAttempt(stalled.pending, stalled.thread, s_.graph.BaseOf(stalled), i, i - 1);
    }
    if (i == fence) continue;
    fence = i;
    for (ThreadId thread = 0; thread < s_.graph.Threads(); ++thread) {
      if (thread == s_.graph.At(i).thread || !OpenAt(i).Has(thread)) continue;
      Label last;
      last.thread = thread;
      last.unknown = last.open = true;
      Ask({i, std::move(last), s_.graph.BaseBefore(i), i});
    }
  }
}

// Weighted backtrack estimator (Kilby, Slaney, Thiebaux, Walsh, AAAI'06): the executions so far,
// divided by the part of the search tree that they stand for if all subtrees of a node are of one
// size. Children that are not known yet are not counted, so early estimates are low.
double Reduction::EstimatedExecutions() const {
  double explored = 0;
  double weight = 1;
  for (StepIndex k = 0; k < s_.nodes.size(); ++k) {
    const auto done = static_cast<double>(DoneAt(k).size());
    double children = done + 1;
    for (auto id = s_.nodes[k].tree; id != WakeupTrees::kNone; id = s_.trees.Next(id)) ++children;
    explored += weight * done / children;
    weight /= children;
  }
  explored += weight;
  return s_.exhausted ? static_cast<double>(s_.executions)
                      : static_cast<double>(s_.executions) / explored;
}

// ---- for the algorithms ----

std::span<const uint32_t> Reduction::SleepAt(StepIndex node) const {
  const size_t end = node + 1 < s_.nodes.size() ? s_.nodes[node + 1].sleep : s_.sleepers.size();
  return {s_.sleepers.data() + s_.nodes[node].sleep, end - s_.nodes[node].sleep};
}

std::span<const Label> Reduction::DoneAt(StepIndex node) const {
  const size_t end = node + 1 < s_.nodes.size() ? s_.nodes[node + 1].done : s_.done.size();
  return {s_.done.data() + s_.nodes[node].done, end - s_.nodes[node].done};
}

std::span<Reduction::Younger> Reduction::YoungerAt(StepIndex node) const {
  // std::ranges::equal_range would do, but Clang 14 cannot compile libstdc++'s subranges.
  return {std::ranges::lower_bound(s_.younger, node, {}, &Younger::node),
          std::ranges::upper_bound(s_.younger, node, {}, &Younger::node)};
}

op::ThreadSet Reduction::OpenAt(StepIndex node) const {
  return {s_.open_sets.data() + s_.nodes[node].open, s_.nodes[node].open_words};
}

}  // namespace heddle::explore
