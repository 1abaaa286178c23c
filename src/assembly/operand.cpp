#include "assembly/operand.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace heddle::assembly {
namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

std::string WithoutBlanks(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) result += c;
  return result;
}

bool IsNameStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

// An expression with a symbol in it: not a mere number, nor a numeric label ("1b").
bool NamesSymbol(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const bool starts_word = i == 0 || (!std::isalnum(static_cast<unsigned char>(text[i - 1])) &&
                                        text[i - 1] != '_' && text[i - 1] != '.');
    if (starts_word && IsNameStart(text[i])) return true;
  }
  return false;
}

// "." alone is the current place, which moves when something is put in.
bool NamesCurrentPlace(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '.') continue;
    const auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
    };
    const bool before = i > 0 && is_word(text[i - 1]);
    const bool after = i + 1 < text.size() && is_word(text[i + 1]);
    if (!before && !after) return true;
  }
  return false;
}

// The loader fills these in before anybody runs, or the linker makes the load of them a constant.
bool IsConstant(std::string_view displacement) {
  const size_t at = displacement.find('@');
  if (at == std::string_view::npos) return false;
  std::string relocation(displacement.substr(at + 1));
  std::transform(relocation.begin(), relocation.end(), relocation.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return relocation.starts_with("got") || relocation.starts_with("plt") ||
         relocation.starts_with("tls") || relocation.starts_with("indntpoff");
}

// disp(base,index,scale) without segment; `text` has no blanks.
Operand Memory(const std::string& text, const std::string& segment) {
  Operand operand;
  operand.segment = segment;
  operand.text = text;
  if (text.find_first_of("{}\"*") != std::string::npos) return operand;
  std::string displacement = text, inside;
  if (text.ends_with(")")) {
    const size_t open = text.rfind('(');
    if (open == std::string::npos) return operand;
    inside = text.substr(open + 1, text.size() - open - 2);
    if (inside.starts_with("%") || inside.starts_with(",%"))
      displacement = text.substr(0, open);
    else
      inside.clear();  // a parenthesised expression
  }
  if (displacement.find('%') != std::string::npos || NamesCurrentPlace(displacement))
    return operand;
  const std::string base = inside.substr(0, inside.find(','));
  if (!base.empty()) {
    // Relative to the end of the instruction, which moves unless a symbol is meant.
    if (base == "%rip" && !NamesSymbol(displacement)) return operand;
    if (base != "%rip" && RegisterSize(base.substr(1)) != 8) return operand;
  }
  if (inside.find(',') != std::string::npos) {
    const std::string rest = inside.substr(inside.find(',') + 1);
    const std::string index = rest.substr(0, rest.find(','));
    if (!index.empty() && (index[0] != '%' || RegisterSize(index.substr(1)) != 8)) return operand;
  }
  operand.kind = OperandKind::kMemory;
  operand.on_stack = base == "%rsp";
  operand.is_constant = IsConstant(displacement);
  return operand;
}

Operand ReadOperand(std::string_view raw) {
  const std::string text = WithoutBlanks(raw);
  Operand operand;
  operand.text = text;
  if (text.empty()) return operand;
  if (text[0] == '$') return {OperandKind::kImmediate, text.substr(1), "", false, false};
  if (text[0] == '*') return {OperandKind::kIndirect, text.substr(1), "", false, false};
  if (text[0] != '%') return Memory(text, "");
  const size_t colon = text.find(':');
  if (colon == std::string::npos) {
    if (text.find('{') != std::string::npos) return operand;
    return {OperandKind::kRegister, text.substr(1), "", false, false};
  }
  std::string segment = text.substr(1, colon - 1);
  if (segment == "gs" || RegisterSize(segment) != 2) return operand;
  // In 64-bit mode the others have base 0.
  if (segment != "fs") segment.clear();
  return Memory(text.substr(colon + 1), segment);
}

constexpr auto kNames64 =
    std::to_array<std::string_view>({"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"});
constexpr auto kNames32 =
    std::to_array<std::string_view>({"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"});
constexpr auto kNames16 =
    std::to_array<std::string_view>({"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"});
constexpr auto kNames8 =
    std::to_array<std::string_view>({"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"});
constexpr auto kHighBytes = std::to_array<std::string_view>({"ah", "ch", "dh", "bh"});
constexpr auto kSegments = std::to_array<std::string_view>({"cs", "ds", "es", "fs", "gs", "ss"});

template <typename List>
std::optional<unsigned> IndexIn(const List& list, std::string_view name) {
  const auto at = std::find(list.begin(), list.end(), name);
  if (at == list.end()) return std::nullopt;
  return static_cast<unsigned>(at - list.begin());
}

struct General {
  unsigned number, size;
};

std::optional<General> FindGeneral(std::string_view name) {
  if (auto number = IndexIn(kNames64, name)) return General{*number, 8};
  if (auto number = IndexIn(kNames32, name)) return General{*number, 4};
  if (auto number = IndexIn(kNames16, name)) return General{*number, 2};
  if (auto number = IndexIn(kNames8, name)) return General{*number, 1};
  if (name.size() < 2 || name[0] != 'r' || !std::isdigit(static_cast<unsigned char>(name[1])))
    return std::nullopt;
  size_t digits = 1;
  unsigned number = 0;
  while (digits < name.size() && std::isdigit(static_cast<unsigned char>(name[digits])))
    number = number * 10 + static_cast<unsigned>(name[digits++] - '0');
  if (number < 8 || number > 15) return std::nullopt;
  const std::string_view suffix = name.substr(digits);
  if (suffix.empty()) return General{number, 8};
  if (suffix == "d") return General{number, 4};
  if (suffix == "w") return General{number, 2};
  if (suffix == "b" || suffix == "l") return General{number, 1};
  return std::nullopt;
}

}  // namespace

std::vector<Operand> ReadOperands(std::string_view text) {
  std::vector<Operand> operands;
  text = Trim(text);
  if (text.empty()) return operands;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (i < text.size() && (c != ',' || depth > 0)) continue;
    operands.push_back(ReadOperand(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return operands;
}

unsigned RegisterSize(std::string_view name) {
  if (auto general = FindGeneral(name)) return general->size;
  if (IndexIn(kHighBytes, name)) return 1;
  if (IndexIn(kSegments, name)) return 2;
  if (name.starts_with("xmm")) return 16;
  if (name.starts_with("ymm")) return 32;
  if (name.starts_with("zmm")) return 64;
  if (name.starts_with("mm")) return 8;
  return 0;
}

std::optional<unsigned> GeneralRegister(std::string_view name) {
  if (auto general = FindGeneral(name)) return general->number;
  return std::nullopt;
}

bool DependsOnPlace(std::string_view text) {
  if (NamesCurrentPlace(text)) return true;
  const size_t relative = text.find("(%rip)");
  if (relative == std::string_view::npos) return false;
  size_t begin = text.find_last_of(" \t,", relative);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  return !NamesSymbol(text.substr(begin, relative - begin));
}

std::optional<long> NumberOf(std::string_view text) {
  const std::string word(text);
  char* end = nullptr;
  errno = 0;
  // Above the largest signed number it is the same bits.
  const bool negative = word.starts_with("-");
  const long value = negative ? std::strtol(word.c_str(), &end, 0)
                              : static_cast<long>(std::strtoul(word.c_str(), &end, 0));
  if (word.empty() || *end != '\0' || errno != 0) return std::nullopt;
  return value;
}

}  // namespace heddle::assembly
