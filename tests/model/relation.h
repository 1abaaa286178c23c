// Relations on the events of one execution, so that an axiom can be written as the papers write it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace heddle::litmus {

constexpr int kMostEvents = 32;

// A bit an event.
using Events = uint32_t;

class Relation {
 public:
  explicit Relation(int events) : events_(events) {}

  void Add(int from, int to) { rows_[from] |= Events{1} << to; }
  bool Has(int from, int to) const { return (rows_[from] >> to & 1) != 0; }
  Events From(int from) const { return rows_[from]; }
  int events() const { return events_; }

  friend Relation operator|(Relation a, const Relation& b) {
    for (int i = 0; i < a.events_; ++i) a.rows_[i] |= b.rows_[i];
    return a;
  }
  friend Relation operator&(Relation a, const Relation& b) {
    for (int i = 0; i < a.events_; ++i) a.rows_[i] &= b.rows_[i];
    return a;
  }
  friend Relation operator-(Relation a, const Relation& b) {
    for (int i = 0; i < a.events_; ++i) a.rows_[i] &= ~b.rows_[i];
    return a;
  }

  // Composition; written `;` in the papers.
  friend Relation operator*(const Relation& a, const Relation& b) {
    Relation both(a.events_);
    for (int i = 0; i < a.events_; ++i)
      for (Events rest = a.rows_[i]; rest != 0; rest &= rest - 1)
        both.rows_[i] |= b.rows_[std::countr_zero(rest)];
    return both;
  }

  bool IsEmpty() const {
    for (int i = 0; i < events_; ++i)
      if (rows_[i] != 0) return false;
    return true;
  }

  bool IsIrreflexive() const {
    for (int i = 0; i < events_; ++i)
      if (Has(i, i)) return false;
    return true;
  }

 private:
  int events_;
  std::array<Events, kMostEvents> rows_{};
};

// [set]
inline Relation Only(Events set, int events) {
  Relation same(events);
  for (int i = 0; i < events; ++i)
    if ((set >> i & 1) != 0) same.Add(i, i);
  return same;
}

// r?
inline Relation OrSame(const Relation& r) { return r | Only(~Events{0}, r.events()); }

inline Relation Inverse(const Relation& r) {
  Relation inverse(r.events());
  for (int i = 0; i < r.events(); ++i)
    for (int j = 0; j < r.events(); ++j)
      if (r.Has(i, j)) inverse.Add(j, i);
  return inverse;
}

// r+
inline Relation Closure(Relation r) {
  for (int via = 0; via < r.events(); ++via)
    for (int i = 0; i < r.events(); ++i)
      if (r.Has(i, via))
        for (Events rest = r.From(via); rest != 0; rest &= rest - 1)
          r.Add(i, std::countr_zero(rest));
  return r;
}

inline bool IsAcyclic(const Relation& r) { return Closure(r).IsIrreflexive(); }

}  // namespace heddle::litmus
