#include "runtime/loops/code/round_counters.h"

#include <algorithm>

#include "runtime/loops/code/node_set.h"
#include "runtime/prim/decode.h"
#include "runtime/prim/kept_registers.h"

namespace heddle::runtime {
namespace {

constexpr uint32_t kMostNodes = 384;
constexpr uint32_t kMostSlots = 32;
constexpr uint32_t kNone = ~0u;

constexpr uint16_t Bit(int reg) { return static_cast<uint16_t>(1u << reg); }

constexpr uint16_t KeptByCalls() {
  uint16_t kept = 0;
  for (const KeptRegister& reg : kKeptRegisters) kept |= Bit(reg.machine);
  return kept;
}
constexpr uint16_t kKept = KeptByCalls();
// rdi rsi rdx rcx r8 r9 (psABI, 3.2.3); and what a function returns, rax rdx.
constexpr uint16_t kArguments = Bit(7) | Bit(6) | Bit(2) | Bit(1) | Bit(8) | Bit(9);
constexpr uint16_t kResults = Bit(0) | Bit(2);

// What depends on a counter, at one place of the code.
struct Taint {
  uint16_t registers = 0;
  bool flags = false;
  uint32_t slots = 0;    // bit n: slot number n
  bool decided = false;  // in this round a branch was passed that depends on a counter
  bool dirty = false;    // no taint: since the anchor something was done that others may see

  bool Any() const { return registers != 0 || flags || slots != 0 || decided; }
  // Returns true if something was added.
  bool Join(const Taint& other) {
    const Taint before = *this;
    registers |= other.registers;
    flags |= other.flags;
    slots |= other.slots;
    decided |= other.decided;
    dirty |= other.dirty;
    return registers != before.registers || flags != before.flags || slots != before.slots ||
           decided != before.decided || dirty != before.dirty;
  }
};

using Nodes = NodeSet<kMostNodes>;

struct Node {
  uintptr_t pc = 0;
  Instruction in;
  int64_t stack = 0;         // pointer before it, relative to that at the anchor
  int64_t frame = kNoFrame;  // pointer, the same; kNoFrame: the register holds something else
  uint32_t next[2] = {kNone, kNone};  // where a branch leads, and what follows
  uint32_t landing_pad = kNone;
  Callee callee = Callee::kOther;  // of a call
  bool unknown = false;
  bool looks_again = false;
  bool returns_here = false;  // a way that does nothing others see leads from here to the anchor
  bool clean = false;         // and one from the anchor to here
  bool reached = false;       // by the analysis
  bool control = false;       // a branch that depends on a counter decides whether it is run
  Taint taint;
};

class Analysis {
 public:
  // Reads the code from the anchor on. False: nothing leads back, or there is too much of it.
  bool ReadCode(uintptr_t anchor, int64_t frame, Callee (*callee)(uintptr_t),
                bool (*landing_pad)(uintptr_t, uintptr_t&));

  // All that the rounds write; false: they also write where nobody knows.
  bool WrittenInRounds(Taint& written);

  // Spreads `counters` from the anchor. Returns false if somebody could notice them. `arrives`:
  // what is tainted when the anchor is reached again.
  bool Spread(const Taint& counters, bool may_run_out, Taint& arrives);

  bool RunsOut() const { return run_out_at_ != kNone; }
  RoundCounters Describe(const Taint& counters) const;

 private:
  uint32_t NodeAt(uintptr_t pc, int64_t stack, int64_t frame);
  void Connect(uint32_t at);
  void MarkWays();
  void FindPassed();
  void Control(uint32_t branch);
  uint32_t SlotOf(int64_t begin, uint32_t size);
  bool Resolve(const Node& node, int64_t& begin) const;
  uint32_t Overlapping(int64_t begin, uint32_t size, bool whole) const;
  bool Transfer(const Node& node, Taint& taint);
  bool Call(const Node& node, Taint& taint, Taint& arrives);
  bool Branch(uint32_t at, const Taint& taint);
  bool Leave(const Node& node, const Taint& taint) const;
  void Flow(uint32_t to, const Taint& taint);

