// What the options of a search leave open gets the values that make sense together.
#pragma once

#include <optional>

#include "base/result.h"
#include "cli/search_options.h"
#include "space/space.h"

namespace heddle::cli {

// Why the options do not go together, else all axes are filled in. `bound`: of options.bound.
std::optional<base::Error> FillInOpen(SearchOptions& options, space::Bound& bound);

}  // namespace heddle::cli
