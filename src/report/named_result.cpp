#include "report/named_result.h"

#include <filesystem>

namespace heddle::report {

std::string ProgramLine(const NamedResult& named) {
  if (!named.test_case.empty()) return named.test_case;
  const SearchResult& result = named.result;
  std::string line = std::filesystem::path(result.program).filename().string();
  if (line.empty()) return named.name;
  for (const std::string& argument : result.arguments) line += " " + argument;
  return line;
}

}  // namespace heddle::report
