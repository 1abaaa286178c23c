// From addresses to names, by DWARF and the symbol tables (elfutils libdw). Used for findings only,
// after the program is gone: its files are read, not its process.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/records.h"
#include "report/search_result.h"
#include "report/variable_name.h"

namespace heddle::report {

class Symbolizer {
 public:
  Symbolizer();
  ~Symbolizer();

  // The frames at `pc`, innermost first: more than one where functions were inlined, one without a
  // file where nothing is known. `exact`: pc is the instruction itself, not a return address.
  const std::vector<Frame>& Frames(const std::vector<Module>& modules, uint64_t pc, bool exact);

  // Those of all return addresses, innermost first. `exact`: of the first one.
  std::vector<Frame> Stack(const std::vector<Module>& modules, std::span<const uint64_t> pcs,
                           bool exact);

  // The source file of the unit that the code at `pc` was compiled from, as the compiler was given
  // it, or empty.
  std::string Unit(const std::vector<Module>& modules, uint64_t pc);

  // The global variable at `address` ("accounts[1].lock", "accounts+16"), or nothing.
  // `as`: MemberOf.
  Variable Global(const std::vector<Module>& modules, uint64_t address,
                  std::optional<Dwarf_Die> as = std::nullopt);

  // The local variable at `address`, in a frame that reaches from `begin` to `end` and whose code
  // returns to `pc`, or nothing.
  Variable Local(const std::vector<Module>& modules, uint64_t pc, uint64_t begin, uint64_t end,
                 uint64_t address, std::optional<Dwarf_Die> as = std::nullopt);

  // The types of this name, without namespaces, in the unit of the code that returns to `pc`.
  std::vector<Dwarf_Die> TypesNamed(const std::vector<Module>& modules, uint64_t pc,
                                    const std::string& name);

 private:
  class File;
  File* FileOf(const Module& module);

  std::map<std::string, std::unique_ptr<File>> files_;
  // By file and address in it.
  std::map<std::pair<std::string, uint64_t>, std::vector<Frame>> frames_;
};

// Adds `frames`, those of the next return address. A function that was split, and its part that it
// calls, or that was inlined into it again, are one frame.
void AppendFrames(std::vector<Frame>& stack, const std::vector<Frame>& frames);

// Of a function's entry in debug information, inlined or not; empty if it has none. Of one that no
// other file can call the namespaces are missing, but for a test framework's.
std::string FunctionName(Dwarf_Die* die);

// A symbol's name as C++ writes it, with parameters; the same name if it is not mangled.
std::string Demangled(const char* name);

// "ns::Class::Method" from a mangled or demangled name: no parameters, no return type.
std::string ShortFunctionName(const std::string& name);

// The innermost frame that the programmer wrote: a lock is taken by the line that says lock_guard,
// not by a line of the standard library's header.
Location ProgramsOwn(const std::vector<Frame>& stack);

// Is this the program's own source, as opposed to a header or source of the system's libraries?
bool IsLibrarySource(const std::string& file);

// Is the function of this name one of GoogleTest's, Catch2's or doctest's? They are compiled into
// test programs from wherever their sources are.
bool IsTestFramework(const std::string& function);

}  // namespace heddle::report
