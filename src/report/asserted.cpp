#include "report/asserted.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "op/operation.h"
#include "report/names.h"

namespace heddle::report {
namespace {

using channel::StepRecord;

constexpr size_t kMostValues = 6;
constexpr size_t kMostReads = 200;  // that are looked at: each costs a look at debug information

bool IsPartOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Of "assertion `x == y' failed" what stands in quotes; of a test framework's, the source.
std::string ExpressionOf(const std::string& message, const std::string& source) {
  const size_t begin = message.find('`'), end = message.rfind('\'');
  const bool quoted = begin != std::string::npos && end != std::string::npos && begin < end;
  return quoted ? message.substr(begin + 1, end - begin - 1) : source;
}

bool IsRead(const StepRecord& step) {
  const auto kind = static_cast<op::Kind>(step.op_kind);
  return (step.facts & channel::kFactRead) != 0 && kind < op::Kind::kCount &&
         (op::IsAtomic(kind) || op::IsPlain(kind));
}

// A pointer within a container tells the reader nothing.
bool IsNumber(const std::string& value) {
  return !value.empty() && !value.starts_with("0x") &&
         (value[0] == '-' || std::isdigit(static_cast<unsigned char>(value[0])) != 0);
}

class Compared {
 public:
  Compared(RawFinding& raw, const std::vector<Module>& modules, Symbolizer& symbolizer,
           SourceFiles& source)
      : raw_(raw),
        modules_(modules),
        symbolizer_(symbolizer),
        objects_(symbolizer, modules, raw.steps, raw.blocks, &source) {
    const auto ending = std::ranges::find_if(
        raw.steps, [](const StepRecord& step) { return (step.flags & channel::kStepEnding) != 0; });
    if (ending == raw.steps.end()) return;
    end_ = static_cast<size_t>(ending - raw.steps.begin());
    place_ = ProgramsOwn(Stack(*ending));
    expression_ = ExpressionOf(raw.message, source.Line(place_.file, place_.line));
  }

  void Mark() {
    if (place_.file.empty()) return;
    size_t looked = 0;
    for (size_t i = end_; i-- > 0 && looked < kMostReads && objects_of_.size() < kMostValues;) {
      StepRecord& step = raw_.steps[i];
      if (step.thread != raw_.steps[end_].thread || !IsRead(step)) continue;
      ++looked;
      if (objects_of_.contains(step.object) || !IsOfAssertion(step)) continue;
      objects_of_.insert(step.object);
      step.flags |= channel::kStepCompared;
    }
  }

 private:
  std::vector<Frame> Stack(const StepRecord& step) {
    return symbolizer_.Stack(modules_, {step.pc, step.frames}, step.exact != 0);
  }

  bool IsOfAssertion(const StepRecord& step) {
    objects_.At(step.number);
    const std::vector<Frame> stack = Stack(step);
    const Location at = ProgramsOwn(stack);
    if (at.file == place_.file && at.line == place_.line)
      return stack.empty() || !stack.front().library ||
             IsNumber(objects_.Value(step.object, step.value, step.size));
    const auto kind = static_cast<op::Kind>(step.op_kind);
    return objects_.IsVariable(step.object) &&
           NamesVariable(expression_, objects_.Short(kind, step.object));
  }

  RawFinding& raw_;
  const std::vector<Module>& modules_;
  Symbolizer& symbolizer_;
  ObjectNames objects_;
  size_t end_ = 0;
  Location place_;
  std::string expression_;
  std::set<uint64_t> objects_of_;
};

}  // namespace

bool NamesVariable(std::string_view expression, std::string_view variable) {
  if (const size_t plus = variable.find('+'); plus != std::string_view::npos)
    variable = variable.substr(0, plus);
  while (variable.ends_with(']')) variable = variable.substr(0, variable.rfind('['));
  size_t begin = variable.size();
  while (begin > 0 && IsPartOfName(variable[begin - 1])) --begin;
  const std::string_view name = variable.substr(begin);
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return false;
  for (size_t at = expression.find(name); at != std::string_view::npos;
       at = expression.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !IsPartOfName(expression[at - 1])) &&
        (end == expression.size() || !IsPartOfName(expression[end])))
      return true;
  }
  return false;
}

void MarkCompared(RawFinding& raw, const std::vector<Module>& modules, Symbolizer& symbolizer,
                  SourceFiles& source) {
  if (raw.head.kind != channel::BugKind::kAssertion) return;
  Compared(raw, modules, symbolizer, source).Mark();
  std::erase_if(raw.steps, [](const StepRecord& step) {
    return (step.facts & channel::kFactInCase) != 0 && (step.flags & channel::kStepCompared) == 0;
  });
}

}  // namespace heddle::report
