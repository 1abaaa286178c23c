// How large a variable of the program is, by the symbols of the file that it was loaded from.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// Bytes of the variable that begins at `address`; 0: not known (the file is stripped, or gone, or
// nothing begins there). Takes long: the file is read. Allocates nothing.
size_t SizeOfVariable(uintptr_t address);

// Does a module that is loaded lie there?
bool IsInModule(uintptr_t address);

}  // namespace heddle::runtime
