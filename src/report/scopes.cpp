#include "report/scopes.h"

#include <dwarf.h>

#include <algorithm>

namespace heddle::report {
namespace {

bool HasCode(Dwarf_Die* die) {
  switch (dwarf_tag(die)) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
      return true;
    default:
      return false;
  }
}

}  // namespace

const std::vector<Scopes::Range>& Scopes::FunctionsOf(Dwarf_Die* unit) {
  const auto [entry, fresh] = functions_.try_emplace(dwarf_dieoffset(unit));
  std::vector<Range>& functions = entry->second;
  Dwarf_Die child;
  if (!fresh || dwarf_child(unit, &child) != 0) return functions;
  do {
    if (dwarf_tag(&child) != DW_TAG_subprogram) continue;
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(&child, at, &base, &begin, &end)) > 0;)
      functions.push_back({begin, end, child});
  } while (dwarf_siblingof(&child, &child) == 0);
  return functions;
}

std::vector<Dwarf_Die> Scopes::At(Dwarf_Die* unit, uint64_t address) {
  std::vector<Dwarf_Die> scopes;
  const std::vector<Range>& functions = FunctionsOf(unit);
  const auto has_it = [address](const Range& range) {
    return range.begin <= address && address < range.end;
  };
  const auto function = std::find_if(functions.begin(), functions.end(), has_it);
  if (function == functions.end()) return scopes;
  scopes.push_back(function->function);
  Dwarf_Die child;
  bool further = dwarf_child(&scopes.back(), &child) == 0;
  while (further) {
    if (HasCode(&child) && dwarf_haspc(&child, address) > 0) {
      scopes.push_back(child);
      further = dwarf_child(&scopes.back(), &child) == 0;
    } else {
      further = dwarf_siblingof(&child, &child) == 0;
    }
  }
  std::reverse(scopes.begin(), scopes.end());
  return scopes;
}

}  // namespace heddle::report
