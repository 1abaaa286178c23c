#include "session/unseen_code.h"

#include <gelf.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "op/code_mark.h"
#include "session/code_gaps.h"
#include "session/elf_file.h"
#include "session/toolchain_code.h"

namespace heddle::session {
namespace {

// Ranges that do not overlap, ordered.
bool Contains(const std::vector<CodeRange>& ranges, uint64_t address) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), address,
                       [](uint64_t value, const CodeRange& range) { return value < range.end; });
  return after != ranges.end() && after->begin <= address;
}

class Finder {
 public:
  explicit Finder(Elf* elf) : elf_(elf) {}

  UnseenCode Run() {
    GElf_Ehdr header;
    if (gelf_getehdr(elf_, &header) == nullptr || elf_getshdrstrndx(elf_, &names_) != 0) return {};
    start_ = header.e_entry;
    EachSection([&](const GElf_Shdr& section, std::string_view name, Elf_Scn* scn) {
      if (IsCode(section, name)) ReadCode(section, scn);
    });
    for (std::vector<CodeRange>* ranges : {&code_, &seen_}) {
      std::sort(ranges->begin(), ranges->end(),
                [](const CodeRange& a, const CodeRange& b) { return a.begin < b.begin; });
    }
    EachSection([&](const GElf_Shdr& section, std::string_view, Elf_Scn* scn) {
      const bool symbols = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM;
      if (symbols) ReadSymbols(section, elf_getdata(scn, nullptr));
    });
    if (!found_.functions.empty()) RemoveToolchainCode(found_.functions);
    if (!found_.functions.empty()) found_.test_frameworks = RemoveTestFrameworks(found_.functions);
    std::sort(
        found_.functions.begin(), found_.functions.end(),
        [](const UnseenFunction& a, const UnseenFunction& b) { return a.address < b.address; });
    EachSection([&](const GElf_Shdr& section, std::string_view name, Elf_Scn* scn) {
      if (name == ".eh_frame") frames_ = {section.sh_addr, elf_getdata(scn, nullptr)};
    });
    EachSection([&](const GElf_Shdr& section, std::string_view name, Elf_Scn* scn) {
      if (name == ".eh_frame_hdr") ReadFrames(section, elf_getdata(scn, nullptr));
    });
    if (has_symbols_) FindNameless();
    return std::move(found_);
  }

 private:
  template <typename Visit>
  void EachSection(Visit visit) {
    for (Elf_Scn* scn = elf_nextscn(elf_, nullptr); scn != nullptr; scn = elf_nextscn(elf_, scn)) {
      GElf_Shdr section;
      if (gelf_getshdr(scn, &section) == nullptr) continue;
      const char* name = elf_strptr(elf_, names_, section.sh_name);
      visit(section, name != nullptr ? name : "", scn);
    }
  }

