#include "report/step_words.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "report/wording.h"

namespace heddle::report {
namespace {

constexpr uint32_t kNotExecuted = channel::kStepBlocked | channel::kStepLeft;

// What the program called, from the symbol of heddle's that it got: "memcpy" from "__tsan_memcpy"
// and "__memcpy_chk". Empty: the compiler did, to announce an access.
std::string LibraryCall(std::string_view symbol) {
  constexpr std::string_view kAnnounced = "__tsan_", kFortified = "__", kRoom = "_chk";
  if (symbol.starts_with(kAnnounced)) {
    symbol.remove_prefix(kAnnounced.size());
    return std::string(symbol.starts_with("mem") ? symbol : "");
  }
  if (symbol.starts_with(kFortified) && symbol.ends_with(kRoom)) {
    symbol.remove_prefix(kFortified.size());
    symbol.remove_suffix(kRoom.size());
  }
  return std::string(symbol);
}

std::string SignalName(uint64_t number) {
  const char* const name = sigabbrev_np(static_cast<int>(number));
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(number);
}

void TellValues(const FindingContext& in, const channel::StepRecord& raw, op::Kind kind,
                Step& step) {
  const auto value = [&](channel::StepFacts fact, uint64_t number) {
    return (raw.facts & fact) != 0 ? in.objects.Value(raw.object, number, raw.size) : "";
  };
  step.read = value(channel::kFactRead, raw.value);
  step.written = value(channel::kFactWritten, raw.written);
  step.expected = value(channel::kFactExpected, raw.expected);
  const bool failed = (raw.flags & channel::kStepFailed) != 0;
  step.text =
      WithValues(std::move(step.text), kind, failed, {step.read, step.written, step.expected});
}

// What it did, as far as the table of operations says it.
void TellOperation(const FindingContext& in, const channel::StepRecord& raw, op::Kind kind,
                   Step& step) {
  bool about_thread = ObjectKindOf(kind).noun == nullptr;
  step.text = StepText(kind, in.objects.Short(kind, raw.object),
                       about_thread ? in.threads.Name(raw.other) : "");
  step.operation = kind < op::Kind::kCount ? op::Info(kind).name : "Unknown";
  if ((raw.facts & channel::kFactFrees) != 0) {
    step.operation = kFree;
    if (std::string block = in.objects.BlockName(raw.object); !block.empty()) step.object = block;
    step.text = "frees " + step.object;
  }
  if ((raw.facts & channel::kFactDestroys) != 0) {
    // All of it, not the member that it begins with, which may be a mutex.
    step.object = in.objects.Short(op::Kind::kAtomicLoad, raw.object);
    step.object = step.object.substr(0, step.object.find('.'));
    step.text = "destroys the static object " + step.object;
  }
  if (op::IsAtomic(kind) || op::IsPlain(kind)) {
    TellValues(in, raw, kind, step);
  } else if (kind == op::Kind::kChoose && raw.size != 0) {
    // The value: 0, or one more than the bytes that it did not get (world/allocate.cpp).
    step.operation = "Allocate";
    step.text = "allocates memory";
    if ((raw.flags & kNotExecuted) == 0 && raw.value != 0)
      step.text = "fails to allocate " + std::to_string(raw.value - 1) + " bytes";
  } else if ((kind == op::Kind::kSignalLook || kind == op::Kind::kSignalSend) && raw.value != 0 &&
             (raw.flags & kNotExecuted) == 0) {
    const bool takes = kind == op::Kind::kSignalLook;
    step.text = (takes ? "takes " : "sends ") + SignalName(raw.value) +
                (takes ? ": its handler runs here" : "");
  } else if (op::Has(kind, op::kHasValue) && (raw.flags & kNotExecuted) == 0) {
    step.text += " (" + ValueText(raw.value, raw.size) + ")";
  }
  if (!about_thread && (raw.flags & channel::kStepBlocked) != 0) {
    step.owner = in.threads.Name(raw.other);
  }
  if (op::IsAtomic(kind) && in.objects.IsVariable(raw.object)) {
    const std::string noun = std::string(ObjectKindOf(kind).noun) + " ";
    if (const size_t at = step.text.find(noun); at != std::string::npos)
      step.text.erase(at, noun.size());
  }
}

// Does it wait within std::future?
bool IsInFuture(const std::vector<Frame>& stack) {
  constexpr const char* kParts[] = {"__future_base", "__basic_future", "__assoc_sub_state"};
  for (const Frame& frame : stack) {
    if (!frame.library) return false;
    for (const char* part : kParts)
      if (frame.location.function.find(part) != std::string::npos) return true;
  }
  return false;
}

// A compare-exchange that succeeds has found the value that its thread had read before; others
// may have changed it in between, and back.
std::string Remark(const FindingContext& in, size_t at) {
  constexpr uint32_t kBoth = channel::kFactRead | channel::kFactWritten;
  const channel::StepRecord& step = in.raw.steps[at];
  if (step.op_kind != static_cast<uint8_t>(op::Kind::kAtomicCompareExchange) ||
      (step.facts & kBoth) != kBoth)
    return "";
  std::string remark;
  for (size_t i = at; i-- > 0;) {
    const channel::StepRecord& earlier = in.raw.steps[i];
    if (earlier.object != step.object) continue;
    if (earlier.thread == step.thread)
      return (earlier.facts & channel::kFactRead) != 0 && earlier.value == step.value ? remark : "";
    if ((earlier.facts & channel::kFactWritten) == 0 || earlier.written == step.value) continue;
    remark = "ABA: was " + in.objects.Value(step.object, earlier.written, step.size) +
             " in between, by " + in.threads.Name(earlier.thread);
  }
  return "";
}

// A wait gives up its mutex; a signal may find nobody. A signal's value is the thread that it
// wakes, a broadcast's how many, and main's number is 0: it waits if the last step that it made
// is a wait.
std::string AboutCondition(const FindingContext& in, size_t at) {
  constexpr uint32_t kNoWait = channel::kStepBlocked | channel::kStepLeft | channel::kStepTimedOut;
  constexpr uint64_t kAllKept = 20'000;  // of longer executions, the middle may be missing
  const channel::StepRecord& step = in.raw.steps[at];
  const auto is = [](const channel::StepRecord& one, op::Kind kind) {
    return one.op_kind == static_cast<uint8_t>(kind);
  };
  if ((step.flags & kNoWait) != 0) return "";
  if (is(step, op::Kind::kCondWait) && step.object2 != 0)
    return ", gives up " + in.objects.Full(op::Kind::kMutexUnlock, step.object2);
  const bool signal = is(step, op::Kind::kCondSignal);
  if ((!signal && !is(step, op::Kind::kCondBroadcast)) || step.value != 0) return "";
  if (in.raw.steps.back().number > kAllKept) return "";
  for (size_t i = at; signal && i-- > 0;) {
    if (in.raw.steps[i].thread != 0) continue;
    if (is(in.raw.steps[i], op::Kind::kCondWait) && in.raw.steps[i].object == step.object)
      return "";
    break;
  }
  return ": nobody waits";
}

}  // namespace

Step StepInWords(const FindingContext& in, size_t at) {
  const channel::StepRecord& raw = in.raw.steps[at];
  auto kind = static_cast<op::Kind>(std::min(raw.op_kind, static_cast<uint8_t>(op::Kind::kCount)));
  if ((raw.flags & kNotExecuted) != 0) kind = in.objects.WaitKind(kind, raw.object);
  in.objects.At(raw.number);
  Step step;
  step.thread = in.threads.Name(raw.thread);
  step.flags = raw.flags;
  step.moment = raw.moment;
  step.object = in.objects.Full(kind, raw.object);
  step.call = LibraryCall({raw.call, strnlen(raw.call, sizeof raw.call)});
  TellOperation(in, raw, kind, step);
  std::vector<Frame> stack = in.symbolizer.Stack(in.modules, {raw.pc, raw.frames}, raw.exact != 0);
  step.location = ProgramsOwn(stack);
  step.source = in.source.Line(step.location.file, step.location.line);
  if ((raw.flags & channel::kStepBlocked) != 0 && kind == op::Kind::kFutexWait &&
      IsInFuture(stack)) {
    step.object = kFuture;
    step.text = std::string("waits for ") + kFuture;
  }
  if ((raw.flags & kWithStack) != 0) step.stack = std::move(stack);
  step.remark = Remark(in, at);
  if ((raw.flags & kNotExecuted) == 0) step.order = OrderName(kind, raw.order);
  if (raw.op_kind == static_cast<uint8_t>(op::Kind::kHook)) {
    const channel::BugKind bug = in.raw.head.kind;
    if ((step.flags & channel::kStepEnding) != 0) step.text = EndingText(bug);
    if ((step.flags & channel::kStepMade) != 0)
      step.text = bug == channel::BugKind::kLeak ? "allocates it" : "initialises it";
  }
  step.text += AboutCondition(in, at);
  return step;
}

}  // namespace heddle::report
