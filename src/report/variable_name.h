// The member or element of a global variable at an offset: ".lock", "[3].balance", "" for the whole
// of it. Walks the variable's DWARF type.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>

namespace heddle::report {

// `variable` is the variable's address in the file, `offset` how far into it the access is. Empty
// when the offset is 0 in a plain type, or the type does not say.
std::string MemberPath(Dwarf* dwarf, uint64_t variable, uint64_t offset);

}  // namespace heddle::report
