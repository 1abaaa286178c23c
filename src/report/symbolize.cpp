#include "report/symbolize.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "report/scopes.h"

namespace heddle::report {
namespace {

const Module* Find(const std::vector<Module>& modules, uint64_t address) {
  for (const Module& module : modules) {
    if (address >= module.begin && address < module.end) return &module;
  }
  return nullptr;
}

bool IsHeddleModule(const std::string& path) {
  return std::filesystem::path(path).filename().string().starts_with("libheddle.so");
}

bool IsSystemModule(const std::string& path) {
  return path.starts_with("/usr/lib") || path.starts_with("/lib") || path.starts_with("[");
}

std::string Normal(const std::string& file, const char* folder) {
  std::filesystem::path path = file;
  if (path.is_relative() && folder != nullptr) path = std::filesystem::path(folder) / path;
  return path.lexically_normal().string();
}

// "testing::internal::", the namespaces around a function.
std::string NamespacesOf(const Dwarf_Die* function) {
  Dwarf_Die written = *function;
  for (const unsigned where : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute attribute;
    Dwarf_Die other;
    if (dwarf_formref_die(dwarf_attr(&written, where, &attribute), &other) != nullptr)
      written = other;
  }
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&written, &scopes);
  std::string names;
  for (int i = 0; i < count; ++i) {
    const char* name =
        dwarf_tag(&scopes[i]) == DW_TAG_namespace ? dwarf_diename(&scopes[i]) : nullptr;
    if (name != nullptr) names.insert(0, std::string(name) + "::");
  }
  std::free(scopes);
  return names;
}

// Clang makes variables of their own, "_ZL4head.0", of the members of one that nobody else sees.
std::string WithoutPart(const std::string& symbol) {
  const size_t dot = symbol.find_last_not_of("0123456789");
  const bool part =
      dot != std::string::npos && dot != 0 && symbol[dot] == '.' && dot + 1 < symbol.size();
  return part ? symbol.substr(0, dot) : symbol;
}

// GCC marks variables whose type has a std::string in it: "names[abi:cxx11]". The source does not.
std::string WithoutAbiTags(std::string name) {
  for (size_t begin; (begin = name.find("[abi:")) != std::string::npos;) {
    const size_t end = name.find(']', begin);
    if (end == std::string::npos) break;
    name.erase(begin, end + 1 - begin);
  }
  return name;
}

// Of a function, or of the one that was inlined; 0: it has no such attribute.
uint32_t Number(Dwarf_Die* function, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  dwarf_formudata(dwarf_attr_integrate(function, name, &attribute), &number);
  return static_cast<uint32_t>(number);
}

uint32_t DeclaredAt(Dwarf_Die* function) { return Number(function, DW_AT_decl_line); }

const char* CompilationFolder(Dwarf_Die* unit) {
  Dwarf_Attribute attribute;
  return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

// Where an inlined function was called.
Location CallSite(Dwarf_Die* inlined, Dwarf_Die* unit) {
  Location location;
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &number) == 0) {
    location.line = static_cast<uint32_t>(number);
  }
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_column, &attribute), &number) == 0)
    location.column = static_cast<uint32_t>(number);
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) == 0 &&
      dwarf_getsrcfiles(unit, &files, &count) == 0 && number < count) {
    const char* name = dwarf_filesrc(files, number, nullptr, nullptr);
    if (name != nullptr) location.file = Normal(name, CompilationFolder(unit));
  }
  return location;
}

}  // namespace

std::string FunctionName(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    const char* text = dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
    if (text != nullptr) return ShortFunctionName(Demangled(text));
  }
  // One that no other file can call has no such name. Which of them are a test framework's, only
  // their namespaces tell.
  const char* text = dwarf_diename(die);
  if (text == nullptr) return "";
  const std::string whole = NamespacesOf(die) + text;
  return IsTestFramework(whole) ? whole : text;
}

