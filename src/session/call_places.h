// Places in the program's code by names that outlive a rebuild: "Push#3" is behind the third call
// in the function Push that leaves the program's file. That is where its accesses call heddle: so
// the name holds as long as the function is the same up to there, wherever it lies. Of a function
// whose symbol has more than 24 characters it has the symbol's hash: "~5f3a9c01#3".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::session {

// `place` as schedule files have it: "@+0x1321". Nothing: it lies in a library, or in no function
// that a symbol names.
std::optional<std::string> NameOfPlace(const std::string& program, const std::string& place);

// The inverse: "@Lock#2" in the program as it is now. Nothing: it has none.
std::optional<std::string> PlaceNamed(const std::string& program, const std::string& name);

}  // namespace heddle::session
