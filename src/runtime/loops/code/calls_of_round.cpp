#include "runtime/loops/code/calls_of_round.h"

#include <unwind.h>

#include <algorithm>

#include "base/hash.h"
#include "runtime/loops/code/function_code.h"
#include "runtime/loops/code/no_return.h"
#include "runtime/loops/code/outside_calls.h"
#include "runtime/prim/linkage.h"

namespace heddle::runtime {
namespace {

constexpr const char* kNotUnderstood = "";

// Functions of the program that are called, each once.
class Callees {
 public:
  // The first answer that is not null, of the calls among these instructions.
  const char* Look(const FunctionCode& code, const FunctionCode::Nodes& set) {
    const char* found = nullptr;
    code.ForEach(set, [&](uintptr_t pc) {
      if (found == nullptr) found = LookAt(pc);
    });
    return found;
  }

  // Of all functions that were met.
  const char* LookAtAll(FunctionCode& code) {
    for (uint32_t i = 0; i < count_; ++i) {
      if (!code.Read(functions_[i], 0, CallDoesNotReturn)) return kNotUnderstood;
      if (const char* found = Look(code, code.All()); found != nullptr) return found;
    }
    return full_ ? kNotUnderstood : nullptr;
  }

 private:
  static constexpr uint32_t kMost = 256;

  const char* LookAt(uintptr_t pc) {
    if (BehindOwnCall(pc) != 0) return nullptr;
    const std::string_view stub = NameOfCallee(pc);  // a jump led there
    if (!stub.empty()) return NameIfOutside(stub);
    const CodeFlow flow = FlowAt(pc);
    if (flow.flow == Flow::kUnknown) return kNotUnderstood;
    if (flow.flow != Flow::kCall) return nullptr;
    if (flow.target == 0) return kNotUnderstood;
    const std::string_view name = NameOfCallee(flow.target);
    if (!name.empty()) return NameIfOutside(name);
    Add(flow.target);
    return nullptr;
  }

  static const char* NameIfOutside(std::string_view name) {
    return IsOutside(name) ? name.data() : nullptr;
  }

  void Add(uintptr_t function) {
    if (std::find(functions_, functions_ + count_, function) != functions_ + count_) return;
    full_ |= count_ == kMost;
    if (count_ < kMost) functions_[count_++] = function;
  }

  uintptr_t functions_[kMost];
  uint32_t count_ = 0;
  bool full_ = false;
};

// That a call of a library's function goes through.
bool IsStub(uintptr_t pc) { return !NameOfCallee(pc).empty(); }

const char* Find(std::span<const CallOnStack> stack) {
  static FunctionCode code;
  static Callees callees;
  callees = {};
  size_t outermost = stack.size();
  for (size_t i = 0; i < stack.size(); ++i) {
    if (!code.Read(stack[i].function, stack[i].return_address, CallDoesNotReturn) ||
        !code.HasCall() || code.MayLeadAnywhere(IsStub))
      return kNotUnderstood;
    if (code.LoopAroundCall() != FunctionCode::Nodes{}) outermost = i;
  }
  if (outermost == stack.size()) return kNoLoop;
  for (size_t i = 0; i <= outermost; ++i) {
    code.Read(stack[i].function, stack[i].return_address, CallDoesNotReturn);
    const char* found = callees.Look(code, i == outermost ? code.LoopAroundCall() : code.All());
    if (found != nullptr) return found;
  }
  return callees.LookAtAll(code);
}

struct Known {
  uint64_t stack;  // hash
  const char* call;
};
constexpr uint32_t kKnown = 256;
Known known[kKnown];

}  // namespace

const char* CallOutsideOfLoop(std::span<const CallOnStack> stack) {
  uint64_t hash = 1;
  for (const CallOnStack& call : stack) hash = base::MixTwo(hash, call.return_address);
  for (uint32_t probe = 0; probe < 16; ++probe) {
    Known& entry = known[(hash + probe) % kKnown];
    if (entry.stack == 0) entry = {hash, Find(stack)};
    if (entry.stack == hash) return entry.call;
  }
  return kNotUnderstood;
}

const char* CallOutsideOfLoop(uintptr_t return_address) {
  const void* const call = reinterpret_cast<const void*>(return_address - 1);
  const auto function =
      reinterpret_cast<uintptr_t>(_Unwind_FindEnclosingFunction(const_cast<void*>(call)));
  const CallOnStack only = {function, return_address};
  return function == 0 ? kNotUnderstood : CallOutsideOfLoop({&only, 1});
}

}  // namespace heddle::runtime
