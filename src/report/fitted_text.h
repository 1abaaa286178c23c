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
// A line of the source in at most `width` columns: without a comment behind it, then without its
// middle, as what is compared, or done if it holds, stands at its end.
std::string FitSource(const std::string& source, size_t width);
// `text` in lines of at most `width` columns, broken at spaces where there are some.
std::vector<std::string> Wrapped(const std::string& text, size_t width);

}  // namespace heddle::report
