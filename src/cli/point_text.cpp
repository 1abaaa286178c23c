#include "cli/point_text.h"

#include <algorithm>
#include <charconv>

namespace heddle::cli {

using base::Error;

std::string UnitsOfBound() {
  std::string text;
  for (const space::Value& unit : space::Units()) {
    text.append(text.empty() ? "" : ", ").append(unit.name).append("=N");
  }
  return text;
}

base::Result<space::Bound> ParseBound(const std::string& text) {
  if (text.empty() || text == "none") return space::Bound();
  size_t equals = text.find('=');
  const auto unit = space::UnitOf(text.substr(0, equals));
  uint32_t number = 0;
  const char* end = text.data() + text.size();
  const char* digits = equals == std::string::npos ? end : text.data() + equals + 1;
  auto parsed = std::from_chars(digits, end, number);
  if (!unit || parsed.ec != std::errc() || parsed.ptr != end || number == space::kUnbounded) {
    return Error{"--bound " + text + ": write " + UnitsOfBound() + " or none"};
  }
  return space::Bound{*unit, number};
}

base::Result<space::Priorities> ParsePriorities(const std::string& text) {
  space::Priorities priorities;
  for (size_t at = 0; !text.empty() && at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string name = text.substr(at, comma - at);
    const auto function = space::PriorityOf(name);
    if (!function) {
      std::string names;
      for (const space::Value& value : space::PriorityFunctions()) {
        names.append(names.empty() ? "" : ", ").append(value.name);
      }
      return Error{"--priority " + text + ": " +
                   (name.empty() ? "empty name" : "no function " + name) + " (available: " + names +
                   "; several with commas between, as in mdpor,pb)"};
    }
    if (std::ranges::count(priorities.List(), *function) != 0) {
      return Error{"--priority " + text + ": " + name + " is there twice"};
    }
    priorities.names[priorities.count++] = *function;
    at = comma + 1;
  }
  return priorities;
}

}  // namespace heddle::cli
