#include "session/toolchain_code.h"

#include <gelf.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "runtime/prim/target_machine.h"
#include "session/elf_file.h"

namespace heddle::session {
namespace {

namespace fs = std::filesystem;
using Sought = std::set<std::pair<std::string, uint64_t>>;  // by name and size

void RemoveFunctionsOf(Elf* object, Sought& sought) {
  for (Elf_Scn* scn = elf_nextscn(object, nullptr); scn != nullptr;
       scn = elf_nextscn(object, scn)) {
    GElf_Shdr section;
    if (gelf_getshdr(scn, &section) == nullptr || section.sh_type != SHT_SYMTAB) continue;
    Elf_Data* data = elf_getdata(scn, nullptr);
    if (data == nullptr || section.sh_entsize == 0) continue;
    for (size_t i = 0; i < section.sh_size / section.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      if (symbol.st_shndx == SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) == STT_OBJECT) continue;
      const char* name = elf_strptr(object, section.sh_link, symbol.st_name);
      if (name != nullptr) sought.erase({name, symbol.st_size});
    }
  }
}

// Of an archive, or of a single object.
void RemoveFunctionsOfFile(const fs::path& path, Sought& sought) {
  ElfFile file(path.string());
  if (file.Get() != nullptr && elf_kind(file.Get()) == ELF_K_ELF)
    RemoveFunctionsOf(file.Get(), sought);
  if (file.Get() == nullptr || elf_kind(file.Get()) != ELF_K_AR) return;
  Elf_Cmd command = ELF_C_READ_MMAP;
  while (Elf* member = elf_begin(file.Descriptor(), command, file.Get())) {
    if (elf_kind(member) == ELF_K_ELF) RemoveFunctionsOf(member, sought);
    command = elf_next(member);
    elf_end(member);
  }
}

Sought Seek(const std::vector<UnseenFunction>& functions) {
  Sought sought;
  for (const UnseenFunction& function : functions) sought.emplace(function.name, function.size);
  return sought;
}

void KeepOnly(std::vector<UnseenFunction>& functions, const Sought& sought) {
  std::erase_if(functions, [&](const UnseenFunction& function) {
    return !sought.contains({function.name, function.size});
  });
}

// What is in `folder` and below, `levels` deep.
std::vector<fs::path> Folders(const fs::path& folder, int levels) {
  std::vector<fs::path> found = {folder};
  std::error_code error;
  if (levels == 0) return found;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code unreadable;
    if (!entry->is_directory(unreadable)) continue;
    for (fs::path& below : Folders(entry->path(), levels - 1)) found.push_back(std::move(below));
  }
  return found;
}

// Where GCC has its own: /usr/lib/gcc/x86_64-linux-gnu/12.
std::vector<fs::path> GccFolders() {
  std::vector<fs::path> folders;
  for (const char* compilers : {"/usr/lib/gcc", "/usr/lib64/gcc", "/usr/local/lib/gcc"}) {
    std::error_code error;
    if (!fs::exists(compilers, error)) continue;
    for (fs::path& folder : Folders(compilers, 2)) folders.push_back(std::move(folder));
  }
  return folders;
}

// Where GCC and Clang have them: the above, /usr/lib/llvm-14/lib, and what belongs to Clang's
// instrumentation in /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux.
std::vector<fs::path> ToolchainFolders() {
  constexpr const char* kOfTheMachine = "/usr/" HEDDLE_LIBRARY_FOLDER;
  std::vector<fs::path> folders = {kOfTheMachine, "/usr/lib64", "/usr/lib", "/usr/local/lib64",
                                   "/usr/local/lib"};
  for (fs::path& folder : GccFolders()) folders.push_back(std::move(folder));
  for (fs::path& folder : Folders("/usr/lib/clang", 3)) folders.push_back(std::move(folder));
  std::error_code error;
  for (fs::directory_iterator entry("/usr/lib", error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->path().filename().string().starts_with("llvm")) continue;
    folders.push_back(entry->path() / "lib");
    for (fs::path& folder : Folders(entry->path() / "lib" / "clang", 3))
      folders.push_back(std::move(folder));
  }
  return folders;
}

// The code of an object, and which of its bytes linkers leave as they are.
struct Pattern {
  std::vector<unsigned char> bytes;
  std::vector<bool> fixed;

  bool Matches(std::span<const unsigned char> code) const {
    if (code.size() < bytes.size()) return false;
    for (size_t i = 0; i < bytes.size(); ++i)
      if (fixed[i] && code[i] != bytes[i]) return false;
    return true;
  }
};

