#pragma once

#include <string_view>

namespace heddle::runtime {

// A function of the C or C++ library that ends the program or the thread, or throws.
bool DoesNotReturn(std::string_view callee);

}  // namespace heddle::runtime
