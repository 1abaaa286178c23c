// Source lines for the report, read once per file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::report {

class SourceFiles {
 public:
  // Line `line` (from 1) without indentation, tabs and control characters as spaces. Empty: not
  // readable.
  const std::string& Line(const std::string& file, uint32_t line);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle::report
