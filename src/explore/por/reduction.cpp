#include "explore/por/reduction.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "explore/order/ends.h"

namespace heddle::explore {

using op::ThreadId;

Reduction::Reduction(State* state, const Options& options, Spill* spill)
    : s_(*state),
      in_any_order_(options.walk != WalkKind::kDepthFirst),
      sleeps_on_(in_any_order_ && options.parts && !state->alone),
      memory_limit_(options.memory_limit),
      stop_token_(options.stop_token),
      walk_(MakeWalk(&s_.walk, options, spill)) {
  s_.trees.SetSpill(spill);
  if (!s_.started) s_.walk.random = options.seed;
}

std::optional<claim::Incomplete> Reduction::Gap() const {
  if (s_.trees.Lost() || walk_->Lost()) return claim::Incomplete::kUnreadable;
  if (s_.gave_up) return claim::Incomplete::kJointLoops;
  // What is foretold of such a step may be less than what it does, and so may what was appended to
  // a sequence that was run already.
  if (in_any_order_ && SequencesWakeAll() && s_.met_section)
    return claim::Incomplete::kSectionsAnyOrder;
  return std::nullopt;
}

// ---- what to run next ----

std::optional<plan::Plan> Reduction::NextPlan() {
  s_.asleep.clear();
  s_.wakes_all = kNoStep;
  if (!s_.started) {
    s_.started = true;
    if (s_.nodes.empty()) {  // R1
      s_.nodes.push_back({});
      plan::Plan first;
      first.looks_first = !NothingSleeps();
      return first;
    }
    // The script of a branch that was taken leads to its node (R26).
  } else {
    s_.script.clear();
    s_.options.clear();
    if (s_.trees.Lost()) return std::nullopt;
    if (s_.beyond) return std::nullopt;
    const bool goes_on = !s_.exhausted && GoToNext();
    if (stop_token_.IsRequested()) return std::nullopt;
    if (!goes_on) {
      s_.exhausted = !walk_->Lost();
      return std::nullopt;
    }
  }
  s_.back_to = static_cast<StepIndex>(s_.nodes.size() - 1);
  const bool tentative = EnterPath();
  return plan::Plan{.deviations = {},
                    .script = s_.script,
                    .options = s_.options,
                    .sleepers = s_.asleep,
                    .tentative = tentative,
                    .end_if_vain = RunsAll() || IsClosed(s_.back_to) || !s_.covers_more,
                    .looks_first = !NothingSleeps()};
}

// R5: takes the first wakeup sequence of the last node: its steps become the end of the script, and
// what else is to be run from the states between, the trees of new nodes. Returns true if some step
// of it may turn out not to be open.
bool Reduction::EnterPath() {
  bool tentative = false;
  s_.signature = 0;
  for (bool leaf = false; !leaf;) {
    const auto k = static_cast<StepIndex>(s_.nodes.size() - 1);
    const Id id = s_.trees.TakeFirst(s_.nodes[k].tree);
    if (s_.nodes[k].tree != WakeupTrees::kNone) OpenPlace(s_.nodes[k].tree);
    s_.path.push_back(id);
    const Label& label = s_.trees.LabelOf(id);
    s_.signature = Sign(s_.signature, label);
    AddToScript(label.thread, label.options);
    tentative |= s_.trees.Tentative(id);
    leaf = s_.trees.IsLeaf(id);
    if (leaf) {
      s_.covers_more = s_.trees.CoversMore(id);
      FallAsleep(k, label.thread);
      if (SequencesWakeAll()) s_.wakes_all = k;
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
  const bool all = !SequencesWakeAll();
  if (NothingSleeps() || (!all && s_.root == kNoStep && !sleeps_on_)) return;
  for (uint32_t index : SleepAt(node)) {
    const bool awake = IsClosed(node) && IsAwake(node, s_.done[index]);
    if ((all || SleepsOn(index)) && !awake) add(s_.done[index]);
  }
  for (uint32_t index = s_.nodes[node].done; index < s_.nodes[node].done + DoneAt(node).size();
       ++index) {
    const Label& label = s_.done[index];
    if (label.covers && !IsAwake(node, label) && (all || SleepsOn(index))) add(label);
  }
}

// Of a search that took a branch: was the step run from its node, or asleep there? That is somebody
// else's, and wakes by what depends on it only (R26, R27).
bool Reduction::SleepsOn(uint32_t done) const {
  if (sleeps_on_) return true;
  if (s_.root == kNoStep) return false;
  return done < (s_.root + 1 < s_.nodes.size() ? s_.nodes[s_.root + 1].done : s_.done.size());
}

// Options of one step that access different things do not sleep alike. The plan knows threads only
// (FallAsleep), so a thread sleeps as long as all its options do; and at a closed node, where those
// of several threads may be mixed, when all were run.
bool Reduction::IsAwake(StepIndex node, const Label& label) const {
  const auto same = [&](const Label& other) { return other.thread == label.thread; };
  if (IsClosed(node) && AnyNext(node, same)) return true;
  if (!label.alone) return false;
  return std::ranges::any_of(DoneAt(node), [&](const Label& other) {
    return other.thread == label.thread && !other.covers;
  });
}

// R7: pushes the node after the step of `node` that `depends(label, SleepsOn)` tells about, with
// what still sleeps there.
template <typename Step>
void Reduction::Descend(StepIndex node, const Step& depends, Id tree) {
  const auto begin = static_cast<uint32_t>(s_.sleepers.size());
  const auto end = static_cast<uint32_t>(s_.done.size());
  const uint32_t first_done = NothingSleeps() ? end : s_.nodes[node].done;
  woken_.clear();
  const auto follow = [&](uint32_t index) {
    const Label& label = s_.done[index];
    if (!depends(label, SleepsOn(index))) {
      s_.sleepers.push_back(index);
    } else if (label.alone) {
      woken_.push_back(label.thread);
    }
  };
  for (uint32_t at = s_.nodes[node].sleep; at < begin; ++at) {
    if (!IsClosed(node) || !IsAwake(node, s_.done[s_.sleepers[at]])) follow(s_.sleepers[at]);
  }
  for (uint32_t index = first_done; index < end; ++index) {
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
      node, [&](const Label& other, bool) { return Depend(other, step); }, tree);
}

// ---- what was learnt ----

void Reduction::Learn(const trace::Execution& complete) {
  const trace::Execution& execution = without_vain_.Of(complete);
  s_.beyond = s_.beyond || IsBeyond(execution);
  NoteVainScript(complete);
  const StepIndex first = s_.graph.Size();
  std::erase_if(s_.deferred, [&](const Deferred& d) { return d.reversal.since >= first; });  // R8
  const size_t old = s_.deferred.size();
  NoteEnds(execution);
  TakeUpSteps(execution);
  FollowStale(Counts(execution.ending));
  for (StepIndex i = std::max(first, FirstOwn()); i < s_.graph.Size(); ++i) {
    if (stop_token_.IsRequested()) return;
    ReverseRaces(i);               // R10
    ReverseOptions(execution, i);  // R11
  }
  if (stop_token_.IsRequested()) return;  // some steps may not have been taken up
  ReverseTimeouts();                      // R12
  ReverseFences();                        // R13
  ReverseEnd(execution);                  // R14, R15
  AskAgain(old);                          // R16
  if (!WasCutShort(execution.ending)) ++s_.executions;
}

// Of optimal in any order, with others: options of several threads may be mixed in what is run from
// a node, and a plan lets threads sleep, not options; so of two branches each might leave to the
// other what begins with both (R27).
bool Reduction::IsBeyond(const trace::Execution& execution) const {
  if (!sleeps_on_ || !SequencesWakeAll()) return false;
  return std::ranges::any_of(execution.choices, [](const trace::Choice& choice) {
    return choice.kind != trace::ChoiceKind::kThread && choice.option_count > 1;
  });
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
  if (WasCutShort(complete.ending)) {
    for (StepIndex k = s_.back_to; k + 1 < s_.nodes.size(); ++k) s_.nodes[k].cut = true;
  }
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
  s_.graph.Extend(execution, without_vain_.Looks(), stop_token_);
  const StepIndex size = s_.graph.Size();
  if (size == 0) return;  // stopped
  if (EnderOf(execution) != op::kNoThread) s_.graph.MarkEnding();
  // The execution may have ended before the last step of its sequence; the state in which a
  // tentative step was not open has other children. It may not even have come back to the node
  // where the sequence begins: a thread waits there after fewer rounds if another one, which goes
  // round with it, does not look in vain meanwhile, as it did when the node was reached first.
  const bool cut_short = WasCutShort(execution.ending);
  s_.gave_up |= cut_short && execution.steps.size() < s_.back_to;
  GiveUpBeyond(size + (cut_short ? 1 : 0));
  for (StepIndex i = first; i < size && !stop_token_.IsRequested(); ++i) {
    if (s_.nodes.size() == i) {
      const auto depends = [&](const Label& label, bool sleeps_on) {
        return (i - 1 == s_.wakes_all && !sleeps_on) || Depend(label, s_.graph, i - 1);
      };
      Descend(i - 1, depends, WakeupTrees::kNone);
    }
    s_.met_section |= s_.graph.IsInside(i);
    KeepOpenSet(execution, i);
    Meet(execution, i);
    if (!IsClosed(i)) {
      Enter(execution, i);
    } else if (IsLastClosed(i)) {
      AddAllOpen(i);  // R25
    }
  }
}

// After a wakeup sequence nothing is put to sleep (R6), and within it what is foretold of a step
// may wake more than the step then does. What is awake only for that reason is stale: when it is
// made while all since commutes with it, the execution was explored already.
void Reduction::FollowStale(bool counts) {
  const StepIndex from = s_.back_to;
  if (!SequencesWakeAll() || from >= s_.graph.Size()) return;
  bool repeats = false;
  const size_t known = s_.stale.size();
  for (StepIndex i = from; i + 1 < s_.nodes.size() && i < s_.graph.Size(); ++i) {
    if (stop_token_.IsRequested()) return;
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
  if (repeats && counts) ++s_.ran_again;
}

void Reduction::KeepOpenSet(const trace::Execution& execution, StepIndex i) {
  Node& node = s_.nodes[i];
  // Nodes of a script are all made before their sets are known.
  node.open = i == 0 ? 0 : s_.nodes[i - 1].open + s_.nodes[i - 1].open_words;
  s_.open_sets.resize(node.open);
  node.open_words = 0;
  const trace::Choice* choice = execution.ThreadChoiceOf(i);
  if (walk_->Ranks() != nullptr) KeepCosts(execution, i);
  if (choice == nullptr) return;
  const op::ThreadSet open = execution.Open(*choice);
  s_.open_sets.insert(s_.open_sets.end(), open.Words().begin(), open.Words().end());
  node.open_words = open.Width();
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

std::span<Reduction::LaterSibling> Reduction::LaterSiblingsAt(StepIndex node) const {
  // std::ranges::equal_range would do, but Clang 14 cannot compile libstdc++'s subranges.
  return {std::ranges::lower_bound(s_.later_siblings, node, {}, &LaterSibling::node),
          std::ranges::upper_bound(s_.later_siblings, node, {}, &LaterSibling::node)};
}

op::ThreadSet Reduction::OpenAt(StepIndex node) const {
  return {s_.open_sets.data() + s_.nodes[node].open, s_.nodes[node].open_words};
}

bool Reduction::IsTaken(StepIndex node, ThreadId thread) const {
  if (s_.graph.At(node).thread == thread) return true;
  const auto its = [&](const Label& label) {
    return label.thread == thread && (label.covers || label.ends || label.vain || label.parted);
  };
  if (AnyBegun(node, its)) return true;
  for (uint32_t index : SleepAt(node)) {
    if (its(s_.done[index])) return true;
  }
  return AnyNext(node, its);
}

void Reduction::Add(StepIndex node, ThreadId thread, bool tentative, Asked asked) {
  if (IsTaken(node, thread) || !IsWithin(node, thread)) return;
  Label label;
  label.thread = thread;
  label.open = true;
  const auto id = AppendAt(node, label, asked);
  s_.trees.SetCoversMore(id);
  if (tentative) s_.trees.SetTentative(id);
}

bool Reduction::AddOption(const Reversal& reversal) {
  if (s_.graph.At(reversal.j).thread != reversal.last.thread) return false;
  const auto same = [&](const Label& label) {
    return label.thread == reversal.last.thread &&
           SameOptions(label, reversal.last.options, reversal.last.open);
  };
  if (AnyNext(reversal.j, same)) return true;
  if (!AnyBegun(reversal.j, same) && !Sleeps(reversal.j, reversal.last)) {
    s_.trees.SetCoversMore(PrependAt(reversal.j, reversal.last));
  }
  return true;
}

bool Reduction::Sleeps(StepIndex node, const Label& option) const {
  return std::ranges::any_of(SleepAt(node), [&](uint32_t index) {
    const Label& label = s_.done[index];
    return label.thread == option.thread && label.options == option.options;
  });
}

void Reduction::AddAllOpen(StepIndex node) {
  // The end of the program commutes with all but other ends and, with --strict, what finishes a
  // thread, and nothing can follow it: it is enough that it comes when the others have come to
  // rest, and before such a step.
  const bool at_end = s_.graph.IsEnding(node) || s_.graph.EndsProgram(node) ||
                      s_.graph.FinishesThread(node) ||
                      AnyBegun(node, [](const Label& label) { return label.ends; });
  for (ThreadId thread = 0; thread < s_.graph.Threads(); ++thread) {
    if (!OpenAt(node).Has(thread) || (!at_end && StandsBeforeEnd(node, thread))) continue;
    Add(node, thread, false, Asked::kConservatively);
  }
}

}  // namespace heddle::explore
