// Asm statements of the program: heddle-cc puts a call before each of their instructions that
// touches memory or is a fence. The event is made here, and then the instruction runs as it stands;
// no other thread runs in between, so it finds the memory as it was seen here.
//
//   lock-prefixed, xchg      one atomic operation, sequentially consistent
//   mfence                   a fence, likewise; so is a locked update of the thread's own stack,
//                            which is written for nothing else
//   lfence, sfence           a fence that acquires and releases: past both a load may go before an
//                            older store
//   loads and stores         of 1, 2, 4 or 8 aligned bytes: atomic, with acquire and release, as
//                            x86-64 orders them. That is what they are written for: before C11, and
//                            in Concurrency Kit to this day, they are how atomics are loaded and
//                            stored. The race check sees them beside C's plain accesses.
//   everything else          plain accesses: what the machine may tear, and what reads and writes
//                            without a lock

#include "runtime/prim/inline_asm.h"
#include "op/asm_access.h"
#include "runtime/export.h"
#include "runtime/fibers/asm_registers.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/prim/context.h"
#include "runtime/prim/copy.h"
#include "runtime/primitives/atomic.h"
#include "runtime/primitives/plain.h"
#include "runtime/primitives/two_halves.h"
#include "runtime/record.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

using op::AsmAccess;
using op::AsmFunction;
using op::AsmKind;

// One instruction at work.
struct Instruction {
  AsmAccess access;
  const AsmFrame& frame;
  uintptr_t address;
  uintptr_t pc;

  uint64_t Cut(uint64_t value) const {
    return access.size >= 8 ? value : value & ((uint64_t{1} << 8 * access.size) - 1);
  }
  bool HasOperand() const { return access.operand <= op::kAsmImmediate; }
  uint64_t Operand() const {
    if (!HasOperand()) return 0;
    return Cut(access.operand == op::kAsmImmediate ? frame.immediate
                                                   : frame.Register(access.operand));
  }
  // The first bytes of the memory.
  uint64_t Value() const { return FirstWord(reinterpret_cast<const void*>(address), access.size); }
};

// bts and its like take the bit's number from a register as a distance from the address: SDM,
// volume 2, "BT".
uintptr_t WithBit(const Instruction& in) {
  if (in.access.operand == op::kAsmImmediate) return in.address;
  const uint64_t raw = in.frame.Register(in.access.operand);
  int64_t bit = static_cast<int64_t>(raw);
  if (in.access.size == 4) bit = static_cast<int32_t>(raw);
  if (in.access.size == 2) bit = static_cast<int16_t>(raw);
  const int64_t bits = int64_t{8} * in.access.size;
  const int64_t word = bit >= 0 ? bit / bits : -((bits - 1 - bit) / bits);
  return in.address + static_cast<uintptr_t>(word * in.access.size);
}

// Whether a locked update leaves another value behind. What is not known is taken to.
bool Changes(const Instruction& in, uint64_t old) {
  if (!in.HasOperand()) return true;
  const uint64_t operand = in.Operand();
  const uint64_t bit = uint64_t{1} << operand % (uint64_t{8} * in.access.size);
  switch (in.access.function) {
    case AsmFunction::kAdd:
    case AsmFunction::kSubtract:
    case AsmFunction::kXor:
      return operand != 0;
    case AsmFunction::kAnd:
      return (old & operand) != old;
    case AsmFunction::kOr:
      return (old | operand) != old;
    case AsmFunction::kSet:
      return (old & bit) == 0;
    case AsmFunction::kReset:
      return (old & bit) != 0;
    case AsmFunction::kFlip:
    case AsmFunction::kUnknown:
      break;
  }
  return true;
}

// The instruction makes the access itself, as soon as the event is made.
class InstructionStep : public AtomicStep {
 public:
  InstructionStep(op::Kind kind, const Instruction& in, int order, uint64_t operand)
      : AtomicStep(kind, reinterpret_cast<const void*>(in.address), in.access.size,
                   Orders::OfInstruction(order), operand, in.pc) {}
  using AtomicStep::Expects;
  using AtomicStep::Loaded;
  using AtomicStep::Newest;
  using AtomicStep::Stored;
  using AtomicStep::Updated;
};

// What the instruction, which comes now, leaves behind.
void RecordWhatItWrites() {
  if (g_state.recording) RecordWriteFollows();
}

void Update(const Instruction& in) {
  constexpr int kOrder = __ATOMIC_SEQ_CST;
  const bool exchanges = in.access.kind == AsmKind::kExchange;
  const op::Kind kind = exchanges ? op::Kind::kAtomicExchange : op::Kind::kAtomicFetch;
  InstructionStep step(kind, in, kOrder, in.Operand());
  const auto old = static_cast<uint64_t>(step.Newest());
  const bool changed = exchanges ? !in.HasOperand() || old != in.Operand() : Changes(in, old);
  step.Updated(kOrder, old, changed);
  RecordWhatItWrites();
}