  // Linkers make .plt and its kin; the pieces of .init and .fini are those of crti.o and crtn.o.
  static bool IsCode(const GElf_Shdr& section, std::string_view name) {
    return section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_EXECINSTR) != 0 &&
           !name.starts_with(".plt") && name != ".iplt" && name != ".init" && name != ".fini";
  }

  void ReadCode(const GElf_Shdr& section, Elf_Scn* scn) {
    code_.push_back({section.sh_addr, section.sh_addr + section.sh_size});
    Elf_Data* data = elf_rawdata(scn, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return;
    const auto* bytes = static_cast<const char*>(data->d_buf);
    for (size_t at = 0; at + op::kCodeMarkSize <= data->d_size;) {
      const void* mark =
          memmem(bytes + at, data->d_size - at, op::kCodeMark.data(), op::kCodeMark.size());
      if (mark == nullptr) break;
      const auto end = static_cast<size_t>(static_cast<const char*>(mark) - bytes);
      at = end + op::kCodeMarkSize;
      if (at > data->d_size) break;
      known_.push_back({section.sh_addr + end, section.sh_addr + at});
      uint32_t length = 0;
      std::memcpy(&length, bytes + end + op::kCodeMark.size(), sizeof length);
      if (length > 0 && length <= end)
        seen_.push_back({section.sh_addr + end - length, section.sh_addr + end});
    }
  }

  bool IsUnseen(uint64_t address) const {
    return Contains(code_, address) && !Contains(seen_, address);
  }

  void ReadSymbols(const GElf_Shdr& section, Elf_Data* data) {
    const size_t count =
        data != nullptr && section.sh_entsize != 0 ? section.sh_size / section.sh_entsize : 0;
    has_symbols_ |= section.sh_type == SHT_SYMTAB && count > 1;
    std::string_view file;  // of the local symbols that follow
    for (size_t i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      const char* name = elf_strptr(elf_, section.sh_link, symbol.st_name);
      const unsigned char type = GELF_ST_TYPE(symbol.st_info);
      if (name == nullptr) continue;
      if (type == STT_FILE) file = name;
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS) continue;
      const bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
      // Functions in assembly may lack a type.
      const bool code = type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && !local);
      if (code || type == STT_OBJECT) AddKnown(symbol, name);
      if (!code || *name == '\0' || !IsUnseen(symbol.st_value)) continue;
      if (!named_.insert(symbol.st_value).second || IsStartCode(name)) continue;
      found_.functions.push_back(
          {symbol.st_value, symbol.st_size, name, std::string(local ? file : "")});
    }
  }

  // Counts the functions in the table that no symbol stands for. Its format: Linux Standard Base
  // 5.0, 10.6.2; linkers write it with these encodings.
  void ReadFrames(const GElf_Shdr& section, Elf_Data* data) {
    constexpr unsigned char kUsual[] = {1, 0x1b, 0x03, 0x3b};
    constexpr size_t kHeader = 12, kEntry = 8;
    if (data == nullptr || data->d_buf == nullptr || data->d_size < kHeader) return;
    const auto* bytes = static_cast<const char*>(data->d_buf);
    if (std::memcmp(bytes, kUsual, sizeof kUsual) != 0) return;
    uint32_t count = 0;
    std::memcpy(&count, bytes + 8, sizeof count);
    for (size_t i = 0; i < count && kHeader + (i + 1) * kEntry <= data->d_size; ++i) {
      int32_t offset = 0;
      std::memcpy(&offset, bytes + kHeader + i * kEntry, sizeof offset);
      const uint64_t address = section.sh_addr + static_cast<uint64_t>(int64_t{offset});
      std::memcpy(&offset, bytes + kHeader + i * kEntry + 4, sizeof offset);
      AddFrame(address, section.sh_addr + static_cast<uint64_t>(int64_t{offset}));
      if (address == start_ || named_.contains(address) || !IsUnseen(address)) continue;
      ++found_.nameless;
    }
  }

  // A symbol without a size stands for all that follows, up to what is known next: functions in
  // assembly.
  void AddKnown(const GElf_Sym& symbol, const char* name) {
    if (symbol.st_size != 0)
      known_.push_back({symbol.st_value, symbol.st_value + symbol.st_size});
    else if (IsStartCode(name))
      start_code_.push_back(symbol.st_value);
    else if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT && IsUnseen(symbol.st_value))
      open_.push_back(symbol.st_value);
  }

  // The function at `address`, described at `frame` (Linux Standard Base 5.0, 10.6.1.2).
  void AddFrame(uint64_t address, uint64_t frame) {
    constexpr size_t kBegin = 8, kRange = 12, kSize = 16;
    const uint64_t at = frame - frames_.address;
    if (frames_.data == nullptr || frames_.data->d_buf == nullptr || frame < frames_.address ||
        frames_.data->d_size < kSize || at > frames_.data->d_size - kSize) {
      if (IsUnseen(address)) open_.push_back(address);
      return;
    }
    const auto* bytes = static_cast<const char*>(frames_.data->d_buf) + at;
    int32_t begin = 0;
    uint32_t length = 0;
    std::memcpy(&begin, bytes + kBegin, sizeof begin);
    std::memcpy(&length, bytes + kRange, sizeof length);
    // Relative to itself, in 4 bytes: what compilers write, but for large models of code.
    if (frame + kBegin + static_cast<uint64_t>(int64_t{begin}) == address)
      known_.push_back({address, address + length});
    else if (IsUnseen(address))
      open_.push_back(address);
  }

  // Code that neither a symbol nor the table stands for.
  void FindNameless() {
    known_.insert(known_.end(), seen_.begin(), seen_.end());
    // The code that starts programs has neither. On another machine than the program's it may not
    // be known, and then its names are, if these were left in.
    bool found_start = false;
    EachCode([&](std::string_view, uint64_t address, std::span<const unsigned char> code) {
      if (std::optional<CodeRange> start = FindStartCode(address, code)) {
        known_.push_back(*start);
        found_start = true;
      }
    });
    if (!found_start && start_code_.empty()) return;
    if (!found_start) open_.insert(open_.end(), start_code_.begin(), start_code_.end());
    const auto by_begin = [](const CodeRange& a, const CodeRange& b) { return a.begin < b.begin; };
    std::sort(known_.begin(), known_.end(), by_begin);
    std::sort(open_.begin(), open_.end());
    for (size_t i = 0, count = known_.size(); i < open_.size(); ++i) {
      const auto last = known_.begin() + static_cast<ptrdiff_t>(count);
      const auto next = std::upper_bound(known_.begin(), last, CodeRange{open_[i], 0}, by_begin);
      known_.push_back({open_[i], next != last ? next->begin : UINT64_MAX});
    }
    std::sort(known_.begin(), known_.end(), by_begin);
    EachCode([&](std::string_view name, uint64_t address, std::span<const unsigned char> code) {
      for (const CodeRange& gap : FindGaps(address, code, known_)) {
        char offset[24];
        std::snprintf(offset, sizeof offset, "+0x%llx",
                      static_cast<unsigned long long>(gap.begin - address));
        found_.functions.push_back(
            {gap.begin, gap.end - gap.begin, std::string(name) + offset, ""});
      }
    });
  }

  template <typename Visit>
  void EachCode(Visit visit) {
    EachSection([&](const GElf_Shdr& section, std::string_view name, Elf_Scn* scn) {
      Elf_Data* data = IsCode(section, name) ? elf_rawdata(scn, nullptr) : nullptr;
      if (data == nullptr || data->d_buf == nullptr) return;
      visit(name, section.sh_addr,
            std::span(static_cast<const unsigned char*>(data->d_buf), data->d_size));
    });
  }

  struct Frames {
    uint64_t address = 0;
    Elf_Data* data = nullptr;
  };

  Elf* elf_;
  size_t names_ = 0;
  uint64_t start_ = 0;  // the entry point: crt1.o's
  std::vector<CodeRange> code_, seen_;
  std::vector<CodeRange> known_;  // what symbols and the table stand for, and the marks themselves
  std::vector<uint64_t> open_;    // begins of what is known, without an end
  std::vector<uint64_t> start_code_;  // of the code that starts programs, without a size
  Frames frames_;
  bool has_symbols_ = false;  // more than those for linking at run time
  std::set<uint64_t> named_;  // addresses of functions that are not seen and have a symbol
  UnseenCode found_;
};

}  // namespace

UnseenCode FindUnseenCode(const std::string& path) {
  ElfFile file(path);
  if (file.Get() == nullptr || elf_kind(file.Get()) != ELF_K_ELF) return {};
  return Finder(file.Get()).Run();
}

}  // namespace heddle::session
