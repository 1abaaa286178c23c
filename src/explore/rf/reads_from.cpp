#include "explore/rf/reads_from.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "explore/rf/labels.h"
#include "trace/memory_choice.h"

namespace heddle::explore {

using model::EventId;
using model::ExecutionGraph;
using model::LocationId;

namespace {

bool HasLocation(const model::Label& label) {
  return label.action == model::Action::kLoad || label.action == model::Action::kStore ||
         label.action == model::Action::kUpdate || label.action == model::Action::kUse;
}

// Of what a loop finds at a futex, round after round, only atomic loads are known to find something
// else one day (TellWaitingLoop).
bool LooksAtFutexes(const trace::Execution& execution) {
  for (size_t step = 0; step < execution.steps.size(); ++step)
    if (execution.steps[step].vain != 0)
      for (const trace::Event& event : execution.EventsOf(step))
        if (op::FamilyOf(event.kind) == op::Family::kFutex) return true;
  return false;
}

}  // namespace

ReadsFrom::ReadsFrom(State* state, const Options& options)
    : s_(*state),
      reads_stale_(options.reads_stale),
      most_stale_(options.bound.most),
      model_(model::Make(options.whole.memory_model)) {
  if (s_.trust != nullptr) s_.trust->SetModel(*model_);
}

std::optional<plan::Plan> ReadsFrom::NextPlan() {
  plan::Plan plan;
  plan.lowest_first = true;
  if (s_.exhausted) return std::nullopt;
  if (!s_.begun) {
    s_.begun = true;
    return plan;
  }
  for (;;) {
    if (s_.trust == nullptr || !s_.trust->Next()) {
      s_.exhausted = true;
      return std::nullopt;
    }
    if (IsBounded() && !stale_.AtMost(Graph(), most_stale_)) {
      s_.cut = true;
      continue;
    }
    if (MakeScript()) break;
    s_.gap = claim::Incomplete::kReadsFromOperation;
  }
  plan.script = s_.script.threads;
  if (reads_stale_) plan.newer = s_.script.newer;
  plan.options = s_.script.options;
  plan.tentative = true;
  plan.end_if_vain = true;
  return plan;
}

// Within a bound, in an order that keeps it, if there is one by whole steps of the program.
bool ReadsFrom::MakeScript() {
  if (IsBounded()) {
    s_.script.stale = stale_.Stale();
    if (rf::MakeScript(Graph(), true, s_.script)) return true;
  }
  return rf::MakeScript(Graph(), !reads_stale_, s_.script);
}

void ReadsFrom::Learn(const trace::Execution& execution) {
  const bool cut = execution.ending.kind == trace::EndKind::kRedundant &&
                   execution.ending.status == trace::kCutByPlan;
  const trace::Execution& e = without_vain_.Of(execution);
  if (&e != &execution && LooksAtFutexes(execution))
    s_.gap = claim::Incomplete::kReadsFromOperation;
  // The first execution is as good when the search begins anew.
  const bool is_first = s_.trust == nullptr;
  bool extended = ExtendAnew(e);
  while (begins_anew_) {
    Forget();
    if (!is_first) return;
    extended = ExtendAnew(e);
    s_.begun = true;
  }
  // What came up to a cut is explored.
  if (!extended)
    s_.gap = claim::Incomplete::kReadsFromOperation;
  else if (!cut)
    TellWhoWaits(execution, e);
  s_.ran += execution.ending.kind != trace::EndKind::kRedundant;
}

bool ReadsFrom::ExtendAnew(const trace::Execution& e) {
  const auto threads = static_cast<model::ThreadId>(e.threads);
  begins_anew_ = false;
  if (s_.trust == nullptr) {
    s_.trust = std::make_unique<model::Trust>(*model_, ExecutionGraph(threads));
    s_.trust->Next();
  }
  s_.trust->Grow(threads);
  return Extend(e);
}

// An object is one location after another: where memory holds something else than the newest write,
// it has become another one (runtime/weak/weak_memory.h).
LocationId ReadsFrom::LocationOf(uint32_t object, uint32_t generation) {
  if (object >= s_.locations.size()) s_.locations.resize(object + 1);
  std::vector<LocationId>& all = s_.locations[object];
  while (all.size() <= generation) all.push_back(s_.location_count++);
  return all[generation];
}

// `second`: an operation of that kind has used another object before.
uint8_t ReadsFrom::RolesOf(const model::Label& label, op::Kind kind, bool second) {
  if (label.action != model::Action::kUse) return kAccessed;
  if (second) return kUsed | (kind == op::Kind::kCondWait ? kGivenUpByWait : 0);
  const bool attempts = !label.blocks && label.needs != model::Needs::kNothing;
  return kUsed | (attempts ? kAttempted : 0);
}

// What is atomic memory and an object besides (the guard of a static variable, the word of a futex)
// is neither's to model. Waits and attempts on one mutex: one_chain.cpp.
void ReadsFrom::NoteRoles(uint32_t object, uint8_t roles) {
  if (object >= s_.roles.size()) s_.roles.resize(object + 1);
  const bool had_conditions = HasConditions(object);
  const uint8_t all = s_.roles[object] |= roles;
  constexpr uint8_t kTwofold = kAccessed | kUsed;
  if ((all & kTwofold) == kTwofold) s_.gap = claim::Incomplete::kReadsFromOperation;
  if (!had_conditions && HasConditions(object)) BeginAnew();
}

void ReadsFrom::MeetLocation(model::Label& label, bool sees, uint64_t found) {
  const uint32_t object = label.location;
  if (object >= generation_.size()) generation_.resize(object + 1);
  LocationId location = LocationOf(object, generation_[object]);
  const bool fresh = location >= Graph().Locations() ||
                     (Graph().NewestPosition(location) == 0 &&
                      Graph().At(model::InitialOf(location)).first_reader == model::kNoEvent);
  if (sees && !fresh && Graph().At(Graph().Newest(location)).value != found)
    location = LocationOf(object, ++generation_[object]);
  if (sees && (fresh || location >= Graph().Locations())) s_.trust->SetInitial(location, found);
  label.location = location;
}

// The next event of the thread: one that the graph has already, or a new one. `sees`: it is an
// access, which has found this value. False: the graph has another one, or no room.
bool ReadsFrom::MakeEvent(op::ThreadId thread, const model::Label& label, bool sees,
                          uint64_t found) {
  model::Trust& trust = *s_.trust;
  const auto self = static_cast<model::ThreadId>(thread);
  const std::span<const EventId> had = Graph().EventsOf(self);
  const uint32_t options = label.options;
  if (made_[thread] < had.size()) {
    newest_ = had[made_[thread]];
    const model::Event& e = Graph().At(newest_);
    if (e.label.action != label.action) return false;
    if (HasLocation(label)) {  // of which generation it is, the graph knows
      const uint32_t object = label.location;
      if (object >= s_.locations.size()) return false;
      if (object >= generation_.size()) generation_.resize(object + 1);
      const std::vector<LocationId>& all = s_.locations[object];
      const auto place = std::ranges::find(all, e.label.location);
      if (place == all.end()) return false;
      generation_[object] = static_cast<uint32_t>(place - all.begin());
    }
  } else {
    constexpr size_t kMostOfLabel = 2;
    if (had.size() + kMostOfLabel > model::kMostEventsOfThread) return false;
    model::Label added = label;
    if (HasLocation(added)) MeetLocation(added, sees, found);
    added.options = 1;
    newest_ = trust.Extend(self, added);
  }
  const model::Event& e = Graph().At(newest_);
  made_[thread] += e.of_update ? 2 : 1;
  if (options > 1 && e.label.options == 1) trust.Chooses(newest_, options);
  return true;
}

void ReadsFrom::NoteLetGo(const trace::LetGo& let_go) {
  if (let_go.event > 0) let_go_by_[let_go.thread] = of_event_[let_go.event - 1];
}

// In how many ways the event could have been made.
uint32_t ReadsFrom::OptionsOf(const trace::Execution& e, size_t event) {
  using trace::ChoiceKind;
  uint32_t options = 1;
  if (!has_options_) return options;
  uint32_t made = 0;
  for (; choice_ < e.choices.size() && e.choices[choice_].event <= event; ++choice_) {
    const trace::Choice& c = e.choices[choice_];
    if (c.kind == ChoiceKind::kThread || trace::IsOfMemory(c.kind)) continue;
    options = c.option_count;
    // Two choices in one event, or of another thread than the event's.
    if (++made > 1 || c.running != e.events[event].thread)
      s_.gap = claim::Incomplete::kReadsFromOperation;
  }
  return options;
}

// What lets the event's thread go is before the event, though no object says so.
bool ReadsFrom::ComeAfterWaker(const trace::Event& event) {
  EventId source = std::exchange(let_go_by_[event.thread], model::kNoEvent);
  const bool leaves =
      event.kind == op::Kind::kBarrierLeave && rf::KeyOf(event.object) < last_use_.size();
  if (leaves) source = last_use_[rf::KeyOf(event.object)];
  if (source == model::kNoEvent) return true;
  const bool is_new =
      made_[event.thread] >= Graph().EventsOf(static_cast<model::ThreadId>(event.thread)).size();
  if (!MakeEvent(event.thread, {}, false, 0)) return false;
  if (is_new) s_.trust->ComesAfter(newest_, source, leaves || event.kind == op::Kind::kFutexWoken);
  return true;
}

// The event is an access that the graph has: most events of an execution are, and there is nothing
// to learn from them.
bool ReadsFrom::HasAccess(const trace::Execution& e, size_t event) {
  const trace::Event& made = e.events[event];
  if (has_options_ || !e.let_go.empty() || !rf::IsAccess(e, event) ||
      made.object >= s_.locations.size())
    return false;
  const std::span<const EventId> had = Graph().EventsOf(static_cast<model::ThreadId>(made.thread));
  if (made_[made.thread] >= had.size()) return false;
  const model::Event& known = Graph().At(had[made_[made.thread]]);
  const std::vector<LocationId>& locations = s_.locations[made.object];
  if (!known.IsAccess() || locations.size() != 1 || known.label.location != locations[0] ||
      known.label.action != rf::ActionOf(made.kind))
    return false;
  made_[made.thread] += known.of_update ? 2 : 1;
  return true;
}

// `begins`: a step begins with it.
bool ReadsFrom::MakeEvents(const trace::Execution& e, size_t event, bool begins) {
  const op::ThreadId thread = e.events[event].thread;
  // No graph says that others keep out, so what graphs lead to may be what no schedule does.
  const bool ends = rf::KeepsOthersOut(e.events[event].kind);
  if (ends || !rf::IsModelled(e, event)) s_.gap = claim::Incomplete::kReadsFromOperation;
  s_.exhausted |= ends;
  const uint32_t options = OptionsOf(e, event);
  if (!ComeAfterWaker(e.events[event])) return false;
  rf::LabelsOf(e, event, labels_);
  if (e.events[event].kind == op::Kind::kCondWait && labels_.size() == 2)
    NoteWait(labels_[0].location, labels_[1].location);
  PutInOneChain(e.events[event]);
  // What can be moved comes with its step; if nothing can, the last of it.
  const auto moves = std::ranges::find_if(labels_, HasLocation);
  const auto begins_at =
      moves == labels_.end() ? labels_.size() - 1 : static_cast<size_t>(moves - labels_.begin());
  // One step: what comes second may be missing in a graph that has the first.
  if (labels_.size() == 2 && labels_[0].action == model::Action::kUse && HasLocation(labels_[1]))
    labels_[0].operand = LocationOf(labels_[1].location, 0) + 1;
  for (size_t k = 0; k < labels_.size(); ++k) {
    model::Label& label = labels_[k];
    const uint32_t object = label.location;
    label.begins_step = begins && (k == begins_at || (k > 0 && labels_[k - 1].leaves_step));
    if (k + 1 == labels_.size()) label.options = options;
    const bool sees = HasLocation(label) && label.action != model::Action::kUse;
    if (HasLocation(label)) NoteRoles(object, RolesOf(label, e.events[event].kind, k != 0));
    if (begins_anew_) return false;
    if (!MakeEvent(thread, label, sees, sees ? e.atomics[event].found : 0)) return false;
    if (label.action != model::Action::kUse) continue;
    if (object >= last_use_.size()) last_use_.resize(object + 1, model::kNoEvent);
    last_use_[object] = newest_;
  }
  if (!of_event_.empty()) of_event_[event] = newest_;
  return true;
}

void ReadsFrom::BeginToExtend(const trace::Execution& e) {
  made_.assign(Graph().Threads(), 0);
  generation_.assign(s_.locations.size(), 0);
  of_event_.assign(e.let_go.empty() ? 0 : e.events.size(), model::kNoEvent);
  let_go_by_.assign(Graph().Threads(), model::kNoEvent);
  last_use_.clear();
  held_.clear();
  choice_ = 0;
  bool has_limits =
      std::ranges::any_of(e.steps, [](const trace::Step& s) { return s.time_passes != 0; });
  has_options_ = false;
  for (const trace::Choice& c : e.choices) {
    has_limits |= c.early_timeouts;
    has_options_ |= c.kind != trace::ChoiceKind::kThread && !trace::IsOfMemory(c.kind);
  }
  if (has_limits) s_.gap = claim::Incomplete::kReadsFromOperation;
}

// False: it did something else than the graph says, so what follows is not explored.
bool ReadsFrom::Extend(const trace::Execution& e) {
  BeginToExtend(e);
  size_t let_go = 0;
  for (size_t step = 0; step < e.steps.size(); ++step) {
    const op::ThreadId runs = e.steps[step].thread;
    const size_t first = e.steps[step].event;
    const size_t end = first + e.EventsOf(step).size();
    const auto is_own = [&](const trace::Event& event) { return event.thread == runs; };
    // A step that was cut before it did anything is none.
    const bool cut = e.ending.kind == trace::EndKind::kRedundant && step + 1 == e.steps.size();
    if (cut && e.EventsOf(step).empty()) break;
    bool begins = runs != op::kNoThread;
    if (begins && std::ranges::none_of(e.EventsOf(step), is_own)) {
      if (!MakeEvent(runs, {.begins_step = true}, false, 0)) return false;
      begins = false;
    }
    for (size_t i = first; i < end; ++i) {
      for (; let_go < e.let_go.size() && e.let_go[let_go].event <= i; ++let_go)
        NoteLetGo(e.let_go[let_go]);
      const bool is_first = begins && is_own(e.events[i]);
      begins = begins && !is_first;
      if (HasAccess(e, i)) continue;
      if (!MakeEvents(e, i, is_first)) return false;
    }
  }
  for (; let_go < e.let_go.size(); ++let_go) NoteLetGo(e.let_go[let_go]);
  return true;
}

// The use that a thread stood before at the end, and would have made had it come earlier: that of
// an object which blocks it, or the end of the program, which another thread has made. kFence:
// none.
model::Label ReadsFrom::WaitsFor(const trace::Execution& e, op::ThreadId thread) {
  const trace::Pending& pending = e.pending[thread];
  const bool both_end = pending.kind == op::Kind::kProgramExit && !e.events.empty() &&
                        e.events.back().kind == op::Kind::kProgramExit &&
                        e.events.back().thread != thread;
  if (!both_end) return rf::LabelOf(pending);
  model::Label label = {.action = model::Action::kUse,
                        .location = rf::KeyOf(e.events.back().object)};
  label.ends_program = true;
  return label;
}

void ReadsFrom::TellBlocked(op::ThreadId thread, model::Label use) {
  const auto self = static_cast<model::ThreadId>(thread);
  const EventId source = std::exchange(let_go_by_[thread], model::kNoEvent);
  if (source != model::kNoEvent && made_[thread] >= Graph().EventsOf(self).size()) {
    MakeEvent(thread, {}, false, 0);
    s_.trust->ComesAfter(newest_, source, false);
  }
  use.begins_step = true;
  MeetLocation(use, false, 0);
  s_.trust->Blocked(self, use);
}

// A loop that waits: its last vain round has the load.
void ReadsFrom::TellWaitingLoop(const trace::Execution& whole, op::ThreadId thread) {
  const auto is_round = [&](const trace::Step& step) {
    return step.thread == thread && step.vain != 0;
  };
  const auto round = std::find_if(whole.steps.rbegin(), whole.steps.rend(), is_round);
  if (round == whole.steps.rend()) return;
  const auto is_own = [&](const trace::Event& event) {
    return event.thread == thread && op::IsAtomic(event.kind);
  };
  const auto own = std::find_if(whole.events.begin() + round->event, whole.events.end(), is_own);
  if (own == whole.events.end()) return;
  rf::LabelsOf(whole, static_cast<size_t>(own - whole.events.begin()), labels_);
  model::Label load = labels_[0];
  if (load.action == model::Action::kUse) return;
  load.begins_step = true;
  MeetLocation(load, false, 0);
  s_.trust->BlockedLoad(static_cast<model::ThreadId>(thread), load);
}

// Who stood before an operation at the end, and would have gone on had it come earlier.
void ReadsFrom::TellWhoWaits(const trace::Execution& whole, const trace::Execution& e) {
  const bool ran_to_its_end = trace::ClassOf(e.ending.kind) == trace::EndClass::kComplete;
  if (!ran_to_its_end && e.ending.kind != trace::EndKind::kRedundant)
    s_.gap = claim::Incomplete::kReadsFromOperation;
  const auto threads = std::min<size_t>(e.pending.size(), Graph().Threads());
  for (op::ThreadId thread = 0; thread < threads; ++thread) {
    const model::Label use = WaitsFor(e, thread);
    if (use.action == model::Action::kUse)
      TellBlocked(thread, use);
    else if (e.pending[thread].await != 0)
      TellWaitingLoop(whole, thread);
  }
}

}  // namespace heddle::explore