// One mapped file, reported to libdwfl as if it were loaded at bias 0.
class Symbolizer::File {
 public:
  explicit File(const std::string& path)
      : dwfl_(dwfl_begin(IsSystemModule(path) ? &kSystemCallbacks : &kCallbacks)),
        names_only_(IsHeddleModule(path)) {
    if (dwfl_ == nullptr) return;
    dwfl_report_begin(dwfl_);
    module_ = dwfl_report_elf(dwfl_, path.c_str(), path.c_str(), -1, 0, true);
    dwfl_report_end(dwfl_, nullptr, nullptr);
    GElf_Addr bias = 0;
    if (module_ != nullptr && dwfl_module_getelf(module_, &bias) != nullptr) bias_ = bias;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (dwfl_ != nullptr) dwfl_end(dwfl_);
  }

  std::vector<Frame> Frames(uint64_t address) {
    std::vector<Frame> frames;
    if (module_ == nullptr) return frames;
    address += bias_;
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = names_only_ ? nullptr : UnitAt(address, &bias);
    Location here = LineAt(unit, address - bias);
    std::vector<Dwarf_Die> scopes;
    if (unit != nullptr) scopes = scopes_.At(unit, address - bias);
    for (Dwarf_Die& scope : scopes) {
      int tag = dwarf_tag(&scope);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
      here.function = FunctionName(&scope);
      frames.push_back({here, "", false, DeclaredAt(&scope)});
      frames.back().is_rest = here.line == DeclaredAt(&scope) && here.column != 0 &&
                              here.column == Number(&scope, DW_AT_decl_column);
      if (tag == DW_TAG_subprogram) {
        const char* symbol = dwfl_module_addrname(module_, address);
        frames.back().is_part = symbol != nullptr && std::strstr(symbol, ".part.") != nullptr;
        break;
      }
      here = CallSite(&scope, unit);
    }
    if (frames.empty()) {
      const char* name = dwfl_module_addrname(module_, address);
      if (name != nullptr) here.function = ShortFunctionName(Demangled(name));
      frames.push_back({here, "", false, 0});
    }
    return frames;
  }

  std::string Unit(uint64_t address) {
    if (module_ == nullptr) return "";
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = UnitAt(address + bias_, &bias);
    const char* name = unit != nullptr ? dwarf_diename(unit) : nullptr;
    return name != nullptr ? name : "";
  }

  std::vector<Dwarf_Die> TypesNamed(uint64_t address, const std::string& name) {
    if (module_ == nullptr || names_only_) return {};
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = UnitAt(address + bias_, &bias);
    return unit != nullptr ? report::TypesNamed(unit, name) : std::vector<Dwarf_Die>();
  }

