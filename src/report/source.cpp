#include "report/source.h"

#include <sys/stat.h>

#include <fstream>

namespace heddle::report {
namespace {

// A generated source may be huge; one that is has no lines worth showing.
constexpr off_t kMaxBytes = 32 << 20;

std::string Clean(std::string line) {
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  }
  size_t begin = line.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string> ReadLines(const std::string& file) {
  std::vector<std::string> lines;
  struct stat status;
  if (stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > kMaxBytes) {
    return lines;
  }
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(Clean(line));
  return lines;
}

}  // namespace

const std::string& SourceFiles::Line(const std::string& file, uint32_t line) {
  static const std::string kNone;
  if (file.empty() || line == 0) return kNone;
  auto entry = files_.find(file);
  if (entry == files_.end()) entry = files_.emplace(file, ReadLines(file)).first;
  return line <= entry->second.size() ? entry->second[line - 1] : kNone;
}

}  // namespace heddle::report
