#include "session/inspect_elf.h"

#include <gelf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "runtime/prim/target_machine.h"
#include "session/elf_file.h"

namespace heddle::session {
namespace {

using base::Error;

// What the verdict needs to know, gathered in one pass over segments and sections.
struct Facts {
  std::string interpreter;
  std::vector<std::string> needed;
  bool pie_flag = false;
  bool debug_info = false;
  bool imports_tsan = false;
  std::string defines_sanitizer;  // name of the entry point it defines
  std::string build_id;
};

std::string Hex(const unsigned char* bytes, size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

void ReadInterpreter(Elf* elf, Facts& facts) {
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return;
  size_t file_size = 0;
  const char* bytes = elf_rawfile(elf, &file_size);
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) continue;
    if (header.p_type != PT_INTERP || bytes == nullptr) continue;
    if (header.p_offset > file_size || header.p_filesz > file_size - header.p_offset) continue;
    const char* text = bytes + header.p_offset;
    facts.interpreter.assign(text, strnlen(text, header.p_filesz));
  }
}

void ReadDynamic(Elf* elf, const GElf_Shdr& section, Elf_Data* data, Facts& facts) {
  size_t count = section.sh_entsize != 0 ? section.sh_size / section.sh_entsize : 0;
  for (size_t i = 0; i < count; ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr) break;
    if (entry.d_tag == DT_NEEDED) {
      const char* name = elf_strptr(elf, section.sh_link, entry.d_un.d_val);
      if (name != nullptr) facts.needed.emplace_back(name);
    } else if (entry.d_tag == DT_FLAGS_1) {
      facts.pie_flag = (entry.d_un.d_val & DF_1_PIE) != 0;
    }
  }
}

void ReadSymbols(Elf* elf, const GElf_Shdr& section, Elf_Data* data, Facts& facts) {
  size_t count = section.sh_entsize != 0 ? section.sh_size / section.sh_entsize : 0;
  for (size_t i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
    const char* text = elf_strptr(elf, section.sh_link, symbol.st_name);
    if (text == nullptr) continue;
    std::string_view name = text;
    if (symbol.st_shndx == SHN_UNDEF) {
      facts.imports_tsan = facts.imports_tsan || name.starts_with("__tsan_");
    } else if (name == "__tsan_init" || name == "__asan_init" || name == "__msan_init") {
      facts.defines_sanitizer = name;
    }
  }
}

void ReadBuildId(Elf_Data* data, Facts& facts) {
  size_t at = 0;
  GElf_Nhdr note;
  size_t name = 0;
  size_t descriptor = 0;
  while ((at = gelf_getnote(data, at, &note, &name, &descriptor)) > 0) {
    const auto* bytes = static_cast<const unsigned char*>(data->d_buf);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(bytes + name, "GNU", 4) == 0) {
      facts.build_id = Hex(bytes + descriptor, note.n_descsz);
    }
  }
}

Facts Gather(Elf* elf) {
  Facts facts;
  ReadInterpreter(elf, facts);
  size_t names = 0;
  bool named = elf_getshdrstrndx(elf, &names) == 0;
  for (Elf_Scn* scn = elf_nextscn(elf, nullptr); scn != nullptr; scn = elf_nextscn(elf, scn)) {
    GElf_Shdr section;
    if (gelf_getshdr(scn, &section) == nullptr) continue;
    const char* text = named ? elf_strptr(elf, names, section.sh_name) : nullptr;
    std::string_view name = text != nullptr ? text : "";
    if (name == ".debug_info" || name == ".zdebug_info" || name == ".gnu_debuglink") {
      facts.debug_info = true;
    }
    bool wanted = section.sh_type == SHT_DYNAMIC || section.sh_type == SHT_DYNSYM ||
                  section.sh_type == SHT_SYMTAB || section.sh_type == SHT_NOTE;
    Elf_Data* data = wanted ? elf_getdata(scn, nullptr) : nullptr;
    if (data == nullptr) continue;
    if (section.sh_type == SHT_DYNAMIC) ReadDynamic(elf, section, data, facts);
    if (section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB) {
      ReadSymbols(elf, section, data, facts);
    }
    if (section.sh_type == SHT_NOTE) ReadBuildId(data, facts);
  }
  // Distributions keep debug information apart, found by build-id.
  if (!facts.debug_info && facts.build_id.size() > 2) {
    std::string apart = "/usr/lib/debug/.build-id/" + facts.build_id.substr(0, 2) + "/" +
                        facts.build_id.substr(2) + ".debug";
    facts.debug_info = access(apart.c_str(), R_OK) == 0;
  }
  return facts;
}