  Variable Global(uint64_t address, std::optional<Dwarf_Die> as) {
    if (module_ == nullptr) return {};
    address += bias_;
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char* name =
        dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr);
    if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size) {
      return {};
    }
    auto [type, fresh] = globals_.try_emplace(address - offset);
    if (fresh) {
      Dwarf_Addr bias = 0;
      Dwarf* dwarf = dwfl_module_getdwarf(module_, &bias);
      if (dwarf != nullptr) type->second = TypeOfGlobal(dwarf, address - offset - bias);
    }
    Variable found = type->second ? MemberOf(*type->second, offset, as) : Variable();
    const bool whole = !found.name.empty() || offset == 0;
    found.name = WithoutAbiTags(Demangled(WithoutPart(name).c_str())) +
                 (whole ? found.name : "+" + std::to_string(offset));
    return found;
  }

  Variable Local(uint64_t pc, uint64_t begin, uint64_t end, uint64_t address,
                 std::optional<Dwarf_Die> as) {
    if (module_ == nullptr || names_only_) return {};
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = UnitAt(pc + bias_, &bias);
    if (unit == nullptr) return {};
    const uint64_t at = pc + bias_ - bias;
    std::vector<Dwarf_Die> scopes = scopes_.At(unit, at);
    return LocalVariable(scopes, {at, begin, end}, address, as);
  }

 private:
  static constexpr Dwfl_Callbacks kCallbacks = {.find_elf = dwfl_build_id_find_elf,
                                                .find_debuginfo = dwfl_standard_find_debuginfo,
                                                .section_address = dwfl_offline_section_address,
                                                .debuginfo_path = nullptr};
  // Distributions' debug information is found by build-id. To look for more loads libdebuginfod
  // and thirty libraries that it needs.
  static constexpr Dwfl_Callbacks kSystemCallbacks = [] {
    Dwfl_Callbacks callbacks = kCallbacks;
    callbacks.find_debuginfo = dwfl_build_id_find_debuginfo;
    return callbacks;
  }();

  // The compilation unit of `address`, which is at address - *bias in its debug information.
  Dwarf_Die* UnitAt(uint64_t address, Dwarf_Addr* bias) {
    Dwarf_Die* unit = dwfl_module_addrdie(module_, address, bias);
    if (unit != nullptr) return unit;
    // Clang writes no .debug_aranges: look through all units.
    while ((unit = dwfl_module_nextcu(module_, unit, bias)) != nullptr) {
      if (dwarf_haspc(unit, address - *bias) > 0) return unit;
    }
    return nullptr;
  }

  static Location LineAt(Dwarf_Die* unit, uint64_t address) {
    Location location;
    Dwarf_Line* line = unit != nullptr ? dwarf_getsrc_die(unit, address) : nullptr;
    if (line == nullptr) return location;
    int number = 0;
    dwarf_lineno(line, &number);
    const char* file = dwarf_linesrc(line, nullptr, nullptr);
    if (file != nullptr) location.file = Normal(file, CompilationFolder(unit));
    location.line = static_cast<uint32_t>(number);
    int column = 0;
    dwarf_linecol(line, &column);
    location.column = static_cast<uint32_t>(column);
    return location;
  }

  Dwfl* dwfl_;
  const bool names_only_;  // nobody wants the lines: what a program calls is told by its name
  Dwfl_Module* module_ = nullptr;
  uint64_t bias_ = 0;
  Scopes scopes_;
  std::map<uint64_t, std::optional<Dwarf_Die>> globals_;  // their types, by address
};

Symbolizer::Symbolizer() {
  unsetenv("DEBUGINFOD_URLS");  // libdwfl would ask the network for every library without debug
                                // information
}

Symbolizer::~Symbolizer() = default;

Symbolizer::File* Symbolizer::FileOf(const Module& module) {
  std::unique_ptr<File>& file = files_[module.path];
  if (file == nullptr) file = std::make_unique<File>(module.path);
  return file.get();
}

const std::vector<Frame>& Symbolizer::Frames(const std::vector<Module>& modules, uint64_t pc,
                                             bool exact) {
  static const std::vector<Frame> kUnknown(1);
  const Module* module = Find(modules, pc);
  if (module == nullptr) return kUnknown;
  uint64_t address = pc - module->bias - (exact ? 0 : 1);
  auto [entry, fresh] = frames_.try_emplace({module->path, address});
  if (!fresh) return entry->second;
  entry->second = FileOf(*module)->Frames(address);
  if (entry->second.empty()) entry->second.emplace_back();
  for (Frame& frame : entry->second) {
    frame.module = module->path;
    frame.library = IsHeddleModule(module->path) || IsSystemModule(module->path) ||
                    IsLibrarySource(frame.location.file) ||
                    IsTestFramework(frame.location.function);
  }
  return entry->second;
}

std::vector<Frame> Symbolizer::Stack(const std::vector<Module>& modules,
                                     std::span<const uint64_t> pcs, bool exact) {
  std::vector<Frame> stack;
  for (size_t i = 0; i < pcs.size(); ++i) {
    AppendFrames(stack, Frames(modules, pcs[i], i == 0 && exact));
  }
  return stack;
}

