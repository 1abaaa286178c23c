// The world's part of the program's state (states/state_digest.h).
#pragma once

#include "base/wide_hash.h"

namespace heddle::runtime {

// Always true: what is not part of it ends a search that takes states (RefuseWithStates).
bool AddWorldState(base::WideHash& hash);

}  // namespace heddle::runtime
