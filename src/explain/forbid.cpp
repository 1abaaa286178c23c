#include "explain/forbid.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "explain/relations.h"

namespace heddle::explain {
namespace {

using model::Order;

// Something that may be changed: a place, or the fence before one.
struct Candidate {
  Place place;
  bool fence;
  std::vector<Order> orders;  // that may be chosen, the weaker ones first; the last is seq_cst
};
using Set = std::vector<size_t>;  // of candidates, ascending

constexpr Order kStronger[] = {Order::kAcquire, Order::kRelease, Order::kAcqRel, Order::kSeqCst};

int StrengthOf(Order order) {
  switch (order) {
    case Order::kPlain:
    case Order::kRelaxed:
      return 0;
    case Order::kAcquire:
    case Order::kRelease:
      return 1;
    case Order::kAcqRel:
      return 2;
    case Order::kSeqCst:
      return 3;
  }
  return 0;
}

int StrengthOf(const Changes& changes) {
  int sum = 0;
  for (const Change& change : changes) sum += StrengthOf(change.order);
  return sum;
}

// Of each place, the orders that make a difference to some event of it.
std::vector<Candidate> OrdersOf(const Recorded& execution) {
  std::map<Place, std::vector<Order>> places;
  for (const Event& e : execution.events) {
    if (e.place == kNoPlace) continue;
    std::vector<Order>& orders = places[e.place];
    for (const Order order : kStronger)
      if (Joined(e.order, For(e, order)) != e.order && For(e, order) == order &&
          std::ranges::find(orders, order) == orders.end())
        orders.push_back(order);
  }
  std::vector<Candidate> candidates;
  for (auto& [place, orders] : places) {
    if (orders.empty()) continue;
    const auto has = [&](Order order) { return std::ranges::find(orders, order) != orders.end(); };
    // A load and a store of one line.
    if (has(Order::kAcquire) && has(Order::kRelease) && !has(Order::kAcqRel))
      orders.push_back(Order::kAcqRel);
    std::ranges::sort(orders);
    candidates.push_back({place, false, std::move(orders)});
  }
  return candidates;
}

// Before each place but those that begin a thread.
std::vector<Candidate> FencesOf(const Recorded& execution) {
  std::vector<Place> places;
  std::vector<bool> seen(execution.threads);  // by thread: an event
  for (const Event& e : execution.events) {
    if (e.IsStore() && e.of_update) continue;
    if (e.IsAccess() && e.place != kNoPlace && seen[e.thread]) places.push_back(e.place);
    seen[e.thread] = true;
  }
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<Candidate> candidates;
  for (const Place place : places)
    candidates.push_back({place, true, {std::begin(kStronger), std::end(kStronger)}});
  return candidates;
}

class SearchForSets {
 public:
  SearchForSets(const Recorded& execution, const std::vector<model::Consistency*>& models,
                const RemedyLimits& limits, std::vector<Candidate> candidates)
      : execution_(execution),
        models_(models),
        limits_(limits),
        candidates_(std::move(candidates)),
        left_(limits.most_work / 2) {}

