#include "assembly/header_calls.h"

#include <algorithm>
#include <fstream>

#include "assembly/surroundings.h"

namespace heddle::assembly {
namespace {

bool IsOfLibrary(std::string_view path) { return path.find("/c++/") != std::string_view::npos; }

// What stands for the callee of `call`; empty: it is another line.
std::string_view FunctionFor(const SourcePosition& place, std::string_view callee,
                             std::span<const HeaderCall> calls, const SourceLine& source) {
  if (place.line == 0 || !IsOfLibrary(place.file)) return {};
  std::string line;
  for (const HeaderCall& call : calls) {
    if (call.callee != callee || !place.file.ends_with(call.header)) continue;
    if (line.empty()) line = source(place.file, place.line);
    const bool is = call.whole ? Trim(line) == call.code : line.find(call.code) != line.npos;
    if (is) return call.function;
  }
  return {};
}

bool IsPartOfName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The callee that `line` names, in an instruction that calls it; empty: none.
std::string_view FindCallee(std::string_view line, std::span<const HeaderCall> calls) {
  std::string_view rest = line;
  const std::string_view word = TakeWord(rest);
  if (word != "call" && word != "callq") return {};
  for (const HeaderCall& call : calls) {
    const size_t at = line.find(call.callee);
    if (at == std::string_view::npos) continue;
    const size_t end = at + call.callee.size();
    if (end == line.size() || !IsPartOfName(line[end])) return line.substr(at, call.callee.size());
  }
  return {};
}

}  // namespace

bool NamesCallee(std::string_view text, std::span<const HeaderCall> calls) {
  return std::ranges::any_of(calls, [&](const HeaderCall& call) {
    return text.find(call.callee) != std::string_view::npos;
  });
}

std::string ReadSourceLine(const std::string& file, unsigned line) {
  std::ifstream input(file);
  std::string text;
  for (unsigned i = 0; i < line; ++i)
    if (!std::getline(input, text)) return "";
  return text;
}

std::string WithHeaderCalls(std::string_view text, std::span<const HeaderCall> calls,
                            const SourceLine& source) {
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
    const std::string_view callee = FindCallee(line, calls);
    const std::string_view function =
        callee.empty() ? callee : FunctionFor(surroundings.Loc(), callee, calls, source);
    if (function.empty()) {
      result += line;
    } else {
      const auto name = static_cast<size_t>(callee.data() - line.data());
      result += line.substr(0, name);
      result += function;
      result += line.substr(name + callee.size());
    }
    if (end < text.size()) result += '\n';
  }
  return result;
}

}  // namespace heddle::assembly