void AppendFrames(std::vector<Frame>& stack, const std::vector<Frame>& frames) {
  for (size_t i = 0; i < frames.size(); ++i) {
    const bool holds_part = i == 0 ? !stack.empty() && stack.back().is_part : frames[i].is_rest;
    const bool same =
        !stack.empty() && stack.back().location.function == frames[i].location.function;
    if (!holds_part || !same) stack.push_back(frames[i]);
  }
}

std::string Symbolizer::Unit(const std::vector<Module>& modules, uint64_t pc) {
  const Module* module = Find(modules, pc);
  return module != nullptr ? FileOf(*module)->Unit(pc - module->bias) : "";
}

Variable Symbolizer::Global(const std::vector<Module>& modules, uint64_t address,
                            std::optional<Dwarf_Die> as) {
  const Module* module = Find(modules, address);
  if (module == nullptr || IsHeddleModule(module->path)) return {};
  return FileOf(*module)->Global(address - module->bias, as);
}

Variable Symbolizer::Local(const std::vector<Module>& modules, uint64_t pc, uint64_t begin,
                           uint64_t end, uint64_t address, std::optional<Dwarf_Die> as) {
  const Module* module = Find(modules, pc);
  if (module == nullptr || IsHeddleModule(module->path) || IsSystemModule(module->path)) return {};
  return FileOf(*module)->Local(pc - module->bias - 1, begin, end, address, as);
}

std::vector<Dwarf_Die> Symbolizer::TypesNamed(const std::vector<Module>& modules, uint64_t pc,
                                              const std::string& name) {
  const Module* module = Find(modules, pc);
  if (module == nullptr || IsHeddleModule(module->path) || IsSystemModule(module->path)) return {};
  return FileOf(*module)->TypesNamed(pc - module->bias - 1, name);
}

bool IsLibrarySource(const std::string& file) {
  for (const char* prefix : {"/usr/include/", "/usr/lib/"}) {
    if (file.starts_with(prefix)) return true;
  }
  return file.ends_with("/heddle.h") || file.ends_with("/heddle.hpp");
}

bool IsTestFramework(const std::string& function) {
  // A class that GoogleTest's macros make is in the namespace of the test, which may be testing.
  if (function.find("_Test::TestBody") != std::string::npos) return false;
  for (const char* prefix : {"testing::", "Catch::", "doctest::"})
    if (function.starts_with(prefix)) return true;
  return false;
}

std::string Demangled(const char* name) {
  if (std::string_view(name).substr(0, 2) != "_Z") return name;  // "a" would be a type: signed char
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return result;
}

std::string ShortFunctionName(const std::string& name) {
  std::string text = name;
  for (std::string_view suffix : {" [clone .cold]", " &&", " &", " volatile", " const"}) {
    if (text.ends_with(suffix)) text.resize(text.size() - suffix.size());
  }
  // The last parenthesis group at the end is the parameter list.
  if (text.ends_with(')')) {
    int depth = 0;
    for (size_t i = text.size(); i-- > 0;) {
      if (text[i] == ')') ++depth;
      if (text[i] == '(' && --depth == 0) {
        if (i > 0) text.resize(i);
        break;
      }
    }
  }
  // A function template's name begins with its return type: cut at the last space outside all
  // brackets.
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 8, "operator") == 0) break;
    if (text[i] == '<' || text[i] == '(' || text[i] == '{' || text[i] == '[') ++depth;
    if (text[i] == '>' || text[i] == ')' || text[i] == '}' || text[i] == ']') --depth;
    if (text[i] == ' ' && depth == 0) begin = i + 1;
  }
  return text.substr(begin);
}

Location ProgramsOwn(const std::vector<Frame>& stack) {
  for (const Frame& frame : stack) {
    if (!frame.library && !frame.location.file.empty()) return frame.location;
  }
  for (const Frame& frame : stack) {
    if (!frame.library && !frame.location.function.empty()) return frame.location;
  }
  return stack.empty() ? Location() : stack.front().location;
}

}  // namespace heddle::report
