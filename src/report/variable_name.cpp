#include "report/variable_name.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <cstring>

namespace heddle::report {
namespace {

constexpr int kMaxDepth = 16;  // of nested types; deeper is a damaged file

bool IsAt(Dwarf_Die* variable, uint64_t address) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  if (dwarf_attr(variable, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1)
    return false;
  if (operations[0].atom == DW_OP_addr) return operations[0].number == address;
  // DWARF 5 as Clang writes it: a number in a table of addresses.
  Dwarf_Attribute indexed;
  Dwarf_Addr at = 0;
  return operations[0].atom == DW_OP_addrx &&
         dwarf_getlocation_attr(&attribute, &operations[0], &indexed) == 0 &&
         dwarf_formaddr(&indexed, &at) == 0 && at == address;
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

// Down from a type to what lies at an offset.
struct Walk {
  std::optional<Dwarf_Die> as;
  Variable found;
  bool named = true;  // the path goes on

  // The same type may be described in several units.
  bool IsWhole(Dwarf_Die type) {
    if (!as || dwarf_tag(&type) != dwarf_tag(&*as) || SizeOf(type) != SizeOf(*as)) return false;
    return dwarf_dieoffset(&type) == dwarf_dieoffset(&*as) || TypeName(type) == TypeName(*as);
  }

  void In(Dwarf_Die type, uint64_t offset, int depth) {
    if (depth > kMaxDepth) return;
    if (offset == 0 && IsWhole(type)) {
      found.type = type;
      return;
    }
    switch (dwarf_tag(&type)) {
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type:
        return InStructure(type, offset, depth);
      case DW_TAG_array_type: {
        std::optional<Dwarf_Die> element = TypeOf(&type);
        Dwarf_Word size = 0;
        if (!element || dwarf_aggregate_size(&*element, &size) != 0 || size == 0) return;
        if (named) found.name += "[" + std::to_string(offset / size) + "]";
        return In(*element, offset % size, depth + 1);
      }
      default:
        if (offset == 0) found.type = type;
    }
  }

  void InStructure(Dwarf_Die type, uint64_t offset, int depth) {
    Dwarf_Die child;
    if (dwarf_child(&type, &child) != 0) return;
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
      // name for the object ends before them, its type does not.
      if (name != nullptr && name[0] == '_') named = false;
      if (name != nullptr && named) found.name += std::string(".") + name;
      return In(*member_type, offset - at, depth + 1);
    } while (dwarf_siblingof(&child, &child) == 0);
  }
};

// The attribute's expression for the code at `pc`, if it is a single operation.
std::optional<Dwarf_Op> OperationAt(Dwarf_Die* die, unsigned name, uint64_t pc) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  if (dwarf_attr(die, name, &attribute) == nullptr ||
      dwarf_getlocation_addr(&attribute, pc, &operations, &count, 1) != 1 || count != 1)
    return std::nullopt;
  return operations[0];
}

// What DW_OP_fbreg counts from, in the frame's function.
std::optional<uint64_t> FrameBase(Dwarf_Die* function, const FrameRange& frame) {
  const std::optional<Dwarf_Op> base = OperationAt(function, DW_AT_frame_base, frame.pc);
  if (!base) return std::nullopt;
  if (base->atom == DW_OP_call_frame_cfa) return frame.end;
  // Where the frame pointer is kept, it was pushed just below the return address.
  if (base->atom == DW_OP_reg6) return frame.end - 16;
  if (base->atom == DW_OP_reg7) return frame.begin;
  return std::nullopt;
}

std::optional<uint64_t> AddressOf(Dwarf_Die* variable, const FrameRange& frame,
                                  std::optional<uint64_t> base) {
  const std::optional<Dwarf_Op> place = OperationAt(variable, DW_AT_location, frame.pc);
  if (!place) return std::nullopt;
  if (place->atom == DW_OP_fbreg && base) return *base + place->number;
  if (place->atom == DW_OP_breg6) return frame.end - 16 + place->number;
  if (place->atom == DW_OP_breg7) return frame.begin + place->number;
  return std::nullopt;
}

Variable AmongChildren(Dwarf_Die* scope, const FrameRange& frame, std::optional<uint64_t> base,
                       uint64_t address, std::optional<Dwarf_Die> as) {
  Dwarf_Die child;
  if (dwarf_child(scope, &child) != 0) return {};
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) continue;
    const std::optional<uint64_t> begin = AddressOf(&child, frame, base);
    if (!begin || address < *begin) continue;
    const std::optional<Dwarf_Die> type = TypeOf(&child);
    Dwarf_Attribute attribute;
    const char* name = dwarf_formstring(dwarf_attr_integrate(&child, DW_AT_name, &attribute));
    if (!type || name == nullptr || address - *begin >= SizeOf(*type)) continue;
    Variable found = MemberOf(*type, address - *begin, as);
    found.name = name + found.name;
    return found;
  } while (dwarf_siblingof(&child, &child) == 0);
  return {};
}

std::string EnumeratorOf(Dwarf_Die type, uint64_t value) {
  Dwarf_Die child;
  if (dwarf_child(&type, &child) != 0) return "";
  do {
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (dwarf_formudata(dwarf_attr(&child, DW_AT_const_value, &attribute), &number) == 0 &&
        number == value && dwarf_diename(&child) != nullptr)
      return dwarf_diename(&child);
  } while (dwarf_siblingof(&child, &child) == 0);
  return "";
}

