#include "report/allocated_type.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>

namespace heddle::report {
namespace {

bool IsOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Behind the `<` at begin - 1: the first argument of a template.
std::string FirstArgument(std::string_view text, size_t begin) {
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    const bool ends = depth == 0 && (text[i] == ',' || text[i] == '>');
    if (ends) {
      std::string argument(text.substr(begin, i - begin));
      while (argument.ends_with(' ')) argument.pop_back();
      return argument;
    }
    if (text[i] == '<' || text[i] == '(') ++depth;
    if (text[i] == '>' || text[i] == ')') --depth;
  }
  return "";
}

// Does a `*` follow? Then pointers to what stands before it are meant.
bool IsPointerAt(std::string_view text, size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  return at < text.size() && text[at] == '*';
}

// The type that begins at `at`: "Task", "struct task", "ns::Node<int>"; without `struct` and
// namespaces, as debug information has it. Empty: none, or a pointer.
std::string TypeAt(std::string_view text, size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  for (const std::string_view word : {"const ", "struct ", "class ", "union ", "unsigned "})
    if (text.substr(at).starts_with(word)) at += word.size();
  size_t begin = at;
  while (at < text.size()) {
    if (IsOfName(text[at])) {
      ++at;
    } else if (text.substr(at).starts_with("::")) {
      at += 2;
      begin = at;
    } else {
      break;
    }
  }
  std::string name(text.substr(begin, at - begin));
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return "";
  if (at < text.size() && text[at] == '<') {
    int depth = 0;
    for (size_t i = at; i < text.size(); ++i) {
      if (text[i] == '<') ++depth;
      if (text[i] != '>' || --depth != 0) continue;
      return IsPointerAt(text, i + 1) ? "" : name + std::string(text.substr(at, i + 1 - at));
    }
  }
  return IsPointerAt(text, at) ? "" : name;
}

std::string WithoutNamespaces(const std::string& type) {
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < type.size(); ++i) {
    if (type[i] == '<') ++depth;
    if (type[i] == '>') --depth;
    if (depth == 0 && type[i] == ':') begin = i + 1;
  }
  return type.substr(begin);
}

// Is the word at `at` one of its own?
bool IsWord(std::string_view text, size_t at) { return at == 0 || !IsOfName(text[at - 1]); }

void AddAll(std::string_view line, std::string_view before, std::vector<std::string>& types) {
  for (size_t at = line.find(before); at != line.npos; at = line.find(before, at + 1)) {
    if (!IsWord(line, at)) continue;
    if (std::string type = TypeAt(line, at + before.size()); !type.empty())
      types.push_back(std::move(type));
  }
}

// "Task *t = malloc(...)", "(Task *)malloc(...)": what stands before the first `*` on the left.
void AddPointer(std::string_view line, std::vector<std::string>& types) {
  size_t call = line.npos;
  for (const std::string_view name : {"malloc(", "calloc(", "aligned_alloc("})
    call = std::min(call, line.find(name));
  if (call == line.npos) return;
  for (size_t star = line.find('*'); star != line.npos && star < call;
       star = line.find('*', star + 1)) {
    if (IsPointerAt(line, star + 1)) continue;
    size_t end = star;
    while (end > 0 && line[end - 1] == ' ') --end;
    size_t begin = end;
    while (begin > 0 && IsOfName(line[begin - 1])) --begin;
    if (begin != end) types.emplace_back(line.substr(begin, end - begin));
  }
}

// "list->first = malloc(...)": what `first` points to.
void AddAssigned(std::string_view line, std::vector<std::string>& types) {
  size_t call = line.npos;
  for (const std::string_view name : {"malloc(", "calloc(", "aligned_alloc("})
    call = std::min(call, line.find(name));
  const size_t equals = line.substr(0, call).rfind('=');
  if (call == line.npos || equals == line.npos || equals == 0) return;
  if (std::string_view("=!<>+-").find(line[equals - 1]) != line.npos) return;
  size_t end = equals;
  while (end > 0 && line[end - 1] == ' ') --end;
  size_t begin = end;
  while (begin > 0 && IsOfName(line[begin - 1])) --begin;
  if (begin != end) types.push_back("*" + std::string(line.substr(begin, end - begin)));
}