  uintptr_t anchor_ = 0;
  Callee (*callee_)(uintptr_t) = nullptr;
  bool (*landing_pad_)(uintptr_t, uintptr_t&) = nullptr;
  bool may_run_out_ = false;
  uint32_t run_out_at_ = kNone;
  uint32_t node_count_ = 0;
  uint32_t slot_count_ = 0;
  bool full_ = false;
  bool again_ = false;
  StackRange slots_[kMostSlots];
  Node nodes_[kMostNodes];
  Nodes passed_[kMostNodes];    // on all ways from a node back to the anchor (its post-dominators)
  uint32_t found_[kMostNodes];  // scratch of Control
};

uint32_t Analysis::NodeAt(uintptr_t pc, int64_t stack, int64_t frame) {
  for (uint32_t i = 0; i < node_count_; ++i) {
    if (nodes_[i].pc != pc) continue;
    // Met by ways that do not agree where the stack is: not code of a compiler.
    if (nodes_[i].stack != stack || nodes_[i].frame != frame) nodes_[i].unknown = true;
    return i;
  }
  if (node_count_ == kMostNodes) {
    full_ = true;
    return kNone;
  }
  nodes_[node_count_] = {};
  nodes_[node_count_].pc = pc;
  nodes_[node_count_].stack = stack;
  nodes_[node_count_].frame = frame;
  return node_count_++;
}

// Reads the instruction of a node, and finds what follows it.
void Analysis::Connect(uint32_t at) {
  Node& node = nodes_[at];
  node.in = Decode(node.pc);
  const Instruction& in = node.in;
  if (in.flow == Flow::kUnknown) node.unknown = true;
  if (node.unknown || in.flow == Flow::kReturn || in.flow == Flow::kEnd) return;
  if (in.leaves_frame && node.frame == kNoFrame) {
    node.unknown = true;
    return;
  }
  const int64_t stack = in.leaves_frame ? node.frame + 8 : node.stack + in.stack_shift;
  const bool keeps_frame = (in.changes & Bit(kFramePointer)) == 0;
  const int64_t frame = keeps_frame ? node.frame : kNoFrame;
  if (in.flow == Flow::kCall) {
    node.looks_again = in.next == anchor_;
    if (node.looks_again) return;
    node.callee = callee_(in.target);
    const bool may_throw = node.callee == Callee::kEnds || node.callee == Callee::kOther;
    uintptr_t pad = 0;
    if (may_throw && !landing_pad_(in.next, pad)) node.unknown = true;
    if (pad != 0) nodes_[at].landing_pad = NodeAt(pad, stack, frame);
    if (nodes_[at].callee != Callee::kEnds) nodes_[at].next[1] = NodeAt(in.next, stack, frame);
    return;
  }
  if (in.flow != Flow::kNext) nodes_[at].next[0] = NodeAt(in.target, stack, frame);
  if (in.flow != Flow::kJump) nodes_[at].next[1] = NodeAt(in.next, stack, frame);
}

bool Analysis::ReadCode(uintptr_t anchor, int64_t frame, Callee (*callee)(uintptr_t),
                        bool (*landing_pad)(uintptr_t, uintptr_t&)) {
  anchor_ = anchor;
  callee_ = callee;
  landing_pad_ = landing_pad;
  node_count_ = slot_count_ = 0;
  full_ = false;
  NodeAt(anchor_, 0, frame);
  for (uint32_t at = 0; at < node_count_; ++at) Connect(at);
  MarkWays();
  FindPassed();
  return nodes_[0].returns_here;
}

void Analysis::MarkWays() {
  const auto passes = [&](const Node& node) {
    return !node.unknown && !(node.in.flow == Flow::kCall && node.callee == Callee::kOther);
  };
  for (uint32_t i = 0; i < node_count_; ++i) nodes_[i].returns_here = nodes_[i].looks_again;
  nodes_[0].clean = true;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < node_count_; ++i) {
      Node& node = nodes_[i];
      if (node.looks_again || !passes(node)) continue;
      for (const uint32_t next : node.next) {
        if (next == kNone) continue;
        if (nodes_[next].returns_here && !node.returns_here) node.returns_here = again = true;
        if (node.clean && !nodes_[next].clean) nodes_[next].clean = again = true;
      }
    }
  }
}

void Analysis::FindPassed() {
  for (uint32_t i = 0; i < node_count_; ++i) {
    passed_[i] = {};
    if (!nodes_[i].looks_again) passed_[i].Fill();
    passed_[i].Add(i);
  }
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = node_count_; i-- > 0;) {
      const Node& node = nodes_[i];
      if (node.looks_again || !node.returns_here) continue;
      Nodes passed;
      passed.Fill();
      for (const uint32_t next : node.next)
        if (next != kNone && nodes_[next].returns_here) passed.Intersect(passed_[next]);
      passed.Add(i);
      again |= passed != passed_[i];
      passed_[i] = passed;
    }
  }
}

// Marks what is run or not as `branch` decides: up to where its ways back to the anchor meet.
void Analysis::Control(uint32_t branch) {
  uint32_t count = 0;
  Nodes seen;
  const auto add = [&](uint32_t node) {
    if (node == kNone || !nodes_[node].returns_here || seen.Has(node)) return;
    if (passed_[branch].Has(node)) return;
    seen.Add(node);
    again_ |= !nodes_[node].control;
    nodes_[node].control = true;
    found_[count++] = node;
  };
  for (const uint32_t next : nodes_[branch].next) add(next);
  for (uint32_t i = 0; i < count; ++i) {
    const Node& node = nodes_[found_[i]];
    if (node.looks_again || (node.in.flow == Flow::kCall && node.callee == Callee::kOther))
      continue;
    for (const uint32_t next : node.next) add(next);
  }
}

