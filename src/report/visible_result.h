// A finding as a terminal may show it: every text that the program has a hand in (messages, names,
// source lines) is one line without anything that a terminal obeys.
#pragma once

#include "report/search_result.h"

namespace heddle::report {

// All but `schedule`, which is a word for the shell (shell_word.h).
Finding VisibleFinding(Finding finding);

}  // namespace heddle::report