// Also the wide forms.
void CompareExchange(const Instruction& in) {
  constexpr int kOrder = __ATOMIC_SEQ_CST;
  const AsmFrame& frame = in.frame;
  const auto wide = [](uint64_t low, uint64_t high) { return Word128{high} << 64 | low; };
  const auto pair = [](uint64_t low, uint64_t high) {
    return static_cast<uint32_t>(low) | uint64_t{static_cast<uint32_t>(high)} << 32;
  };
  Word128 expected = in.Cut(frame.Expected());
  Word128 desired = in.Operand();
  bool known = in.HasOperand();
  if (in.access.size == 16) {
    expected = wide(frame.Expected(), frame.ExpectedHigh());
    desired = wide(frame.DesiredLow(), frame.DesiredHigh());
    known = true;
  } else if (in.access.size == 8 && !known) {  // cmpxchg8b
    expected = pair(frame.Expected(), frame.ExpectedHigh());
    desired = pair(frame.DesiredLow(), frame.DesiredHigh());
    known = true;
  }
  InstructionStep step(op::Kind::kAtomicCompareExchange, in, kOrder,
                       static_cast<uint64_t>(desired));
  if (in.access.size == 16)
    step.Expects(expected);
  else
    step.Expects(static_cast<uint64_t>(expected));
  const Word128 old = step.Newest();
  if (old == expected) {
    step.Updated(kOrder, static_cast<uint64_t>(old), !known || desired != old);
    RecordWhatItWrites();
    return;
  }
  step.Loaded(kOrder, static_cast<uint64_t>(old));
}

// What the machine does in one piece.
bool IsWhole(const Instruction& in) {
  const unsigned size = in.access.size;
  return size <= 8 && (size & (size - 1)) == 0 && in.address % size == 0;
}

void Load(const Instruction& in) {
  if (!IsWhole(in))
    return PlainRange(reinterpret_cast<const void*>(in.address), in.access.size, false, in.pc);
  InstructionStep step(op::Kind::kAtomicLoad, in, __ATOMIC_ACQUIRE, 0);
  step.Loaded(__ATOMIC_ACQUIRE, static_cast<uint64_t>(step.Newest()));
}

void Store(const Instruction& in) {
  if (!IsWhole(in))
    return PlainRange(reinterpret_cast<const void*>(in.address), in.access.size, true, in.pc);
  const uint64_t value = in.Operand();
  InstructionStep step(op::Kind::kAtomicStore, in, __ATOMIC_RELEASE, value);
  const auto old = static_cast<uint64_t>(step.Newest());
  step.Stored(__ATOMIC_RELEASE, old, value, !in.HasOperand() || old != value);
  RecordWhatItWrites();
}

// movs, stos, lods.
void StringAccess(const Instruction& in) {
  const uint64_t count = in.access.repeated ? in.frame.StringCount() : 1;
  const uint64_t bytes = count * in.access.size;
  if (bytes == 0) return;
  const uint64_t back = in.frame.StringsGoDown() ? bytes - in.access.size : 0;
  const auto from = [&](uint64_t end) { return reinterpret_cast<const void*>(end - back); };
  if (in.access.kind != AsmKind::kFillString)
    PlainRange(from(in.frame.StringSource()), bytes, false, in.pc);
  if (in.access.kind != AsmKind::kReadString)
    PlainRange(from(in.frame.StringDestination()), bytes, true, in.pc);
}

void PlainUpdate(const Instruction& in) {
  const auto* memory = reinterpret_cast<const void*>(in.address);
  const uint32_t before = g_trace->event_count;
  PlainRange(memory, in.access.size, false, in.pc);
  const uint32_t read = g_trace->event_count;
  PlainRange(memory, in.access.size, true, in.pc);
  const bool are_events = read != before && g_trace->event_count != read;
  if (are_events) NoteWholeUpdate(read - 1);
}

bool IsOwnStack(const Instruction& in) { return IsOnOwnStack(Current(), in.address); }

void Make(const Instruction& in) {
  const auto* memory = reinterpret_cast<const void*>(in.address);
  switch (in.access.kind) {
    case AsmKind::kLoad:
      return Load(in);
    case AsmKind::kStore:
      return Store(in);
    case AsmKind::kPlainRead:
      return PlainRange(memory, in.access.size, false, in.pc);
    case AsmKind::kPlainWrite:
      return PlainRange(memory, in.access.size, true, in.pc);
    case AsmKind::kPlainUpdate:
      return PlainUpdate(in);
    case AsmKind::kFence:
      return MakeFence(__ATOMIC_SEQ_CST, in.pc);
    case AsmKind::kWeakFence:
      return MakeFence(__ATOMIC_ACQ_REL, in.pc);
    case AsmKind::kCompareExchange:
      return CompareExchange(in);
    case AsmKind::kExchange:
      return Update(in);
    case AsmKind::kUpdate:
      // `lock; addl $0, (%rsp)` is a fence that is faster than mfence.
      if (IsOwnStack(in) && !Changes(in, in.Value())) return MakeFence(__ATOMIC_SEQ_CST, in.pc);
      return Update(in);
    case AsmKind::kCopyString:
    case AsmKind::kFillString:
    case AsmKind::kReadString:
      return StringAccess(in);
  }
}

}  // namespace
}  // namespace heddle::runtime

extern "C" {

// Called by the program's code with nothing but its stack changed; prim/inline_asm.cpp.
HEDDLE_EXPORT void heddle_inline_asm(void);
HEDDLE_EXPORT void heddle_clear_registers(void);
HEDDLE_EXPORT void heddle_clear_but_result(void);

// `registers`: the lowest address of what was saved of them.
__attribute__((visibility("hidden"))) void heddle_inline_asm_event(
    const heddle::runtime::AsmFrame* frame, const void* registers) {
  using namespace heddle::runtime;  // NOLINT: the other half of a function of prim
  if (!InExecution()) return;
  const AsmAccess access = heddle::op::UnpackAsmAccess(static_cast<uint32_t>(frame->code));
  Instruction in{access, *frame, frame->EffectiveAddress(), frame->return_address};
  if (access.thread_local_base) in.address += ReadThreadPointer();
  if (access.bit_string) in.address = WithBit(in);
  g_asm_registers = {Current().id, in.pc, registers};
  Make(in);
}

}  // extern "C"
