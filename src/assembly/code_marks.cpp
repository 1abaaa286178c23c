#include "assembly/code_marks.h"

#include <algorithm>
#include <map>

#include "assembly/surroundings.h"
#include "op/code_mark.h"

namespace heddle::assembly {
namespace {

// The line up to a comment.
std::string_view WithoutComment(std::string_view line) {
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '#' && !quoted) return line.substr(0, i);
  }
  return line;
}

std::string_view Unquoted(std::string_view text) {
  return text.size() > 1 && text.front() == '"' && text.back() == '"'
             ? text.substr(1, text.size() - 2)
             : text;
}

// A section of code, as a directive enters it.
struct Section {
  // What tells it from others. A name alone is not enough: there may be one of that name in each
  // COMDAT group, and several that only a number tells apart.
  std::string key;
  std::string directive;  // enters it again
};

// No key: the directive does not enter a section of code.
Section SectionOf(std::string_view directive) {
  std::string_view arguments = directive;
  const std::string_view word = TakeWord(arguments);
  arguments = Trim(arguments);
  if (word == ".text") return arguments.empty() ? Section{".text", ".text"} : Section{};
  if (word != ".section") return {};
  const size_t comma = std::min(arguments.find(','), arguments.size());
  const std::string_view name = Unquoted(Trim(arguments.substr(0, comma)));
  std::string_view rest = arguments.substr(std::min(comma + 1, arguments.size()));
  const std::string_view flags = Trim(rest.substr(0, rest.find(',')));
  const bool has_flags = flags.starts_with('"');
  const bool is_code = has_flags ? flags.find('x') != std::string_view::npos
                                 : name == ".text" || name.starts_with(".text.");
  if (!is_code || name == ".init" || name == ".fini") return {};
  const bool shares_name = (has_flags && flags.find_first_of("G?") != std::string_view::npos) ||
                           rest.find("unique") != std::string_view::npos;
  return {std::string(shares_name ? arguments : name), std::string(directive)};
}

std::string Label(const char* what, size_t number) {
  return std::string(".Lheddle_code_") + what + std::to_string(number);
}

std::string Mark(const Section& section, size_t number) {
  std::string text = "\t" + section.directive + "\n";
  // After the highest subsection, in which an asm statement may have put some code.
  text += "\t.subsection 8192\n" + Label("end", number) + ":\n\t.byte";
  char separator = ' ';
  for (const char c : op::kCodeMark) {
    text += separator + std::to_string(static_cast<unsigned char>(c));
    separator = ',';
  }
  return text + "\n\t.long " + Label("end", number) + "-" + Label("begin", number) + "\n";
}

}  // namespace

bool IsInstrumented(std::string_view text) {
  return text.find("__tsan_init") != std::string_view::npos;
}

std::string WithCodeMarks(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 16);
  // Assembly begins in .text.
  std::string marks = Mark({".text", ".text"}, 0);
  result += Label("begin", 0) + ":";
  std::map<std::string, size_t, std::less<>> known = {{".text", 0}};
  bool in_asm = false;
  size_t copied = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = Trim(text.substr(at, end - at));
    at = end + 1;
    if (line.starts_with('#')) {
      if (OpensAsm(line)) in_asm = true;
      if (ClosesAsm(line)) in_asm = false;
      continue;
    }
    if (in_asm || !(line.starts_with(".section") || line.starts_with(".text"))) continue;
    const std::string_view directive = Trim(WithoutComment(line));
    const Section section = SectionOf(directive);
    if (section.key.empty() || known.contains(section.key)) continue;
    const size_t number = known.size();
    known.emplace(section.key, number);
    marks += Mark(section, number);
    const size_t after = static_cast<size_t>(directive.data() - text.data()) + directive.size();
    result += text.substr(copied, after - copied);
    result += "; " + Label("begin", number) + ":";
    copied = after;
  }
  result += text.substr(copied);
  if (!result.ends_with('\n')) result += '\n';
  return result + marks;
}

}  // namespace heddle::assembly
