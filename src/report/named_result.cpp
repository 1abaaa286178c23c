#include "report/named_result.h"

#include <filesystem>

namespace heddle::report {

std::string ProgramLine(const NamedResult& named) {
  const SearchResult& result = named.result;
  std::string line = std::filesystem::path(result.program).filename().string();
  if (line.empty()) return named.name;
  for (const std::string& argument : result.arguments) line += " " + argument;
  return line;
}

}  // namespace heddle::report
