/* Stands before the C++ library's <bits/c++config.h> in what heddle-cc compiles. Until C++20 that
 * library leaves the functions of std::string to libstdc++.so, where no access is seen: two threads
 * that append to one string would be no data race. -1 is the library's own way to have them
 * compiled with the program, as C++20 has them. No guard: the library's header has one. */
#pragma GCC system_header
#include_next <bits/c++config.h>
#if defined _GLIBCXX_EXTERN_TEMPLATE && _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
