// What happens in a library that has a C library of its own is not seen.
// flags: -ldl
// heddle: check
// expect: incomplete=own-namespace
#define _GNU_SOURCE
#include <dlfcn.h>

int main(void) { dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW); }