// As large as the block behind its header, or an array of it that fills the block.
std::optional<Dwarf_Die> Fitting(Symbolizer& symbolizer, const std::vector<Module>& modules,
                                 const HeapBlock& block, const std::string& name, uint64_t header,
                                 bool may_be_array) {
  for (uint32_t i = 0; i < block.record.frames; ++i) {
    for (const Dwarf_Die& type : symbolizer.TypesNamed(modules, block.record.pc[i], name)) {
      const uint64_t size = SizeOf(type);
      if (size == 1 || block.record.bytes < header) continue;  // bytes are what every block is of
      const uint64_t room = block.record.bytes - header;
      constexpr uint64_t kPadding = 8;  // behind what is less aligned than the counts
      const bool fits = header != 0 ? size <= room && room < size + kPadding
                                    : room == size || (may_be_array && room % size == 0);
      if (fits) return type;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> TypesInLine(const std::string& line) {
  std::vector<std::string> types;
  AddAll(line, "new (std::nothrow) ", types);
  AddAll(line, "new ", types);
  AddAll(line, "sizeof(", types);
  AddAll(line, "sizeof (", types);
  AddPointer(line, types);
  AddAssigned(line, types);
  return types;
}

std::string TypeInFunction(const std::string& function) {
  for (const std::string_view what :
       {"_Sp_counted_ptr_inplace<", "__shared_ptr_emplace<", "make_unique<"}) {
    const size_t at = function.find(what);
    if (at != std::string::npos)
      return WithoutNamespaces(FirstArgument(function, at + what.size()));
  }
  // A container's elements, unless they are its own nodes.
  if (const size_t at = function.find("new_allocator<");
      at != std::string::npos && function.ends_with("::allocate")) {
    const std::string type =
        WithoutNamespaces(FirstArgument(function, at + std::string_view("new_allocator<").size()));
    if (!type.starts_with('_')) return type;
  }
  return "";
}

void LearnAllocated(HeapBlock& block, Symbolizer& symbolizer, const std::vector<Module>& modules,
                    SourceFiles* source) {
  constexpr uint64_t kCounts = 16, kLongCounts = 24;  // libstdc++'s, libc++'s; with a vtable
  bool directly = true;                               // nothing but operator new lies between
  for (uint32_t i = 0; i < block.record.frames; ++i) {
    const std::vector<Frame>& frames = symbolizer.Frames(modules, block.record.pc[i], false);
    for (const Frame& frame : frames) {
      if (!frame.library) {
        // The program's own line, and nothing of a library's between it and the allocation.
        const bool own = directly && &frame == &frames.front();
        if (!own || source == nullptr) return;
        const std::string& line = source->Line(frame.location.file, frame.location.line);
        // Of a sum of sizes the block is no array.
        const bool sums = line.find("sizeof") != line.npos && line.find('+') != line.npos;
        for (const std::string& name : TypesInLine(line)) {
          block.type = Fitting(symbolizer, modules, block, name, 0, !sums);
          if (block.type) return;
        }
        return;
      }
      const std::string& function = frame.location.function;
      directly &= function.starts_with("operator new");
      const std::string name = TypeInFunction(function);
      if (name.empty()) continue;
      const uint64_t header = function.find("_Sp_counted") != std::string::npos ? kCounts
                              : function.find("__shared_ptr_emplace") != std::string::npos
                                  ? kLongCounts
                                  : 0;
      block.type = Fitting(symbolizer, modules, block, name, header, header == 0);
      if (block.type) block.header = header;
      if (block.type) return;
    }
  }
}

}  // namespace heddle::report
