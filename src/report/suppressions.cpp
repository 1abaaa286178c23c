#include "report/suppressions.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <sstream>

#include "base/trimmed.h"
#include "channel/records.h"
#include "op/operation.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

using base::Trimmed;

// What a type of suppressions leaves out.
struct Type {
  const char* name;
  bool (*is_about)(const Finding& finding);
  // Does it match because of this step?
  bool (*matches)(const std::string& pattern, const Step& step);
};

// ---- which findings ----

bool IsOneOf(const std::string& kind, std::initializer_list<const char*> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool IsRace(const Finding& finding) {
  return IsOneOf(finding.kind, {"data-race", "use-after-free"});
}

constexpr uint32_t kAccess =
    channel::kStepEnding | channel::kStepRaceFirst | channel::kStepRaceSecond;

bool IsOfPrimitive(const Step& step) {
  if ((step.flags & kAccess) == 0) return false;
  for (unsigned i = 0; i < static_cast<unsigned>(op::Kind::kCount); ++i) {
    const op::KindInfo& info = op::Info(static_cast<op::Kind>(i));
    if (step.operation == info.name)
      return info.family != op::Family::kPlain && info.family != op::Family::kAtomic;
  }
  return false;
}

// An operation on a primitive in memory that was given back is one, an access is none.
bool IsMisuse(const Finding& finding) {
  return finding.kind == "misuse" ||
         (IsOneOf(finding.kind, {"use-after-free", "use-after-return"}) &&
          std::ranges::any_of(finding.steps, IsOfPrimitive));
}
bool IsAccess(const Finding& finding) {
  return IsOneOf(finding.kind,
                 {"use-after-free", "use-after-return", "use-after-destroy", "heap-buffer-overflow",
                  "heap-buffer-underflow", "uninitialised-read"});
}
template <const char* kind>
bool IsOf(const Finding& finding) {
  return finding.kind == kind;
}
constexpr char kDeadlock[] = "deadlock";
constexpr char kLeak[] = "leak";
constexpr char kMismatch[] = "alloc-dealloc-mismatch";
bool IsOfNone(const Finding&) { return false; }

// ---- which frames ----

bool Matches(const std::string& pattern, const Frame& frame) {
  return MatchesPattern(pattern, frame.location.function) ||
         MatchesPattern(pattern, frame.location.file) || MatchesPattern(pattern, frame.module);
}

bool MatchesStack(const std::string& pattern, const Step& step) {
  return std::ranges::any_of(step.stack,
                             [&](const Frame& frame) { return Matches(pattern, frame); });
}

bool MatchesFunction(const std::string& pattern, const Step& step) {
  return std::ranges::any_of(step.stack, [&](const Frame& frame) {
    return MatchesPattern(pattern, frame.location.function);
  });
}

bool MatchesModule(const std::string& pattern, const Step& step) {
  return std::ranges::any_of(
      step.stack, [&](const Frame& frame) { return MatchesPattern(pattern, frame.module); });
}

bool MatchesRace(const std::string& pattern, const Step& step) {
  return !step.stack.empty() &&
         (MatchesPattern(pattern, step.object) || MatchesStack(pattern, step));
}

bool MatchesTop(const std::string& pattern, const Step& step) {
  return !step.stack.empty() && Matches(pattern, step.stack[0]);
}

// The call of memcpy and the like, by code that was not rebuilt.
bool MatchesCaller(const std::string& pattern, const Step& step) {
  return !step.stack.empty() && MatchesPattern(pattern, step.stack[0].module);
}

// The access that the finding is about was made by a function of libc. Of two that nothing orders,
// the other one gave the memory back.
bool IsInCall(const Step& step) {
  return (step.flags & kAccess) != 0 && step.operation != kFree && !step.call.empty();
}

bool MatchesCall(const std::string& pattern, const Step& step) {
  return IsInCall(step) && MatchesPattern(pattern, step.call);
}
bool MatchesCallByFunction(const std::string& pattern, const Step& step) {
  return IsInCall(step) && (MatchesPattern(pattern, step.call) || MatchesFunction(pattern, step));
}
bool MatchesCallByLibrary(const std::string& pattern, const Step& step) {
  return IsInCall(step) && MatchesModule(pattern, step);
}

constexpr Type kTypes[] = {
    // ThreadSanitizer
    {"race", IsRace, MatchesRace},
    {"race_top", IsRace, MatchesTop},
    {"called_from_lib", IsRace, MatchesCaller},
    {"deadlock", IsOf<kDeadlock>, MatchesStack},
    {"mutex", IsMisuse, MatchesStack},
    {"thread", IsMisuse, MatchesStack},
    {"signal", IsOfNone, MatchesStack},
    // LeakSanitizer
    {"leak", IsOf<kLeak>, MatchesStack},
    // AddressSanitizer
    {"interceptor_name", IsAccess, MatchesCall},
    {"interceptor_via_fun", IsAccess, MatchesCallByFunction},
    {"interceptor_via_lib", IsAccess, MatchesCallByLibrary},
    {"alloc_dealloc_mismatch", IsOf<kMismatch>, MatchesFunction},
    {"odr_violation", IsOfNone, MatchesStack},
};

const Type* FindType(std::string_view name) {
  const Type* type =
      std::ranges::find_if(kTypes, [name](const Type& one) { return one.name == name; });
  return type == std::end(kTypes) ? nullptr : type;
}

std::string TypeNames() {
  std::string names;
  for (const Type& type : kTypes) {
    if (!names.empty()) names += &type == std::end(kTypes) - 1 ? " or " : ", ";
    names += std::string(type.name) + ":";
  }
  return names;
}

}  // namespace

