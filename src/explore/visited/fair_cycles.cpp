#include "explore/visited/fair_cycles.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace heddle::explore {

namespace {

using Id = KeyTable::Id;
using Edges = FairCycles::Edges;
using plan::Met;

uint64_t BitOf(op::ThreadId thread) { return uint64_t{1} << thread; }

bool IsListed(const Met& met) { return (met.facts & Met::kListed) != 0; }

// An attempt to take a lock that failed.
bool IsVain(const Met& met) {
  constexpr uint8_t kInVain = Met::kTries | Met::kFails;
  return (met.facts & kInVain) == kInVain;
}

// The thread gets hold of the object.
bool IsGetting(const Met& met, op::ThreadId thread, uint32_t object) {
  const bool takes = (met.facts & (Met::kTries | Met::kWaits)) != 0;
  return met.thread == thread && met.object == object && takes && (met.facts & Met::kFails) == 0;
}

bool IsUnknown(uint32_t loop) {
  return loop == plan::MadeStep::kUnknownLoop || loop == plan::MadeStep::kNotLookedAt;
}

}  // namespace

struct FairCycles::Facts {
  uint64_t enabled = 0;
  uint64_t ran = 0;
  uint64_t stand = 0;
  uint64_t changed = 0;
  std::vector<Met> met;  // each once
};

FairCycles::Facts FairCycles::FactsOf(const Edges& edges) const {
  Facts facts;
  std::vector<StepLabels::Id> seen;
  for (const StateEdge& edge : edges) seen.push_back(edge.label);
  std::ranges::sort(seen);
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  for (const StepLabels::Id label : seen) {
    const op::ThreadId thread = labels_.ThreadOf(label);
    facts.enabled |= labels_.Enabled(label);
    facts.ran |= BitOf(thread);
    facts.stand |= labels_.Stand(label);
    if (labels_.Changed(label)) facts.changed |= BitOf(thread);
    for (uint32_t i = 0; i < labels_.MetCount(label); ++i)
      facts.met.push_back(labels_.Met(label, i));
  }
  const auto order = [](const Met& met) {
    return std::tuple(met.object, met.level, met.thread, met.facts);
  };
  std::ranges::sort(facts.met, {}, order);
  facts.met.erase(std::unique(facts.met.begin(), facts.met.end()), facts.met.end());
  return facts;
}

// A thread that only waits, and what is met there in an object that it looks at, but never by it
// (runtime/loops/cycle.cpp, CouldFindMore).
std::optional<Met> FairCycles::Missed(const Facts& facts, op::ThreadId* by) const {
  const auto has_met = [&](op::ThreadId thread, const Met& wanted) {
    return std::ranges::any_of(facts.met, [&](const Met& met) {
      return met.thread == thread && met.object == wanted.object && met.level == wanted.level;
    });
  };
  for (const Met& own : facts.met) {
    if ((BitOf(own.thread) & facts.ran & ~facts.changed) == 0) continue;
    *by = own.thread;
    if (IsListed(own)) return own;
    for (const Met& other : facts.met) {
      if (IsListed(other)) return other;
      if (other.object == own.object && !has_met(own.thread, other)) return other;
    }
  }
  return std::nullopt;
}

// Is `which` true of something that the step met?
template <typename Which>
bool FairCycles::AnyMet(StepLabels::Id label, Which which) const {
  for (uint32_t i = 0; i < labels_.MetCount(label); ++i)
    if (which(labels_.Met(label, i))) return true;
  return false;
}

bool FairCycles::HasMet(StepLabels::Id label, op::ThreadId thread, uint32_t object,
                        op::Level level) const {
  return AnyMet(label, [&](const Met& met) {
    return met.thread == thread && met.object == object && met.level == level;
  });
}

template <typename Drop>
Edges FairCycles::Without(const Edges& edges, Drop drop) const {
  Edges left;
  for (const StateEdge& edge : edges)
    if (!drop(edge)) left.push_back(edge);
  return left;
}

// False: the component is fair as it is. Otherwise `rest` has what fair walks may be in.
bool FairCycles::Split(const Edges& component, const Facts& facts, std::vector<Edges>& rest) const {
  if (const uint64_t out = facts.enabled & ~facts.ran; out != 0) {
    std::vector<Id> left_by;
    for (const StateEdge& edge : component)
      if ((labels_.Enabled(edge.label) & out) != 0) left_by.push_back(edge.from);
    std::ranges::sort(left_by);
    const auto is_left = [&](Id state) { return std::ranges::binary_search(left_by, state); };
    rest.push_back(Without(
        component, [&](const StateEdge& edge) { return is_left(edge.from) || is_left(edge.to); }));
    return true;
  }
  op::ThreadId waits = 0;
  const std::optional<Met> missed = Missed(facts, &waits);
  if (!missed) return false;
  // Without that value; or without the looks of the thread at that object.
  rest.push_back(Without(component, [&](const StateEdge& edge) {
    return AnyMet(edge.label, [&](const Met& met) {
      return IsListed(*missed) ? IsListed(met)
                               : met.object == missed->object && met.level == missed->level;
    });
  }));
  rest.push_back(Without(component, [&](const StateEdge& edge) {
    return AnyMet(edge.label, [&](const Met& met) {
      return met.thread == waits && (IsListed(*missed) || met.object == missed->object);
    });
  }));
  return true;
}

