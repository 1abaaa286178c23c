#include "cli/module_notes.h"

#include <set>
#include <string>
#include <vector>

#include "session/inspect_module.h"

namespace heddle::cli {
namespace {

constexpr size_t kMostNotes = 50;

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void AddUnseenAssembly(const std::vector<std::string>& unseen, report::RunFacts& facts) {
  for (size_t i = 0; i < unseen.size() && i < kMostNotes; ++i)
    facts.notes.push_back({"forbids", "assembly that heddle does not see: " + unseen[i]});
  if (unseen.size() > kMostNotes)
    facts.notes.push_back({"forbids", "and " + std::to_string(unseen.size() - kMostNotes) +
                                          " more places in assembly that heddle does not see"});
}

}  // namespace

void AddModuleNotes(const report::Records& records, report::RunFacts& facts) {
  std::set<std::string> done;
  std::vector<std::string> unseen;
  for (const std::vector<report::Module>& modules : records.modules) {
    for (const report::Module& module : modules) {
      if (!done.insert(module.path).second) continue;
      const auto module_facts = session::InspectModule(module.path);
      if (!module_facts) continue;
      unseen.insert(unseen.end(), module_facts->unseen_assembly.begin(),
                    module_facts->unseen_assembly.end());
      const std::string name = session::LibraryName(module.path);
      if (!module_facts->rebuilt && !name.empty() && module.path != facts.program)
        facts.not_rebuilt.push_back({module.path, name});
    }
  }
  AddUnseenAssembly(unseen, facts);
  if (facts.not_rebuilt.empty()) return;
  std::vector<std::string> names;
  for (const report::Library& library : facts.not_rebuilt) names.push_back(library.name);
  facts.notes.push_back({"weakens", "not rebuilt with heddle-cc: " + Joined(names) +
                                        ": plain accesses and inline atomics in there are not "
                                        "seen"});
}

}  // namespace heddle::cli
