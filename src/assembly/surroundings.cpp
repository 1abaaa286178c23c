#include "assembly/surroundings.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace heddle::assembly {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The arguments of a directive, separated by commas outside quotes.
std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == ',' && !quoted)
      parts.emplace_back();
    else if (quoted || !IsBlank(text[i]))
      parts.back() += text[i];
  }
  return parts;
}

std::string Unquoted(std::string text) {
  std::erase(text, '"');
  return text;
}

// Quoted strings in `text`, in order.
std::vector<std::string> Quoted(std::string_view text) {
  std::vector<std::string> strings;
  while (true) {
    const size_t begin = text.find('"');
    if (begin == std::string_view::npos) return strings;
    const size_t end = text.find('"', begin + 1);
    if (end == std::string_view::npos) return strings;
    strings.emplace_back(text.substr(begin + 1, end - begin - 1));
    text.remove_prefix(end + 1);
  }
}

// %rbp, rbp, or the number that DWARF gives it.
std::string RegisterName(std::string text) {
  if (text.starts_with("%")) text = text.substr(1);
  return text == "7" ? "rsp" : text;
}

}  // namespace

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (IsBlank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (IsBlank(text.back()) || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

bool OpensAsm(std::string_view line) { return line == "#APP" || line == kFileScope; }

bool ClosesAsm(std::string_view line) {
  return line == "#NO_APP" || line == "# End of file scope inline assembly";
}

std::string_view TakeWord(std::string_view& text) {
  text = Trim(text);
  size_t end = 0;
  while (end < text.size() && !IsBlank(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text = Trim(text.substr(end));
  return word;
}

void Surroundings::FindCalls(std::string_view text) {
  bool in_asm = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line == "#APP") in_asm = true;
    if (line == "#NO_APP") in_asm = false;
    if (line.starts_with(".cfi_startproc")) calls_.push_back(false);
    if (in_asm || calls_.empty()) continue;
    const std::string_view word = TakeWord(line);
    if (word != "call" && word != "callq") continue;
    // Profiling calls are put in late; a leaf function stays one.
    const bool profiling = line.find("mcount") != std::string_view::npos ||
                           line.find("__fentry__") != std::string_view::npos;
    if (!profiling) calls_.back() = true;
  }
}

bool Surroundings::MayHaveRedZone() const {
  return !in_function_ || functions_ == 0 || functions_ > calls_.size() || !calls_[functions_ - 1];
}

void Surroundings::SetSection(std::string_view arguments, bool push) {
  const std::vector<std::string> parts = Split(arguments);
  Section section;
  section.name = Unquoted(parts[0]);
  const std::string flags = parts.size() > 1 && parts[1].starts_with("\"") ? parts[1] : "";
  section.code = section.name.starts_with(".text") || section.name.starts_with(".init") ||
                 section.name.starts_with(".fini") || flags.find('x') != std::string::npos;
  if (section.name.starts_with(".init_array") || section.name.starts_with(".fini_array"))
    section.code = false;
  previous_ = sections_.back();
  if (push)
    sections_.push_back(section);
  else
    sections_.back() = section;
}

void Surroundings::TakeFile(std::string_view arguments) {
  const std::vector<std::string> names = Quoted(arguments);
  if (names.empty()) return;
  const std::string number(TakeWord(arguments));
  if (!std::isdigit(static_cast<unsigned char>(number[0]))) {
    if (loc_.line == 0) loc_.file = names[0];
    return;
  }
  const std::string& name = names.size() > 1 ? names[1] : names[0];
  const bool relative = names.size() > 1 && !name.starts_with("/");
  // The unit's own file is shown as it was given, others with their directory.
  files_[number] = relative && number != "0" ? names[0] + "/" + name : name;
}

void Surroundings::TakeLoc(std::string_view arguments) {
  const auto file = files_.find(TakeWord(arguments));
  const std::string line(TakeWord(arguments));
  loc_ = {file == files_.end() ? "" : file->second,
          static_cast<unsigned>(std::strtoul(line.c_str(), nullptr, 10))};
}

void Surroundings::TakeFrame(std::string_view directive, std::string_view arguments) {
  if (directive == ".cfi_startproc") {
    in_function_ = true;
    ++functions_;
    frame_register_ = "rsp";
    remembered_.clear();
  } else if (directive == ".cfi_endproc") {
    in_function_ = false;
  } else if (directive == ".cfi_def_cfa" || directive == ".cfi_def_cfa_register") {
    frame_register_ = RegisterName(Split(arguments)[0]);
  } else if (directive == ".cfi_escape") {
    // DW_CFA_def_cfa_expression: GCC's way to find a frame that it has realigned, by %rbp.
    const std::string first = Split(arguments)[0];
    if (std::strtoul(first.c_str(), nullptr, 0) == 0x0f) frame_register_ = "expression";
  } else if (directive == ".cfi_remember_state") {
    remembered_.push_back(frame_register_);
  } else if (directive == ".cfi_restore_state" && !remembered_.empty()) {
    frame_register_ = remembered_.back();
    remembered_.pop_back();
  }
}

void Surroundings::Directive(std::string_view statement) {
  const std::string_view directive = TakeWord(statement);
  if (directive.starts_with(".cfi_")) return TakeFrame(directive, statement);
  if (directive == ".loc") return TakeLoc(statement);
  if (directive == ".file") return TakeFile(statement);
  if (directive == ".text" || directive == ".data" || directive == ".bss")
    return SetSection(directive, false);
  if (directive == ".section") return SetSection(statement, false);
  if (directive == ".pushsection") return SetSection(statement, true);
  if (directive == ".popsection" && sections_.size() > 1) return sections_.pop_back();
  if (directive == ".previous") return std::swap(previous_, sections_.back());
  if (directive == ".intel_syntax") intel_ = true;
  if (directive == ".att_syntax") intel_ = false;
}

}  // namespace heddle::assembly