// A step of the thread from which it can be told whether it backs off politely.
bool FairCycles::RecordsBackOff(StepLabels::Id label, op::ThreadId thread) const {
  return AnyMet(label, [&](const Met& met) {
    if (met.thread != thread || (met.facts & Met::kNothing) != 0) return false;
    return (met.facts & Met::kLocks) == 0 || IsVain(met);
  });
}

// A closed walk, as fair as the component, from the state of it that was met first. Too long: none.
// `all_of`: it has all that tells whether this thread backs off politely.
Edges FairCycles::WalkThrough(const Edges& component, op::ThreadId all_of) const {
  const StateGraph graph(component);
  Walker walker(graph, 0);
  const Facts whole = FactsOf(component);
  for (op::ThreadId thread = 0; thread < 64; ++thread) {
    if ((whole.ran & BitOf(thread)) == 0) continue;
    const bool changes = (whole.changed & BitOf(thread)) != 0;
    const auto is_wanted = [&](const StateEdge& edge) {
      return labels_.ThreadOf(edge.label) == thread && (!changes || labels_.Changed(edge.label));
    };
    if (!std::ranges::any_of(walker.Made(), is_wanted)) walker.GoBy(is_wanted);
    walker.GoBy([&](const StateEdge& edge) {
      return labels_.ThreadOf(edge.label) == thread && IsUnknown(labels_.LoopOf(edge.label));
    });
  }
  std::vector<StepLabels::Id> told;
  const auto tells = [&](const StateEdge& edge) {
    return RecordsBackOff(edge.label, all_of) && std::ranges::find(told, edge.label) == told.end();
  };
  while (all_of != op::kNoThread && walker.Made().size() <= kLongest && walker.GoBy(tells))
    told.push_back(walker.Made().back().label);
  walker.GoTo(0);
  // What those who only wait have not found on that way, though it came up.
  op::ThreadId waits = 0;
  while (walker.Made().size() <= kLongest) {
    const std::optional<Met> missed = Missed(FactsOf(walker.Made()), &waits);
    if (!missed) return walker.Made();
    const bool found = walker.GoBy([&](const StateEdge& edge) {
      return HasMet(edge.label, waits, missed->object, missed->level);
    });
    if (!found) break;
    walker.GoTo(0);
  }
  return {};
}

// A thread that backs off politely on the walk (runtime/loops/cycle.cpp, IsPoliteBackOff).
std::optional<op::ThreadId> FairCycles::Polite(const Edges& walk) const {
  std::vector<Met> met;
  uint64_t changed = 0;
  for (const StateEdge& edge : walk) {
    if (labels_.Changed(edge.label)) changed |= BitOf(labels_.ThreadOf(edge.label));
    for (uint32_t i = 0; i < labels_.MetCount(edge.label); ++i)
      met.push_back(labels_.Met(edge.label, i));
  }
  const auto next_at_lock = [&](size_t at) {
    size_t next = at;
    do {
      next = next + 1 == met.size() ? 0 : next + 1;
      const bool takes = (met[next].facts & Met::kLocks) != 0 &&
                         (met[next].facts & (Met::kTries | Met::kWaits)) != 0;
      if (met[next].thread == met[at].thread && takes) break;
    } while (next != at);
    return next;
  };
  uint64_t fails = 0;
  uint64_t otherwise = 0;
  for (size_t i = 0; i < met.size(); ++i) {
    if ((met[i].facts & Met::kNothing) != 0) continue;
    const uint64_t thread = BitOf(met[i].thread);
    if ((met[i].facts & Met::kLocks) == 0) otherwise |= thread;
    if (!IsVain(met[i])) continue;
    fails |= thread;
    const Met& next = met[next_at_lock(i)];
    if ((next.facts & Met::kWaits) == 0 || next.object != met[i].object) otherwise |= thread;
  }
  for (op::ThreadId thread = 0; thread < 64; ++thread)
    if ((changed & fails & ~otherwise & BitOf(thread)) != 0) return thread;
  return std::nullopt;
}

