#include "report/source_excerpts.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <fstream>

#include "report/visible.h"

namespace heddle::report {
namespace {

constexpr uint32_t kAround = 4;           // lines before and after each place
constexpr off_t kMaxBytes = 32 << 20;     // a generated source may be huge
constexpr size_t kMaxLineBytes = 500;     // and its lines, too
constexpr size_t kMaxLinesInAll = 20000;  // of a page
constexpr size_t kTab = 8;

bool IsSource(const std::string& file) {
  struct stat status;
  return stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= kMaxBytes;
}

std::string WithoutTabs(const std::string& line) {
  std::string text;
  for (char c : line) {
    if (c == '\t') {
      text.append(kTab - text.size() % kTab, ' ');
    } else if (c != '\r') {
      text += c;
    }
  }
  return text;
}

SourceExcerpt Read(const std::string& file, const std::set<uint32_t>& places, size_t most_lines) {
  SourceExcerpt excerpt;
  if (!IsSource(file)) return excerpt;
  std::ifstream stream(file);
  excerpt.readable = stream.good();
  auto next = places.begin();
  uint32_t number = 0;
  for (std::string line; next != places.end() && std::getline(stream, line);) {
    ++number;
    while (next != places.end() && number > *next + kAround) ++next;
    if (next == places.end() || excerpt.lines.size() >= most_lines) break;
    if (number + kAround < *next) continue;
    excerpt.lines[number] = Visible(Shortened(WithoutTabs(line), kMaxLineBytes));
  }
  return excerpt;
}

}  // namespace

std::map<std::string, SourceExcerpt> ReadExcerpts(const SourcePlaces& places) {
  std::map<std::string, SourceExcerpt> excerpts;
  size_t room = kMaxLinesInAll;
  for (const auto& [file, lines] : places) {
    SourceExcerpt& excerpt = excerpts[file] = Read(file, lines, room);
    room -= std::min(room, excerpt.lines.size());
  }
  return excerpts;
}

}  // namespace heddle::report
