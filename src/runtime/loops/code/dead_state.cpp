#include "runtime/loops/code/dead_state.h"

#include <string_view>

#include "base/hash.h"
#include "runtime/loops/code/calls_of_round.h"
#include "runtime/loops/code/no_return.h"
#include "runtime/loops/code/outside_calls.h"
#include "runtime/loops/code/round_counters.h"
#include "runtime/prim/decode.h"
#include "runtime/prim/kept_registers.h"
#include "runtime/prim/landing_pad.h"
#include "runtime/prim/linkage.h"

namespace heddle::runtime {
namespace {

constexpr uint32_t kMostInstructions = 128;
constexpr uint32_t kMostCandidates = 24;

struct Candidate {
  int reg;  // or kNoRegister
  DeadRange range;
};

// But for what leaves the function, or gives operands another meaning: that is not followed here.
Instruction DecodeInFrame(uintptr_t pc) {
  const Instruction in = Decode(pc);
  const bool leaves = in.stack_shift != 0 || in.leaves_frame || in.flow == Flow::kReturn;
  return leaves ? Instruction{} : in;
}

class Walk {
 public:
  Walk(uintptr_t anchor, int64_t frame, bool (*harmless)(uintptr_t))
      : anchor_(anchor), frame_(frame), harmless_(harmless) {}

  // What the code near the anchor stores to.
  void Collect() {
    Begin();
    uintptr_t pc;
    while (Next(pc)) {
      const Instruction in = DecodeInFrame(pc);
      DeadRange range;
      if (in.memory.written && Resolve(in.memory, range)) Add({kNoRegister, range});
      if (in.flow != Flow::kUnknown && !LooksAgain(in)) Follow(in);
    }
  }

  uint32_t Count() const { return candidate_count_; }
  const Candidate& At(uint32_t i) const { return candidates_[i]; }

  bool IsDead(const Candidate& candidate) {
    Begin();
    uintptr_t pc;
    while (Next(pc)) {
      const Instruction in = DecodeInFrame(pc);
      if (in.flow == Flow::kUnknown || Reads(in, candidate)) return false;
      if (frame_ != kNoFrame && (in.changes >> kFramePointer & 1) != 0) return false;
      if (Overwrites(in, candidate)) continue;
      if (LooksAgain(in)) continue;
      if (in.flow == Flow::kCall && !harmless_(in.target)) return false;
      Follow(in);
    }
    return !full_;
  }

 private:
  void Begin() {
    seen_count_ = done_ = 0;
    full_ = false;
    Push(anchor_);
  }

  void Push(uintptr_t pc) {
    for (uint32_t i = 0; i < seen_count_; ++i)
      if (seen_[i] == pc) return;
    if (seen_count_ == kMostInstructions)
      full_ = true;
    else
      seen_[seen_count_++] = pc;
  }

  bool Next(uintptr_t& pc) {
    if (done_ == seen_count_) return false;
    pc = seen_[done_++];
    return true;
  }

  // Is it the call of the operation at which the loop waits?
  bool LooksAgain(const Instruction& in) const {
    return in.flow == Flow::kCall && in.next == anchor_;
  }

  void Follow(const Instruction& in) {
    if (in.flow == Flow::kEnd) return;
    if (in.flow == Flow::kJump || in.flow == Flow::kBranch) Push(in.target);
    if (in.flow != Flow::kJump) Push(in.next);
  }

  void Add(const Candidate& candidate) {
    for (uint32_t i = 0; i < candidate_count_; ++i) {
      const DeadRange& range = candidates_[i].range;
      if (range.begin == candidate.range.begin && range.size == candidate.range.size &&
          range.on_stack == candidate.range.on_stack)
        return;
    }
    if (candidate_count_ < kMostCandidates) candidates_[candidate_count_++] = candidate;
  }

  // False: nobody knows where.
  bool Resolve(const MemoryOperand& memory, DeadRange& range) const {
    if (memory.elsewhere) return false;
    range = {memory.displacement, memory.size, true};
    if (memory.relative)
      range.on_stack = false;
    else if (memory.base == kFramePointer && frame_ != kNoFrame)
      range.begin += frame_;
    else if (memory.base != kStackPointer)
      return false;
    return true;
  }

