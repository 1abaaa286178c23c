#include "report/suppressions.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "base/trimmed.h"

namespace heddle::report {
namespace {

using base::Trimmed;

constexpr std::array kTypes = {"race",  "race_top", "called_from_lib", "deadlock",
                               "mutex", "thread",   "signal"};

bool Matches(const Suppression& suppression, const Frame& frame) {
  return MatchesPattern(suppression.pattern, frame.location.function) ||
         MatchesPattern(suppression.pattern, frame.location.file) ||
         MatchesPattern(suppression.pattern, frame.module);
}

bool MatchesStack(const Suppression& suppression, const Step& step) {
  return std::any_of(step.stack.begin(), step.stack.end(),
                     [&](const Frame& frame) { return Matches(suppression, frame); });
}

bool MatchesStep(const Suppression& suppression, const Step& step) {
  if (step.stack.empty()) return false;
  // The call of memcpy and the like, by code that was not rebuilt.
  if (suppression.type == "called_from_lib")
    return MatchesPattern(suppression.pattern, step.stack[0].module);
  if (suppression.type == "race_top") return Matches(suppression, step.stack[0]);
  if (suppression.type == "race" && MatchesPattern(suppression.pattern, step.object)) return true;
  return MatchesStack(suppression, step);
}

bool IsAbout(const Suppression& suppression, const Finding& finding) {
  const std::string& type = suppression.type;
  const bool freed = finding.kind == "use-after-free";
  if (freed || finding.kind == "data-race") {
    if (type == "race" || type == "race_top" || type == "called_from_lib") return true;
  }
  if (finding.kind == "deadlock") return type == "deadlock";
  if (freed || finding.kind == "use-after-return" || finding.kind == "misuse")
    return type == "mutex" || type == "thread";
  return false;
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
    if (colon == std::string::npos || std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end())
      return base::Error{where + ": \"" + line +
                         "\" is no suppression: write race:, race_top:, called_from_lib:, "
                         "deadlock:, mutex:, thread: or signal: and a pattern"};
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

bool IsSuppressed(std::vector<Suppression>& suppressions, const Finding& finding) {
  for (Suppression& suppression : suppressions) {
    if (!IsAbout(suppression, finding)) continue;
    for (const Step& step : finding.steps) {
      if (!MatchesStep(suppression, step)) continue;
      ++suppression.uses;
      return true;
    }
  }
  return false;
}

}  // namespace heddle::report