// Identifies a file that has no build-id: its size and the FNV-1a hash of its bytes.
std::string SizeAndHash(Elf* elf) {
  size_t size = 0;
  const char* bytes = elf_rawfile(elf, &size);
  const uint64_t hash = base::HashBytes(bytes, bytes == nullptr ? 0 : size);
  unsigned char parts[8];
  for (int i = 0; i < 8; ++i) parts[i] = static_cast<unsigned char>(hash >> (56 - 8 * i));
  return std::to_string(size) + "+" + Hex(parts, sizeof parts);
}

// The sanitizer runtime that `facts` shows the program to be linked with.
std::optional<std::string> Sanitizer(const Facts& facts) {
  for (const std::string& library : facts.needed) {
    for (const char* prefix :
         {"libtsan.so", "libasan.so", "liblsan.so", "libclang_rt.tsan", "libclang_rt.asan"}) {
      if (library.starts_with(prefix)) return library;
    }
  }
  if (facts.defines_sanitizer == "__tsan_init") return "ThreadSanitizer";
  if (facts.defines_sanitizer == "__asan_init") return "AddressSanitizer";
  if (facts.defines_sanitizer == "__msan_init") return "MemorySanitizer";
  return std::nullopt;
}

bool IsSource(std::string_view path) {
  constexpr std::string_view kEndings[] = {".c", ".cc", ".cpp", ".cxx", ".C"};
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return path.ends_with(end); });
}

std::optional<Error> RefuseFile(const std::string& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return Error{path + " is a directory: give the program in it"};
  if (!S_ISREG(status.st_mode)) return Error{path + " is not a file: give a program"};
  if (access(path.c_str(), X_OK) != 0) {
    if (IsSource(path))
      return Error{path +
                   " is a source file: compile it with heddle-cc or heddle-c++, and give the "
                   "program"};
    return Error{path + " is not executable: chmod +x it, or give the program you mean"};
  }
  if (access(path.c_str(), R_OK) != 0) {
    return Error{path + " cannot be read: heddle needs to read the program's symbols"};
  }
  bool privileged = (status.st_mode & (S_ISUID | S_ISGID)) != 0 ||
                    getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
  if (privileged) {
    return Error{path +
                 " is set-user-ID or has capabilities, so the system ignores LD_PRELOAD: "
                 "give a plain copy of it"};
  }
  return std::nullopt;
}

std::optional<Error> RefuseFormat(const std::string& path, const ElfFile& file) {
  char start[4] = {};
  ssize_t got = pread(file.Descriptor(), start, sizeof start, 0);
  if (got >= 2 && start[0] == '#' && start[1] == '!') {
    return Error{path + " is a script: give the program it runs"};
  }
  if (got < 4 || std::memcmp(start, ELFMAG, SELFMAG) != 0) {
    return Error{path + " is not an ELF program: give the compiled program"};
  }
  GElf_Ehdr header;
  if (file.Get() == nullptr || elf_kind(file.Get()) != ELF_K_ELF ||
      gelf_getehdr(file.Get(), &header) == nullptr) {
    return Error{path + " is not a readable ELF program: build or copy it again"};
  }
  size_t size = 0;
  elf_rawfile(file.Get(), &size);
  if (header.e_phoff + uint64_t{header.e_phnum} * header.e_phentsize > size ||
      header.e_shoff + uint64_t{header.e_shnum} * header.e_shentsize > size) {
    return Error{path + " is cut short: build or copy it again"};
  }
  if (header.e_ident[EI_CLASS] == ELFCLASS32) {
    return Error{path + " is a 32-bit program: build it for " HEDDLE_MACHINE " (without -m32)"};
  }
  if (header.e_machine != runtime::kElfMachine) {
    return Error{path + " is for another machine: build it for " HEDDLE_MACHINE};
  }
  if (header.e_type == ET_REL) return Error{path + " is an object file: link it first"};
  if (header.e_type == ET_CORE) return Error{path + " is a core dump: give the program"};
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    return Error{path + " is not an executable program"};
  }
  return std::nullopt;
}

