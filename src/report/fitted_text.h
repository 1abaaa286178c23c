// Text in so many columns of a terminal: UTF-8 is never cut within a character.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::report {

// In columns.
size_t Width(const std::string& text);
// `name` in at most `width` columns, without its middle: names differ at their ends.
std::string FitName(const std::string& name, size_t width);
// At most `width` columns of `text`, with "..." at the end if it is cut.
std::string Fit(const std::string& text, size_t width);
// `text` in lines of at most `width` columns, broken at spaces where there are some.
std::vector<std::string> Wrapped(const std::string& text, size_t width);

}  // namespace heddle::report
