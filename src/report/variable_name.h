// The variable at an address, the member or element of it, and what it holds as its type has it.
// Walks the DWARF of the program.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::report {

// A variable, a part of one, or nothing: then `name` is empty.
struct Variable {
  std::string name;               // "accounts[3].lock"
  std::optional<Dwarf_Die> type;  // of what lies just there, without names and qualifiers
};

// What lies `offset` bytes into `type`: ".lock", "[3].balance", "" for the whole of it or where the
// type does not say. Not a part of an `as` that begins there, if one is given.
Variable MemberOf(Dwarf_Die type, uint64_t offset, std::optional<Dwarf_Die> as = std::nullopt);

// The type of the global variable at `address` in the file.
std::optional<Dwarf_Die> TypeOfGlobal(Dwarf* dwarf, uint64_t address);

// A frame of a function that was not inlined: the code it was at, and the addresses it takes.
struct FrameRange {
  uint64_t pc;  // in the file
  uint64_t begin, end;
};

// The local variable or parameter at `address`, of the function whose frame it lies in or of one
// inlined into it. `scopes`: of frame.pc (scopes.h).
Variable LocalVariable(std::span<Dwarf_Die> scopes, const FrameRange& frame, uint64_t address,
                       std::optional<Dwarf_Die> as = std::nullopt);

// The types of this name in the unit and in what is nested in it, without names and qualifiers.
std::vector<Dwarf_Die> TypesNamed(Dwarf_Die* unit, const std::string& name);

// What a pointer points to; nothing if `type` is none, or one to void.
std::optional<Dwarf_Die> Pointee(Dwarf_Die type);

// "Node", or "" if it has no name.
std::string TypeName(Dwarf_Die type);

// 0 if it is not known.
uint64_t SizeOf(Dwarf_Die type);

// "-3", "true", "'a'", "1.5", "kReady"; empty for a pointer and for what is no number.
std::string ValueOf(Dwarf_Die type, uint64_t value, unsigned size);

}  // namespace heddle::report