// Where on the stack the node's memory operand is. False: it is not there, or nobody knows.
bool Analysis::Resolve(const Node& node, int64_t& begin) const {
  const MemoryOperand& memory = node.in.memory;
  if (memory.elsewhere || memory.relative) return false;
  begin = memory.displacement;
  if (memory.base == kStackPointer)
    begin += node.stack;
  else if (memory.base == kFramePointer && node.frame != kNoFrame)
    begin += node.frame;
  else
    return false;
  return true;
}

uint32_t Analysis::SlotOf(int64_t begin, uint32_t size) {
  for (uint32_t i = 0; i < slot_count_; ++i)
    if (slots_[i].begin == begin && slots_[i].size == size) return i;
  if (slot_count_ == kMostSlots) {
    full_ = true;
    return kNone;
  }
  slots_[slot_count_] = {begin, size};
  return slot_count_++;
}

// The slots that the range has bytes of; `whole`: all bytes.
uint32_t Analysis::Overlapping(int64_t begin, uint32_t size, bool whole) const {
  uint32_t found = 0;
  for (uint32_t i = 0; i < slot_count_; ++i) {
    const StackRange& slot = slots_[i];
    const int64_t end = begin + size, slot_end = slot.begin + slot.size;
    const bool in =
        whole ? begin <= slot.begin && slot_end <= end : begin < slot_end && slot.begin < end;
    if (in) found |= 1u << i;
  }
  return found;
}

bool Analysis::WrittenInRounds(Taint& written) {
  bool known = true;
  for (uint32_t i = 0; i < node_count_; ++i) {
    const Node& node = nodes_[i];
    if (!node.returns_here || !node.clean) continue;
    written.registers |= node.in.changes & kKept;
    if (!node.in.memory.written) continue;
    int64_t begin;
    if (!Resolve(node, begin)) {
      known = false;
      continue;
    }
    const uint32_t slot = SlotOf(begin, node.in.memory.size);
    if (slot != kNone) written.slots |= 1u << slot;
    known &= slot != kNone;
  }
  return known;
}

void Analysis::Flow(uint32_t to, const Taint& taint) {
  if (to == kNone) {
    full_ |= taint.Any();  // the code that follows was not read
    return;
  }
  // Nothing can go wrong any more.
  if (!taint.Any()) return;
  Node& node = nodes_[to];
  const bool first = !node.reached;
  node.reached = true;
  if (node.taint.Join(taint) || first) again_ = true;
}

// An instruction that is neither call nor branch. False: what it writes could be noticed.
bool Analysis::Transfer(const Node& node, Taint& taint) {
  const Instruction& in = node.in;
  const MemoryOperand& memory = in.memory;
  int64_t begin = 0;
  const bool on_stack = Resolve(node, begin);
  bool tainted =
      node.control || (taint.registers & in.reads) != 0 || (in.reads_flags && taint.flags);
  if (memory.read) {
    if (on_stack)
      tainted |= (taint.slots & Overlapping(begin, memory.size, false)) != 0;
    else if (!memory.relative)
      tainted |= taint.slots != 0;  // a pointer may name any of them
  }
  if (tainted)
    taint.registers |= in.changes;
  else
    taint.registers &= static_cast<uint16_t>(~in.writes);
  if (tainted && in.flags != Flags::kKept) taint.flags = true;
  if (!tainted && in.flags == Flags::kWritten) taint.flags = false;
  if (!memory.written) return true;
  if (!on_stack) return !tainted;
  if (!tainted) {
    taint.slots &= ~Overlapping(begin, memory.size, true);
    return true;
  }
  const uint32_t slot = SlotOf(begin, memory.size);
  if (slot == kNone) return false;
  taint.slots |= Overlapping(begin, memory.size, false);
  return true;
}

bool Analysis::Call(const Node& node, Taint& taint, Taint& arrives) {
  if ((taint.registers & kArguments) != 0 && node.callee != Callee::kYields) return false;
  taint.registers &= kKept;
  taint.flags = false;
  if (node.looks_again) {
    arrives.Join(taint);
    return true;
  }
  if (node.callee == Callee::kYields) return true;
  if (node.callee == Callee::kAnnounces) return !node.control;
  if (node.callee == Callee::kReads) {
    if (taint.slots != 0 || node.control) taint.registers |= kResults;
    return true;
  }
  if (taint.decided) return false;
  taint.dirty = true;
  return taint.slots == 0;  // it may have a pointer to them
}