  std::vector<Changes> Find() {
    Set all(candidates_.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<Changes> found;
    if (all.empty() || !Forbids(Strongest(all))) return found;
    for (size_t size = 1; size <= limits_.most_changes && found.empty(); ++size) {
      visited_.clear();
      Extend({}, size);
      for (const Set& set : sets_) AddWeakest(set, found);
      if (left_ == 0) break;
    }
    std::ranges::stable_sort(found, {}, [](const Changes& changes) { return StrengthOf(changes); });
    if (found.size() > limits_.most_sets) found.resize(limits_.most_sets);
    // Better one that may not be the smallest than none.
    if (found.empty()) AddWeakest(WithoutNeedless(all), found);
    return found;
  }

  bool AllTried() const { return left_ != 0; }

 private:
  Changes Strongest(const Set& set) const {
    Changes changes;
    for (const size_t i : set)
      changes.push_back({candidates_[i].place, Order::kSeqCst, candidates_[i].fence});
    return changes;
  }

  bool Forbids(const Changes& changes) {
    for (model::Consistency* model : models_) {
      const size_t n = execution_.events.size();
      left_ -= std::min(left_, 1 + n + n * n * n / 1000);
      if (IsAllowed(execution_, *model, changes)) return false;
    }
    return true;
  }

  static bool Has(const Set& set, size_t one) { return std::ranges::find(set, one) != set.end(); }
  static bool HasAll(const Set& set, const Set& others) {
    return std::ranges::includes(set, others);
  }
  static Set With(Set set, size_t one) {
    set.insert(std::ranges::upper_bound(set, one), one);
    return set;
  }

  // All that forbid, have `set` in them, and are not larger than `size`.
  void Extend(const Set& set, size_t size) {
    if (left_ == 0 || !visited_.insert(set).second) return;
    if (std::ranges::any_of(sets_, [&](const Set& found) { return HasAll(set, found); })) return;
    auto rest = std::ranges::find_if(rests_, [&](const Set& one) {
      return std::ranges::none_of(one, [&](size_t i) { return Has(set, i); });
    });
    if (rest == rests_.end()) {
      if (Forbids(Strongest(set))) {
        sets_.push_back(set);
        return;
      }
      AddRest(set);
      rest = rests_.end() - 1;
    }
    if (set.size() == size) return;
    const Set choices = *rest;
    for (const size_t i : choices) Extend(With(set, i), size);
  }

  // REQUIRES: `set` does not forbid.
  void AddRest(Set set) {
    Set rest;
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (Has(set, i)) continue;
      const Set more = With(set, i);
      if (left_ != 0 && !Forbids(Strongest(more)))
        set = more;
      else
        rest.push_back(i);
    }
    rests_.push_back(rest);
  }

  // REQUIRES: `set` forbids.
  Set WithoutNeedless(Set set) {
    left_ = std::max(left_, size_t{1});
    for (size_t i = set.size(); i-- > 0;) {
      Set less = set;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      if (Forbids(Strongest(less))) set = std::move(less);
    }
    return set;
  }

  // From seq_cst everywhere, one place after the other gets the weakest order that does; from each
  // end, as it may matter where one begins.
  void AddWeakest(const Set& set, std::vector<Changes>& found) {
    for (const bool backwards : {false, true}) {
      Changes changes = Strongest(set);
      for (size_t n = 0; n < changes.size(); ++n) {
        const size_t at = backwards ? changes.size() - 1 - n : n;
        for (const Order order : candidates_[set[at]].orders) {
          const Order before = std::exchange(changes[at].order, order);
          if (order == Order::kSeqCst || Forbids(changes)) break;
          changes[at].order = before;
        }
      }
      if (std::ranges::find(found, changes) == found.end()) found.push_back(changes);
    }
  }

  const Recorded& execution_;
  const std::vector<model::Consistency*>& models_;
  const RemedyLimits& limits_;
  const std::vector<Candidate> candidates_;
  size_t left_;             // of the work
  std::vector<Set> sets_;   // that forbid, and no part of them does
  std::vector<Set> rests_;  // each set that forbids has one of each
  std::set<Set> visited_;   // of the present size
};

}  // namespace

Remedies WhatForbids(const Recorded& execution, const std::vector<model::Consistency*>& models,
                     const RemedyLimits& limits) {
  const Recorded cycles = CyclesOf(execution).execution;
  Remedies remedies;
  for (const bool fences : {false, true}) {
    SearchForSets search(cycles, models, limits, fences ? FencesOf(cycles) : OrdersOf(cycles));
    for (Changes& changes : search.Find()) remedies.sets.push_back(std::move(changes));
    remedies.all_tried &= search.AllTried();
  }
  std::ranges::stable_sort(remedies.sets, {},
                           [](const Changes& changes) { return changes.size(); });
  return remedies;
}

}  // namespace heddle::explain
