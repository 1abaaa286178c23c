#include "cli/did_you_mean.h"

#include <algorithm>

#include "base/edit_distance.h"

namespace heddle::cli {
std::string DidYouMean(std::string_view word, std::span<const std::string> known) {
  size_t least = std::min<size_t>(word.size() / 3, 3) + 1;
  std::string nearest;
  for (const std::string& each : known) {
    // --timeout is meant to be --timeouts rather than --time.
    const bool begins = word.size() >= 4 && each.starts_with(word);
    const size_t distance = begins ? 0 : base::EditDistance(word, each);
    if (distance >= least) continue;
    least = distance;
    nearest = each;
  }
  return nearest.empty() ? "" : ": did you mean " + nearest + "?";
}

}  // namespace heddle::cli
