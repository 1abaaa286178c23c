// The code of a function as a graph: its instructions, and which may come after which. And the
// loops in it (loop_to_leave.h).
#pragma once

#include <cstdint>

#include "runtime/loops/code/loop_to_leave.h"
#include "runtime/loops/code/node_set.h"
#include "runtime/prim/code_flow.h"

namespace heddle::runtime {

inline constexpr uint32_t kMostNodes = 2048;

// Large: not on a stack.
class FunctionCode {
 public:
  using Nodes = NodeSet<kMostNodes>;

  // `return_address`: of a call in it; 0: none in particular. `does_not_return` tells of the target
  // of a call. False: there is too much of it.
  bool Read(uintptr_t function, uintptr_t return_address, bool (*does_not_return)(uintptr_t)) {
    count_ = 0;
    call_ = kNone;
    full_ = false;
    NodeAt(function);
    for (uint32_t at = 0; at < count_; ++at) {
      const CodeFlow flow = FlowAt(nodes_[at].pc);
      const bool is_call = flow.flow == Flow::kCall;
      if (is_call && flow.next == return_address) call_ = at;
      nodes_[at].unknown = flow.flow == Flow::kUnknown;
      nodes_[at].returns = flow.flow == Flow::kReturn || flow.flow == Flow::kUnknown;
      if (nodes_[at].returns || flow.flow == Flow::kEnd) continue;
      if (is_call && flow.target != 0 && does_not_return(flow.target)) continue;
      if (!is_call && flow.target != 0) nodes_[at].next[0] = NodeAt(flow.target);
      if (flow.flow != Flow::kJump) nodes_[at].next[1] = NodeAt(flow.next);
      if (full_) return false;
    }
    all_ = {};
    for (uint32_t i = 0; i < count_; ++i) all_.Add(i);
    FindEnds();
    return true;
  }

  // Was the call found?
  bool HasCall() const { return call_ != kNone; }
  // The largest loop around it; empty: it is in none. REQUIRES: HasCall().
  Nodes LoopAroundCall() { return LoopAround(call_, all_); }
  // May code behind the call go on where nobody knows, and so come back to it? `is_known(pc)`: not
  // this, which is a jump out of the function. REQUIRES: as above.
  template <typename IsKnown>
  bool MayLeadAnywhere(IsKnown is_known) {
    const Nodes reached = ReachedFrom(call_, all_);
    for (uint32_t i = 0; i < count_; ++i)
      if (nodes_[i].unknown && reached.Has(i) && !is_known(nodes_[i].pc)) return true;
    return false;
  }
  const Nodes& All() const { return all_; }

  // `visit(pc)` of each instruction of the set.
  template <typename Visit>
  void ForEach(const Nodes& set, Visit visit) const {
    for (uint32_t i = 0; i < count_; ++i)
      if (set.Has(i)) visit(nodes_[i].pc);
  }

  // As FindLoopToLeave says, of the call.
  LoopOfCall LoopToLeave() {
    if (call_ == kNone) return {LoopKind::kUnknown};
    Nodes around = all_;
    LoopOfCall found = {LoopKind::kNone};
    for (;;) {
      const Nodes loop = LoopAround(call_, around);
      if (!loop.Has(call_)) return found;
      const Nodes entries = EntriesOf(loop);
      if (CanBeLeft(loop)) return {LoopKind::kCanBeLeft, nodes_[FirstOf(entries)].pc};
      found.kind = LoopKind::kEndless;
      if (const uint32_t back = InnerBackJump(loop, entries); back != kNone)
        return {LoopKind::kCanBeLeft, nodes_[back].pc};
      around = loop;
      around.Remove(entries);
    }
  }

 private:
  static constexpr uint32_t kNone = ~0u;
  struct Node {
    uintptr_t pc = 0;
    uint32_t next[2] = {kNone, kNone};
    bool returns = false;  // or goes on where nobody knows
    bool unknown = false;  // the latter
  };

  uint32_t NodeAt(uintptr_t pc) {
    for (uint32_t i = 0; i < count_; ++i)
      if (nodes_[i].pc == pc) return i;
    if (count_ == kMostNodes) {
      full_ = true;
      return 0;
    }
    nodes_[count_] = {.pc = pc};
    return count_++;
  }

  // What of `within` can be reached from the nodes behind `from`.
  Nodes ReachedFrom(uint32_t from, const Nodes& within) {
    Nodes reached;
    uint32_t waiting = 0;
    const auto push = [&](uint32_t node) {
      if (node == kNone || !within.Has(node) || reached.Has(node)) return;
      reached.Add(node);
      stack_[waiting++] = node;
    };
    for (const uint32_t next : nodes_[from].next) push(next);
    while (waiting != 0)
      for (const uint32_t next : nodes_[stack_[--waiting]].next) push(next);
    return reached;
  }

