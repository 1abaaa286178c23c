// Calls that lines of a library's header make, in whichever function these were put in line (.loc):
// heddle-cc lets them call a function of heddle's that knows what they are for. Without line
// numbers (-g0) no call is changed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace heddle::assembly {

// A call of `callee` in a line that has `code`, of a header of the C++ library.
struct HeaderCall {
  std::string_view callee;
  std::string_view header;  // as its path ends
  std::string_view code;
  std::string_view function;  // that it calls instead
  bool whole = false;         // the line has nothing else
};

// Does the assembly `text` name one of the callees at all?
bool NamesCallee(std::string_view text, std::span<const HeaderCall> calls);

// Line `line` of the file, without its end; empty if there is none.
using SourceLine = std::function<std::string(const std::string& file, unsigned line)>;
std::string ReadSourceLine(const std::string& file, unsigned line);

// The same assembly with those calls changed; no line changes its number.
std::string WithHeaderCalls(std::string_view text, std::span<const HeaderCall> calls,
                            const SourceLine& source);

}  // namespace heddle::assembly
