#include "shrink.h"

namespace heddle::litmus {
namespace {

// What skips it skips one less.
Program WithoutInstruction(Program program, size_t thread, size_t at) {
  Thread& instructions = program.threads[thread];
  for (size_t i = 0; i < at; ++i) {
    Instruction& skip = instructions[i];
    if (skip.kind == Kind::kSkipIf && i + static_cast<size_t>(skip.skip) >= at) --skip.skip;
  }
  instructions.erase(instructions.begin() + static_cast<std::ptrdiff_t>(at));
  return program;
}

bool IsPlain(const Instruction& instruction) { return instruction.order == Order::kPlain; }

}  // namespace

Program Shrink(Program program, const std::function<bool(const Program&)>& holds) {
  const auto take = [&](const Program& smaller) {
    if (smaller == program || !holds(smaller)) return false;
    program = smaller;
    return true;
  };
  for (bool again = true; again;) {
    again = false;
    for (size_t t = program.threads.size(); t-- > 0 && program.threads.size() > 1;) {
      Program smaller = program;
      smaller.threads.erase(smaller.threads.begin() + static_cast<std::ptrdiff_t>(t));
      again |= take(smaller);
    }
    for (size_t t = 0; t < program.threads.size(); ++t)
      for (size_t i = program.threads[t].size(); i-- > 0 && program.threads[t].size() > 1;)
        again |= take(WithoutInstruction(program, t, i));
    for (size_t t = 0; t < program.threads.size(); ++t)
      for (size_t i = 0; i < program.threads[t].size(); ++i) {
        Program weaker = program;
        Instruction& instruction = weaker.threads[t][i];
        if (instruction.kind == Kind::kSkipIf || IsPlain(instruction)) continue;
        if (instruction.kind != Kind::kFence) instruction.order = Order::kRelaxed;
        instruction.failure = Order::kRelaxed;
        again |= take(weaker);
      }
  }
  return program;
}

}  // namespace heddle::litmus
