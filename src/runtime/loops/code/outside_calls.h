// Functions of libraries that heddle has none for: what they change it does not see, so a loop that
// calls one may not be back in the same state although it looks so.
#pragma once

#include <string_view>

namespace heddle::runtime {

// Changes nothing, and gives what it is asked for.
bool OnlyReads(std::string_view callee);

// The library function `callee` may change something that heddle does not see. What heddle has a
// function for, it sees; some others change something only by calling those.
bool IsOutside(std::string_view callee);

}  // namespace heddle::runtime
