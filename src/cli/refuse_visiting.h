// What --visited states cannot be combined with, beside the axes of a search (space/space.h).
#pragma once

#include <optional>

#include "base/result.h"
#include "cli/search_options.h"
#include "space/space.h"

namespace heddle::cli {

std::optional<base::Error> RefuseVisiting(const SearchOptions& options, space::Visited visited);

}  // namespace heddle::cli
