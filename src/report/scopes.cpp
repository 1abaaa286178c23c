#include "report/scopes.h"

#include <dwarf.h>

#include <algorithm>
#include <utility>

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

// May a function with code of its own stand within it? A lambda's stands within its class, which is
// within the function that makes it, or within a namespace.
bool MayHoldFunctions(Dwarf_Die* die) {
  switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
      return true;
    default:
      return HasCode(die);
  }
}

}  // namespace

void Scopes::ListChildren(Dwarf_Die* parent, bool nested, std::vector<Range>& functions) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    if (nested && MayHoldFunctions(&child)) ListChildren(&child, true, functions);
    if (dwarf_tag(&child) != DW_TAG_subprogram) continue;
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(&child, at, &base, &begin, &end)) > 0;)
      functions.push_back({begin, end, child});
  } while (dwarf_siblingof(&child, &child) == 0);
}

const Dwarf_Die* Scopes::FunctionAt(Dwarf_Die* unit, uint64_t address) {
  const auto [entry, fresh] = functions_.try_emplace(dwarf_dieoffset(unit));
  Functions& of_unit = entry->second;
  if (fresh) ListChildren(unit, false, of_unit.all);
  for (;;) {
    for (const Range& range : of_unit.all)
      if (range.begin <= address && address < range.end) return &range.function;
    if (std::exchange(of_unit.nested, true)) return nullptr;
    of_unit.all.clear();
    ListChildren(unit, true, of_unit.all);
  }
}

std::vector<Dwarf_Die> Scopes::At(Dwarf_Die* unit, uint64_t address) {
  std::vector<Dwarf_Die> scopes;
  const Dwarf_Die* const function = FunctionAt(unit, address);
  if (function == nullptr) return scopes;
  scopes.push_back(*function);
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
