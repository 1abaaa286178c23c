// A word of a line to paste.
#pragma once

#include <string>

namespace heddle::report {

// `text` as one word of a POSIX shell; of bash, ksh and zsh where it has control characters, which
// no terminal should be sent. One line in every case, and `text` itself where nothing in it means
// anything to a shell.
std::string ShellWord(const std::string& text);

// Likewise, and always in quotes: where a reader has to see where the word ends.
std::string QuotedShellWord(const std::string& text);

}  // namespace heddle::report
