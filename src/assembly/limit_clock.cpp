#include "assembly/limit_clock.h"

#include <algorithm>
#include <fstream>

#include "assembly/surroundings.h"

namespace heddle::assembly {
namespace {

constexpr std::string_view kNow = "_ZNSt6chrono3_V212steady_clock3nowEv";

// What the line of a header that calls the clock looks like. In all of these the moment computed is
// passed to a wait only.
struct Use {
  std::string_view header;  // as its path ends
  std::string_view code;
  std::string_view function;
};
constexpr Use kUses[] = {
    {"/condition_variable", "now() +", "heddle_now_for_limit"},
    {"/condition_variable", "now() < __atime", "heddle_now_after_limit"},
    {"/mutex", "now() + __rt", "heddle_now_for_limit"},
    {"/shared_mutex", "now() + __rt", "heddle_now_for_limit"},
};

bool IsOfLibrary(std::string_view path) { return path.find("/c++/") != std::string_view::npos; }

std::string_view FunctionFor(const SourcePosition& place, const SourceLine& source) {
  if (place.line == 0 || !IsOfLibrary(place.file)) return {};
  std::string line;
  for (const Use& use : kUses) {
    if (!place.file.ends_with(use.header)) continue;
    if (line.empty()) line = source(place.file, place.line);
    if (line.find(use.code) != std::string::npos) return use.function;
  }
  return {};
}

// The part of `line` that names the clock, in an instruction that calls it.
size_t FindCall(std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = TakeWord(rest);
  if (word != "call" && word != "callq") return std::string_view::npos;
  return line.find(kNow);
}

}  // namespace

bool ReadsSteadyClock(std::string_view text) { return text.find(kNow) != std::string_view::npos; }

std::string ReadSourceLine(const std::string& file, unsigned line) {
  std::ifstream input(file);
  std::string text;
  for (unsigned i = 0; i < line; ++i)
    if (!std::getline(input, text)) return "";
  return text;
}

std::string WithLimitClock(std::string_view text, const SourceLine& source) {
  std::string result;
  result.reserve(text.size());
  Surroundings surroundings;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
    const std::string_view statement = Trim(line);
    if (statement.starts_with(".loc") || statement.starts_with(".file"))
      surroundings.Directive(statement);
    const size_t name = FindCall(line);
    const std::string_view function = name == std::string_view::npos
                                          ? std::string_view()
                                          : FunctionFor(surroundings.Loc(), source);
    if (function.empty()) {
      result += line;
    } else {
      result += line.substr(0, name);
      result += function;
      result += line.substr(name + kNow.size());
    }
    if (end < text.size()) result += '\n';
  }
  return result;
}

}  // namespace heddle::assembly
