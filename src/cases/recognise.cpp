#include "cases/recognise.h"

#include <gelf.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "session/elf_file.h"

namespace heddle::cases {
namespace {

// What is looked at: the constants of a program, and the names of the libraries that it needs.
struct Content {
  std::vector<std::string_view> constants;
  std::vector<std::string> libraries;
};

void ReadLibraries(Elf* elf, const GElf_Shdr& section, Elf_Data* data, Content& content) {
  const size_t count = section.sh_entsize != 0 ? section.sh_size / section.sh_entsize : 0;
  for (size_t i = 0; i < count; ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr) break;
    const char* name =
        entry.d_tag == DT_NEEDED ? elf_strptr(elf, section.sh_link, entry.d_un.d_val) : nullptr;
    if (name != nullptr) content.libraries.emplace_back(name);
  }
}

Content ContentOf(Elf* elf) {
  Content content;
  for (Elf_Scn* scn = elf_nextscn(elf, nullptr); scn != nullptr; scn = elf_nextscn(elf, scn)) {
    GElf_Shdr section;
    if (gelf_getshdr(scn, &section) == nullptr) continue;
    const bool constants = section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_ALLOC) != 0 &&
                           (section.sh_flags & (SHF_WRITE | SHF_EXECINSTR)) == 0;
    if (!constants && section.sh_type != SHT_DYNAMIC) continue;
    Elf_Data* data = elf_getdata(scn, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    if (constants)
      content.constants.emplace_back(static_cast<const char*>(data->d_buf), data->d_size);
    else
      ReadLibraries(elf, section, data, content);
  }
  return content;
}

bool IsIn(const Content& content, const Framework& framework) {
  const auto needs = [&](const std::string& library) {
    return !framework.Library().empty() && library.starts_with(framework.Library());
  };
  if (std::any_of(content.libraries.begin(), content.libraries.end(), needs)) return true;
  for (const std::string_view mark : framework.Marks())
    for (const std::string_view constants : content.constants)
      if (constants.find(mark) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::span<const Framework* const> Frameworks() {
  static const std::array<const Framework*, 4> kAll = {&GoogleTest(), &Catch2Version3(),
                                                       &Catch2Version2(), &Doctest()};
  return kAll;
}

base::Result<const Framework*> Recognise(const std::string& path) {
  const session::ElfFile file(path);
  const Content content = ContentOf(file.Get());
  const Framework* found = nullptr;
  for (const Framework* framework : Frameworks()) {
    if (!IsIn(content, *framework)) continue;
    if (found != nullptr)
      return base::Error{path + " holds both " + std::string(found->Name()) + " and " +
                         std::string(framework->Name()) +
                         ": give the arguments that run one case yourself"};
    found = framework;
  }
  if (found == nullptr)
    return base::Error{
        path +
        " is no test program that heddle knows: neither GoogleTest, Catch2 nor doctest is in it"};
  return found;
}

}  // namespace heddle::cases
