#include "session/inspect_module.h"

#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "op/asm_access.h"
#include "op/known_libraries.h"
#include "session/elf_file.h"

namespace heddle::session {
namespace {

void ReadSymbols(Elf* elf, const GElf_Shdr& section, Elf_Data* data, bool known,
                 ModuleFacts& facts) {
  const size_t count = section.sh_entsize != 0 ? section.sh_size / section.sh_entsize : 0;
  for (size_t i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
    const bool imported = symbol.st_shndx == SHN_UNDEF;
    if (known && !imported) continue;
    const char* name = elf_strptr(elf, section.sh_link, symbol.st_name);
    if (name == nullptr || *name == '\0') continue;
    const unsigned char type = GELF_ST_TYPE(symbol.st_info);
    if (imported)
      facts.imports.emplace_back(name);
    else if (type == STT_FUNC || type == STT_GNU_IFUNC)
      facts.functions.insert(name);
  }
  facts.rebuilt |= std::ranges::any_of(
      facts.imports, [](const std::string& name) { return name.starts_with("__tsan_"); });
}

void ReadNotes(Elf_Data* data, ModuleFacts& facts) {
  size_t at = 0, name = 0, descriptor = 0;
  GElf_Nhdr note;
  while ((at = gelf_getnote(data, at, &note, &name, &descriptor)) > 0) {
    const auto* bytes = static_cast<const char*>(data->d_buf);
    const bool asserts = note.n_type == op::kNoteAssertsOff;
    if ((note.n_type != op::kNoteUnseenAssembly && !asserts) ||
        note.n_namesz != sizeof op::kNoteOwner ||
        std::memcmp(bytes + name, op::kNoteOwner, sizeof op::kNoteOwner) != 0)
      continue;
    std::string text(bytes + descriptor, strnlen(bytes + descriptor, note.n_descsz));
    std::vector<std::string>& all = asserts ? facts.asserts_off : facts.unseen_assembly;
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
  }
}

}  // namespace

std::optional<ModuleFacts> InspectModule(const std::string& path) {
  ElfFile file(path);
  if (file.Get() == nullptr || elf_kind(file.Get()) != ELF_K_ELF) return std::nullopt;
  ModuleFacts facts;
  const bool known = LibraryName(path).empty();
  size_t names = 0;
  const bool named = elf_getshdrstrndx(file.Get(), &names) == 0;
  for (Elf_Scn* scn = elf_nextscn(file.Get(), nullptr); scn != nullptr;
       scn = elf_nextscn(file.Get(), scn)) {
    GElf_Shdr section;
    if (gelf_getshdr(scn, &section) == nullptr) continue;
    const char* text = named ? elf_strptr(file.Get(), names, section.sh_name) : nullptr;
    const bool symbols = section.sh_type == SHT_DYNSYM;
    const bool notes = section.sh_type == SHT_NOTE && text != nullptr &&
                       std::string_view(text) == op::kNoteSection;
    Elf_Data* data = symbols || notes ? elf_getdata(scn, nullptr) : nullptr;
    if (data == nullptr) continue;
    if (symbols) ReadSymbols(file.Get(), section, data, known, facts);
    if (notes) ReadNotes(data, facts);
  }
  return facts;
}

std::string LibraryName(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return "";
  std::string name = path.substr(slash + 1);
  return op::IsKnownLibrary(name) ? "" : name;
}

}  // namespace heddle::session
