// Patterns with '*' (any text) and '?' (any character), as GoogleTest and doctest match them.
#pragma once

#include <string_view>

namespace heddle::cases {

inline bool MatchesWildcards(std::string_view text, std::string_view pattern) {
  // Where the last '*' stood, and what it is taken to stand for so far.
  size_t star = std::string_view::npos;
  size_t star_text = 0;
  size_t i = 0;
  size_t at = 0;
  while (i < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_text = i;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[i])) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++star_text;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace heddle::cases
