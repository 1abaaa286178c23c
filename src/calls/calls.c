// libheddle-calls.so: the functions of include/heddle.h as symbols, for languages that cannot call
// what is inline in a header (ctypes, Lua's package.loadlib, JNA ...). It needs no heddle: the
// functions behind these are weak, and found in libheddle.so when `heddle check` has loaded that.
#define HEDDLE_FUNCTION __attribute__((visibility("default")))
#include <heddle.h>
