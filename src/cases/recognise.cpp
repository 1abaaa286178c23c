#include "cases/recognise.h"

#include <gelf.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "session/elf_file.h"

namespace heddle::cases {
namespace {

// The read-only data of a program, a section each.
std::vector<std::string_view> ConstantsOf(Elf* elf) {
  std::vector<std::string_view> all;
  for (Elf_Scn* scn = elf_nextscn(elf, nullptr); scn != nullptr; scn = elf_nextscn(elf, scn)) {
    GElf_Shdr section;
    if (gelf_getshdr(scn, &section) == nullptr) continue;
    const bool constants = section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_ALLOC) != 0 &&
                           (section.sh_flags & (SHF_WRITE | SHF_EXECINSTR)) == 0;
    Elf_Data* data = constants ? elf_getdata(scn, nullptr) : nullptr;
    if (data != nullptr && data->d_buf != nullptr)
      all.emplace_back(static_cast<const char*>(data->d_buf), data->d_size);
  }
  return all;
}

bool IsIn(const std::vector<std::string>& libraries, std::span<const std::string_view> constants,
          const Framework& framework) {
  const auto needs = [&](const std::string& library) {
    return !framework.Library().empty() && library.starts_with(framework.Library());
  };
  if (std::any_of(libraries.begin(), libraries.end(), needs)) return true;
  for (const std::string_view mark : framework.Marks())
    for (const std::string_view data : constants)
      if (data.find(mark) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::span<const Framework* const> Frameworks() {
  static const std::array<const Framework*, 4> kAll = {&GoogleTest(), &Catch2Version3(),
                                                       &Catch2Version2(), &Doctest()};
  return kAll;
}

base::Result<const Framework*> Recognise(const session::ProgramFile& program) {
  const std::string& path = program.path;
  const session::ElfFile file(path);
  const std::vector<std::string_view> constants = ConstantsOf(file.Get());
  const Framework* found = nullptr;
  for (const Framework* framework : Frameworks()) {
    if (!IsIn(program.needed, constants, *framework)) continue;
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
