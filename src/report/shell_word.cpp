#include "report/shell_word.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "report/visible.h"

namespace heddle::report {
namespace {

bool IsPrintable(char c) { return c >= ' ' && c <= '~'; }

bool IsPlain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         byte >= 0x80 || std::string_view("/._-+,:=@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string ShellWord(const std::string& text) {
  if (!text.empty() && std::ranges::all_of(text, IsPlain) && VisibleLine(text) == text) return text;
  return QuotedShellWord(text);
}

std::string QuotedShellWord(const std::string& text) {
  // What a terminal would obey, or could not show, is written in numbers.
  const bool control = VisibleLine(text) != text;
  std::string word = control ? "$'" : "'";
  for (const char c : text) {
    char octal[5];
    if (control && !IsPrintable(c)) {
      std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned char>(c));
      word += octal;
    } else if (control && (c == '\'' || c == '\\')) {
      word += {'\\', c};
    } else if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

}  // namespace heddle::report
