#include "report/fitted_text.h"

#include <algorithm>

namespace heddle::report {

size_t Width(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string FitName(const std::string& name, size_t width) {
  const size_t columns = Width(name);
  if (columns <= width || width < 5) return name;
  const auto begin_of = [&](size_t column) {
    size_t at = 0;
    for (; at < name.size(); ++at)
      if ((static_cast<unsigned char>(name[at]) & 0xc0) != 0x80 && column-- == 0) break;
    return at;
  };
  const size_t kept = width - 3;
  return name.substr(0, begin_of(kept / 2)) + "..." +
         name.substr(begin_of(columns - (kept - kept / 2)));
}

std::string FitSource(const std::string& source, size_t width) {
  if (Width(source) <= width) return source;
  bool is_quoted = false;
  for (size_t i = 0; i + 3 < source.size(); ++i) {
    if (source[i] == '"' && (i == 0 || source[i - 1] != '\\')) is_quoted = !is_quoted;
    if (is_quoted || source.compare(i, 3, " //") != 0) continue;
    const size_t end = source.find_last_not_of(' ', i);
    if (end == std::string::npos) break;
    return FitName(source.substr(0, end + 1), width);
  }
  return FitName(source, width);
}

std::vector<std::string> Wrapped(const std::string& text, size_t width) {
  std::vector<std::string> lines(1);
  size_t columns = 0;  // of the last line
  size_t space = 0;    // of the last line: behind its last space
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (begins && columns == width) {
      const std::string rest = space != 0 ? lines.back().substr(space) : "";
      lines.back().resize(lines.back().size() - rest.size());
      lines.push_back(rest);
      columns = static_cast<size_t>(std::count_if(rest.begin(), rest.end(), [](char other) {
        return (static_cast<unsigned char>(other) & 0xc0) != 0x80;
      }));
      space = 0;
    }
    lines.back() += c;
    columns += begins ? 1 : 0;
    if (c == ' ') space = lines.back().size();
  }
  return lines;
}

}  // namespace heddle::report