// The .text of `object`; empty if there is none. Its relocations follow it.
Pattern PatternOf(Elf* object) {
  Pattern pattern;
  size_t text = 0, names = 0;
  if (elf_getshdrstrndx(object, &names) != 0) return pattern;
  for (Elf_Scn* scn = elf_nextscn(object, nullptr); scn != nullptr;
       scn = elf_nextscn(object, scn)) {
    GElf_Shdr section;
    Elf_Data* data = elf_getdata(scn, nullptr);
    if (data == nullptr || gelf_getshdr(scn, &section) == nullptr) continue;
    const char* name = elf_strptr(object, names, section.sh_name);
    if (name != nullptr && std::string_view(name) == ".text" && data->d_buf != nullptr) {
      text = elf_ndxscn(scn);
      const auto* bytes = static_cast<const unsigned char*>(data->d_buf);
      pattern = {{bytes, bytes + data->d_size}, std::vector<bool>(data->d_size, true)};
    }
    if (section.sh_type != SHT_RELA || text == 0 || section.sh_info != text) continue;
    for (size_t i = 0; section.sh_entsize != 0 && i < section.sh_size / section.sh_entsize; ++i) {
      GElf_Rela relocation;
      if (gelf_getrela(data, static_cast<int>(i), &relocation) == nullptr) break;
      // Linkers may change the instruction, too: its up to 3 bytes before the 4 of the address.
      const size_t first = relocation.r_offset < 3 ? 0 : relocation.r_offset - 3;
      for (size_t at = first; at < relocation.r_offset + 4 && at < pattern.fixed.size(); ++at)
        pattern.fixed[at] = false;
    }
  }
  return pattern;
}

}  // namespace

bool IsStartCode(std::string_view name) {
  // crt1.o, crti.o, crtbegin.o, crtend.o and crtfastmath.o of glibc and GCC.
  static const std::set<std::string_view> kNames = {"_start",
                                                    "_init",
                                                    "_fini",
                                                    "_dl_relocate_static_pie",
                                                    "__libc_csu_init",
                                                    "__libc_csu_fini",
                                                    "deregister_tm_clones",
                                                    "register_tm_clones",
                                                    "__do_global_dtors_aux",
                                                    "__do_global_ctors_aux",
                                                    "frame_dummy",
                                                    "__do_init",
                                                    "__do_fini",
                                                    "set_fast_math"};
  return kNames.contains(name);
}

std::optional<CodeRange> FindStartCode(uint64_t address, std::span<const unsigned char> code) {
  constexpr uint64_t kAlignment = 16;
  std::optional<CodeRange> found;
  for (const fs::path& folder : GccFolders()) {
    if (found) break;  // a program has that of one GCC
    for (const char* name : {"crtbeginS.o", "crtbegin.o", "crtbeginT.o"}) {
      const ElfFile file((folder / name).string());
      if (file.Get() == nullptr || elf_kind(file.Get()) != ELF_K_ELF) continue;
      const Pattern pattern = PatternOf(file.Get());
      if (pattern.bytes.empty()) continue;
      for (uint64_t at = -address % kAlignment; at < code.size(); at += kAlignment) {
        if (!pattern.Matches(code.subspan(at))) continue;
        if (!found || found->end - found->begin < pattern.bytes.size())
          found = {address + at, address + at + pattern.bytes.size()};
        break;
      }
    }
  }
  return found;
}

void RemoveToolchainCode(std::vector<UnseenFunction>& functions) {
  Sought sought = Seek(functions);
  const std::vector<fs::path> folders = ToolchainFolders();
  for (const char* file :
       {"libc_nonshared.a", "libgcc.a", "libgcc_eh.a", "libstdc++.a", "libsupc++.a",
        "libstdc++fs.a", "libatomic.a", "libssp_nonshared.a", "libpthread_nonshared.a", "libc++.a",
        "libc++abi.a", "libunwind.a", "libclang_rt.builtins-" HEDDLE_CLANG_MACHINE ".a",
        "libclang_rt.builtins.a",
        // What -pg, --coverage, -fprofile-* and -fsanitize=undefined link in.
        "gcrt1.o", "libgcov.a", "libclang_rt.profile-" HEDDLE_CLANG_MACHINE ".a",
        "libclang_rt.profile.a", "libclang_rt.ubsan_standalone-" HEDDLE_CLANG_MACHINE ".a",
        "libclang_rt.ubsan_standalone_cxx-" HEDDLE_CLANG_MACHINE ".a",
        "libclang_rt.ubsan_standalone.a", "libclang_rt.ubsan_standalone_cxx.a",
        "libclang_rt.ubsan_minimal-" HEDDLE_CLANG_MACHINE ".a", "libclang_rt.ubsan_minimal.a"}) {
    for (const fs::path& folder : folders) {
      if (sought.empty()) break;
      RemoveFunctionsOfFile(folder / file, sought);
    }
  }
  KeepOnly(functions, sought);
}

std::vector<std::string> RemoveTestFrameworks(std::vector<UnseenFunction>& functions) {
  Sought sought = Seek(functions);
  std::vector<std::string> removed;
  const std::vector<fs::path> folders = ToolchainFolders();
  for (const char* file : {"libgtest.a", "libgtest_main.a", "libgmock.a", "libgmock_main.a",
                           "libCatch2.a", "libCatch2Main.a"}) {
    const size_t before = sought.size();
    for (const fs::path& folder : folders) RemoveFunctionsOfFile(folder / file, sought);
    if (sought.size() != before) removed.emplace_back(file);
  }
  KeepOnly(functions, sought);
  return removed;
}

}  // namespace heddle::session
