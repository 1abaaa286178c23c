#include "report/fields.h"

#include "report/verdict.h"

namespace heddle::report {

std::string ToFields(const SearchResult& result, const std::string& text) {
  std::string fields;
  const auto add = [&](const std::string& name, const std::string& value) {
    fields += name + " " + std::to_string(value.size()) + "\n" + value + "\n";
  };
  add("verdict", VerdictName(result.verdict));
  add("complete", result.complete ? "true" : "false");
  add("guarantee", result.guarantee);
  add("executions", std::to_string(result.executions));
  for (const Finding& finding : result.findings) {
    add("bug", finding.kind);
    add("bug.message", finding.message);
    if (!finding.locations.empty()) {
      add("bug.file", finding.locations[0].file);
      add("bug.line", std::to_string(finding.locations[0].line));
    }
    add("bug.schedule", finding.schedule);
    add("bug.replay", finding.line);
  }
  add("text", text);
  return fields;
}

}  // namespace heddle::report