bool Analysis::Branch(uint32_t at, const Taint& taint) {
  const Node& node = nodes_[at];
  bool returns[2];
  for (int side = 0; side < 2; ++side)
    returns[side] = node.next[side] != kNone && nodes_[node.next[side]].returns_here;
  if (!taint.flags) {
    if (taint.decided && !(returns[0] && returns[1])) return false;  // C2
    for (const uint32_t next : node.next) Flow(next, taint);
    return true;
  }
  const bool stays = returns[0] && returns[1];
  if ((taint.dirty && !stays) || (!returns[0] && !returns[1])) return false;  // C3, C4
  Taint inside = taint;
  inside.decided = true;
  Taint outside = taint;
  outside.decided = false;
  if (!stays) {
    if (!may_run_out_ || (run_out_at_ != kNone && run_out_at_ != at)) return false;  // C1
    run_out_at_ = at;
  }
  Control(at);
  for (int side = 0; side < 2; ++side) Flow(node.next[side], returns[side] ? inside : outside);
  return true;
}

// C4: at a return the frame is gone, and registers that calls keep are what they were before.
bool Analysis::Leave(const Node& node, const Taint& taint) const {
  if ((taint.registers & (kKept | kResults)) != 0) return false;
  for (uint32_t i = 0; i < slot_count_; ++i)
    if ((taint.slots >> i & 1) != 0 && slots_[i].begin + slots_[i].size > node.stack) return false;
  return true;
}

bool Analysis::Spread(const Taint& counters, bool may_run_out, Taint& arrives) {
  for (uint32_t i = 0; i < node_count_; ++i) {
    nodes_[i].taint = {};
    nodes_[i].reached = nodes_[i].control = false;
  }
  may_run_out_ = may_run_out;
  run_out_at_ = kNone;
  arrives = {};
  full_ = false;
  Flow(0, counters);
  while (again_) {
    again_ = false;
    for (uint32_t at = 0; at < node_count_ && !full_; ++at) {
      const Node& node = nodes_[at];
      if (!node.reached) continue;
      if (node.unknown) return false;
      Taint taint = node.taint;
      switch (node.in.flow) {
        case Flow::kCall:
          if (!Call(node, taint, arrives)) return false;
          if (node.looks_again) break;
          if (node.landing_pad != kNone) Flow(node.landing_pad, taint);
          if (node.callee != Callee::kEnds) Flow(node.next[1], taint);
          break;
        case Flow::kBranch:
          if (!Branch(at, taint)) return false;
          break;
        case Flow::kReturn:
          if (taint.decided || !Leave(node, taint)) return false;
          break;
        case Flow::kEnd:
          break;
        case Flow::kJump:
          Flow(node.next[0], taint);
          break;
        case Flow::kNext:
          if (!Transfer(node, taint)) return false;
          Flow(node.next[1], taint);
          break;
        case Flow::kUnknown:
          return false;
      }
    }
    if (full_) return false;
  }
  return true;
}

RoundCounters Analysis::Describe(const Taint& counters) const {
  RoundCounters found;
  found.registers = counters.registers;
  found.run_out = RunsOut();
  for (uint32_t i = 0; i < slot_count_; ++i) {
    if ((counters.slots >> i & 1) == 0) continue;
    if (found.count == kMostCounterRanges) return {};
    found.ranges[found.count++] = slots_[i];
  }
  return found;
}

}  // namespace

RoundCounters FindCounters(uintptr_t pc, int64_t frame, Callee (*callee)(uintptr_t),
                           bool (*landing_pad)(uintptr_t, uintptr_t&)) {
  // Not on the stack of the thread: what is left there would become part of the state of its later
  // frames, in the first execution that comes here only.
  static Analysis analysis;
  if (!analysis.ReadCode(pc, frame, callee, landing_pad)) return {};
  Taint counters, arrives;
  const auto none_beside = [&] {
    return (arrives.registers & ~counters.registers) == 0 && (arrives.slots & ~counters.slots) == 0;
  };
  const bool known = analysis.WrittenInRounds(counters);
  // First with a way out when the rounds run out; then all that a round writes has to be a counter.
  if (known && counters.Any() && analysis.Spread(counters, true, arrives) && none_beside())
    return analysis.Describe(counters);
  // Without one, what a round only copies need not be: what it leaves there is part of the state.
  for (;;) {
    if (!counters.Any() || !analysis.Spread(counters, false, arrives)) return {};
    Taint carried = counters;
    carried.registers &= arrives.registers;
    carried.slots &= arrives.slots;
    const bool all = carried.registers == counters.registers && carried.slots == counters.slots;
    if (all) break;
    counters = carried;
  }
  return none_beside() ? analysis.Describe(counters) : RoundCounters{};
}

}  // namespace heddle::runtime