std::string FloatText(uint64_t value, unsigned size) {
  if (size == sizeof(float)) {
    float number = 0;
    std::memcpy(&number, &value, sizeof number);
    return fmt::format("{}", number);
  }
  double number = 0;
  if (size != sizeof number) return "";
  std::memcpy(&number, &value, sizeof number);
  return fmt::format("{}", number);
}

bool IsVariableOrMember(int tag) {
  return tag == DW_TAG_variable || tag == DW_TAG_member || tag == DW_TAG_formal_parameter;
}

void AddTypesNamed(Dwarf_Die* scope, const std::string& name, int depth,
                   std::vector<Dwarf_Die>& types) {
  Dwarf_Die child;
  if (depth > kMaxDepth || dwarf_child(scope, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    const bool is_structure =
        tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
    const char* own = is_structure || tag == DW_TAG_typedef || tag == DW_TAG_base_type
                          ? dwarf_diename(&child)
                          : nullptr;
    Dwarf_Die peeled;
    if (own != nullptr && name == own && dwarf_peel_type(&child, &peeled) == 0 &&
        SizeOf(peeled) != 0)
      types.push_back(peeled);
    if (name.starts_with('*') && IsVariableOrMember(tag)) {
      const char* const pointer = dwarf_diename(&child);
      const auto type = pointer != nullptr && name.compare(1, name.npos, pointer) == 0
                            ? TypeOf(&child)
                            : std::nullopt;
      const auto pointee = type ? Pointee(*type) : std::nullopt;
      if (pointee && !TypeName(*pointee).empty() && SizeOf(*pointee) != 0)
        types.push_back(*pointee);
    }
    if (is_structure || tag == DW_TAG_namespace || tag == DW_TAG_subprogram ||
        tag == DW_TAG_lexical_block)
      AddTypesNamed(&child, name, depth + 1, types);
  } while (dwarf_siblingof(&child, &child) == 0);
}

}  // namespace

std::vector<Dwarf_Die> TypesNamed(Dwarf_Die* unit, const std::string& name) {
  std::vector<Dwarf_Die> types;
  AddTypesNamed(unit, name, 0, types);
  return types;
}

Variable MemberOf(Dwarf_Die type, uint64_t offset, std::optional<Dwarf_Die> as) {
  Walk walk;
  walk.as = as;
  walk.In(type, offset, 0);
  return walk.found;
}

std::optional<Dwarf_Die> TypeOfGlobal(Dwarf* dwarf, uint64_t address) {
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    std::optional<Dwarf_Die> found = FindVariable(&die, address, 0);
    if (found) return TypeOf(&*found);
  }
  return std::nullopt;
}

Variable LocalVariable(std::span<Dwarf_Die> scopes, const FrameRange& frame, uint64_t address,
                       std::optional<Dwarf_Die> as) {
  std::optional<uint64_t> base;
  for (Dwarf_Die& scope : scopes)
    if (dwarf_tag(&scope) == DW_TAG_subprogram) base = FrameBase(&scope, frame);
  for (Dwarf_Die& scope : scopes) {
    Variable found = AmongChildren(&scope, frame, base, address, as);
    if (!found.name.empty()) return found;
    if (dwarf_tag(&scope) == DW_TAG_subprogram) break;
  }
  return {};
}

std::optional<Dwarf_Die> Pointee(Dwarf_Die type) {
  const int tag = dwarf_tag(&type);
  if (tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type) return std::nullopt;
  return TypeOf(&type);
}

std::string TypeName(Dwarf_Die type) {
  const char* name = dwarf_diename(&type);
  return name != nullptr ? name : "";
}

uint64_t SizeOf(Dwarf_Die type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

std::string ValueOf(Dwarf_Die type, uint64_t value, unsigned size) {
  if (size == 0 || size > 8) return "";
  if (SizeOf(type) != size) return "";
  const unsigned unused = 64 - 8 * size;
  const auto with_sign = static_cast<int64_t>(value << unused) >> unused;
  if (dwarf_tag(&type) == DW_TAG_enumeration_type) {
    std::string name = EnumeratorOf(type, value);
    return name.empty() ? std::to_string(with_sign) : name;
  }
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = 0;
  if (dwarf_tag(&type) != DW_TAG_base_type ||
      dwarf_formudata(dwarf_attr(&type, DW_AT_encoding, &attribute), &encoding) != 0)
    return "";
  switch (encoding) {
    case DW_ATE_boolean:
      return value == 0 ? "false" : value == 1 ? "true" : std::to_string(value);
    case DW_ATE_float:
      return FloatText(value, size);
    case DW_ATE_unsigned:
    case DW_ATE_UTF:
      return std::to_string(value);
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
      if (value >= ' ' && value <= '~') return fmt::format("'{}'", static_cast<char>(value));
      return std::to_string(encoding == DW_ATE_signed_char ? with_sign
                                                           : static_cast<int64_t>(value));
    case DW_ATE_signed:
      return std::to_string(with_sign);
    default:
      return "";
  }
}

}  // namespace heddle::report
