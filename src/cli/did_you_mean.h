// The word that somebody has mistyped.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle::cli {

// Of `known` the word that is nearest to `word`, as ": did you mean WORD?"; empty if none is near.
std::string DidYouMean(std::string_view word, std::span<const std::string> known);

}  // namespace heddle::cli
