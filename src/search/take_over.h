// What happens instead of main: prepare, search, report, end the process.
#pragma once

namespace heddle::search {

// REQUIRES: the program's constructors have run, and it has one thread.
[[noreturn]] void TakeOver();

}  // namespace heddle::search
