#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::runtime {

// A function of the C or C++ library that ends the program or the thread, or throws.
bool DoesNotReturn(std::string_view callee);
// The same of the target of a call.
bool CallDoesNotReturn(uintptr_t target);

}  // namespace heddle::runtime
