// What a call through a linkage table leads to, by name. Read off the modules' own tables: a slot
// of the table is filled in only when the call is first made.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::runtime {

// Of the function that the stub at `target` jumps to; empty if there is no stub, or it is not
// known. The name ends in a zero, and stays.
std::string_view NameOfCallee(uintptr_t target);

// Is it what compilers call to announce a plain access, or to enter or leave a function? It changes
// nothing of the program's.
bool IsAnnouncement(std::string_view callee);

// Does the code of the module that `address` lies in announce its accesses, so that heddle-cc made
// some of it?
bool AnnouncesAccesses(uintptr_t address);

// Does a module other than heddle's want this function of another one?
bool AnyModuleWants(std::string_view name);

// Where the code goes on if it calls a function of heddle's at `pc` through a pointer in its table
// of addresses, as it does to announce an asm statement; 0: it does not, or to one that only passes
// the call on to libc (passing.h).
uintptr_t BehindOwnCall(uintptr_t pc);

// Does libheddle define `name`, other than to pass calls on?
bool DefinesName(std::string_view name);

}  // namespace heddle::runtime