// Does every thread make progress on the walk (runtime/loops/loop_progress.h)?
bool FairCycles::AllMakeProgress(const Edges& walk) const {
  const Facts facts = FactsOf(walk);
  if ((facts.stand & ~facts.ran) != 0) return false;  // waits all the while
  for (op::ThreadId thread = 0; thread < 64; ++thread) {
    if ((facts.ran & BitOf(thread)) == 0) continue;
    if ((facts.changed & BitOf(thread)) == 0) return false;
    const std::vector<uint32_t> loops = LoopsOf(walk, thread);
    if (std::ranges::any_of(loops, IsUnknown)) return false;
    if (loops.size() == 1 && loops[0] != plan::MadeStep::kEndlessLoop) return false;
    for (const Met& met : facts.met)
      if (met.thread == thread && IsVain(met) && !Gets(facts, thread, met.object)) return false;
  }
  return true;
}

// Of a part with a walk on which all make progress: the parts with walks on which one does not.
void FairCycles::NonProgressParts(const Edges& part, std::vector<Edges>& rest) const {
  const Facts facts = FactsOf(part);
  for (op::ThreadId thread = 0; thread < 64; ++thread) {
    if ((facts.ran & BitOf(thread)) == 0) continue;
    const auto without = [&](auto drop) {
      rest.push_back(Without(part, [&](const StateEdge& edge) {
        return labels_.ThreadOf(edge.label) == thread && drop(edge.label);
      }));
    };
    without([&](StepLabels::Id) { return true; });  // it waits all the while,
    without([&](StepLabels::Id label) { return labels_.Changed(label); });  // or changes nothing,
    const std::vector<uint32_t> loops = LoopsOf(part, thread);              // or stays in a loop,
    for (const uint32_t loop : loops)
      if (loop != plan::MadeStep::kEndlessLoop && loops.size() != 1)
        without([&](StepLabels::Id label) { return labels_.LoopOf(label) != loop; });
    for (const Met& met : facts.met) {  // or never gets what it tries to
      if (met.thread != thread || !IsVain(met) || !Gets(facts, thread, met.object)) continue;
      without([&](StepLabels::Id label) {
        return AnyMet(label, [&](const Met& at) { return IsGetting(at, thread, met.object); });
      });
    }
  }
}

// In which loops it is there, each once.
std::vector<uint32_t> FairCycles::LoopsOf(const Edges& edges, op::ThreadId thread) const {
  std::vector<uint32_t> loops;
  for (const StateEdge& edge : edges) {
    const uint32_t loop = labels_.LoopOf(edge.label);
    if (labels_.ThreadOf(edge.label) == thread && std::ranges::count(loops, loop) == 0)
      loops.push_back(loop);
  }
  return loops;
}

bool FairCycles::Gets(const Facts& facts, op::ThreadId thread, uint32_t object) {
  return std::ranges::any_of(facts.met,
                             [&](const Met& met) { return IsGetting(met, thread, object); });
}

Edges FairCycles::WithoutFailuresOf(op::ThreadId thread, const Edges& part) const {
  return Without(part, [&](const StateEdge& edge) {
    return AnyMet(edge.label, [&](const Met& met) { return met.thread == thread && IsVain(met); });
  });
}

std::optional<Edges> FairCycles::FindFair(Edges component) {
  std::vector<Edges> left = {std::move(component)};
  uint32_t parts = 0;
  while (!left.empty()) {
    if (++parts > kMostParts) {
      gave_up_ = true;
      return std::nullopt;
    }
    const Edges part = std::move(left.back());
    left.pop_back();
    std::vector<Edges> rest;
    if (!Split(part, FactsOf(part), rest)) {
      Edges walk = WalkThrough(part);
      std::optional<op::ThreadId> polite = Polite(walk);
      if (polite) {
        walk = WalkThrough(part, *polite);
        polite = Polite(walk);
      }
      if (walk.empty()) {
        gave_up_ = true;
        continue;
      }
      if (!polite && !AllMakeProgress(walk)) return walk;
      if (polite)
        rest.push_back(WithoutFailuresOf(*polite, part));
      else
        NonProgressParts(part, rest);
    }
    for (const Edges& edges : rest)
      for (Edges& inner : Components(edges)) left.push_back(std::move(inner));
  }
  return std::nullopt;
}

std::optional<Edges> FairCycles::FindStarving(const Edges& component) const {
  const auto yields = [&](const StateEdge& edge) { return labels_.Yields(edge.label); };
  for (const Edges& part : Components(Without(component, yields))) {
    const Facts facts = FactsOf(part);
    if (facts.changed == 0 || (facts.enabled & ~facts.ran) == 0) continue;
    Edges walk = WalkThrough(part);
    if (!walk.empty() && !Polite(walk)) return walk;
  }
  return std::nullopt;
}

std::vector<StateWalk> FairCycles::Find(Edges edges, bool starving) {
  std::vector<StateWalk> walks;
  std::vector<Edges> components = Components(edges);
  edges = {};
  for (const Edges& component : components) {
    if (auto fair = FindFair(component)) {
      walks.push_back({std::move(*fair), true});
    } else if (starving) {
      if (auto walk = FindStarving(component)) walks.push_back({std::move(*walk), false});
    }
  }
  return walks;
}

}  // namespace heddle::explore
