#include "cli/module_notes.h"

#include <algorithm>
#include <map>
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
  std::map<std::string, session::ModuleFacts> all;
  for (const std::vector<report::Module>& modules : records.modules) {
    for (const report::Module& module : modules) {
      if (all.contains(module.path)) continue;
      if (auto module_facts = session::InspectModule(module.path))
        all.emplace(module.path, *std::move(module_facts));
    }
  }
  std::vector<std::string> unseen;
  std::set<std::string> called;  // from code that announces its accesses
  for (const auto& [path, module] : all) {
    unseen.insert(unseen.end(), module.unseen_assembly.begin(), module.unseen_assembly.end());
    if (module.rebuilt) called.insert(module.imports.begin(), module.imports.end());
  }
  for (const auto& [path, module] : all) {
    const std::string name = session::LibraryName(path);
    if (module.rebuilt || name.empty() || path == facts.program) continue;
    const bool is_called =
        std::any_of(called.begin(), called.end(),
                    [&](const std::string& symbol) { return module.functions.contains(symbol); });
    facts.not_rebuilt.push_back({path, name, is_called});
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
