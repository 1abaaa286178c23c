#include "report/visible.h"

#include <fmt/format.h>

#include <cstdint>

namespace heddle::report {
namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  // 0: what stands here is not UTF-8
};

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// The character that begins at text[0], by table 3-7 of the Unicode standard: neither overlong
// forms nor surrogates are characters.
Character First(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  uint32_t code = lead & (0xffu >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if (!IsContinuation(text[i])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {code, bytes};
}

bool IsControl(uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

// Line and paragraph separators, marks and overrides of direction, and the two that are no
// characters but can be encoded.
bool Misleads(uint32_t code) {
  return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff || (code & 0xfffe) == 0xfffe;
}

}  // namespace

std::string Visible(std::string_view text) {
  std::string visible;
  visible.reserve(text.size());
  while (!text.empty()) {
    const Character character = First(text);
    if (character.bytes == 0) {
      visible += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (IsControl(character.code)) {
      visible += fmt::format("\\x{:02x}", character.code);
    } else if (Misleads(character.code)) {
      visible += fmt::format("\\u{:04x}", character.code);
    } else {
      visible += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes == 0 ? 1 : character.bytes);
  }
  return visible;
}

std::string VisibleLine(std::string_view text) {
  std::string line;
  for (const char c : Visible(text)) {
    if (c == '\n')
      line += "\\n";
    else if (c == '\t')
      line += "\\t";
    else
      line += c;
  }
  return line;
}

std::string Escaped(std::string_view text) {
  std::string markup;
  for (char c : Visible(text)) {
    switch (c) {
      case '&':
        markup += "&amp;";
        break;
      case '<':
        markup += "&lt;";
        break;
      case '>':
        markup += "&gt;";
        break;
      case '"':
        markup += "&quot;";
        break;
      case '\'':
        markup += "&#39;";
        break;
      default:
        markup += c;
    }
  }
  return markup;
}

std::string Shortened(const std::string& text, size_t most) {
  constexpr std::string_view kGap = " ... ";
  if (text.size() <= most || most <= kGap.size()) return text;
  size_t front = (most - kGap.size()) / 2;
  size_t back = text.size() - (most - kGap.size() - front);
  while (front > 0 && IsContinuation(text[front])) --front;
  while (back < text.size() && IsContinuation(text[back])) ++back;
  return text.substr(0, front) + std::string(kGap) + text.substr(back);
}

}  // namespace heddle::report
