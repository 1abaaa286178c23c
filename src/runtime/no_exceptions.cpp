// Nothing in libheddle throws. The standard library's containers call these functions when
// something is wrong; were they not here, the linker would take libstdc++'s, and with them
// exceptions, locales and streams: megabytes that every program under test would load.

#include <cstdlib>

#include "base/check.h"

namespace std {

[[noreturn]] void __throw_bad_alloc();
[[noreturn]] void __throw_bad_array_new_length();
[[noreturn]] void __throw_length_error(const char*);
[[noreturn]] void __throw_logic_error(const char*);
[[noreturn]] void __throw_out_of_range_fmt(const char*, ...);
[[noreturn]] void __throw_bad_function_call();

void __throw_bad_alloc() {
  heddle::base::CheckFailed(__FILE__, __LINE__, "heddle's own memory is used up");
}
void __throw_bad_array_new_length() { heddle::base::CheckFailed(__FILE__, __LINE__, "array size"); }
void __throw_length_error(const char* what) { heddle::base::CheckFailed(__FILE__, __LINE__, what); }
void __throw_logic_error(const char* what) { heddle::base::CheckFailed(__FILE__, __LINE__, what); }
void __throw_out_of_range_fmt(const char* what, ...) {
  heddle::base::CheckFailed(__FILE__, __LINE__, what);
}
void __throw_bad_function_call() {
  heddle::base::CheckFailed(__FILE__, __LINE__, "empty function");
}

}  // namespace std
