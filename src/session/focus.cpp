#include "session/focus.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "base/edit_distance.h"
#include "report/symbolize.h"
#include "session/elf_file.h"

namespace heddle::session {
namespace {

using channel::FocusKind;
using channel::FocusRange;

// Calls visit(die) for all of a unit's entries.
void ForEachEntry(Dwarf_Die* parent, const std::function<void(Dwarf_Die*)>& visit) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    visit(&child);
    ForEachEntry(&child, visit);
  } while (dwarf_siblingof(&child, &child) == 0);
}

void ForEachEntry(Dwarf* dwarf, const std::function<void(Dwarf_Die*)>& visit) {
  Dwarf_Off offset = 0, next = 0;
  size_t header = 0;
  while (dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    if (dwarf_offdie(dwarf, offset + header, &unit) != nullptr) ForEachEntry(&unit, visit);
    offset = next;
  }
}

std::string WithoutTemplateArguments(const std::string& name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>' && depth > 0) --depth;
  }
  return plain;
}

std::string FunctionName(Dwarf_Die* die) {
  return WithoutTemplateArguments(report::FunctionName(die));
}

std::string LastPart(const std::string& name) {
  const size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

// Is `name` the whole of `full`, or what follows some "::" in it? Of a function that only its own
// file sees, debug information has the last part alone.
bool Means(const std::string& name, const std::string& full) {
  if (full.find("::") == std::string::npos) return full == LastPart(name);
  if (!full.ends_with(name)) return false;
  const size_t rest = full.size() - name.size();
  return rest == 0 || full.substr(0, rest).ends_with("::");
}

base::Error NotFound(const std::string& option, const std::string& what, const std::string& program,
                     const std::string& name, const std::set<std::string>& names) {
  std::vector<std::pair<size_t, std::string>> nearest;
  for (const std::string& each : names) {
    const size_t distance =
        std::min(base::EditDistance(name, each), base::EditDistance(name, LastPart(each)));
    if (distance <= std::max<size_t>(2, name.size() / 2)) nearest.emplace_back(distance, each);
  }
  std::ranges::sort(nearest);
  const bool is_one =
      std::ranges::any_of(names, [&](const auto& each) { return Means(name, each); });
  if (is_one) return {option + " " + name + ": " + program + " has no code of it (is it called?)"};
  std::string text = option + " " + name + ": " + program + " has no " + what + " of that name";
  for (size_t i = 0; i < nearest.size() && i < 3; ++i) {
    text += (i == 0 ? " (nearest: " : ", ") + nearest[i].second;
  }
  return {text + (nearest.empty() ? "" : ")")};
}

// A global or static variable.
struct Variable {
  uint64_t address;
  Dwarf_Die type;
};

std::optional<Variable> VariableOf(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Op* ops = nullptr;
  size_t count = 0;
  if (dwarf_tag(die) != DW_TAG_variable ||
      dwarf_getlocation(dwarf_attr(die, DW_AT_location, &attribute), &ops, &count) != 0 ||
      count == 0 || ops[0].atom != DW_OP_addr) {
    return std::nullopt;
  }
  Variable variable = {ops[0].number, {}};
  if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &variable.type) ==
      nullptr) {
    return std::nullopt;
  }
  return variable;
}

// Goes on to the member. False if there is none, or it lies at no fixed place.
bool GoToMember(Variable& variable, const std::string& name) {
  Dwarf_Die plain;
  Dwarf_Die child;
  if (dwarf_peel_type(&variable.type, &plain) != 0 || dwarf_child(&plain, &child) != 0)
    return false;
  do {
    const char* own = dwarf_diename(&child);
    if (dwarf_tag(&child) != DW_TAG_member || own == nullptr || own != name) continue;
    Dwarf_Attribute attribute;
    Dwarf_Word offset = 0;
    if (dwarf_formudata(dwarf_attr_integrate(&child, DW_AT_data_member_location, &attribute),
                        &offset) != 0) {
      offset = 0;  // of a union
    }
    variable.address += offset;
    return dwarf_formref_die(dwarf_attr_integrate(&child, DW_AT_type, &attribute),
                             &variable.type) != nullptr;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

// The bytes of "queue.head", if `die` is the variable `queue`.
std::optional<FocusRange> RangeOf(Dwarf_Die* die, const std::string& path) {
  const size_t dot = path.find('.');
  const char* own = dwarf_diename(die);
  if (own == nullptr || !Means(own, LastPart(path.substr(0, dot)))) return std::nullopt;
  std::optional<Variable> variable = VariableOf(die);
  for (size_t at = dot; variable && at != std::string::npos;) {
    const size_t end = path.find('.', at + 1);
    if (!GoToMember(*variable, path.substr(at + 1, end - at - 1))) return std::nullopt;
    at = end;
  }
  Dwarf_Word bytes = 0;
  if (!variable || dwarf_aggregate_size(&variable->type, &bytes) != 0) return std::nullopt;
  return FocusRange{variable->address, variable->address + bytes, FocusKind::kVariable};
}

bool IsCode(Dwarf_Die* die) {
  const int tag = dwarf_tag(die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

void AppendCode(Dwarf_Die* die, std::vector<FocusRange>& ranges) {
  const bool inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
  Dwarf_Addr base = 0, begin = 0, end = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0;) {
    ranges.push_back({begin, end, inlined ? FocusKind::kInlined : FocusKind::kFunction});
  }
}

}  // namespace

base::Result<std::vector<FocusRange>> FindFocus(const std::string& program,
                                                std::span<const std::string> functions,
                                                std::span<const std::string> variables) {
  std::vector<FocusRange> ranges;
  if (functions.empty() && variables.empty()) return ranges;
  const ElfFile file(program);
  Dwarf* const dwarf =
      file.Get() != nullptr ? dwarf_begin_elf(file.Get(), DWARF_C_READ, nullptr) : nullptr;
  if (dwarf == nullptr) {
    return base::Error{"--focus-function and --focus-variable need debug information, and " +
                       program + " has none: compile with -g"};
  }
  std::map<std::string, bool> found;
  std::set<std::string> all_functions, all_variables;
  ForEachEntry(dwarf, [&](Dwarf_Die* die) {
    if (IsCode(die) && !functions.empty()) {
      const std::string full = FunctionName(die);
      if (!full.empty()) all_functions.insert(full);
      for (const std::string& name : functions) {
        if (!Means(name, full)) continue;
        const size_t before = ranges.size();
        AppendCode(die, ranges);
        found[name] |= ranges.size() != before;
      }
    } else if (dwarf_tag(die) == DW_TAG_variable && !variables.empty()) {
      if (const char* own = dwarf_diename(die); own != nullptr && VariableOf(die)) {
        all_variables.insert(own);
      }
      for (const std::string& name : variables) {
        const auto range = RangeOf(die, name);
        if (!range) continue;
        ranges.push_back(*range);
        found[name] = true;
      }
    }
  });
  dwarf_end(dwarf);
  for (const std::string& name : functions) {
    if (!found[name]) return NotFound("--focus-function", "function", program, name, all_functions);
  }
  for (const std::string& name : variables) {
    if (!found[name])
      return NotFound("--focus-variable", "global or static variable", program, name,
                      all_variables);
  }
  if (ranges.size() > channel::kMaxFocusRanges) {
    return base::Error{"--focus-function: the code of these functions is in " +
                       std::to_string(ranges.size()) + " places, and at most " +
                       std::to_string(channel::kMaxFocusRanges) + " can be told apart: name fewer"};
  }
  return ranges;
}

}  // namespace heddle::session
