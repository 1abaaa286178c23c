// The functions of the C++ library that stand behind ours.
#pragma once

namespace heddle::runtime {

// Address of the C++ library's `name`. Where that library is linked into the program, ours took the
// function's place at link time, and it is nowhere: said, and the process ends.
void* FindInCppLibrary(const char* name);

}  // namespace heddle::runtime
