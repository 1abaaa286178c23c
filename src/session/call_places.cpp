#include "session/call_places.h"

#include <gelf.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "runtime/prim/code_flow.h"
#include "session/elf_file.h"

namespace heddle::session {
namespace {

// Of a longer name a line has the hash: names of the C++ library take hundreds of characters.
constexpr size_t kLongestName = 24;

std::string ShortName(const std::string& symbol) {
  if (symbol.size() <= kLongestName) return symbol;
  char digits[12];
  std::snprintf(digits, sizeof digits, "~%08x",
                static_cast<unsigned>(base::HashText(symbol.c_str()) >> 32));
  return digits;
}

struct Function {
  std::string name;  // as a line has it
  std::string symbol;
  uint64_t begin, end;
};

struct Section {
  uint64_t begin;
  std::span<const unsigned char> bytes;
};

// The functions and the code of a program's file.
class Code {
 public:
  explicit Code(const std::string& program) : file_(program) {
    size_t names = 0;
    if (file_.Get() == nullptr || elf_getshdrstrndx(file_.Get(), &names) != 0) return;
    for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(file_.Get(), scn)) != nullptr;) {
      GElf_Shdr section;
      if (gelf_getshdr(scn, &section) == nullptr) continue;
      const char* name = elf_strptr(file_.Get(), names, section.sh_name);
      if (section.sh_type == SHT_SYMTAB) AddFunctions(section, elf_getdata(scn, nullptr));
      if (section.sh_type != SHT_PROGBITS || (section.sh_flags & SHF_EXECINSTR) == 0) continue;
      const Elf_Data* data = elf_rawdata(scn, nullptr);
      if (data == nullptr || data->d_buf == nullptr) continue;
      const Section one = {section.sh_addr,
                           {static_cast<const unsigned char*>(data->d_buf), data->d_size}};
      (name != nullptr && std::string_view(name).starts_with(".plt") ? plts_ : code_)
          .push_back(one);
    }
    // One of several with the same name, that no other file sees, is told by its order.
    std::ranges::stable_sort(functions_, {}, &Function::begin);
  }

  const Function* At(uint64_t address) const {
    for (const Function& function : functions_)
      if (address > function.begin && address <= function.end) return &function;
    return nullptr;
  }
  // "name", and "name/2" of the second one.
  std::string NameOf(const Function& function) const {
    size_t number = 1;
    for (const Function& other : functions_) {
      if (&other == &function) break;
      if (other.name == function.name) ++number;
    }
    return function.name + (number > 1 ? "/" + std::to_string(number) : "");
  }
  const Function* Named(std::string_view name) const {
    const size_t slash = name.find('/');
    const std::string_view alone = name.substr(0, slash);
    for (const Function& function : functions_)
      if ((function.name == alone && NameOf(function) == name) || function.symbol == name)
        return &function;
    return nullptr;
  }

  // Where the calls of a function return to that leave the file: through the procedure linkage
  // table, or through a pointer (-fno-plt). They end where the code cannot be read.
  std::vector<uint64_t> CallsOf(const Function& function) const {
    std::vector<uint64_t> returns;
    for (const Section& section : code_) {
      if (function.begin < section.begin || function.end > section.begin + section.bytes.size())
        continue;
      const auto here = reinterpret_cast<uintptr_t>(section.bytes.data());
      const uintptr_t end = here + (function.end - section.begin);
      for (uintptr_t at = here + (function.begin - section.begin); at < end;) {
        const runtime::CodeFlow flow = runtime::FlowAt(at);
        if (flow.next <= at) break;
        const uint64_t target = flow.target == 0 ? 0 : flow.target - here + section.begin;
        if (flow.flow == runtime::Flow::kCall && (flow.target == 0 || LeadsOut(target)))
          returns.push_back(flow.next - here + section.begin);
        at = flow.next;
      }
    }
    return returns;
  }

 private:
  void AddFunctions(const GElf_Shdr& section, Elf_Data* data) {
    const size_t count =
        data != nullptr && section.sh_entsize != 0 ? section.sh_size / section.sh_entsize : 0;
    for (size_t i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) return;
      if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) continue;
      const char* name = elf_strptr(file_.Get(), section.sh_link, symbol.st_name);
      if (name != nullptr)
        functions_.push_back(
            {ShortName(name), name, symbol.st_value, symbol.st_value + symbol.st_size});
    }
  }

  bool LeadsOut(uint64_t target) const {
    return std::ranges::any_of(plts_, [&](const Section& plt) {
      return target >= plt.begin && target < plt.begin + plt.bytes.size();
    });
  }

  ElfFile file_;
  std::vector<Function> functions_;
  std::vector<Section> code_, plts_;
};

// "@" and "!" stand before some places.
size_t MarksOf(const std::string& text) { return text.find_first_not_of("@!"); }

}  // namespace

std::optional<std::string> NameOfPlace(const std::string& program, const std::string& place) {
  const size_t marks = MarksOf(place);
  if (marks == std::string::npos || place.compare(marks, 3, "+0x") != 0) return std::nullopt;
  uint64_t address = 0;
  std::from_chars(place.data() + marks + 3, place.data() + place.size(), address, 16);
  const Code code(program);
  const Function* const function = code.At(address);
  if (function == nullptr) return std::nullopt;
  const std::vector<uint64_t> calls = code.CallsOf(*function);
  const auto call = std::ranges::find(calls, address);
  if (call == calls.end()) return std::nullopt;
  return place.substr(0, marks) + code.NameOf(*function) + "#" +
         std::to_string(call - calls.begin() + 1);
}

std::optional<std::string> PlaceNamed(const std::string& program, const std::string& name) {
  const size_t marks = MarksOf(name), hash = name.rfind('#');
  size_t number = 0;
  if (marks == std::string::npos || hash == std::string::npos || hash < marks) return std::nullopt;
  std::from_chars(name.data() + hash + 1, name.data() + name.size(), number);
  const Code code(program);
  const Function* const function = code.Named(name.substr(marks, hash - marks));
  if (function == nullptr) return std::nullopt;
  const std::vector<uint64_t> calls = code.CallsOf(*function);
  if (number == 0 || number > calls.size()) return std::nullopt;
  char offset[24];
  std::snprintf(offset, sizeof offset, "+0x%llx",
                static_cast<unsigned long long>(calls[number - 1]));
  return name.substr(0, marks) + offset;
}

}  // namespace heddle::session
