#include "runtime/prim/linkage.h"

#include <link.h>

#include <cstring>

#include "runtime/prim/copy.h"
#include "runtime/prim/passing.h"

namespace heddle::runtime {
namespace {

// Where the stub at `target` of a linkage table takes its jump from; 0: it is none.
uintptr_t SlotOfStub(uintptr_t target) {
  const auto byte = [&](int i) {
    return LoadAt<uint8_t>(reinterpret_cast<const char*>(target + i));
  };
  if (byte(0) == 0xf3 && byte(1) == 0x0f && byte(2) == 0x1e && byte(3) == 0xfa) target += 4;
  if (byte(0) == 0xf2) ++target;
  if (byte(0) != 0xff || byte(1) != 0x25) return 0;
  return target + 6 +
         static_cast<uintptr_t>(
             static_cast<intptr_t>(LoadAt<int32_t>(reinterpret_cast<const char*>(target + 2))));
}

constexpr uintptr_t kAnywhere = ~uintptr_t{0};

// Of the module that `within` lies in.
struct Tables {
  uintptr_t within;
  uintptr_t bias = 0;
  uintptr_t symbols = 0, strings = 0;
  uintptr_t relocations = 0;  // of the linkage table
  uint64_t relocation_bytes = 0;
  uintptr_t others = 0;  // further relocations
  uint64_t other_bytes = 0;
};

// Of the module that `info` tells of, if the address lies in it.
bool ReadTables(const dl_phdr_info& info, Tables& tables) {
  bool within = false;
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    const uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD) within |= tables.within - begin < segment.p_memsz;
    if (segment.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
  }
  if ((!within && tables.within != kAnywhere) || dynamic == nullptr) return false;
  tables.bias = info.dlpi_addr;
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    const uintptr_t value = dynamic->d_un.d_ptr;
    const uintptr_t address = value < info.dlpi_addr ? value + info.dlpi_addr : value;
    if (dynamic->d_tag == DT_JMPREL) tables.relocations = address;
    if (dynamic->d_tag == DT_SYMTAB) tables.symbols = address;
    if (dynamic->d_tag == DT_STRTAB) tables.strings = address;
    if (dynamic->d_tag == DT_PLTRELSZ) tables.relocation_bytes = value;
    if (dynamic->d_tag == DT_RELA) tables.others = address;
    if (dynamic->d_tag == DT_RELASZ) tables.other_bytes = value;
  }
  return true;
}

int ReadTablesOf(dl_phdr_info* info, size_t, void* argument) {
  return ReadTables(*info, *static_cast<Tables*>(argument)) ? 1 : 0;
}

Tables TablesAt(uintptr_t address) {
  Tables tables{address};
  dl_iterate_phdr(ReadTablesOf, &tables);
  return tables;
}

std::string_view NameOf(const Tables& tables, const ElfW(Sym) & symbol) {
  return reinterpret_cast<const char*>(tables.strings + symbol.st_name);
}

// Does one of these relocations want a name of which `is` is true?
template <typename Is>
bool Wants(const Tables& tables, uintptr_t relocations, uint64_t bytes, Is is) {
  if (relocations == 0 || tables.symbols == 0 || tables.strings == 0) return false;
  const auto* begin = reinterpret_cast<const ElfW(Rela)*>(relocations);
  const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(tables.symbols);
  for (const auto* at = begin; at != begin + bytes / sizeof *at; ++at)
    if (is(NameOf(tables, symbols[ELF64_R_SYM(at->r_info)]))) return true;
  return false;
}
template <typename Is>
bool Wants(const Tables& tables, Is is) {
  return Wants(tables, tables.relocations, tables.relocation_bytes, is) ||
         Wants(tables, tables.others, tables.other_bytes, is);
}

// Of heddle's library.
Tables OwnTables() { return TablesAt(reinterpret_cast<uintptr_t>(&DefinesName)); }

}  // namespace

bool AnnouncesAccesses(uintptr_t address) {
  const Tables tables = TablesAt(address);
  if (tables.symbols == OwnTables().symbols) return false;
  return Wants(tables, [](std::string_view name) { return name.starts_with("__tsan_"); });
}

bool AnyModuleWants(std::string_view name) {
  struct Search {
    std::string_view name;
    uintptr_t own;
  } search = {name, OwnTables().symbols};
  const auto look = [](dl_phdr_info* info, size_t, void* argument) {
    const auto& [wanted, own] = *static_cast<const Search*>(argument);
    Tables tables{kAnywhere};
    if (!ReadTables(*info, tables) || tables.symbols == own) return 0;
    return Wants(tables, [&](std::string_view is) { return is == wanted; }) ? 1 : 0;
  };
  return dl_iterate_phdr(look, &search) != 0;
}

std::string_view NameOfCallee(uintptr_t target) {
  const uintptr_t slot = SlotOfStub(target);
  if (slot == 0) return {};
  const Tables tables = TablesAt(slot);
  if (tables.relocations == 0 || tables.symbols == 0 || tables.strings == 0) return {};
  const auto* begin = reinterpret_cast<const ElfW(Rela)*>(tables.relocations);
  const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(tables.symbols);
  for (const auto* at = begin; at != begin + tables.relocation_bytes / sizeof *at; ++at) {
    if (tables.bias + at->r_offset == slot) return NameOf(tables, symbols[ELF64_R_SYM(at->r_info)]);
  }
  return {};
}

bool IsAnnouncement(std::string_view callee) {
  for (const std::string_view prefix : {"__tsan_read", "__tsan_write", "__tsan_unaligned_read",
                                        "__tsan_unaligned_write", "__tsan_func_"})
    if (callee.starts_with(prefix)) return true;
  return false;
}

uintptr_t BehindOwnCall(uintptr_t pc) {
  const auto* code = reinterpret_cast<const uint8_t*>(pc);
  if (code[0] != 0xff || code[1] != 0x15) return 0;  // call *displacement(%rip)
  int32_t displacement;
  memcpy(&displacement, code + 2, sizeof displacement);
  const uintptr_t next = pc + 2 + sizeof displacement;
  const uintptr_t slot = next + static_cast<uintptr_t>(int64_t{displacement});
  const uintptr_t target = *reinterpret_cast<const uintptr_t*>(slot);
  const bool own = TablesAt(target).symbols == OwnTables().symbols && !IsPassing(target);
  return own ? next : 0;
}

bool DefinesName(std::string_view name) {
  const Tables tables = OwnTables();
  // Linkers put the names behind the symbols.
  for (auto at = tables.symbols; at + sizeof(ElfW(Sym)) <= tables.strings;
       at += sizeof(ElfW(Sym))) {
    const auto& symbol = *reinterpret_cast<const ElfW(Sym)*>(at);
    if (symbol.st_shndx != SHN_UNDEF && NameOf(tables, symbol) == name)
      return !IsPassing(symbol.st_value + tables.bias);
  }
  return false;
}

}  // namespace heddle::runtime