std::optional<Error> RefuseLinking(const std::string& path, const Facts& facts,
                                   bool position_free) {
  if (facts.interpreter.empty()) {
    if (position_free && !facts.pie_flag) {
      return Error{path + " is a shared library: give a program that uses it"};
    }
    return Error{path +
                 " is statically linked, so heddle cannot get between it and its calls: link "
                 "it without -static"};
  }
  if (facts.interpreter.find("ld-musl") != std::string::npos) {
    return Error{path + " uses musl: heddle supports glibc programs only"};
  }
  if (access(facts.interpreter.c_str(), X_OK) != 0) {
    return Error{path + " needs the loader " + facts.interpreter + ", which is not on this system"};
  }
  if (std::optional<std::string> sanitizer = Sanitizer(facts)) {
    return Error{path + " is linked with " + *sanitizer +
                 ": build it with heddle-cc or heddle-c++ "
                 "instead of -fsanitize"};
  }
  return std::nullopt;
}

}  // namespace

base::Result<std::string> FindProgram(const std::string& name) {
  if (name.empty()) return Error{"no such program: the name is empty"};
  struct stat status;
  if (name.find('/') != std::string::npos) {
    if (stat(name.c_str(), &status) == 0) return name;
    if (errno == ENOENT || errno == ENOTDIR) return Error{"no such program: " + name};
    return Error{"cannot look at " + name + ": " + std::strerror(errno)};
  }
  const char* variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "/usr/bin:/bin";
  while (true) {
    size_t colon = path.find(':');
    std::string folder(path.substr(0, colon));
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (stat(candidate.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
        access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    if (colon == std::string_view::npos) break;
    path.remove_prefix(colon + 1);
  }
  if (stat(name.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    return Error{name + " is a directory: give the program in it"};
  if (stat(name.c_str(), &status) == 0) {
    return Error{"no such program in PATH: " + name + " (for the one in this directory: ./" + name +
                 ")"};
  }
  return Error{"no such program in PATH: " + name};
}

base::Result<ProgramFile> InspectProgram(const std::string& path, bool allow_no_debug_info) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Error{"no such program: " + path};
    return Error{"cannot look at " + path + ": " + std::strerror(errno)};
  }
  if (auto refusal = RefuseFile(path, status)) return *refusal;
  ElfFile file(path);
  if (file.Descriptor() < 0) return Error{"cannot open " + path + ": " + std::strerror(errno)};
  if (auto refusal = RefuseFormat(path, file)) return *refusal;

  GElf_Ehdr header;
  gelf_getehdr(file.Get(), &header);
  Facts facts = Gather(file.Get());
  if (auto refusal = RefuseLinking(path, facts, header.e_type == ET_DYN)) return *refusal;
  if (!facts.debug_info && !allow_no_debug_info) {
    return Error{path +
                 " has no debug information, so no source line could be shown: compile it "
                 "with -g, or give --no-debug-info"};
  }

  ProgramFile program;
  program.path = path;
  char resolved[PATH_MAX];
  program.absolute = realpath(path.c_str(), resolved) != nullptr ? resolved : path;
  program.build_id = facts.build_id.empty() ? SizeAndHash(file.Get()) : facts.build_id;
  program.instrumented = facts.imports_tsan;
  program.debug_info = facts.debug_info;
  program.needed = std::move(facts.needed);
  return program;
}

}  // namespace heddle::session
