#include "session/newer_sources.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <string_view>

#include "session/elf_file.h"

namespace heddle::session {
namespace {

namespace fs = std::filesystem;

bool IsLater(const timespec& a, const timespec& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

// What the distribution brought along. Its units are not even opened: libstdc++ alone, linked
// statically, has more of them than most programs.
bool IsSystems(std::string_view path) { return path.starts_with("/usr/"); }

class Search {
 public:
  explicit Search(const struct stat& program) : latest_(program.st_mtim), built_(program.st_mtim) {}

  void LookAtUnit(Dwarf_Die* unit) {
    Dwarf_Attribute attribute;
    const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    const char* name = dwarf_diename(unit);
    const fs::path base = folder != nullptr ? folder : "";
    if (name != nullptr && IsSystems((base / name).native())) return;
    Dwarf_Files* files = nullptr;
    size_t count = 0;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0) return;
    for (size_t i = 0; i < count; ++i) {
      const char* file = dwarf_filesrc(files, i, nullptr, nullptr);
      if (file != nullptr) LookAtFile(base / file);
    }
  }

  std::optional<NewerSources> Answer() const {
    if (newest_.empty()) return std::nullopt;
    return NewerSources{newest_, newer_ - 1};
  }

 private:
  void LookAtFile(const fs::path& path) {
    const std::string file = path.lexically_normal().native();
    if (IsSystems(file) || !seen_.insert(file).second) return;
    struct stat status;
    // Not there, or "<built-in>", or a folder: nothing can be said.
    if (stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    if (!IsLater(status.st_mtim, built_)) return;
    ++newer_;
    if (!IsLater(status.st_mtim, latest_)) return;
    latest_ = status.st_mtim;
    newest_ = file;
  }

  timespec latest_;
  const timespec built_;
  std::set<std::string> seen_;  // headers are named by many units
  std::string newest_;
  size_t newer_ = 0;
};

}  // namespace

std::optional<NewerSources> FindNewerSources(const std::string& program) {
  struct stat status;
  const ElfFile file(program);
  if (file.Get() == nullptr || fstat(file.Descriptor(), &status) != 0) return std::nullopt;
  Dwarf* dwarf = dwarf_begin_elf(file.Get(), DWARF_C_READ, nullptr);
  if (dwarf == nullptr) return std::nullopt;  // without debug information
  Search search(status);
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  uint8_t kind;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, &kind, &die, nullptr) == 0) {
    if (kind == DW_UT_compile || kind == DW_UT_skeleton) search.LookAtUnit(&die);
  }
  dwarf_end(dwarf);
  return search.Answer();
}

}  // namespace heddle::session
