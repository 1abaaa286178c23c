// A text without the blanks around it.
#pragma once

#include <string_view>

namespace heddle::base {

// Blanks are spaces, tabs and what ends lines. The answer is a part of `text`.
inline std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

}  // namespace heddle::base
