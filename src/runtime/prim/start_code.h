// What compiler and C library link into every module, known by its first instructions.
#pragma once

namespace heddle::runtime {

// The destructor function that crtbegin has for every module. It runs what exit() has left of the
// module's exit handlers, and exit() leaves none.
bool IsCompilersDestructor(const unsigned char* code);

// crti's _fini, if nobody put anything into it.
bool IsEmptyFini(const unsigned char* code);

}  // namespace heddle::runtime
