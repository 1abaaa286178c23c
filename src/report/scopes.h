// Which functions, inlined calls and blocks an address of a program lies in, as they are nested in
// its debug information.
//
// libdw's dwarf_getscopes leads from an inlined function to where it was written, and who wants to
// know where it stands has to ask for the parents of what it answers, which walks through the whole
// unit: a tenth of a second where a test program is one file with its framework, and a report has
// thousands of addresses. Here the functions of a unit are listed once, and from there down only
// what has the address is looked at.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <map>
#include <vector>

namespace heddle::report {

class Scopes {
 public:
  // From the innermost out to the function itself; empty if the address is in none.
  std::vector<Dwarf_Die> At(Dwarf_Die* unit, uint64_t address);

 private:
  struct Range {
    uint64_t begin, end;
    Dwarf_Die function;
  };
  // Of a unit. Those that stand within others are listed when the first of them is asked for: to
  // find them is to look at all types of the unit.
  struct Functions {
    std::vector<Range> all;
    bool nested = false;  // these, too
  };
  static void ListChildren(Dwarf_Die* parent, bool nested, std::vector<Range>& functions);
  // Null: the address is in none.
  const Dwarf_Die* FunctionAt(Dwarf_Die* unit, uint64_t address);

  std::map<Dwarf_Off, Functions> functions_;  // by unit
};

}  // namespace heddle::report