base::Result<std::vector<Suppression>> ParseSuppressions(const std::string& text,
                                                         const std::string& name) {
  std::vector<Suppression> suppressions;
  std::istringstream lines(text);
  std::string line;
  for (uint32_t number = 1; std::getline(lines, line); ++number) {
    line = std::string(Trimmed(line));
    if (line.empty() || line[0] == '#') continue;
    const std::string where = name + ":" + std::to_string(number);
    const size_t colon = line.find(':');
    const std::string type(Trimmed(std::string_view(line).substr(0, colon)));
    if (colon == std::string::npos || FindType(type) == nullptr)
      return base::Error{where + ": \"" + line + "\" is no suppression: write " + TypeNames() +
                         " and a pattern"};
    const std::string pattern(Trimmed(std::string_view(line).substr(colon + 1)));
    if (pattern.empty()) return base::Error{where + ": " + type + ": needs a pattern"};
    suppressions.push_back({type, pattern, number, 0});
  }
  return suppressions;
}

// As sanitizer_common's TemplateMatch.
bool MatchesPattern(std::string_view pattern, std::string_view text) {
  if (text.empty()) return false;
  bool from_begin = pattern.starts_with('^');
  if (from_begin) pattern.remove_prefix(1);
  bool anything = false;  // a * stands before what is left of the pattern
  while (!pattern.empty()) {
    if (pattern[0] == '*') {
      pattern.remove_prefix(1);
      from_begin = false;
      anything = true;
      continue;
    }
    if (pattern[0] == '$') return text.empty() || anything;
    const std::string_view piece = pattern.substr(0, pattern.find_first_of("*$"));
    pattern.remove_prefix(piece.size());
    // At the end of the pattern, the last place where the piece stands is the one to look at.
    const bool to_end = pattern == "$";
    const size_t at = from_begin ? (text.starts_with(piece) ? 0 : std::string_view::npos)
                                 : (to_end ? text.rfind(piece) : text.find(piece));
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + piece.size());
    from_begin = anything = false;
  }
  return true;
}

bool HasEffect(const Suppression& suppression) {
  return FindType(suppression.type)->is_about != IsOfNone;
}

bool IsSuppressed(std::vector<Suppression>& suppressions, const Finding& finding) {
  for (Suppression& suppression : suppressions) {
    const Type* type = FindType(suppression.type);
    if (!type->is_about(finding)) continue;
    for (const Step& step : finding.steps) {
      if (!type->matches(suppression.pattern, step)) continue;
      ++suppression.uses;
      return true;
    }
  }
  return false;
}

}  // namespace heddle::report
