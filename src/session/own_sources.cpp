#include "session/own_sources.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <filesystem>
#include <string_view>

namespace heddle::session {
namespace {

namespace fs = std::filesystem;

// What the distribution brought along. Its units are not even opened: libstdc++ alone, linked
// statically, has more of them than most programs.
bool IsSystems(std::string_view path) { return path.starts_with("/usr/"); }

void AddUnit(Dwarf_Die* die, std::vector<SourceUnit>& units) {
  Dwarf_Attribute attribute;
  const char* folder = dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attribute));
  const char* name = dwarf_diename(die);
  const fs::path base = folder != nullptr ? folder : "";
  SourceUnit unit;
  if (name != nullptr) unit.name = (base / name).lexically_normal().native();
  if (IsSystems(unit.name)) return;
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_getsrcfiles(die, &files, &count) != 0) return;
  for (size_t i = 0; i < count; ++i) {
    const char* file = dwarf_filesrc(files, i, nullptr, nullptr);
    if (file == nullptr) continue;
    std::string path = (base / file).lexically_normal().native();
    if (!IsSystems(path)) unit.files.push_back(std::move(path));
  }
  units.push_back(std::move(unit));
}

}  // namespace

std::vector<SourceUnit> OwnSources(Elf* elf) {
  std::vector<SourceUnit> units;
  Dwarf* dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
  if (dwarf == nullptr) return units;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  uint8_t kind;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, &kind, &die, nullptr) == 0)
    if (kind == DW_UT_compile || kind == DW_UT_skeleton) AddUnit(&die, units);
  dwarf_end(dwarf);
  return units;
}

}  // namespace heddle::session