  // From what of `within` a node can be reached, itself included.
  Nodes Reaching(uint32_t node, const Nodes& within) const {
    Nodes reaching;
    reaching.Add(node);
    for (bool again = true; again;) {
      again = false;
      for (uint32_t i = count_; i-- > 0;) {
        if (!within.Has(i) || reaching.Has(i)) continue;
        for (const uint32_t next : nodes_[i].next)
          if (next != kNone && reaching.Has(next)) again = true, reaching.Add(i);
      }
    }
    return reaching;
  }

  // The strongly connected part of `within` around a node; empty if no way leads back to it.
  Nodes LoopAround(uint32_t node, const Nodes& within) {
    Nodes loop = ReachedFrom(node, within);
    if (!loop.Has(node)) return {};
    loop.Intersect(Reaching(node, within));
    return loop;
  }

  // By which the loop is entered from outside.
  Nodes EntriesOf(const Nodes& loop) const {
    Nodes entries;
    if (loop.Has(0)) entries.Add(0);
    for (uint32_t i = 0; i < count_; ++i) {
      if (loop.Has(i)) continue;
      for (const uint32_t next : nodes_[i].next)
        if (next != kNone && loop.Has(next)) entries.Add(next);
    }
    return entries;
  }

  uint32_t FirstOf(const Nodes& set) const {
    uint32_t first = kNone;
    for (uint32_t i = 0; i < count_; ++i)
      if (set.Has(i) && (first == kNone || nodes_[i].pc < nodes_[first].pc)) first = i;
    return first;
  }

  bool CanBeLeft(const Nodes& loop) const {
    for (uint32_t i = 0; i < count_; ++i) {
      if (!loop.Has(i)) continue;
      for (const uint32_t next : nodes_[i].next)
        if (next != kNone && !loop.Has(next) && !ends_.Has(next)) return true;
    }
    return false;
  }

  // Nodes behind which the program ends, on every way.
  void FindEnds() {
    ends_ = {};
    const auto ends = [&](uint32_t next) { return next == kNone || ends_.Has(next); };
    for (bool again = true; again;) {
      again = false;
      for (uint32_t i = count_; i-- > 0;) {
        const Node& node = nodes_[i];
        if (ends_.Has(i) || node.returns || !ends(node.next[0]) || !ends(node.next[1])) continue;
        ends_.Add(i);
        again = true;
      }
    }
  }

  // Of the largest loop with the call that shares an entry with `loop` and lies in another one that
  // does: the jump that leads back.
  uint32_t InnerBackJump(const Nodes& loop, const Nodes& entries) {
    Nodes best;
    uint32_t best_jump = kNone;
    for (uint32_t entry = 0; entry < count_; ++entry) {
      if (!entries.Has(entry)) continue;
      for (uint32_t jump = 0; jump < count_; ++jump) {
        if (!loop.Has(jump) || !LeadsTo(jump, entry)) continue;
        const Nodes inner = WaysRound(jump, entry, loop);
        if (!inner.Has(call_) || !LiesInAnother(inner, entry, loop)) continue;
        if (best_jump == kNone || (best.IsIn(inner) && inner != best)) {
          best = inner;
          best_jump = jump;
        }
      }
    }
    return best_jump;
  }

  bool LeadsTo(uint32_t from, uint32_t to) const {
    return nodes_[from].next[0] == to || nodes_[from].next[1] == to;
  }

  // The natural loop of a jump back to an entry.
  Nodes WaysRound(uint32_t jump, uint32_t entry, const Nodes& loop) const {
    Nodes within = loop;
    Nodes only;
    only.Add(entry);
    within.Remove(only);
    Nodes ways = jump == entry ? only : Reaching(jump, within);
    ways.Add(entry);
    return ways;
  }

  bool LiesInAnother(const Nodes& inner, uint32_t entry, const Nodes& loop) const {
    for (uint32_t jump = 0; jump < count_; ++jump) {
      if (!loop.Has(jump) || !LeadsTo(jump, entry)) continue;
      const Nodes other = WaysRound(jump, entry, loop);
      if (inner.IsIn(other) && other != inner) return true;
    }
    return false;
  }

  Node nodes_[kMostNodes];
  Nodes all_, ends_;
  uint32_t stack_[kMostNodes];
  uint32_t count_ = 0;
  uint32_t call_ = kNone;
  bool full_ = false;
};

}  // namespace heddle::runtime
