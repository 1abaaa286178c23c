#include "cli/module_notes.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/symbolize.h"
#include "report/verdict.h"
#include "report/wording.h"
#include "session/asserts_off.h"
#include "session/inspect_module.h"
#include "session/unseen_code.h"

namespace heddle::cli {
namespace {

using claim::Incomplete;

constexpr size_t kMostNotes = 50;

std::string Joined(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string FirstOf(const std::vector<std::string>& names, size_t most) {
  if (names.size() <= most) return Joined(names);
  return Joined(std::span(names).first(most)) + " and " + std::to_string(names.size() - most) +
         " more";
}

// Programs call what they open through pointers, so nobody can tell that they do not.
void AddOpened(const std::set<std::string>& opened,
               const std::map<std::string, const session::ModuleFacts*>& all,
               report::RunFacts& facts) {
  std::vector<std::string> names;
  for (const std::string& path : opened) {
    const std::string name = session::LibraryName(path.starts_with('/') ? path : "/" + path);
    const auto module = all.find(path);
    if (name.empty() || (module != all.end() && module->second->rebuilt)) continue;
    names.push_back(name + (module == all.end() ? " (its file cannot be read)" : ""));
    facts.not_rebuilt.push_back({path, name, true});
  }
  if (!names.empty())
    facts.notes.push_back(report::IncompleteNote(Incomplete::kOpenedNotRebuilt, Joined(names)));
}

void AddUnseenAssembly(const std::vector<std::string>& unseen, report::RunFacts& facts) {
  for (size_t i = 0; i < unseen.size() && i < kMostNotes; ++i)
    facts.notes.push_back(report::IncompleteNote(Incomplete::kUnseenAssembly, unseen[i]));
  if (unseen.size() > kMostNotes)
    facts.notes.push_back(report::IncompleteNote(
        Incomplete::kUnseenAssembly,
        "and " + std::to_string(unseen.size() - kMostNotes) + " more places"));
}

// "plain.c (Lock, Unlock and 1 more)", and functions whose source file is not known for themselves.
class UnseenUnits {
 public:
  explicit UnseenUnits(const std::string& path) : modules_{{0, 0, UINT64_MAX, path}} {}

  void Add(const session::UnseenFunction& function) {
    std::string unit;
    if (looked_up_++ < kMostLookUps) unit = symbolizer_.Unit(modules_, function.address);
    if (unit.empty()) unit = function.file;
    auto [entry, fresh] = functions_.try_emplace(unit);
    if (fresh) units_.push_back(unit);
    std::string name = report::Demangled(function.name.c_str());
    name = report::ShortFunctionName(name.substr(0, name.find(" [clone")));
    // Constructors have several symbols, and functions several parts.
    if (known_.emplace(unit, name).second) entry->second.push_back(std::move(name));
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const std::string& unit : units_) {
      const std::vector<std::string>& functions = functions_.at(unit);
      if (unit.empty())
        names.insert(names.end(), functions.begin(), functions.end());
      else
        names.push_back(unit.substr(unit.rfind('/') + 1) + " (" + FirstOf(functions, 3) + ")");
    }
    return names;
  }

 private:
  // Clang's units have no table of addresses: each look-up goes through all of them.
  static constexpr size_t kMostLookUps = 1000;

  const std::vector<report::Module> modules_;
  size_t looked_up_ = 0;
  report::Symbolizer symbolizer_;
  std::vector<std::string> units_;
  std::map<std::string, std::vector<std::string>> functions_;  // by unit
  std::set<std::pair<std::string, std::string>> known_;        // unit and function
};

}  // namespace

const session::ModuleFacts* ModuleNotes::FactsOf(const std::string& path) {
  const auto [entry, fresh] = facts_.try_emplace(path);
  if (fresh) entry->second = session::InspectModule(path);
  return entry->second ? &*entry->second : nullptr;
}

std::optional<ModuleNotes::UnseenCode> ModuleNotes::FindUnseenCode(const std::string& path) {
  const session::UnseenCode unseen = session::FindUnseenCode(path);
  if (unseen.functions.empty() && unseen.nameless == 0 && unseen.test_frameworks.empty())
    return std::nullopt;
  UnseenCode told;
  if (!unseen.test_frameworks.empty())
    told.frameworks = "not rebuilt with heddle-cc: " + Joined(unseen.test_frameworks) +
                      ": what threads tell each other through the test framework is not seen";
  if (unseen.functions.empty() && unseen.nameless == 0) return told;
  UnseenUnits units(path);
  for (const session::UnseenFunction& function : unseen.functions) units.Add(function);
  std::vector<std::string> names = units.Names();
  if (unseen.nameless != 0)
    names.push_back(report::Counted(unseen.nameless, "function") + " without a name");
  const std::string some = FirstOf(names, 5);
  const std::string file = path.substr(path.rfind('/') + 1);
  told.note = file + " that heddle-cc did not instrument: " + some;
  told.functions = some;
  return told;
}

std::string ModuleNotes::AssertsOff(const std::string& path) {
  const auto [entry, fresh] = asserts_off_.try_emplace(path);
  if (!fresh) return entry->second;
  const session::ModuleFacts* facts = FactsOf(path);
  if (facts == nullptr || facts->asserts_off.empty()) return "";
  const std::vector<std::string> units = session::UnitsWithoutAsserts(path, facts->asserts_off);
  if (!units.empty())
    entry->second = "assert() does nothing in " + FirstOf(units, 3) + ", built with NDEBUG into " +
                    path.substr(path.rfind('/') + 1) +
                    ": no failed one can be found; build with heddle-cc --heddle-keep-asserts, or "
                    "with -UNDEBUG";
  return entry->second;
}

void ModuleNotes::AddTo(const report::Records& records, report::RunFacts& facts) {
  std::map<std::string, const session::ModuleFacts*> all;
  const auto inspect = [&](const std::string& path) {
    if (const session::ModuleFacts* module = FactsOf(path)) all.emplace(path, module);
  };
  for (const std::vector<report::Module>& modules : records.modules)
    for (const report::Module& module : modules) inspect(module.path);
  for (const std::string& path : records.opened) inspect(path);  // another may be there by now
  std::vector<std::string> unseen;
  std::set<std::string> called;  // from code that announces its accesses
  for (const auto& [path, module] : all) {
    unseen.insert(unseen.end(), module->unseen_assembly.begin(), module->unseen_assembly.end());
    if (module->rebuilt) called.insert(module->imports.begin(), module->imports.end());
  }
  for (const auto& [path, module] : all) {
    const std::string name = session::LibraryName(path);
    if (module->rebuilt || name.empty() || path == facts.program || records.opened.contains(path))
      continue;
    const bool is_called = std::any_of(called.begin(), called.end(),
                                       [&functions = module->functions](const std::string& symbol) {
                                         return functions.contains(symbol);
                                       });
    facts.not_rebuilt.push_back({path, name, is_called});
  }
  AddUnseenAssembly(unseen, facts);
  for (const auto& [path, module] : all)
    if (const std::string text = AssertsOff(path); !text.empty())
      facts.notes.push_back({"warning", text});
  std::vector<std::string> names;
  for (const report::Library& library : facts.not_rebuilt) names.push_back(library.name);
  if (!names.empty())
    facts.notes.push_back(report::IncompleteNote(Incomplete::kNotRebuilt, Joined(names)));
  AddOpened(records.opened, all, facts);
  for (const auto& [path, module] : all) {
    if (!module->rebuilt) continue;
    const auto [entry, fresh] = unseen_code_.try_emplace(path);
    if (fresh) entry->second = FindUnseenCode(path);
    if (!entry->second) continue;
    if (!entry->second->frameworks.empty()) {
      facts.notes.push_back({"info", entry->second->frameworks});
      facts.frameworks_unseen = true;
    }
    if (entry->second->note.empty()) continue;
    facts.notes.push_back(report::IncompleteNote(Incomplete::kUnseenCode, entry->second->note));
    facts.not_rebuilt.push_back({"", entry->second->functions, true});
  }
}

}  // namespace heddle::cli
