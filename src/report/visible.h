// What a program put into its messages and names, made fit for any document. The text may come from
// anywhere: a program's assertion, a file name, the name of a template.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::report {

// The same text as valid UTF-8, in which what cannot be seen is written out: control characters and
// bytes that are not UTF-8 as "\x1b"; characters that turn the direction of what follows, end lines
// where no editor does, or are no characters at all as "\u202e". Newlines and tabs stay.
// ENSURES: every character of the answer is allowed in XML 1.0.
std::string Visible(std::string_view text);

// The same in one line: newlines and tabs are written out, too. What a program says cannot look
// like a line of heddle's own.
std::string VisibleLine(std::string_view text);

// The same as Visible for HTML and XML: between tags, and for attributes in quotes.
std::string Escaped(std::string_view text);

// At most `most` bytes: the middle of a longer text is replaced by " ... ". Cut between characters.
std::string Shortened(const std::string& text, size_t most);

}  // namespace heddle::report
