// The machine that heddle is built for, as files and folders name it.
#pragma once

#include <elf.h>

namespace heddle::runtime {

inline constexpr int kElfMachine = EM_X86_64;
#define HEDDLE_MACHINE "x86-64"                       // for people
#define HEDDLE_CLANG_MACHINE "x86_64"                 // in the names of Clang's libraries
#define HEDDLE_LIBRARY_FOLDER "lib/x86_64-linux-gnu"  // Debian's, beside lib and lib64

}  // namespace heddle::runtime
