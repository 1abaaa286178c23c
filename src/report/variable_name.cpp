#include "report/variable_name.h"

#include <dwarf.h>

#include <optional>

namespace heddle::report {
namespace {

constexpr int kMaxDepth = 16;  // of nested types; deeper is a damaged file

bool IsAt(Dwarf_Die* variable, uint64_t address) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  return dwarf_attr(variable, DW_AT_location, &attribute) != nullptr &&
         dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
         operations[0].atom == DW_OP_addr && operations[0].number == address;
}

// The variable at `address` among the children of `scope`, looking into namespaces and functions
// (statics).
std::optional<Dwarf_Die> FindVariable(Dwarf_Die* scope, uint64_t address, int depth) {
  Dwarf_Die child;
  if (depth > kMaxDepth || dwarf_child(scope, &child) != 0) return std::nullopt;
  do {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable && IsAt(&child, address)) return child;
    if (tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) {
      if (auto found = FindVariable(&child, address, depth + 1)) return found;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return std::nullopt;
}

// The type of `die` with names and qualifiers peeled off.
std::optional<Dwarf_Die> TypeOf(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) == nullptr) {
    return std::nullopt;
  }
  Dwarf_Die peeled;
  if (dwarf_peel_type(&type, &peeled) != 0) return std::nullopt;
  return peeled;
}

std::string InType(Dwarf_Die* type, uint64_t offset, int depth);

std::string InStructure(Dwarf_Die* type, uint64_t offset, int depth) {
  Dwarf_Die child;
  if (dwarf_child(type, &child) != 0) return "";
  do {
    int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    Dwarf_Attribute attribute;
    Dwarf_Word at = 0;  // a union's members have no offset
    if (dwarf_attr(&child, DW_AT_data_member_location, &attribute) != nullptr) {
      dwarf_formudata(&attribute, &at);
    } else if (dwarf_attr(&child, DW_AT_external, &attribute) != nullptr) {
      continue;  // a static member is elsewhere
    }
    std::optional<Dwarf_Die> member_type = TypeOf(&child);
    Dwarf_Word size = 0;
    if (!member_type || dwarf_aggregate_size(&*member_type, &size) != 0) continue;
    if (offset < at || offset >= at + size) continue;
    const char* name = tag == DW_TAG_member ? dwarf_diename(&child) : nullptr;
    // Names that begin with an underscore are the standard library's insides: the program's own
    // name for the object ends before them.
    if (name != nullptr && name[0] == '_') return "";
    return (name != nullptr ? std::string(".") + name : "") +
           InType(&*member_type, offset - at, depth + 1);
  } while (dwarf_siblingof(&child, &child) == 0);
  return "";
}

std::string InType(Dwarf_Die* type, uint64_t offset, int depth) {
  if (depth > kMaxDepth) return "";
  switch (dwarf_tag(type)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
      return InStructure(type, offset, depth);
    case DW_TAG_array_type: {
      std::optional<Dwarf_Die> element = TypeOf(type);
      Dwarf_Word size = 0;
      if (!element || dwarf_aggregate_size(&*element, &size) != 0 || size == 0) return "";
      return "[" + std::to_string(offset / size) + "]" +
             InType(&*element, offset % size, depth + 1);
    }
    default:
      return "";
  }
}

}  // namespace

std::string MemberPath(Dwarf* dwarf, uint64_t variable, uint64_t offset) {
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    std::optional<Dwarf_Die> found = FindVariable(&die, variable, 0);
    if (!found) continue;
    std::optional<Dwarf_Die> type = TypeOf(&*found);
    return type ? InType(&*type, offset, 0) : "";
  }
  return "";
}

}  // namespace heddle::report