  bool Reads(const Instruction& in, const Candidate& candidate) const {
    if (candidate.reg != kNoRegister) return (in.reads >> candidate.reg & 1) != 0;
    DeadRange range;
    const bool known = Resolve(in.memory, range);
    // A store through a pointer may fault, and a handler look at everything.
    if ((in.memory.read || in.memory.written) && !known) return true;
    if (!in.memory.read) return false;
    const DeadRange& wanted = candidate.range;
    return range.on_stack == wanted.on_stack && range.begin < wanted.begin + wanted.size &&
           wanted.begin < range.begin + range.size;
  }

  bool Overwrites(const Instruction& in, const Candidate& candidate) const {
    if (candidate.reg != kNoRegister) return (in.writes >> candidate.reg & 1) != 0;
    DeadRange range;
    if (!in.memory.written || !Resolve(in.memory, range)) return false;
    const DeadRange& wanted = candidate.range;
    return range.on_stack == wanted.on_stack && range.begin <= wanted.begin &&
           wanted.begin + wanted.size <= range.begin + range.size;
  }

  uintptr_t anchor_;
  int64_t frame_;
  bool (*harmless_)(uintptr_t);
  uintptr_t seen_[kMostInstructions];
  uint32_t seen_count_ = 0, done_ = 0;
  bool full_ = false;
  Candidate candidates_[kMostCandidates];
  uint32_t candidate_count_ = 0;
};

// What announces a plain access or a function, and what yields. Atomic operations read.
bool IsHarmless(uintptr_t target) {
  const std::string_view name = NameOfCallee(target);
  return IsAnnouncement(name) || name == "sched_yield" || name == "thrd_yield";
}

Callee ClassOf(uintptr_t target) {
  const std::string_view name = NameOfCallee(target);
  if (name == "sched_yield" || name == "thrd_yield") return Callee::kYields;
  if (IsHarmless(target)) return Callee::kAnnounces;
  if (OnlyReads(name)) return Callee::kReads;
  return DoesNotReturn(name) ? Callee::kEnds : Callee::kOther;
}

// None are left out if there is no room for all: together they are dead, or not at all.
void AddCounters(const RoundCounters& counters, DeadState& dead) {
  if (dead.count + counters.count > kDeadRanges) return;
  dead.registers |= counters.registers;
  dead.run_out = counters.run_out;
  for (uint32_t i = 0; i < counters.count; ++i)
    dead.ranges[dead.count++] = {counters.ranges[i].begin, counters.ranges[i].size, true};
}

constexpr uint32_t kKept = 256;
DeadState kept[kKept];

}  // namespace

DeadState FindDead(uintptr_t pc, int64_t frame, bool (*harmless)(uintptr_t target)) {
  DeadState dead;
  dead.pc = pc;
  dead.frame = frame;
  Walk walk(pc, frame, harmless);
  for (const KeptRegister& kept : kKeptRegisters)
    if ((kept.machine != kFramePointer || frame == kNoFrame) && walk.IsDead({kept.machine, {}}))
      dead.registers |= static_cast<uint16_t>(1u << kept.machine);
  walk.Collect();
  for (uint32_t i = 0; i < walk.Count() && dead.count < kDeadRanges; ++i)
    if (walk.IsDead(walk.At(i))) dead.ranges[dead.count++] = walk.At(i).range;
  return dead;
}

const DeadState& DeadAt(uintptr_t pc, int64_t frame) {
  static const DeadState kNothing;
  const uint64_t hash = base::Mix(pc ^ static_cast<uint64_t>(frame) << 20);
  for (uint32_t probe = 0; probe < 16; ++probe) {
    DeadState& entry = kept[(hash + probe) % kKept];
    if (entry.pc == 0) {
      entry = FindDead(pc, frame, IsHarmless);
      entry.calls = CallOutsideOfLoop(pc);
      AddCounters(FindCounters(pc, frame, ClassOf, LandingPadOf), entry);
    }
    if (entry.pc == pc && entry.frame == frame) return entry;
  }
  return kNothing;
}

}  // namespace heddle::runtime
